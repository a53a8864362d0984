# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cuts a record behind each of its lines, and lets a tuner go on: tuner_cuts.py WHOLE CUT COMMAND...

The record that is left must be the whole one each time.
"""

import pathlib
import subprocess
import sys

whole, cut, *command = sys.argv[1:]
lines = pathlib.Path(whole).read_bytes().splitlines(keepends=True)
for count in range(2, len(lines)):
    pathlib.Path(cut).write_bytes(b"".join(lines[:count]))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    if pathlib.Path(cut).read_bytes() != b"".join(lines):
        sys.exit(f"another record from {count} lines")
print(f"the same from each of {len(lines) - 2} lines")
