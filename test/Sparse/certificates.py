#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""certificates.py [--count=N] [--damaged=N]

Certificates of random einsums (random_einsums.py) hold, and damaged ones are rejected: a
number that is another, a word that is another, a nest that is missing or stands twice or in
front of a better one, an order that is refused or not. Prints one line, or what went wrong.
"""

import argparse
import copy
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import random_einsums

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from heddle import plan_certificate  # noqa: E402


def certificates(heddle, seed, folder):
    """Those of one random einsum; none if it is declined."""
    case = random_einsums.Case(seed)
    program, out = folder / "program.mlir", folder / "certificates.json"
    program.write_text(case.text, encoding="utf-8")
    done = subprocess.run([heddle, "explain", str(program), *case.options, f"--certificate={out}"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode == 2 and "[einsum-no-plan]" in done.stderr:
        return []
    if done.returncode:
        sys.exit(f"seed {seed}: {done.stderr}\n{case.text}{case.options}")
    return json.loads(out.read_text(encoding="utf-8"))


def damage(root, rng):
    """One change of what a certificate claims, and its name; None if it changes nothing."""
    made = copy.deepcopy(root)
    plans, refused = made["plans"], made["refused"]
    kind = rng.choice(("number", "number", "word", "word", "flag", "less", "twice", "order", "front", "counts"))
    plan = rng.choice(plans)
    if kind == "number":
        field = rng.choice(("chunk", "width", "visits", "cycles"))
        change = rng.choice((lambda x: x + 1, lambda x: x * 2 + 1, lambda x: -1 - x))
        if field == "visits":
            place = rng.randrange(len(plan["visits"]))
            plan["visits"][place] = change(plan["visits"][place])
        else:
            plan[field] = change(plan[field])
        kind = field
    elif kind == "word":
        field = rng.choice(("order", "loops", "iterations", "parallel", "vector", "into", "assemble"))
        words = sorted({"", "x", "memory", "registers", "bitmap", "none", "count-fill", "count-scatter", "same T0",
                        "dense", "walk T0", *root["statement"]["indices"]})
        if isinstance(plan[field], list):
            plan[field][rng.randrange(len(plan[field]))] = rng.choice(words)
        else:
            plan[field] = rng.choice(words)
        kind = field
    elif kind == "flag":
        plan["for_all_sizes"] = not plan["for_all_sizes"]
    elif kind == "less":
        plans.remove(plan)
    elif kind == "twice":
        plans.append(copy.deepcopy(plan))
    elif kind == "order":
        if refused and rng.random() < 0.5:
            refused.pop()
        else:
            refused.append(list(plan["order"]))
    elif kind == "front":
        worse = [plan for plan in plans if plan["cycles"] > plans[0]["cycles"] * 1.01]
        if not worse:
            return None
        plan = rng.choice(worse)
        plans.remove(plan)
        plans.insert(0, plan)
    elif "operands" in made and made["counts"]:
        counts = made["counts"][rng.choice(sorted(made["counts"]))]
        counts[rng.randrange(len(counts))] += rng.choice((1, 7))
    return (made, kind) if made != root else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--damaged", type=int, default=200)
    parser.add_argument("--heddle", default="heddle")
    given = parser.parse_args()
    roots, walked = [], 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(1, given.count + 1):
            for root in certificates(given.heddle, seed, pathlib.Path(name)):
                fault = plan_certificate.faults(root)
                if fault:
                    print(f"seed {seed}: {fault}\n{json.dumps(root['statement'])}")
                    return 1
                walked += "operands" in root
                roots.append(root)
    rng, kinds = random.Random(1), {}
    while sum(kinds.values()) < given.damaged:
        root = rng.choice(roots)
        found = damage(root, rng)
        if not found:
            continue
        made, kind = found
        if not plan_certificate.faults(made):
            print(f"a certificate with another {kind} is taken:\n{json.dumps(made)}")
            return 1
        kinds[kind] = kinds.get(kind, 0) + 1
    print(f"{len(roots)} certificates hold, {walked} of them over arrays; {sum(kinds.values())} damaged ones are "
          f"rejected: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
