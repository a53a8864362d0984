# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of a study: what there was to win, and who won it with how many evaluations.

A figure is the geometric mean, over the problems of a suite and the seeds, of a method's best value
over the reference's after as many evaluations: above 1 the reference is better. Intervals hold 95 %
of the means over seeds that are drawn again, the same for both methods.
"""

import collections
import math
import random
import statistics

SHARES = (1 / 3, 2 / 3, 1)
DRAWS = 2000
NEAR = 1.05  # of the least known: the aim where nobody is an expert


def at_share(run, share):
    best = run["best"]
    return best[max(1, round(share * len(best))) - 1]


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
        value = at_share(run, share)
        values[run["method"], run["problem"], run["seed"]] = limits[run["problem"]] if value is None else value
    found = collections.defaultdict(list)
    for (name, problem, seed), value in values.items():
        if name == method and (reference, problem, seed) in values:
            found[seed].append(math.log(value / values[reference, problem, seed]))
    return found


def interval(found):
    """The geometric mean and its interval; "" where the reference has no runs."""
    if not found:
        return ""
    seeds = sorted(found)
    draw = random.Random(1)
    sums = {seed: (sum(logs), len(logs)) for seed, logs in found.items()}

    def mean(chosen):
        total, count = map(sum, zip(*(sums[seed] for seed in chosen)))
        return math.exp(total / count)

    means = sorted(mean(draw.choices(seeds, k=len(seeds))) for _ in range(DRAWS))
    low, high = means[int(0.025 * DRAWS)], means[int(0.975 * DRAWS)]
    return f"{mean(seeds):.3f} [{low:.3f}, {high:.3f}]"


def aim_of(about, runs):
    """The expert's value, or one near the least known."""
    if "expert" in about:
        return about["expert"]
    lows = [run["best"][-1] for run in runs if run["problem"] == about["problem"] and run["best"][-1] is not None]
    return NEAR * min([about["least"], *lows])


def evaluations(runs, aims, method):
    """The geometric mean over problems of the median number of evaluations until the aim; and how
    many runs got there, of all."""
    numbers = collections.defaultdict(list)
    there = total = 0
    for run in runs:
        if run["method"] != method:
            continue
        reached = [k for k, value in enumerate(run["best"], 1)
                   if value is not None and value <= aims[run["problem"]] * (1 + 1e-9)]
        there, total = there + bool(reached), total + 1
        numbers[run["problem"]].append(reached[0] if reached else len(run["best"]) + 1)
    medians = [statistics.median(each) for each in numbers.values()]
    return math.exp(statistics.fmean(map(math.log, medians))), there, total


def headroom(abouts):
    yield "| problem | points | budget | median over best | default over best | expert over best |"
    yield "|---|--:|--:|--:|--:|--:|"
    for about in abouts:
        cells = [f"{about[name] / about['least']:.2f}" if name in about else "" for name in
                 ("median", "default", "expert")]
        yield f"| {about['problem']} | {about['points']} | {about['budget']} | " + " | ".join(cells) + " |"


def write(runs, abouts, reference):
    for suite in sorted({run["suite"] for run in runs}):
        own = [run for run in runs if run["suite"] == suite]
        problems = sorted({run["problem"] for run in own})
        aims = {name: aim_of(abouts[name], own) for name in problems}
        seeds = len({run["seed"] for run in own})
        yield f"{suite}: {len(problems)} problems, {seeds} seeds; each method's best value over {reference}'s"
        yield ""
        yield from headroom([abouts[name] for name in problems])
        yield ""
        yield "| method | at 33 % | at 66 % | at 100 % | evaluations to the expert | runs there |"
        yield "|---|---|---|---|--:|--:|"
        for method in sorted({run["method"] for run in own}, key=lambda name: (name != reference, name)):
            cells = [""] * len(SHARES)
            if method != reference:
                cells = [interval(ratios(own, method, reference, share)) for share in SHARES]
            count, there, total = evaluations(own, aims, method)
            yield f"| {method} | " + " | ".join(cells) + f" | {count:.1f} | {there} of {total} |"
        yield ""
