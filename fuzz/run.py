# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the libFuzzer targets on a corpus that grows, and ends with a table.

    run.py --fuzzers build-asan/bin/heddle-fuzzers --corpus build-asan/corpus --minutes 20 --jobs 2

Each target runs for so many minutes, JOBS of them at a time; --target chooses
some. What crashed, hung or took too much memory is left in
CORPUS/crashes/TARGET-*; `heddle-fuzzers target=TARGET FILE` repeats it with its
stack. The log of each run is CORPUS/crashes/TARGET.log.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

TARGETS = ["program", "ttir", "aref", "hopper", "plan", "ptx", "manifest", "json", "problem",
           "solution", "certificate", "machine", "scenario", "record", "npy", "command"]


def fuzz(options, target):
    crashes = options.corpus / "crashes"
    crashes.mkdir(parents=True, exist_ok=True)
    corpus = (options.corpus / target).resolve()
    corpus.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, HEDDLE_FUZZ_FILES=str((options.corpus / "files").resolve()))
    command = [options.fuzzers.resolve(), f"target={target}", corpus, f"-timeout={options.timeout}",
               f"-rss_limit_mb={options.memory}", f"-malloc_limit_mb={options.memory * 2 // 3}",
               "-max_len=65536", "-len_control=0", "-print_final_stats=1", "-reload=0",
               "-close_fd_mask=3", f"-artifact_prefix={crashes.resolve()}/{target}-",
               f"-max_total_time={int(options.minutes * 60)}", f"-seed={options.seed}"]
    with open(crashes / f"{target}.log", "wb") as log:
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=log, check=False)
    text = (crashes / f"{target}.log").read_text(errors="replace")

    def number(pattern):
        found = re.findall(pattern, text)
        return int(found[-1]) if found else 0

    found = "nothing"
    if done.returncode:
        lines = [line for line in text.splitlines()
                 if re.search(r"ERROR: |runtime error|Assertion|LLVM ERROR|Uncaught", line)]
        found = lines[-1].strip()[:140] if lines else f"exit status {done.returncode}"
    return target, number(r"stat::number_of_executed_units:\s*(\d+)") or number(r"#(\d+)\t"), \
        number(r"cov: (\d+)"), number(r"stat::peak_rss_mb:\s*(\d+)"), found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fuzzers", type=pathlib.Path, default="build-asan/bin/heddle-fuzzers")
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=60, help="seconds of one input")
    parser.add_argument("--memory", type=int, default=3000, help="MiB of one target")
    parser.add_argument("--seed", type=int, default=0, help="0: another each time")
    parser.add_argument("--target", action="append", choices=TARGETS)
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda target: fuzz(options, target), options.target or TARGETS))
    print("| target | executions | edges | MiB | found |\n|---|--:|--:|--:|---|")
    for target, executions, edges, memory, found in results:
        print(f"| `{target}` | {executions} | {edges} | {memory} | {found} |")
    return 1 if any(result[4] != "nothing" for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
