#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The chosen plan of an einsum beside all legal ones, timed.

    python3 bench/sparse/plans.py [--heddle build/bin/heddle] [--rounds N] [--only NAME] [--json FILE]

Each case is an einsum with formats, sizes and patterns. `heddle run --plan=all --repeat=N`
compares every legal plan with the oracle and times them in rounds, forwards and backwards; a
plan's time is its least. A row has the number of plans, the chosen one's time, the fastest
one's, their ratio, that of the order that a greedy search finds (`--plan=greedy`), and how far the
slowest is. The last line has the geometric means. Exit code: 0, or 1 if a run failed.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEVELS = {"d": "dense", "c": "compressed", "o": "compressed(nonunique)", "n": "singleton(nonunique)", "s": "singleton"}

# name, einsum, the operands' levels (in storage order, then "@" and the axes), the result's, sizes, options.
CASES = (
    ("SpMV CSR", "ij,j->i", "dc d", "d", "i=20000 j=20000", "T0:0.0008"),
    ("SpMV CSC", "ij,j->i", "dc@10 d", "d", "i=20000 j=20000", "T0:0.0008"),
    ("SpMV COO", "ij,j->i", "os d", "d", "i=20000 j=20000", "T0:0.0008"),
    ("SpMV skewed", "ij,j->i", "dc d", "d", "i=3000 j=3000", "T0:0.05:skewed"),
    ("SpMM CSR 8", "ij,jk->ik", "dc dd", "dd", "i=6000 j=6000 k=8", "T0:0.002"),
    ("SpMM CSR 64", "ij,jk->ik", "dc dd", "dd", "i=4000 j=4000 k=64", "T0:0.004"),
    ("SpMM CSR 200", "ij,jk->ik", "dc dd", "dd", "i=2000 j=3000 k=200", "T0:0.004"),
    ("SpMM CSC 32", "ij,jk->ik", "dc@10 dd", "dd", "i=4000 j=4000 k=32", "T0:0.004"),
    ("SpMM DCSR 32", "ij,jk->ik", "cc dd", "dd", "i=30000 j=4000 k=32", "T0:0.0002"),
    ("SpMM columns", "ij,kj->ik", "dc dd", "dd", "i=2000 j=2000 k=48", "T0:0.01"),
    ("dense times CSR", "ij,jk->ik", "dd dc", "dd", "i=64 j=2000 k=2000", "T1:0.01"),
    ("SpMM f64 40", "ij,jk->ik", "dc dd", "dd", "i=3000 j=3000 k=40", "T0:0.005 f64"),
    ("SpGEMM CSR", "ij,jk->ik", "dc dc", "dc", "i=3000 j=3000 k=3000", "T0:0.003 T1:0.003"),
    ("SpGEMM to dense", "ij,jk->ik", "dc dc", "dd", "i=1000 j=1000 k=1000", "T0:0.01 T1:0.01"),
    ("SpGEMM CSR CSC", "ij,jk->ik", "dc dc@10", "dd", "i=600 j=600 k=600", "T0:0.02 T1:0.02"),
    ("SDDMM 16", "ij,ik,jk->ij", "dc dd dd", "dc", "i=3000 j=3000 k=16", "T0:0.005"),
    ("SDDMM 128", "ij,ik,jk->ij", "dc dd dd", "dc", "i=2000 j=2000 k=128", "T0:0.004"),
    ("TTV", "ijk,k->ij", "ccc d", "cc", "i=300 j=300 k=300", "T0:0.003"),
    ("TTM", "ijk,kl->ijl", "ccc dd", "ddd", "i=200 j=200 k=200 l=16", "T0:0.005"),
    ("MTTKRP", "ijk,jl,kl->il", "ccc dd dd", "dd", "i=300 j=300 k=300 l=16", "T0:0.002"),
    ("MTTKRP 2", "ijk,il,kl->jl", "ccc dd dd", "dd", "i=300 j=300 k=300 l=16", "T0:0.002"),
    ("both where both", "ij,ij->ij", "dc dc", "dc", "i=3000 j=3000", "T0:0.02 T1:0.01"),
    ("row sums", "ij->i", "dc", "d", "i=10000 j=10000", "T0:0.002"),
    ("shortest paths", "ij,jk->ik", "dc dd", "dd", "i=3000 j=3000 k=24", "T0:0.005 min-plus"),
    ("SpMV f64", "ij,j->i", "dc d", "d", "i=20000 j=20000", "T0:0.0008 f64"),
    ("SpMV DCSR", "ij,j->i", "cc d", "d", "i=100000 j=20000", "T0:0.00002"),
    ("SpMV turned", "ij,i->j", "dc d", "d", "i=20000 j=20000", "T0:0.0008"),
    ("SpMM turned 32", "ij,ik->jk", "dc dd", "dd", "i=4000 j=4000 k=32", "T0:0.004"),
    ("SpMM times vector", "ij,jk,k->i", "dc dd d", "d", "i=3000 j=3000 k=24", "T0:0.005"),
    ("dense times CSC", "ij,jk->ik", "dd dc@10", "dd", "i=64 j=2000 k=2000", "T1:0.01"),
    ("SpGEMM skewed", "ij,jk->ik", "dc dc", "dc", "i=3000 j=3000 k=3000", "T0:0.003:skewed T1:0.003"),
    ("SpGEMM f64", "ij,jk->ik", "dc dc", "dc", "i=2000 j=2000 k=2000", "T0:0.005 T1:0.005 f64"),
    ("SDDMM f64 64", "ij,ik,jk->ij", "dc dd dd", "dc", "i=2000 j=2000 k=64", "T0:0.005 f64"),
    ("TTV to dense", "ijk,k->ij", "ccc d", "dd", "i=300 j=300 k=300", "T0:0.003"),
    ("MTTKRP COO", "ijk,jl,kl->il", "ons dd dd", "dd", "i=300 j=300 k=300 l=16", "T0:0.002"),
    ("MTTKRP f64", "ijk,jl,kl->il", "ccc dd dd", "dd", "i=300 j=300 k=300 l=24", "T0:0.002 f64"),
    ("rows scaled", "ij,i->ij", "dc d", "dc", "i=10000 j=10000", "T0:0.002"),
    ("column sums", "ij->j", "dc", "d", "i=10000 j=10000", "T0:0.002"),
    ("sum of all", "ij->", "dc", "", "i=10000 j=10000", "T0:0.002"),
    ("rows to columns", "ij->ji", "dc", "dc", "i=10000 j=10000", "T0:0.002"),
)


def tensor_type(text, rank, element):
    levels, _, axes = text.partition("@")
    if set(levels) == {"d"} and not axes:
        return f"tensor<{'?x' * rank}{element}>"
    axes = [int(axis) for axis in axes] or list(range(rank))
    dims = ", ".join(f"d{axis}" for axis in range(rank))
    places = ", ".join(f"d{axis} : {LEVELS[level]}" for axis, level in zip(axes, levels))
    return (f"tensor<{'?x' * rank}{element}, #sparse_tensor.encoding<{{ map = ({dims}) -> ({places}), "
            "posWidth = 32, crdWidth = 32 }>>")


def write_case(case):
    """The text of a program, and the options of its run."""
    _, einsum, formats, result, sizes, options = case
    result = result or "d"  # of no axes, where it is one number
    left, output = einsum.split("->")
    inputs = left.split(",")
    extents = dict(size.split("=") for size in sizes.split())
    words = options.split()
    element = "f64" if "f64" in words else "f32"
    over = ' over "min-plus"' if "min-plus" in words else ""
    types = [tensor_type(text, len(indices), element) for text, indices in zip(formats.split(), inputs)]
    made = tensor_type(result, len(output), element)
    arguments = ", ".join(f"%T{number}: {kind}" for number, kind in enumerate(types))
    product = " * ".join(f"%T{number}({', '.join(indices)})" for number, indices in enumerate(inputs))
    text = (f"einsum.program @p({arguments}) {{\n"
            f"  %R = einsum.statement ({', '.join(output)}) += {product}{over}\n"
            f"    : {', '.join(types)} -> {made}\n  einsum.return %R : {made}\n}}\n")
    command = []
    for number, indices in enumerate(inputs):
        command.append(f"--view=T{number}=" + "x".join(extents[index] for index in indices))
    for word in words:
        name, _, rest = word.partition(":")
        if rest:
            density, _, pattern = rest.partition(":")
            command.append(f"--density={name}={density}")
            if pattern:
                command.append(f"--pattern={name}={pattern}")
    return text, command


PLAN = re.compile(r"^plan (\d+): ([\d.e+-]+) ms; (.*)$", re.M)
GREEDY = re.compile(r"^greedy; (.*)$", re.M)


def measure(given, case):
    """The milliseconds and the text of each plan, the chosen one first, and the text of the greedy one."""
    text, command = write_case(case)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        options = [f"--workers={given.workers}", *([f"--machine={given.machine}"] if given.machine else [])]

        def run(plan, *more):
            done = subprocess.run([given.heddle, "run", file.name, *command, f"--plan={plan}", *more, *options],
                                  capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{case[0]}: {done.stderr}")
            return done.stdout

        plans = [(float(ms), rest) for _, ms, rest in PLAN.findall(run("all", f"--repeat={given.rounds}"))]
        return plans, GREEDY.search(run("greedy"))[1]


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=str(ROOT / "build/bin/heddle"))
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--machine", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true", help="every plan of a case")
    given = parser.parse_args()
    rows = []
    for case in CASES:
        if given.only not in case[0]:
            continue
        plans, greedy = measure(given, case)
        least = min(ms for ms, _ in plans)
        ratio = plans[0][0] / least
        by_greed = next(ms for ms, rest in plans if rest == greedy) / least
        rows.append({"case": case[0], "plans": len(plans), "chosen_ms": plans[0][0], "best_ms": least,
                     "worst_ms": max(ms for ms, _ in plans), "ratio": ratio, "greedy_ratio": by_greed,
                     "all": [{"ms": ms, "plan": rest} for ms, rest in plans]})
        print(f"{case[0]:18} {len(plans):3} plans; chosen {plans[0][0]:9.4f} ms, best {least:9.4f} ms, "
              f"ratio {ratio:5.2f}; greedy {by_greed:6.2f}; worst {rows[-1]['worst_ms'] / least:7.1f}", flush=True)
        if given.verbose:
            for ms, rest in plans:
                print(f"    {ms:9.4f} ms  {rest}")
    mean, worst = geomean([row["ratio"] for row in rows]), max(row["ratio"] for row in rows)
    greedy = geomean([row["greedy_ratio"] for row in rows])
    near = sum(row["ratio"] <= 1.10 for row in rows)
    print(f"geometric mean of chosen over best: {mean:.3f}; the largest {worst:.2f}; {near} of {len(rows)} within 1.10; "
          f"greedy over best: {greedy:.2f}")
    if given.json:
        given.json.write_text(json.dumps({"rows": rows, "geomean": mean, "greedy_geomean": greedy}, indent=1),
                              encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
