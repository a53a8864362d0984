# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints PTX in which one wait on an mbarrier asks only once: ask_once.py FILE NUMBER

NUMBER counts the mbarrier.try_wait of the text from 0; the branch back to it goes.
"""

import sys

path, number = sys.argv[1], int(sys.argv[2])
lines = open(path, encoding="utf-8").read().splitlines()
waits = [i for i, line in enumerate(lines) if "mbarrier.try_wait" in line]
branch = next(i for i in range(waits[number], waits[number] + 4) if "bra" in lines[i].split())
del lines[branch]
print("\n".join(lines))
