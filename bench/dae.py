#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What four plans of one program take on the simulated machine `dae`.

    python3 bench/dae.py [--json FILE] [--heddle build/bin/heddle] [--case WORD]

The plans are edits of the one that heddle makes; none is an option of the compiler:

    O0  a turn carries an element of a row, every loop's iterations are told by flags
    O1  a turn carries a vector of 8 elements, one for each of the engine's lanes
    O2  a turn carries a row
    O3  as made: loops are counted, and nothing is sent that can be counted

`hand` is a decoupled program written by hand (`bench/programs`), whose turns carry four rows. Beside them stands one process on the same core without the access engine, which asks for
rows ahead of itself (`one`, written by hand). Cases are bags of rows of f32 at three
localities and sparse matrices with the degrees of graphs, scaled to what a simulation takes
seconds for; statistics of the data are in the results. Every run is compared with the tile
program. Cycles are those of the simulator, and the same in each run.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "data"))
import embedding  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
LANES, VECTOR = 8, 16  # of the engine; f32 in a vector of the core
HAND_BYTES = 12288  # of the machine's 16 KiB for slots, for rows
ROWS_AHEAD = 12  # of 64 elements: its 48 requests under way


class Tool:
    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"heddle {' '.join(arguments)[:2000]}\n{done.stdout}{done.stderr}")
        return done.stdout


def with_control(plan, kind):
    return re.sub(r'( ii 0 control )"\w+"', rf'\1"{kind}"', plan)


def with_turns(plan, elements, width):
    """The rows' ring with turns of so many elements, as many bytes in its slots as before."""
    def ring(match):
        depth = int(match[2]) * width // elements
        return f"{match[1]}{depth} carries {elements}"
    return re.sub(r'(sched\.ring "table" depth )(\d+)', ring, plan)


def plans_of(plan, width):
    """The four plans by name."""
    flags = with_control(plan, "flag")
    return {"O0": with_turns(flags, 1, width), "O1": with_turns(flags, LANES, width),
            "O2": flags, "O3": plan}


def read_run(output):
    """Cycles, how busy each process was, and the lines that caches and memory handed out."""
    if ": equal to the oracle" not in output and "; right" not in output:
        sys.exit(f"a run is not right:\n{output}")
    return {"cycles": int(re.search(r"^(\d+) cycles$", output, re.M)[1]),
            "busy": {name: int(busy) for name, busy in re.findall(r"^  (\S+): busy for (\d+)$", output, re.M)},
            "lines": {name: int(count) for name, count in re.findall(r"^  (\S+): (\d+) lines", output, re.M)}}


def simulate(heddle, text, options, oracle):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        return read_run(heddle("simulate", file.name, "--machine=dae", "--order=timed", "--ints",
                               "--max-steps=1000000000", "--oracle", *oracle, *options))


def numbers(name, values):
    return ["--view", f"{name}={len(values)}xi32", "--values", f"{name}={','.join(map(str, values))}"]


def run_case(heddle, case):
    program = os.path.join(ROOT, "examples", "embedding", f"bag_{case['program']}.mlir")
    width, bags = case["width"], len(case["offsets"]) - 1
    options = ["--view", f"table={case['rows']}x{width}", "--view", f"out={bags}x{width}",
               *numbers("indices", case["indices"]), *numbers("offsets", case["offsets"])]
    if case["program"] == "weighted":
        options += ["--view", f"weights={len(case['indices'])}"]
    plan = heddle("compile", program, "--set", f"D={width}", "--machine=dae", "--emit=sched", "-o", "-")
    oracle = [program, "--oracle-set", f"D={width}"]
    plans = plans_of(plan, width)
    ahead = ROWS_AHEAD * 64 // width
    with open(os.path.join(ROOT, "bench", "programs", f"bag_{case['program']}_one_process.mlir"),
              encoding="utf-8") as file:
        plans["one"] = file.read().replace("64xf32", f"{width}xf32").replace(
            "depth 8", f"depth {ahead}").replace("%ahead = arith.constant 8", f"%ahead = arith.constant {ahead}").replace(
            "issue = 4 ", f"issue = {width // VECTOR} ")
    with open(os.path.join(ROOT, "bench", "programs", f"bag_{case['program']}_by_hand.mlir"), encoding="utf-8") as file:
        plans["hand"] = file.read().replace("64xf32", f"{width}xf32").replace(
            "\"rows\" depth 8", f"\"rows\" depth {HAND_BYTES // (16 * width)}")
    return {name: simulate(heddle, text, options, oracle) for name, text in plans.items()}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def row_of(name, runs):
    cycles = {plan: run["cycles"] for plan, run in runs.items()}
    steps = [cycles[a] / cycles[b] for a, b in (("O0", "O1"), ("O1", "O2"), ("O2", "O3"), ("hand", "O3"), ("one", "O3"))]
    return name, cycles, steps


def print_table(rows):
    print("| case | O0 | O1 | O2 | O3 | by hand | one process | O1/O0 | O2/O1 | O3/O2 | O3/hand | O3/one |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, cycles, steps in rows:
        print(f"| {name} | " + " | ".join(str(cycles[plan]) for plan in ("O0", "O1", "O2", "O3", "hand", "one")) + " | "
              + " | ".join(f"{step:.2f}" for step in steps) + " |")
    means = [geometric_mean([steps[i] for _, _, steps in rows]) for i in range(5)]
    print("| geometric mean | | | | | | | " + " | ".join(f"{mean:.2f}" for mean in means) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="write all runs there")
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--case", default="", help="only cases whose name has this word")
    options = parser.parse_args()
    heddle = Tool(options.heddle)
    rows, results, begin = [], [], time.monotonic()
    for case in embedding.cases():
        if options.case not in case["name"]:
            continue
        runs = run_case(heddle, case)
        rows.append(row_of(case["name"], runs))
        results.append({"case": case["name"], "data": embedding.statistics(case), "runs": runs})
    if not rows:
        sys.exit(f"no case has '{options.case}' in its name")
    print_table(rows)
    print(f"{time.monotonic() - begin:.0f} s")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": "dae", "version": heddle("--version").strip(), "results": results}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
