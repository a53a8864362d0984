#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cycles an iteration by the schedule's table, by the simulator and on the GPU, and the
three as one trace.

    python3 bench/trace.py --out build/trace

Compiles each case with stamps, simulates it with the machine's measured costs, runs it
on the GPU, and prints a line a case, then what each activity of the loop took. OUT holds
CASE.trace.json for Chrome or Perfetto: table, simulator and GPU above each other, one
steady iteration of each beginning at the same place. Without a GPU --prepare does the
first half, and --measure the second one where there is no compiler. Exit code: 0 fine,
1 an instrumented kernel computes something else than the plain one, 2 a case could not
be run, 3 bad input.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(ROOT, "python"))

import stamps  # noqa: E402

LAUNCHES = 20
# Stamps everywhere, and only where they cost the loop nothing.
KINDS = {"full": ".ptx", "light": ".light.ptx"}
# Some of all, because they need not fall into the same rhythm.
CTAS = (7, 24, 41, 58, 75, 92, 109, 126)
# Intervals of the GPU that a trace shows before and behind iteration n.
SHOWN = 6


def attention_views(depth, queries, keys, heads, group=1):
    return [
        ("q", (heads, queries, depth)),
        ("k", (heads // group, keys, depth)),
        ("v", (heads // group, keys, depth)),
        ("o", (heads, queries, depth)),
    ]


def attention(program, depth, rows=128, columns=128, group=1, scalars=()):
    return {
        "program": program,
        "settings": ["D=%d" % depth, "BM=%d" % rows, "BN=%d" % columns],
        "views": attention_views(depth, 16384, 16384, 2048 // depth, group),
        "simulated": attention_views(depth, rows, 24 * columns, group, group),
        "scalars": [("scale", 1 / math.sqrt(depth)), *scalars],
    }


def product(program, operands, columns, outputs=()):
    """Of rows of A and of transposed operands B; `outputs` beside C have a row's one
    value each."""

    def views(m, n, k):
        shapes = [("a", (m, k)), *((b, (k, n)) for b in operands), ("c", (m, n))]
        return shapes + [(name, (m,)) for name in outputs]

    return {
        "program": program,
        "settings": [],
        "views": views(8192, 8192, 8192),
        "transposed": list(operands),
        "f32": list(outputs),
        "simulated": views(128, columns, 32 * 64),
        "scalars": [],
    }


CASES = {
    "gemm": product("gemm", ["b"], 256),
    "dual_gemm": product("dual_gemm", ["b1", "b2"], 128),
    "gemm_reduction": product("gemm_reduction", ["b"], 256, ["y"]),
    "attention_d128": attention("attention", 128),
    "attention_d64": attention("attention", 64),
    "attention_causal_d128": attention("attention_causal", 128),
    "attention_causal_d64": attention("attention_causal", 64),
    "attention_d96": attention("attention", 96),
    "attention_d256": attention("attention", 256, columns=64),
    "attention_gqa_d128": attention("attention_gqa", 128, group=4),
    "attention_window_d128": attention("attention_window", 128, scalars=[("window", 4096)]),
    # One group of consumers: what the others take from each other is the difference.
    "attention_d128_alone": attention("attention", 128, rows=64),
    "attention_d64_alone": attention("attention", 64, rows=64),
}


def heddle(options, *arguments):
    result = subprocess.run(
        [options.heddle, *arguments], cwd=ROOT, capture_output=True, text=True
    )
    if result.returncode:
        raise RuntimeError("heddle %s: %s" % (arguments[0], result.stderr.strip()))
    return result.stdout


def prepare(options, name, case, schedule):
    """Compiles and simulates; what is known then goes to CASE.model.json."""
    stem = os.path.join(options.out, "%s.%s" % (name, schedule))
    program = os.path.join("examples", case["program"] + ".mlir")
    common = [program, "--schedule", schedule]
    for setting in case["settings"]:
        common += ["--set", setting]
    heddle(options, "compile", *common, "-o", stem + ".plain.ptx")
    heddle(options, "compile", *common, "--trace", "-o", stem + ".ptx")
    heddle(options, "compile", *common, "--trace=elected", "-o", stem + ".light.ptx")
    run = ["simulate", *common, "--order=timed", "--trace", stem + ".simulated.json"]
    for view, shape in case["simulated"]:
        run += ["--view", "%s=%s" % (view, "x".join(map(str, shape)))]
    for scalar, value in case["scalars"]:
        run += ["--scalar", "%s=%.7g" % (scalar, value)]
    text = heddle(options, *run)
    found = re.search(r"([\d.]+) cycles an iteration .* table's II is (\d+)", text)
    if not found:
        raise RuntimeError("heddle simulate gives no interval: " + text.strip())
    model = {"simulated": float(found[1]), "table": int(found[2])}
    with open(stem + ".model.json", "w") as file:
        json.dump(model, file)
    return model


class Runner:
    """A case's operands on the GPU, and its kernels."""

    def __init__(self, case, seed=0):
        import torch

        generator = torch.Generator(device="cuda").manual_seed(seed)
        self.values = []
        for view, shape in case["views"]:
            if view in case.get("f32", ()):
                made = torch.empty(shape, device="cuda")
            elif view in case.get("transposed", ()):
                made = torch.randn(shape[::-1], generator=generator, device="cuda").half().T
            else:
                made = torch.randn(shape, generator=generator, device="cuda").half()
            self.values.append(made)
        self.output = self.values[-1 - len(case.get("f32", ()))]
        self.values += [value for _, value in case["scalars"]]

    def result_of(self, launch):
        import torch

        self.output.fill_(float("nan"))
        launch()
        torch.cuda.synchronize()
        return self.output.clone()


def stamps_of(kernel, values, ctas):
    """(variant, words of each CTA) of launches in the middle of others, at their clock."""
    import torch

    manifest = json.loads(kernel.manifest)
    words = torch.zeros(stamps.words_needed(manifest), dtype=torch.int32, device="cuda")
    launch = kernel.bind(*values, words)
    found = []
    for cta in ctas:
        words[1:] = 0
        words[0] = cta
        for _ in range(LAUNCHES):
            launch()
        torch.cuda.synchronize()
        found.append(words.tolist())
    variant, _ = kernel.plan(*values, words)
    return variant, found


def measure(options, name, case, schedule, runner):
    """Runs the kernels; the stamps go to CASE.stamps.json."""
    import heddle.runtime
    import torch

    stem = os.path.join(options.out, "%s.%s" % (name, schedule))
    result = {}
    plain = heddle.runtime.Kernel(stem + ".plain.ptx")
    expected = runner.result_of(plain.bind(*runner.values))
    for kind in ("full", "light"):
        kernel = heddle.runtime.Kernel(stem + KINDS[kind])
        with open(stem + KINDS[kind][:-3] + "json") as file:
            kernel.manifest = file.read()
        ctas = CTAS if kind == "light" else CTAS[:1]
        variant, words = stamps_of(kernel, runner.values, ctas)
        result[kind] = {
            "same": torch.equal(expected, runner.output),
            "variant": variant,
            "words": words,
            "resources": kernel.resources(variant),
        }
        runner.output.fill_(float("nan"))
    with open(stem + ".stamps.json", "w") as file:
        json.dump(result, file)
    return result


def load(options, name, schedule, kind):
    path = os.path.join(options.out, "%s.%s.%s.json" % (name, schedule, kind))
    if not os.path.exists(path):
        return None
    with open(path) as file:
        return json.load(file)


class Simulated:
    """The spans of the simulator's run, from the trace that heddle simulate wrote."""

    def __init__(self, events):
        names = {
            event["pid"]: event["args"]["name"]
            for event in events
            if event["ph"] == "M" and event["name"] == "process_name"
        }
        self.pid = max(names)
        mine = [event for event in events if event["pid"] == self.pid]
        self.threads = {
            event["tid"]: event["args"]["name"]
            for event in mine
            if event["ph"] == "M" and event["name"] == "thread_name"
        }
        self.spans = [event for event in mine if event["ph"] == "X"]

    def cycles_of(self, operations, process):
        """Cycles in which `process` is busy with the operations, an iteration."""
        total = 0
        for operation in operations:
            lengths = [
                span["dur"]
                for span in self.spans
                if span["name"].rsplit(" #", 1)[0] == operation
                and self.threads[span["tid"]] == process
            ]
            total += sorted(lengths)[len(lengths) // 2] if lengths else 0
        return total


def middle(values):
    return values[len(values) // 2] if values else 0


def first_issue(variant, process):
    """The operations that a process hands to the tensor core, in the manifest's order."""
    return [
        (number, stamp["names"][0])
        for number, stamp in enumerate(variant["stamps"])
        if stamp["process"] == process and stamp["activity"] == "issue" and stamp["names"]
    ]


def align(simulated, spans, variant):
    """Begins of one steady iteration in the table's, the simulator's and the GPU's time:
    that of an operation which all three know."""
    for process, list_of_spans in reversed(spans.items()):
        steady = set(stamps.steady_stamps(list_of_spans))
        for number, operation in first_issue(variant, process):
            if number not in steady:
                continue
            gpu = middle([span.begin for span in list_of_spans if span.number == number])
            runs = [
                event
                for event in simulated.spans
                if event["name"].rsplit(" #", 1)[0] == operation
                and simulated.threads[event["tid"]] == process
            ]
            if runs:
                run = middle(runs)
                return operation, int(run["name"].rsplit("#", 1)[1]), run["ts"], gpu
    return None


def overlay(options, name, schedule, events, simulated, spans, variant, interval):
    """The trace of the simulator with the GPU's stamps above; all begin together."""
    place = align(simulated, spans, variant)
    if not place:
        raise RuntimeError("no operation is issued by both the simulator and the GPU")
    operation, iteration, run, gpu = place
    label = "%s #%d" % (operation, iteration)
    table = [event for event in events if event.get("name") == label and event["pid"] != simulated.pid]
    shifts = {simulated.pid: run}
    if table:
        shifts[table[0]["pid"]] = table[0]["ts"]
    shown = []
    for event in events:
        moved = dict(event)
        if "ts" in event:
            moved["ts"] = event["ts"] - shifts.get(event["pid"], run)
        shown.append(moved)
    begin = -SHOWN * interval
    for process in spans:
        spans[process] = [span for span in spans[process] if span.begin - gpu >= begin]
    pid = max(event["pid"] for event in events) + 1
    shown += stamps.trace_events(spans, variant, pid, "%s: GPU" % name, gpu, SHOWN * interval)
    path = os.path.join(options.out, "%s.%s.trace.json" % (name, schedule))
    with open(path, "w") as file:
        json.dump({"otherData": {"one microsecond": "one cycle"}, "traceEvents": shown}, file)
    return path


def spans_of(options, name, schedule, measured, suffix):
    """(variant, spans of each CTA)"""
    with open(os.path.join(options.out, "%s.%s%s" % (name, schedule, suffix))) as file:
        variant = json.load(file)["variants"][measured["variant"]]
    return variant, [stamps.read(words, variant) for words in measured["words"]]


def loop_interval(spans):
    """Of all processes that have one; they differ by what is left of a group at the end."""
    found = [value for value in map(stamps.interval, spans.values()) if value]
    return statistics.median(found) if found else None


def report(options, name, schedule):
    """One case as text; its line of the table."""
    model, measured = (load(options, name, schedule, kind) for kind in ("model", "stamps"))
    if not measured:
        return None
    variant, (spans, *_) = spans_of(options, name, schedule, measured["full"], ".json")
    _, light = spans_of(options, name, schedule, measured["light"], ".light.json")
    events = load(options, name, schedule, "simulated")["traceEvents"]
    simulated = Simulated(events)
    stamped = loop_interval(spans)
    intervals = [value for value in map(loop_interval, light) if value] or [stamped]
    interval = statistics.fmean(intervals)
    print("%s, %s" % (name, schedule))
    for process, list_of_spans in spans.items():
        for number, cycles in stamps.durations(list_of_spans).items():
            stamp = variant["stamps"][number]
            text = "  %-8s %-42s %6.0f" % (process, stamps.label(stamp), cycles)
            if stamp["activity"] in ("work", "issue") and stamp["names"]:
                text += "   simulator %5d" % simulated.cycles_of(stamp["names"], process)
            print(text)
    path = overlay(options, name, schedule, events, simulated, spans, variant, stamped)
    print("  " + os.path.relpath(path, ROOT))
    line = {
        "case": name,
        "schedule": schedule,
        "table": model["table"],
        "simulator": model["simulated"],
        "gpu": interval,
        "range": [min(intervals), max(intervals)],
        "ratio": model["simulated"] / interval,
        "perturbation": stamped / intervals[0] - 1,
        "same": measured["full"]["same"] and measured["light"]["same"],
    }
    return line


def print_table(lines):
    print("\n%-24s %-10s %7s %10s %7s %13s %11s %8s" % (
        "case", "schedule", "II", "simulator", "GPU", "CTAs", "sim. / GPU", "stamps"))
    for line in lines:
        print("%-24s %-10s %7d %10.0f %7.0f %6.0f .. %4.0f %10.3f %+7.1f%%%s" % (
            line["case"], line["schedule"], line["table"], line["simulator"], line["gpu"],
            *line["range"], line["ratio"], 100 * line["perturbation"],
            "" if line["same"] else "  WRONG"))


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--schedules", default="auto,heuristic", help="as heddle compile has them")
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "trace"))
    parser.add_argument("--prepare", action="store_true", help="compile and simulate only")
    parser.add_argument("--measure", action="store_true", help="run what was prepared")
    parser.add_argument("--report", action="store_true", help="print what was measured")
    parser.add_argument("--json", help="write the table there too")
    options = parser.parse_args(arguments)
    unknown = set(options.cases) - set(CASES)
    if unknown:
        parser.error("no case %s" % ", ".join(sorted(unknown)))
    options.cases = options.cases or list(CASES)
    options.schedules = options.schedules.split(",")
    if not (options.prepare or options.measure or options.report):
        options.prepare = options.measure = options.report = True
    options.out = os.path.abspath(options.out)
    return options


def main(arguments=None):
    options = parse_options(arguments)
    os.makedirs(options.out, exist_ok=True)
    code, lines = 0, []
    for name in options.cases:
        case = CASES[name]
        runner = Runner(case) if options.measure else None
        for schedule in options.schedules:
            try:
                if options.prepare:
                    prepare(options, name, case, schedule)
                if options.measure:
                    measured = measure(options, name, case, schedule, runner)
                    code = code or int(not all(one["same"] for one in measured.values()))
                if options.report:
                    lines.append(report(options, name, schedule))
            except Exception as reason:  # a kernel that is missing, a schedule too slow
                print("%s, %s: %s: %s" % (name, schedule, type(reason).__name__, reason))
                code = code or 2
    lines = [line for line in lines if line]
    if lines:
        print_table(lines)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(lines, file, indent=1)
    return code


if __name__ == "__main__":
    sys.exit(main())
