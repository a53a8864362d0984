#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tuner's methods and ablations on functions that cost nothing.

    python3 bench/tuner/study.py --study build/bin/heddle-tune-study --seeds 30 --json study.json
    python3 bench/tuner/study.py --read study.json --reference spearman --suite permutations

Each method runs on each problem with each seed. A figure is the geometric mean, over the problems
of a suite and the seeds, of another method's best value over the reference's after as many
evaluations: above 1 the reference is better. Intervals hold 95 % of the means over seeds that are
drawn again, the same for both methods.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys

BUDGET = 60
SHARES = (20, 40, 60)  # evaluations: a third, two thirds, all of the budget
DRAWS = 2000


def names(study):
    """The problems of each suite, and the methods."""
    suites, methods = collections.defaultdict(list), []
    for line in subprocess.run([study], check=True, capture_output=True, text=True).stdout.splitlines():
        kind, name, *suite = line.split()
        if kind == "problem":
            suites[suite[0]].append(name)
        else:
            methods.append(name)
    return suites, methods


def run_all(options):
    suites, methods = names(options.study)
    methods = [name for name in methods if not options.methods or name in options.methods]
    jobs = [(problem, method) for suite, problems in suites.items()
            if options.suite in (None, suite) for problem in problems for method in methods]

    def run(job):
        done = subprocess.run([options.study, *job, "1", str(options.seeds), str(options.budget)], check=True,
                              capture_output=True, text=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        return [run for runs in pool.map(run, jobs) for run in runs]


def worst(runs):
    """Of each problem the worst best value of any run: what counts where no point was valid yet."""
    found = {}
    for run in runs:
        for value in run["best"]:
            if value is not None:
                found[run["problem"]] = max(found.get(run["problem"], value), value)
    return found


def ratios(runs, method, reference, share):
    """Seed -> the logarithms of method over reference, one for each problem."""
    limits = worst(runs)
    values = {}
    for run in runs:
        value = run["best"][min(share, len(run["best"])) - 1]
        values[run["method"], run["problem"], run["seed"]] = limits[run["problem"]] if value is None else value
    found = collections.defaultdict(list)
    for (name, problem, seed), value in values.items():
        if name == method and (reference, problem, seed) in values:
            found[seed].append(math.log(value / values[reference, problem, seed]))
    return found


def interval(found):
    """The geometric mean and its interval."""
    seeds = sorted(found)
    draw = random.Random(1)

    def mean(chosen):
        logs = [log for seed in chosen for log in found[seed]]
        return math.exp(sum(logs) / len(logs))

    means = sorted(mean(draw.choices(seeds, k=len(seeds))) for _ in range(DRAWS))
    return mean(seeds), means[int(0.025 * DRAWS)], means[int(0.975 * DRAWS)]


def tables(runs, reference):
    for suite in sorted({run["suite"] for run in runs}):
        own = [run for run in runs if run["suite"] == suite]
        seeds = len({run["seed"] for run in own})
        problems = len({run["problem"] for run in own})
        yield f"{suite}: {problems} problems, {seeds} seeds; each method's best value over {reference}'s"
        yield "| method | " + " | ".join(f"at {share}" for share in SHARES) + " |"
        yield "|---|" + "---|" * len(SHARES)
        for method in sorted({run["method"] for run in own} - {reference}):
            cells = ["{:.3f} [{:.3f}, {:.3f}]".format(*interval(ratios(own, method, reference, share)))
                     for share in SHARES]
            yield f"| {method} | " + " | ".join(cells) + " |"
        yield ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", help="the program that runs tuners")
    parser.add_argument("--read", help="runs of an earlier study instead")
    parser.add_argument("--json", help="write the runs")
    parser.add_argument("--suite")
    parser.add_argument("--methods", nargs="*")
    parser.add_argument("--reference", default="model")
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--budget", type=int, default=BUDGET)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.read:
        with open(options.read, encoding="utf-8") as stream:
            runs = [run for run in json.load(stream) if options.suite in (None, run["suite"])]
    else:
        runs = run_all(options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            stream.write("[\n" + ",\n".join(json.dumps(run) for run in runs) + "\n]\n")
    print("\n".join(tables(runs, options.reference)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
