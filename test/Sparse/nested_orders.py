#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The 15 orders of two nested products in which FuseFlow (ASPLOS 2026) shows them, on Zachary's karate club, as
bench/flow_figures.py writes them: each is right. Prints the fewest and the most cycles."""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bench"))
import flow_figures  # noqa: E402


def simulate(program, *options):
    done = subprocess.run(["heddle", "simulate", str(program), "--order=timed", "--engine=compiled",
                           "--max-steps=100000000", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode or "right" not in done.stdout or "the same" not in done.stdout:
        raise SystemExit(f"{program}\n{program.read_text(encoding='utf-8')}{done.stdout}")
    return done.stdout, 0


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = flow_figures.Bench(simulate, None, folder, lambda pattern, text: int(re.search(pattern, text, re.M)[1]))
        cycles = [row["cycles"] for row in flow_figures.fifteen_orders(bench)]
    print(f"{len(cycles)} orders right, {min(cycles)} to {max(cycles)} cycles")


if __name__ == "__main__":
    main()
