#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Somebody's Triton scripts, unmodified, by Triton and behind heddle.triton.enable()
and heddle.torch.enable().

    PYTHONPATH=installed python3 bench/triton_scripts.py tutorials/0*.py --points 4 --json scripts.json
    PYTHONPATH=installed python3 bench/triton_scripts.py "matmul.py --prec fp8"

A script runs as __main__ in a process for each system, on one GPU, so what it checks
itself is checked with both. Benchmarks under triton.testing.perf_report are not run
where the script asks for them: their points (--points of each, from the first to the
last) are timed by the script's own function afterwards, by both processes in turn,
--rounds times both ways. A line that launches no Triton kernel is left out. A script
that times between triton.profiler's activate and deactivate is run as often, whole.
Autotuning is the script's, with shorter timings (--tune-ms). With --jobs, all points
are run once before by that many processes, which fills the caches on disk.

A row is a script's benchmark: heddle's speed over Triton's, geometric mean and least.
Behind it is what heddle left to Triton, with its reason. Exit code: 0 all timed, 1 a
script or a point failed, 3 bad input.
"""

import argparse
import concurrent.futures
import json
import os
import shlex
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CHILD = os.path.join(HERE, "triton_script.py")
SYSTEMS = ("triton", "heddle")


class Child:
    """A process that has executed a script with one system, and times its points."""

    def __init__(self, system, script, options):
        self.process = subprocess.Popen(
            [sys.executable, CHILD, system, str(options.tune_ms), *shlex.split(script)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.ready = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            return {"error": "the process ended with status %s" % self.process.wait()}
        return json.loads(line)

    def ask(self, **question):
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        return self.answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def chosen(points, count):
    """At most `count` places of a list, its ends among them."""
    if count >= points or points < 2:
        return list(range(points))
    if count == 1:
        return [points - 1]
    return sorted({round(index * (points - 1) / (count - 1)) for index in range(count)})


def points_of(ready, count):
    """[benchmark, point, line] of each figure that is wanted."""
    return [
        [index, point, line]
        for index, benchmark in enumerate(ready["benchmarks"])
        for point in chosen(len(benchmark["points"]), count)
        for line in range(len(benchmark["lines"]))
    ]


def fill_caches(script, options):
    """Each point once by each system, --jobs at a time."""
    first = Child("triton", script, options)
    points = points_of(first.ready, options.points) if "error" not in first.ready else []
    first.close()
    shares = [points[start :: options.jobs] for start in range(options.jobs)]

    def run(system, share):
        child = Child(system, script, options)
        for point in share:
            child.ask(point=point, quick=True)
        child.close()

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda job: run(*job), [(system, share) for share in shares if share for system in SYSTEMS]))


def time_points(script, options, children):
    """{point: {system: [ms]}}, and errors."""
    times, errors = {}, []
    for point in points_of(children["triton"].ready, options.points):
        entry = {system: [] for system in SYSTEMS}
        for number in range(options.rounds):
            for system in SYSTEMS if number % 2 == 0 else reversed(SYSTEMS):
                said = children[system].ask(point=point)
                if "error" in said:
                    errors.append("%s, %s: %s" % (system, point, said["error"]))
                    break
                if not said["launches"]:
                    break
                entry[system].append(said["ms"])
            else:
                continue
            break
        if all(len(entry[system]) == options.rounds for system in SYSTEMS):
            times[tuple(point)] = entry
    return times, errors


def describe(ready, point):
    benchmark = ready["benchmarks"][point[0]]
    return {"benchmark": benchmark["name"], "point": benchmark["points"][point[1]], "line": benchmark["lines"][point[2]]}


def time_whole(script, options, first):
    """Of a script that times itself: each section between activate and deactivate."""
    sections = {system: [first[system].ready["sections"]] for system in SYSTEMS}
    for number in range(1, options.rounds):
        for system in SYSTEMS if number % 2 == 0 else reversed(SYSTEMS):
            child = Child(system, script, options)
            sections[system].append(child.ready.get("sections", []))
            child.close()
    count = min(len(run) for runs in sections.values() for run in runs)
    return [
        {"benchmark": "sections", "point": index, "line": "",
         **{system: [run[index] for run in sections[system]] for system in SYSTEMS}}
        for index in range(count)
    ]  # fmt: skip


def run_script(script, options):
    if options.jobs:
        fill_caches(script, options)
    children = {system: Child(system, script, options) for system in SYSTEMS}
    result = {"script": os.path.basename(script), "rows": [], "errors": [], "declined": {}, "inductor": {}}
    for system in SYSTEMS:
        if "error" in children[system].ready:
            result["errors"].append("%s: %s" % (system, children[system].ready["error"]))
    if not result["errors"]:
        if children["heddle"].ready["benchmarks"]:
            times, result["errors"] = time_points(script, options, children)
            result["rows"] = [{**describe(children["triton"].ready, point), **entry} for point, entry in times.items()]
        elif children["heddle"].ready["sections"]:
            result["rows"] = time_whole(script, options, children)
    if "error" not in children["heddle"].ready:
        result.update(children["heddle"].ask())
    for child in children.values():
        child.close()
    for row in result["rows"]:
        row["speed"] = statistics.median(row["triton"]) / statistics.median(row["heddle"])
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", nargs="+", help="a script, or one with its arguments")
    parser.add_argument("--points", type=int, default=4, help="of each benchmark")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tune-ms", type=int, default=20, help="milliseconds that an autotuner times a configuration")
    parser.add_argument("--jobs", type=int, default=0, help="processes that fill the caches before")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    for script in options.scripts:
        if not os.path.isfile(shlex.split(script)[0]):
            parser.exit(3, "there is no script %s\n" % script)
    results = []
    for script in options.scripts:
        result = run_script(script, options)
        results.append(result)
        for name in dict.fromkeys(row["benchmark"] for row in result["rows"]):
            speeds = [row["speed"] for row in result["rows"] if row["benchmark"] == name]
            print("%-40s %-60s %3d points, %.3f, least %.3f" % (
                result["script"], name, len(speeds), statistics.geometric_mean(speeds), min(speeds)))  # fmt: skip
        for error in result["errors"]:
            print("%-40s FAILED %s" % (result["script"], error))
        if not result["rows"] and not result["errors"]:
            print("%-40s ran" % result["script"])
        for kernel, reason in result["declined"].items():
            print("%-40s %s is Triton's: %s" % (result["script"], kernel, reason.strip()))
        if result["inductor"]:
            counts = ", ".join("%s %d" % pair for pair in sorted(result["inductor"].items()))
            print("%-40s kernels of torch.compile, by Inductor's choice: %s" % (result["script"], counts))
        sys.stdout.flush()
        if options.json:
            with open(options.json, "w") as out:
                json.dump(results, out, indent=1)
    speeds = [row["speed"] for result in results for row in result["rows"]]
    if speeds:
        print("all: %d points, %.3f in the geometric mean, %.3f at the least" % (
            len(speeds), statistics.geometric_mean(speeds), min(speeds)))  # fmt: skip
    return 1 if any(result["errors"] for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
