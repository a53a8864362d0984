#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""header_time.py COMPILER...: the header of tasks alone compiles in less than a second.

That is time of one processor, the least of three, since other tests run beside this one.
"""

import resource
import subprocess
import sys

SECONDS = 1.0


def compile_once(compiler):
    """Seconds of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*compiler, "-x", "c++", "-"], input='#include "heddle/task.h"\n', text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    least = min(compile_once(sys.argv[1:]) for _ in range(3))
    print(f"{least:.2f} s")
    return int(least >= SECONDS)


if __name__ == "__main__":
    sys.exit(main())
