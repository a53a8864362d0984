#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tuner's methods, its ablations and other tuners on functions that cost nothing.

    python3 bench/tuner/study.py --suite all --seeds 30 --json study.jsonl
    python3 bench/tuner/study.py --read study.jsonl --suite circuits

Each method runs on each problem with each seed, over the problem's budget. The runs are lines of
the file after --json, appended as they end; a study that is started again with the same file does
what is missing, so it may be done in parts. Other tuners (opentuner, optuna, smac; botorch where
its gigabytes are there) come from PyPI into the user's cache; where they cannot be had, the study
says so and goes on. report.py makes the tables.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

import environment
import report

HERE = pathlib.Path(__file__).resolve().parent
MAIN = ["model", "prior", "uniform", "embedding", "bandit", "annealing", "forest"]
DISTANCES = ["kendall", "ulam", "hamming", "naive"]
PEERS = {"opentuner": "tuner-study", "optuna": "tuner-study", "smac": "tuner-study", "botorch": "tuner-botorch"}
CHUNK = 5  # seeds of a job


def find_problems(options):
    """name -> its suite and whether it has a prior; and the library's methods."""
    problems, methods = {}, []
    for line in subprocess.run([options.study], check=True, capture_output=True, text=True).stdout.splitlines():
        kind, name, *more = line.split()
        if kind == "problem":
            problems[name] = (more[0], "prior" in more)
        else:
            methods.append(name)
    with open(HERE / "tables.json", encoding="utf-8") as stream:
        for entry in json.load(stream):
            problems[f"{HERE}/spaces/{entry['space']}:{HERE}/tables/{entry['table']}"] = (entry["suite"], False)
    return problems, methods


def methods_of(suite, has_prior, known, options):
    """The methods that a suite's problems get."""
    peers = [name for name in PEERS if name in options.peers]
    if options.methods:
        return [name for name in [*known, *peers] if name in options.methods and (has_prior or name != "prior")]
    more = DISTANCES if suite == "permutations" else []
    if options.ablations:
        more = [name for name in known if name not in MAIN]
    return [name for name in [*MAIN, *more] if has_prior or name != "prior"] + peers


def usable_peers(wanted):
    """Those whose packages are there."""
    usable = []
    for name in wanted:
        group = PEERS[name]
        if name == "botorch" and not environment.is_there(group):
            print("remark: no botorch, which takes gigabytes: --prepare botorch installs it", flush=True)
            continue
        reason = environment.prepare(group)
        if reason:
            print(f"remark: no {name}: {reason}", flush=True)
        else:
            usable.append(name)
    return usable


def read_runs(path):
    """The lines that are whole; the last may not be."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in lines if line.endswith("}")]


def plan(options, done):
    """The jobs that are missing, those of a seed before those of the next, so that a study that
    is ended early has all methods."""
    problems, known = find_problems(options)
    have = collections.Counter()
    for run in done:
        have[run["problem"], run["method"], run["seed"]] += 1
    jobs = []
    for first in range(1, options.seeds + 1, CHUNK):
        count = min(CHUNK, options.seeds + 1 - first)
        for name, (suite, has_prior) in problems.items():
            if options.suite not in ("all", suite):
                continue
            short = pathlib.Path(name.split(":")[-1]).stem
            for method in methods_of(suite, has_prior, known, options):
                if any(not have[short, method, seed] for seed in range(first, first + count)):
                    jobs.append((suite, name, method, first, count))
    return jobs


def run_job(job, options):
    suite, name, method, first, count = job
    command = [options.study, name, method, str(first), str(count)]
    if method in PEERS:
        command = [environment.python_of(PEERS[method]), HERE / "peers.py", *command]
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env={**os.environ, **one})
    if done.returncode:
        print(f"remark: {method} on {name}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}", flush=True)
    return [{**json.loads(line), "suite": suite} for line in done.stdout.splitlines() if line.startswith("{")]


def run_all(options):
    runs = read_runs(options.json) if options.json else []
    jobs = plan(options, runs)
    have = {(run["problem"], run["method"], run["seed"]) for run in runs}
    stream = open(options.json, "a", encoding="utf-8") if options.json else None
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        pending = [pool.submit(run_job, job, options) for job in jobs]
        for number, future in enumerate(concurrent.futures.as_completed(pending), 1):
            for run in future.result():
                if (run["problem"], run["method"], run["seed"]) in have:
                    continue
                runs.append(run)
                if stream:
                    stream.write(json.dumps(run) + "\n")
                    stream.flush()
            if options.verbose:
                print(f"{number} of {len(jobs)} jobs", file=sys.stderr, flush=True)
    if stream:
        stream.close()
    return runs


def describe_all(options, runs):
    """What the study's program says of each problem that has runs."""
    with open(HERE / "tables.json", encoding="utf-8") as stream:
        tables = {pathlib.Path(entry["table"]).stem: entry for entry in json.load(stream)}
    problems, _ = find_problems(options)
    wanted = {run["problem"] for run in runs}
    found = {}
    for name in problems:
        short = pathlib.Path(name.split(":")[-1]).stem
        if short not in wanted:
            continue
        done = subprocess.run([options.study, name, "--describe"], check=True, capture_output=True, text=True)
        found[short] = json.loads(done.stdout)
        if short in tables and "expert" in tables[short]:
            server = subprocess.run([options.study, name, "--serve"], check=True, capture_output=True, text=True,
                                    input=json.dumps({"point": tables[short]["expert"]}) + "\n")
            found[short]["expert"] = json.loads(server.stdout)["value"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", default="build/bin/heddle-tune-study", help="the program that runs tuners")
    parser.add_argument("--read", help="report on the runs of an earlier study")
    parser.add_argument("--json", help="append the runs to this file, and do those that it lacks")
    parser.add_argument("--suite", default="all")
    parser.add_argument("--methods", nargs="*", help="these alone")
    parser.add_argument("--ablations", action="store_true", help="all of the library's methods")
    parser.add_argument("--peers", nargs="*", choices=list(PEERS), default=list(PEERS))
    parser.add_argument("--prepare", choices=list(PEERS), help="install what this peer needs, and end")
    parser.add_argument("--reference", default="model")
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.prepare:
        reason = environment.prepare(PEERS[options.prepare])
        print(reason or "installed")
        return 1 if reason else 0
    if options.read:
        runs = [run for run in read_runs(options.read) if options.suite in ("all", run["suite"])]
    else:
        options.peers = usable_peers([name for name in options.peers
                                      if not options.methods or name in options.methods])
        runs = run_all(options)
    if options.suite != "all":
        runs = [run for run in runs if run["suite"] == options.suite]
    if options.methods:
        runs = [run for run in runs if run["method"] in options.methods]
    print("\n".join(report.write(runs, describe_all(options, runs), options.reference)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
