#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_page.py PAGE...: runs each `heddle` line of the pages' sh blocks that names a sparse
example, one of embeddings, or a file that such a line wrote, as a reader would, from a folder that has examples/ and test/.

Ends with status 1 at the first line that fails, or if a page has none.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

RUN = ("examples/sparse", "examples/embedding", "spmm-plan", "spgemm-plan")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("examples", "test"):
            os.symlink(ROOT / name, os.path.join(folder, name))
        for page in sys.argv[1:]:
            text = (ROOT / page).read_text(encoding="utf-8")
            lines = [line for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
                     for line in block.splitlines()
                     if line.startswith("heddle ") and any(word in line for word in RUN)]
            if not lines:
                print(f"{page} has no command")
                return 1
            for line in lines:
                done = subprocess.run(shlex.split(line, comments=True), cwd=folder, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
                print(f"{line}\n{done.stdout}")
                if done.returncode:
                    return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
