# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fifos.py FOLDER: puts a FIFO in the place of each file in it."""

import os
import pathlib
import sys

files = [path for path in pathlib.Path(sys.argv[1]).rglob("*") if path.is_file()]
for path in files:
    path.unlink()
    os.mkfifo(path)
sys.exit(0 if files else 1)
