# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `heddle` of an installed package: the tool, which takes this process' place."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def find_tool():
    """The one in the package or, of a checkout, the one in build/."""
    for path in (HERE / "bin" / "heddle", HERE.parents[1] / "build" / "bin" / "heddle"):
        if path.exists():
            return str(path)
    return None


def main():
    tool = find_tool()
    if not tool:
        print("heddle: the package has no bin/heddle; `make build` makes it in a checkout", file=sys.stderr)
        return 3
    os.execv(tool, ["heddle", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
