#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plans of one program take on the simulated machine `dae`.

    python3 bench/dae.py [--json FILE] [--heddle build/bin/heddle] [--case WORD] [--decisions]

The plans are edits of the one that heddle makes; none is an option of the compiler:

    O0  a turn carries an element of a row, every loop's iterations are told by flags
    O1  a turn carries a vector of 8 elements, one for each of the engine's lanes
    O2  a turn carries a row
    O3  loops are counted, and nothing is sent that can be counted
    made  as heddle makes it: several iterations at a time, where its model says that it pays

`hand` is a decoupled program written by hand (`bench/programs`): bags with four rows a turn, products likewise, messages
along edges and triples; 19 cases compare what is made with it. Beside the levels stands one process on the same core
without the access engine, which asks for rows ahead of itself (`one`, written by hand). Cases are bags of rows of f32 at
three localities and sparse matrices with the degrees of graphs, scaled to what a simulation takes seconds for; statistics
of the data are in the results. Bags of short rows stand beside them, for how the levels grow with the rows. Every run is
compared with the tile program. Cycles are those of the simulator, and the same in each run.

With --decisions, the plan as made stands beside others of the same program instead: iterations one by one or 2, 4 or 8 at
a time, with and without turns of their own and with a quarter or half of the slots for the rest, told by flags or read by
each process. It is right where it is the fastest of them or at most 3 % slower.
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
# Of each program: its name, and by hand the bytes of the machine's 16 KiB for slots that rows have, and rows a turn.
PROGRAMS = {"sum": ("bag_sum", 12288, 4), "weighted": ("bag_weighted", 12288, 4),
            "messages": ("message_passing", 10240, 1), "triples": ("triples", 12288, 3)}
STEPS = (("O0", "O1"), ("O1", "O2"), ("O2", "O3"), ("O3", "made"), ("hand", "made"), ("one", "made"))
ROWS_AHEAD = 12  # of 64 elements: its 48 requests under way


class Tool:
    def __init__(self, path):
        self.path = path

    def __call__(self, *arguments):
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"heddle {' '.join(arguments)[:2000]}\n{done.stdout}{done.stderr}")
        return done.stdout


def ungrouped(plan):
    """Every iteration by itself, in as many slots: the rings' bytes stay."""
    for table in re.findall(r'sched\.table "[^"]+" ii 0 control "\w+" groups \d+ \{.*?\n    \}', plan, re.S):
        size = int(re.search(r" groups (\d+)", table)[1])
        for ring in set(re.findall(r' via "([^"]+)"', table)):
            plan = re.sub(rf'(sched\.ring "{ring}" depth )(\d+) rest (\d+)',
                          lambda match, size=size: f"{match[1]}{int(match[2]) * size + int(match[3])}", plan)
    return re.sub(r'( control "\w+") groups \d+', r"\1", plan)


def grouped(plan, size, share):
    """So many iterations of counted loops at a time, from `ungrouped`: with a `share` of the slots for the rest their
    turns are shared. None if a ring has too few slots."""
    tables = re.findall(r'(sched\.table "[^"]+" ii 0 control "count")( \{.*?\n    \})', plan, re.S)
    for head, body in tables:
        plan = plan.replace(head + body, f"{head} groups {size}{body}")
        for ring in set(re.findall(r' via "([^"]+)"', body)) if share else ():
            slots = int(re.search(rf'sched\.ring "{ring}" depth (\d+)', plan)[1])
            rest = max(1, int(slots * share))
            if slots - rest < size:
                return None
            plan = plan.replace(f'sched.ring "{ring}" depth {slots}',
                                f'sched.ring "{ring}" depth {(slots - rest) // size} rest {rest}')
    return plan if tables else None


def variants_of(plan):
    """Others than the one that was made, by name."""
    alone = ungrouped(plan)
    variants = {"one by one": alone, "flags": with_control(alone, "flag"), "replicated": with_control(alone, "replicate")}
    for size in (2, 4, 8):
        variants[f"{size} at a time"] = grouped(alone, size, 0)
        for share in (0.25, 0.5):
            variants[f"{size} a turn, rest {share}"] = grouped(alone, size, share)
    return {name: text for name, text in variants.items() if text}


def with_control(plan, kind):
    return re.sub(r'( ii 0 control )"\w+"', rf'\1"{kind}"', plan)


def with_turns(plan, elements, width):
    """The rows' ring with turns of so many elements, as many bytes in its slots as before."""
    def ring(match):
        depth = int(match[2]) * width // elements
        return f"{match[1]}{depth} carries {elements}"
    return re.sub(r'(sched\.ring "table" depth )(\d+)', ring, plan)


def plans_of(plan, width):
    """The five plans by name."""
    alone = ungrouped(plan)
    flags = with_control(alone, "flag")
    return {"O0": with_turns(flags, 1, width), "O1": with_turns(flags, LANES, width),
            "O2": flags, "O3": alone, "made": plan}


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


def path_of(case):
    return os.path.join(ROOT, "examples", "embedding", f"{PROGRAMS[case['program']][0]}.mlir")


def views_of(case):
    width = case["width"]
    if case["program"] == "triples":
        return ["--view", f"entities={case['rows']}x{width}", "--view", f"relations={case['relations']}x{width}",
                "--view", f"out={len(case['heads'])}", *numbers("heads", case["heads"]), *numbers("kinds", case["kinds"]),
                *numbers("tails", case["tails"])]
    bags, are_messages = len(case["offsets"]) - 1, case["program"] == "messages"
    table, indices = ("y", "neighbours") if are_messages else ("table", "indices")
    views = ["--view", f"{table}={case['rows']}x{width}", "--view", f"out={bags}x{width}",
             *numbers(indices, case["indices"]), *numbers("offsets", case["offsets"])]
    if are_messages:
        views += ["--view", f"x={bags}x{width}", "--view", f"a={len(case['indices'])}"]
    if case["program"] == "weighted":
        views += ["--view", f"weights={len(case['indices'])}"]
    return views


def oracle_of(case):
    return [path_of(case), "--oracle-set", f"D={case['width']}"]


def compiled_plan(heddle, case):
    return heddle("compile", path_of(case), "--set", f"D={case['width']}", "--machine=dae", "--emit=sched", "-o", "-")


def read_program(name):
    with open(os.path.join(ROOT, "bench", "programs", f"{name}.mlir"), encoding="utf-8") as file:
        return file.read()


def by_hand(case):
    name, most, rows = PROGRAMS[case["program"]]
    width = case["width"]
    return read_program(f"{name}_by_hand").replace("64xf32", f"{width}xf32").replace(
        "\"rows\" depth 8", f"\"rows\" depth {most // (4 * rows * width)}")


def run_hand(heddle, case):
    """What is made, and by hand."""
    return {name: simulate(heddle, text, views_of(case), oracle_of(case))
            for name, text in (("made", compiled_plan(heddle, case)), ("hand", by_hand(case)))}


def run_variants(heddle, case):
    plan = compiled_plan(heddle, case)
    return {name: simulate(heddle, text, views_of(case), oracle_of(case))
            for name, text in {"made": plan, **variants_of(plan)}.items()}


def run_case(heddle, case):
    width = case["width"]
    plans = plans_of(compiled_plan(heddle, case), width)
    ahead = ROWS_AHEAD * 64 // width
    plans["one"] = read_program(f"bag_{case['program']}_one_process").replace("64xf32", f"{width}xf32").replace(
        "depth 8", f"depth {ahead}").replace("%ahead = arith.constant 8", f"%ahead = arith.constant {ahead}").replace(
        "issue = 4 ", f"issue = {width // VECTOR} ")
    plans["hand"] = by_hand(case)
    return {name: simulate(heddle, text, views_of(case), oracle_of(case)) for name, text in plans.items()}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def row_of(name, runs):
    cycles = {plan: run["cycles"] for plan, run in runs.items()}
    steps = [cycles[a] / cycles[b] for a, b in STEPS]
    return name, cycles, steps


def print_table(rows):
    print("| case | O0 | O1 | O2 | O3 | as made | by hand | one process | O1/O0 | O2/O1 | O3/O2 | made/O3 | made/hand | made/one |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, cycles, steps in rows:
        print(f"| {name} | " + " | ".join(str(cycles[plan]) for plan in ("O0", "O1", "O2", "O3", "made", "hand", "one")) + " | "
              + " | ".join(f"{step:.2f}" for step in steps) + " |")
    means = [geometric_mean([steps[i] for _, _, steps in rows]) for i in range(len(STEPS))]
    print("| geometric mean | | | | | | | | " + " | ".join(f"{mean:.2f}" for mean in means) + " |")


def print_hand(rows):
    print("| case | as made | by hand | made/hand |")
    print("|---|--:|--:|--:|")
    for name, cycles in rows:
        print(f"| {name} | {cycles['made']} | {cycles['hand']} | {cycles['hand'] / cycles['made']:.2f} |")
    print(f"| geometric mean | | | {geometric_mean([cycles['hand'] / cycles['made'] for _, cycles in rows]):.2f} |")


def print_decisions(results):
    print("| case | as made | fastest | which | fastest/made |")
    print("|---|--:|--:|---|--:|")
    right = 0
    for result in results:
        cycles = {name: run["cycles"] for name, run in result["runs"].items()}
        best = min(cycles, key=cycles.get)
        right += cycles["made"] <= 1.03 * cycles[best]
        print(f"| {result['case']} | {cycles['made']} | {cycles[best]} | {best} | {cycles[best] / cycles['made']:.2f} |")
    print(f"{right} of {len(results)} are the fastest or within 3 %")


def decide(heddle, word):
    results = []
    for case in embedding.cases() + embedding.short_cases() + embedding.hand_cases():
        known = any(result["case"] == case["name"] for result in results)
        if word in case["name"] and not known and case["program"] != "triples":  # which have no loop of their own
            results.append({"case": case["name"], "data": embedding.statistics(case), "runs": run_variants(heddle, case)})
    return results


def write(heddle, path, results):
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"machine": "dae", "version": heddle("--version").strip(), "results": results}, file, indent=1)
            file.write("\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="write all runs there")
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--case", default="", help="only cases whose name has this word")
    parser.add_argument("--decisions", action="store_true", help="hold the plans as made against others")
    options = parser.parse_args()
    heddle = Tool(options.heddle)
    if options.decisions:
        results = decide(heddle, options.case)
        print_decisions(results)
        return write(heddle, options.json, results)
    rows, short_rows, hand_rows, results, begin = [], [], [], [], time.monotonic()
    known, short = {}, embedding.short_cases()
    for case in embedding.cases() + short:
        if options.case not in case["name"]:
            continue
        runs = known[case["name"]] = run_case(heddle, case)
        (short_rows if case in short else rows).append(row_of(case["name"], runs))
        results.append({"case": case["name"], "data": embedding.statistics(case), "runs": runs})
    for case in embedding.hand_cases():
        if options.case not in case["name"]:
            continue
        runs = known.get(case["name"])
        if runs is None:
            runs = run_hand(heddle, case)
            results.append({"case": case["name"], "data": embedding.statistics(case), "runs": runs})
        hand_rows.append((case["name"], {name: runs[name]["cycles"] for name in ("made", "hand")}))
    if not results:
        sys.exit(f"no case has '{options.case}' in its name")
    for table in (rows, short_rows):
        if table:
            print_table(table)
    if hand_rows:
        print_hand(hand_rows)
    print(f"{time.monotonic() - begin:.0f} s")
    write(heddle, options.json, results)


if __name__ == "__main__":
    main()
