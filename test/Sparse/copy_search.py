#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""copy_search.py UNITS INDICES PROGRAM [OPTION...]

The parallel copies that heddle chooses for UNITS beside all numbers of copies of INDICES ("ijk") that are
powers of two and fit: those that it chose take at most 5 % more cycles than the best of all. OPTIONs go
to `heddle simulate`."""

import itertools
import re
import subprocess
import sys


def simulate(*options):
    """Cycles and units of one program in one region; what was printed."""
    done = subprocess.run(["heddle", "simulate", *options, "--order=timed"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(options)}\n{done.stdout}{done.stderr}")
    return (int(re.search(r"^(\d+) cycles", done.stdout, re.M)[1]),
            int(re.search(r": (\d+) processes, ", done.stdout)[1]), done.stdout)


def main():
    most, indices, *options = sys.argv[1:]
    most = int(most)
    chosen, units, text = simulate(*options, f"--parallel=auto:{most}")
    if units > most:
        sys.exit(f"{units} units, and {most} may be used\n{text}")
    best, tried, too_large = None, 0, []
    for powers in itertools.product(range(most.bit_length()), repeat=len(indices)):
        # More copies need more units.
        if any(all(a <= b for a, b in zip(less, powers)) for less in too_large):
            continue
        copies = ",".join(f"{index}:{1 << power}" for index, power in zip(indices, powers))
        cycles, needed, _ = simulate(*options, f"--parallel={copies}")
        tried += 1
        if needed > most:
            too_large.append(powers)
        elif best is None or cycles < best[0]:
            best = cycles, copies
    print(f"{chosen} cycles on {units} of {most} units; best of {tried}: {best[0]}, {best[1]}")
    return int(chosen > 1.05 * best[0])


if __name__ == "__main__":
    sys.exit(main())
