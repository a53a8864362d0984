# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compile-time.py LIMIT_SECONDS COMMAND...: fails if the command takes longer.

Processor time of the fastest of ten runs: the machine may be busy with other
tests, and the compiler has one thread.
"""

import resource
import subprocess
import sys

limit, command = float(sys.argv[1]), sys.argv[2:]


def used_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


best = float("inf")
for _ in range(10):
    begin = used_seconds()
    subprocess.run(command, check=True)
    best = min(best, used_seconds() - begin)
    if best < limit:
        break
print(f"{best:.3f} s, limit {limit} s")
sys.exit(best >= limit)
