# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws legal schedules of a program and runs each on the emulator.

    random_schedules.py EXAMPLE --first SEED --count N [--step NAME=VALUE]
        [--param NAME=VALUE]... [--alias NAME=VALUE]... [--scalar NAME=NUMBER]...
        --view a=200x{k} ...

Whatever roles, stages, rings and depths a legal schedule has, the expanded
program must compute what the oracle computes. `{k}` in a view or scalar runs through trip
counts of the loop from 0 upwards, seed by seed; the loop's step is the parameter that
--step names, `=64` of a program whose step is a number. --orders UNIT keeps the order of a unit among processes, where it can be
kept; in how many schedules no remark says that it is not is printed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

BEFORE = ["--tile-promote-accumulation", "--tile-gather-rows", "--tile-distribute", "--sched-name-ops", "--tile-split",
          "--tile-stage-operands"]
TRIPS = [0, 1, 2, 3, 4, 5, 7, 9]


def schedule(options, seed, folder):
    """The example with a schedule drawn from `seed`; the path of its text."""
    tile, scheduled = os.path.join(folder, "tile.mlir"), os.path.join(folder, "sched.mlir")
    aliases = [text for alias in options.alias for text in ("--set", alias)]
    subprocess.run(["heddle", "compile", options.example, "--emit=tile", *aliases, "-o", tile], check=True)
    fixed = [] if options.step.startswith("=") else [options.step]
    passes = ["--tile-instantiate=set=" + ",".join(options.param + fixed), *BEFORE]
    passes.append(f"--sched-schedule=random={seed}")
    command = ["heddle-opt", tile, *passes, "--mlir-print-debuginfo", "-o", scheduled]
    subprocess.run(command, check=True)
    if options.orders:
        with open(scheduled) as file:
            text = file.read()
        text = re.sub(r'(sched\.table "\w+" ii [1-9]\d*)', rf'\1 orders "{options.orders}"', text)
        with open(scheduled, "w") as file:
            file.write(text)
    return scheduled


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("example")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--param", action="append", default=[])
    parser.add_argument("--step", default="BK=32")
    parser.add_argument("--scalar", action="append", default=[])
    parser.add_argument("--alias", action="append", default=[])
    parser.add_argument("--view", action="append", default=[])
    parser.add_argument("--orders", metavar="UNIT")
    options = parser.parse_args()
    step = int(options.step.split("=")[1])
    wrong = kept = 0
    for seed in range(options.first, options.first + options.count):
        k = TRIPS[seed % len(TRIPS)] * step
        views = [text for view in options.view for text in ("--view", view.replace("{k}", str(k)))]
        scalars = [text for one in options.scalar for text in ("--scalar", one.replace("{k}", str(k)))]
        with tempfile.TemporaryDirectory() as folder:
            program = schedule(options, seed, folder)
            run = ["heddle", "run", program, "--device=emulator", f"--seed={seed}", *views, *scalars]
            result = subprocess.run(run, capture_output=True, text=True)
        kept += "not-ordered" not in result.stderr
        if result.returncode != 0:
            wrong += 1
            print(f"seed {seed}, K = {k}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    print(f"{options.count - wrong} schedules right, {wrong} wrong")
    if options.orders:
        print(f"{kept} kept in order")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
