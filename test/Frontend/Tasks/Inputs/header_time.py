#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""header_time.py COMPILER...: the header of tasks alone compiles in less than a second.

That is time of one processor, the least of three, since other tests run beside this one.
A second of a processor differs between machines, and with the work beside it: where the
header takes longer, it may take REST times the time of the standard library's headers
that it includes, compiled in the same minute (about 0.45 s where the header takes 0.65).
"""

import pathlib
import re
import resource
import subprocess
import sys

SECONDS = 1.0
REST = 2.0
SOURCE = pathlib.Path(__file__).resolve().parents[4] / "include" / "heddle"


def compile_once(compiler, text):
    """Seconds of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*compiler, "-x", "c++", "-"], input=text, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def standard_headers():
    """The lines by which the header of tasks, in all its parts, includes the standard library."""
    parts = [SOURCE / "task.h", *sorted((SOURCE / "task").glob("*.h"))]
    lines = {line for part in parts for line in re.findall(r"^#include <\w+>$", part.read_text(), re.M)}
    return "".join(f"{line}\n" for line in sorted(lines))


def main():
    header, standard = '#include "heddle/task.h"\n', standard_headers()
    rounds = [(compile_once(sys.argv[1:], header), compile_once(sys.argv[1:], standard)) for _ in range(3)]
    least, least_standard = (min(column) for column in zip(*rounds))
    print(f"{least:.2f} s, the standard library's headers {least_standard:.2f} s")
    return int(least >= max(SECONDS, REST * least_standard))


if __name__ == "__main__":
    sys.exit(main())
