# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel of heddle._sparse_rows by its name: rows_text.py SOURCE PARTS|JOIN"""

import os
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "python"))
from heddle import _sparse_rows  # noqa: E402

print(getattr(_sparse_rows, sys.argv[2]))
