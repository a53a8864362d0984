# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws legal schedules of a program and runs each on the emulator.

    random_schedules.py EXAMPLE FIRST_SEED COUNT -- heddle run's arguments

Whatever roles, stages, rings and depths a legal schedule has, the expanded
program must compute what the oracle computes. The arguments may contain `{k}`,
which runs through trip counts of the loop from 0 upwards, seed by seed.
"""

import subprocess
import sys
import tempfile

BEFORE = ["--tile-distribute", "--sched-name-ops", "--tile-split"]
TRIPS = [0, 1, 2, 3, 4, 5, 7, 9]
BK = 32


def main(arguments):
    split = arguments.index("--")
    example, first, count = arguments[0], int(arguments[1]), int(arguments[2])
    settings, options = [], []
    rest = arguments[split + 1 :]
    for name, value in zip(rest, rest[1:]):
        if name == "--set":
            settings.append(value)
    failures = 0
    for seed in range(first, first + count):
        k = TRIPS[seed % len(TRIPS)] * BK
        options = [text.replace("{k}", str(k)) for text in rest]
        with tempfile.NamedTemporaryFile(suffix=".mlir") as scheduled:
            instantiate = "--tile-instantiate=set=" + ",".join(settings + [f"BK={BK}"])
            opt = ["heddle-opt", example, instantiate, *BEFORE, f"--sched-schedule=random={seed}"]
            opt += ["--mlir-print-debuginfo", "-o", scheduled.name]
            subprocess.run(opt, check=True)
            without = [t for i, t in enumerate(options) if t != "--set" and (i == 0 or options[i - 1] != "--set")]
            run = ["heddle", "run", scheduled.name, "--device=emulator", f"--seed={seed}", *without]
            result = subprocess.run(run, capture_output=True, text=True)
            if result.returncode != 0:
                failures += 1
                print(f"seed {seed}, K = {k}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    print(f"{count - failures} schedules right, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
