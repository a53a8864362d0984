# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints PTX whose first process loads one tile too many: one_load_more.py FILE STEP

The loop around the first wait on an mbarrier runs to its bound, in steps of STEP, and once more.
"""

import re
import sys

lines = open(sys.argv[1], encoding="utf-8").read().splitlines()
first = next(i for i, line in enumerate(lines) if "mbarrier.try_wait" in line)
test = max(i for i in range(first) if "setp.ge.s32" in lines[i])
predicate, counter, bound = re.findall(r"%\w+", lines[test])
lines[test] = (
    f"{{ .reg .b32 %less; sub.s32 %less, {counter}, {sys.argv[2]}; "
    f"setp.ge.s32 {predicate}, %less, {bound}; }}"
)
print("\n".join(lines))
