#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures all choices of some kernels once, and judges how well they are found again.

    python3 bench/tuner/kernels.py measure FOLDER --device=gpu
    python3 bench/tuner/kernels.py judge FOLDER --seeds 100

`measure` leaves a record of every choice of each kernel in FOLDER, and goes on where one of an
earlier call ends. `judge` tunes each kernel with many seeds, with the values of the record in place
of measurements: which share of the seeds comes within 2 % of the least value after 10, 20 and 30
evaluations, whether what is claimed at the end is true, and on which share of the invalid and valid
points the rules that are found hold. It does the same for points at random, of those that the passes
do not refuse.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUDGET = 30
NEAR = 1.02


def views(**shapes):
    return [f"--view={name}={shape}" for name, shape in shapes.items()]


def product(m, n, k):
    return views(a=f"{m}x{k}", b=f"{k}x{n}", c=f"{m}x{n}")


# name: the program, its sizes, the choices
KERNELS = {
    "gemm-512": ("gemm", product(512, 4096, 4096), "tiles"),
    "gemm-1024": ("gemm", product(1024, 1024, 1024), "tiles"),
    "gemm-4096": ("gemm", product(4096, 4096, 4096), "tiles"),
    "gemm-1024-schedules": ("gemm", product(1024, 1024, 1024), "tiles,schedule"),
    "attention": ("attention", views(**dict.fromkeys("qkvo", "16x1024x128")) + ["--scalar=scale=0.088"], "tiles"),
    "attention-schedules": ("attention", views(**dict.fromkeys("qkvo", "16x1024x128")) + ["--scalar=scale=0.088"],
                            "tiles,schedule"),
    "softmax": ("softmax", views(x="8192x4096", y="8192x4096"), "tiles"),
    "layer-norm": ("layer_norm", views(x="8192x1024", weight="1024", bias="1024", y="8192x1024", mean="8192",
                                       rstd="8192") + ["--scalar=eps=1e-5"], "tiles"),
}


def command(options, name, *more):
    program, sizes, choices = KERNELS[name]
    return [options.heddle, "tune", ROOT / "examples" / f"{program}.mlir", *sizes, f"--choose={choices}", *more]


def measure(options, name):
    record = options.folder / f"{name}.jsonl"
    done = subprocess.run(command(options, name, "--exhaust", f"--device={options.device}", "--record", record,
                                  "-o", os.devnull), capture_output=True, text=True)
    last = (done.stdout + done.stderr).strip().splitlines()[-1]
    print(f"{name}: {last}", flush=True)
    return done.returncode


def read(path):
    """Where the values are from, and the points with their values, None of invalid ones."""
    header, _, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    device = "gpu" if header["key"].endswith("on the GPU") else "model"
    return device, [(line["point"], line.get("value")) for line in lines if "point" in line]


def holds(condition, point):
    """A rule's condition, in words that Python shares."""
    return bool(eval(condition, {"__builtins__": {}}, dict(point)))  # of heddle's own making


def tune(options, name, device, seed, method):
    more = [f"--device={device}", f"--budget={BUDGET}", f"--seed={seed}", f"--method={method}", "--explain",
            "--replay", options.folder / f"{name}.jsonl", "-o", os.devnull]
    done = subprocess.run(command(options, name, *more), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{name}, seed {seed}: {done.stderr.strip()}")
    # Points with the code of an earlier one ("=") are no evaluations.
    told = [float(text) if re.fullmatch(r"[0-9.]+(e[+-]?\d+)?", text) else None
            for text in re.findall(r"^ *\d+  (\S+) +(?:\* +)?\{", done.stdout, re.M)]
    claim = re.search(r"nothing in this space (?:can be more than ([0-9.]+) % |is )faster, by bounds", done.stdout)
    rules = re.findall(r"^  (.*): \S+ \(\d+ of \d+ such points; \d+ valid ones\)$", done.stdout, re.M)
    best = min(value for value in told if value is not None)
    return {"told": told, "best": best, "claim": claim and float(claim[1] or 0),
            "stopped": "no other point can be faster by enough" in done.stdout, "rules": rules}


def reached(run, aim):
    for number, value in enumerate(run["told"], 1):
        if value is not None and value <= aim:
            return number
    return BUDGET + 1


def judge(options, name):
    device, points = read(options.folder / f"{name}.jsonl")
    least = min(value for _, value in points if value is not None)
    aim = least * NEAR * (1 + 1e-5)  # six digits are printed
    near = sum(value is not None and value <= aim for _, value in points)
    invalid = sum(value is None for _, value in points)
    for method in ("model", "uniform"):
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            runs = list(pool.map(lambda seed: tune(options, name, device, seed, method),
                                 range(options.first, options.first + options.seeds)))
        numbers = [reached(run, aim) for run in runs]
        shares = [f"{100 * sum(number <= most for number in numbers) / len(numbers):.0f}" for most in (10, 20, 30)]
        # A claim that nothing is more than x % faster than the best found.
        claims = [run for run in runs if run["claim"] is not None]
        false = sum(least < run["best"] * (1 - run["claim"] / 100) * (1 - 1e-3) for run in claims)
        stops = sum(run["stopped"] for run in runs)
        covered = wrong = 0
        for run in runs:
            for rule in run["rules"]:
                values = [value for point, value in points if holds(rule, point)]
                covered += len(values)
                wrong += sum(value is not None for value in values)
        rules = f"{100 * (1 - wrong / covered):.2f} of {covered}" if covered else ""
        yield (f"| {name}, {device} | {method} | {len(points)}, {invalid}, {near} | " + " | ".join(shares)
               + f" | {statistics.median(numbers):g} | {stops}, {len(claims)}, {false} | {rules} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["measure", "judge"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--heddle", default="build/bin/heddle")
    parser.add_argument("--device", default="gpu", choices=["gpu", "model"])
    parser.add_argument("--only", nargs="*", choices=list(KERNELS), default=list(KERNELS))
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.what == "measure":
        return max(measure(options, name) for name in options.only)
    print("| kernel, values | method | points, invalid, within 2 % | % of seeds there after 10 | 20 | 30 | median | "
          "stops, claims, false ones | rules hold on % |")
    print("|---|---|---|--:|--:|--:|--:|---|---|")
    for name in options.only:
        if (options.folder / f"{name}.jsonl").exists():
            for row in judge(options, name):
                print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
