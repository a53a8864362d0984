# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the libFuzzer targets on a corpus that grows, and ends with a table.

    run.py --fuzzers build-asan/bin/heddle-fuzzers --corpus build-asan/corpus --minutes 20 --jobs 2

Each target runs for MINUTES, JOBS targets at a time, on its folder of the
corpus, which grows, and on that of fuzz/seeds. --target chooses
some; a target named several times runs so many times side by side, each with a
seed of its own. A run that finds something goes on without that input, until
it has found FINDS. What crashed, hung or took too much memory is left in
CORPUS/crashes/TARGET-*, and what took 10 seconds as TARGET-slow-unit-*;
`heddle-fuzzers target=TARGET FILE` repeats it with its stack. The log of each
run is CORPUS/crashes/TARGET.log, TARGET.2.log and so on.
The table has a row a target: executions and CPU minutes of its runs together,
edges and memory of the largest.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import time

SEEDS = pathlib.Path(__file__).resolve().parent / "seeds"
# MiB. The arguments of a launch may take 4 GiB, or an eighth of the computer's memory.
COMMAND_MEMORY = 7000
Result = collections.namedtuple("Result", "target executions edges memory minutes found")


def list_targets(fuzzers):
    """The names of all targets, which the executable prints where it is told none."""
    said = subprocess.run([fuzzers.resolve()], capture_output=True, text=True, check=False).stderr
    return said.partition("there are")[2].split()


def fuzz(options, target, copy):
    """One run of a target; `copy` counts its runs from 0."""
    crashes = options.corpus / "crashes"
    crashes.mkdir(parents=True, exist_ok=True)
    corpus = (options.corpus / target).resolve()
    corpus.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, HEDDLE_FUZZ_FILES=str((options.corpus / "files").resolve()))
    seed = options.seed + copy if options.seed else 0
    memory = max(options.memory, COMMAND_MEMORY) if target.startswith("command") else options.memory
    seeds = [SEEDS / target] if (SEEDS / target).is_dir() else []
    command = [options.fuzzers.resolve(), f"target={target}", corpus, *seeds, f"-timeout={options.timeout}",
               f"-rss_limit_mb={memory}", f"-malloc_limit_mb={memory * 2 // 3}",
               "-max_len=65536", "-len_control=0", "-print_final_stats=1", "-reload=0",
               "-report_slow_units=10", "-close_fd_mask=3", f"-artifact_prefix={crashes.resolve()}/{target}-",
               f"-seed={seed}"]
    if options.runs:
        command.append(f"-runs={options.runs}")
    path = crashes / (f"{target}.{copy + 1}.log" if copy else f"{target}.log")
    path.unlink(missing_ok=True)
    result, finds = Result(target, 0, 0, 0, 0, ""), []
    end = time.monotonic() + options.minutes * 60
    while len(finds) < options.finds and (left := int(end - time.monotonic())) > 0:
        start = path.stat().st_size if path.exists() else 0
        with open(path, "ab") as log:
            running = subprocess.Popen([*command, f"-max_total_time={left}"], env=environment,
                                       stdout=subprocess.DEVNULL, stderr=log)
            _, status, usage = os.wait4(running.pid, 0)  # in place of wait(): it tells the CPU time
            running.returncode = os.waitstatus_to_exitcode(status)
        said = path.read_bytes()[start:].decode(errors="replace")
        result = together([result, read_log(said, target, usage)])
        if not running.returncode:
            break
        lines = [line for line in said.splitlines()
                 if re.search(r"ERROR: |runtime error|Assertion|LLVM ERROR|Uncaught", line)]
        finds.append(lines[-1].strip()[:140] if lines else f"exit status {running.returncode}")
        found = {name[-40:] for name in map(str, crashes.glob(f"{target}-*"))}  # each ends with its SHA-1
        for file in corpus.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another run of the target may have taken it away
                if hashlib.sha1(file.read_bytes()).hexdigest() in found:
                    file.unlink()
    return result._replace(found="; ".join(sorted(set(finds))))


def read_log(text, target, usage):
    """What libFuzzer says of one run."""
    def number(pattern):
        found = re.findall(pattern, text)
        return int(found[-1]) if found else 0

    executions = number(r"stat::number_of_executed_units:\s*(\d+)") or number(r"#(\d+)\t")
    return Result(target, executions, number(r"cov: (\d+)"), number(r"stat::peak_rss_mb:\s*(\d+)"),
                  (usage.ru_utime + usage.ru_stime) / 60, "")


def together(results):
    """The runs of one target as one row."""
    finds = sorted({result.found for result in results} - {""})
    return Result(results[0].target, sum(result.executions for result in results),
                  max(result.edges for result in results), max(result.memory for result in results),
                  sum(result.minutes for result in results), "; ".join(finds))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuzzers", type=pathlib.Path, default="build-asan/bin/heddle-fuzzers")
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--runs", type=int, default=0, help="of one target; 0: as many as time allows")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=60, help="seconds of one input")
    parser.add_argument("--memory", type=int, default=3000, help="MiB of one target")
    parser.add_argument("--seed", type=int, default=0, help="0: another each time")
    parser.add_argument("--finds", type=int, default=10, help="of one run, after which it ends")
    parser.add_argument("--target", action="append")
    options = parser.parse_args()
    runs, copies = [], collections.Counter()
    known = list_targets(options.fuzzers)
    if not known or set(options.target or ()) - set(known):
        parser.error(f"{options.fuzzers} has the targets {', '.join(known) or 'of no fuzzer'}")
    for target in options.target or known:
        runs.append((target, copies[target]))
        copies[target] += 1
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda run: fuzz(options, *run), runs))
    rows = [together([result for result in results if result.target == target]) for target in copies]
    print("| target | runs | CPU minutes | executions | edges | MiB | found |\n|---|--:|--:|--:|--:|--:|---|")
    for row in rows:
        print(f"| `{row.target}` | {copies[row.target]} | {row.minutes:.0f} | {row.executions} | {row.edges} | "
              f"{row.memory} | {row.found or 'nothing'} |")
    return 1 if any(row.found for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
