#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every example, undamaged, under many schedules of the emulator.

The twin of trust.py: a checker that objects to everything would catch every mutant.
Each example is compiled as trust.py does, with rings of 2 and of 3 slots, must be proved
by the checker, and is emulated with SEEDS seeds, random and adversarial in turn, on one
multiprocessor and on three. Exit status 1 if anything objects.
"""

import argparse
import concurrent.futures
import pathlib
import re
import sys

import run_demo
import trust

# Small shapes, so that many schedules fit into minutes; equal extents stay equal.
SMALLER = {"512": "136", "256": "200", "300": "140", "1000": "200", "10000": "3000"}


def smaller(argument, extents=SMALLER):
    if "=" not in argument or "." in argument:
        return argument
    name, shape = argument.split("=", 1)
    return name + "=" + re.sub(r"\d+", lambda number: extents.get(number[0], number[0]), shape)


def prepare(bench, case, source, settings, depth):
    """The objections before anything runs, as text."""
    rung = bench.kept / f"{case}.undamaged.mlir"
    rung.parent.mkdir(exist_ok=True)  # a case may be of a folder of examples
    bench.compile(source, settings, depth, rung)
    if trust.call([bench.heddle, "check", rung]).returncode:
        return [f"{case}: the checker objects"]
    done = trust.call([bench.heddle, "compile", rung, "-o", rung.with_suffix(".ptx")])
    return [f"{case}: {done.stderr}"] if done.returncode else []


def emulate(bench, case, source, seed):
    """The objection to one seed, as text, or None."""
    ptx = bench.kept / f"{case}.undamaged.ptx"
    arguments = [smaller(word) for word in run_demo.runs_of(source)[0]]
    command = [bench.heddle, "emulate", ptx, "--manifest", ptx.with_suffix(".json"), "--jobs=1",
               f"--sms={1 + seed % 2 * 2}", f"--order={('random', 'adversarial')[seed % 2]}",
               f"--seed={seed}", *arguments]
    done = trust.call(command)
    return f"{case}, seed {seed}: {done.stderr or done.stdout}" if done.returncode else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=trust.ROOT / "build")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", help="this example (may be repeated)")
    options = parser.parse_args()
    bench = trust.Bench(options.build.resolve(), options.seeds)
    chosen = list(trust.cases(options.only))
    objections = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        prepared = list(pool.map(lambda each: prepare(bench, *each), chosen))
        # Seeds of all kernels in turn: one long kernel does not run alone in the end.
        tasks = [(case, source, seed) for seed in range(options.seeds)
                 for (case, source, *_), before in zip(chosen, prepared) if not before]
        found = dict(zip(tasks, pool.map(lambda task: emulate(bench, *task), tasks)))
    for (case, source, *_), before in zip(chosen, prepared):
        of_case = before + [found[case, source, seed] for seed in range(options.seeds)
                            if found.get((case, source, seed))]
        print(case, "fine" if not of_case else of_case[0], sep="  ", flush=True)
        objections += of_case
    print(f"undamaged: {len(chosen)} kernels, {options.seeds} seeds each; {len(objections)} objections")
    return 1 if objections else 0


if __name__ == "__main__":
    sys.exit(main())
