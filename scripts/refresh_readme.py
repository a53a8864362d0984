#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Brings up to date what README.md shows of schedules: the output of each
`$ heddle ...` command that stands first in a code block, and the pictures that
a `heddle explain ... --svg=docs/...` command there draws. A command may end in
`| head -n N`: then its first N lines are shown.

    refresh_readme.py --tools build/bin           # writes
    refresh_readme.py --tools build/bin --check   # status 1 if anything is stale
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHOWN = re.compile(r"^```\n\$ (heddle [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DRAWN = re.compile(r"`(heddle explain [^`]*)--svg=(docs/[^`\s]+)`")


def output(tools, command):
    command, _, count = command.partition(" | head -n ")
    words = shlex.split(command)
    text = subprocess.run([str(tools / words[0]), *words[1:]], cwd=ROOT, check=True,
                          env={**os.environ, "HEDDLE_CACHE_DIR": ""},  # solved anew
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          encoding="utf-8").stdout
    return "".join(text.splitlines(keepends=True)[:int(count)]) if count else text


def wanted(tools):
    """What each file should hold, by path."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    files = {"README.md": SHOWN.sub(
        lambda block: f"```\n$ {block[1]}\n{output(tools, block[1])}```", readme)}
    for command, picture in DRAWN.findall(readme):
        files[picture] = output(tools, command + "--svg=-")
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stale = 0
    for path, text in wanted(options.tools.resolve()).items():
        file = ROOT / path
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if options.check:
            print(f"{path} is stale; run scripts/refresh_readme.py --tools {options.tools}")
        else:
            file.write_text(text, encoding="utf-8")
            print(f"{path} is written")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
