# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compile-time.py LIMIT COMMAND...: fails if the command takes longer.

LIMIT counts yardsticks: what Python's own compiler takes for a fixed text on
the same machine, 0.13 s where the limits were set. Seconds would measure the
machine: one and the same build took 0.36 s and 0.60 s within a day. Both are
processor time, the fastest of up to ten turns, taken one after the other since
the machine may be busy with other tests.
"""

import resource
import subprocess
import sys

YARD_FUNCTIONS = 4000
limit, command = float(sys.argv[1]), sys.argv[2:]


def used_seconds(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


YARD = "\n".join(
    f"def f{i}(a, b):\n    return [a * {i} + b[x] for x in range(a) if x != {i}]"
    for i in range(YARD_FUNCTIONS))


def yardstick():
    begin = used_seconds(resource.RUSAGE_SELF)
    compile(YARD, "yard", "exec")
    return used_seconds(resource.RUSAGE_SELF) - begin


def compilation():
    begin = used_seconds(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    return used_seconds(resource.RUSAGE_CHILDREN) - begin


compile_seconds = yard_seconds = float("inf")
for turn in range(10):
    yard_seconds = min(yard_seconds, yardstick())
    compile_seconds = min(compile_seconds, compilation())
    if turn >= 2 and compile_seconds < limit * yard_seconds:
        break
print(f"{compile_seconds:.3f} s, {compile_seconds / yard_seconds:.2f} yardsticks of {yard_seconds:.3f} s, limit {limit}")
sys.exit(compile_seconds >= limit * yard_seconds)
