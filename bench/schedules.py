#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Solves the loops whose schedules are known from the literature, and prints what the
exact solver concludes.

    python3 bench/schedules.py --tools build/bin
    python3 bench/schedules.py --tools build/bin --perturb --update docs/schedules.md

With --perturb, every group of the machine's costs is made 10 % dearer and 10 % cheaper,
one at a time, and a conclusion that does not survive says where it fell; the other tables
are left alone. With --update, the tables between `<!-- schedules NAME -->` and
`<!-- end -->` are written anew.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import schedule_facts as facts

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKED = re.compile(r"(<!-- schedules (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)

ATTENTION = ["examples/attention.mlir"]
BLACKWELL = ATTENTION + ["--set", "BM=256", "--set", "BN=96"]
BACKWARD = ["examples/attention_backward.mlir"]
WIDE = ["bench/programs/attention_backward_80x128.mlir"]
APART = ["--no-slack", "--ask=done(*) <= issued(*)@1"]
# S and dP, then dV, both halves of dQ, dK.
IN_ORDER = ["--ask=issued(dot_2) < issued(dot_3) < issued(dot_4) < issued(dot_5) < issued(dot_6)"]

Row = collections.namedtuple("Row", "name machine program question at conclusion")
# `at` names the row at whose interval the question is asked. A conclusion is a function
# of an answer that says in words what holds; it must say the same when costs change.
ROWS = [
    Row("GEMM, 128 x 256 x 64", "h200", ["examples/gemm.mlir"], [], None, facts.optimality),
    Row("attention, D = 128, 128 x 128", "h200", ATTENTION, [], None, facts.overlap),
    Row("the same without the slack goal", "h200", ATTENTION, ["--no-slack"], None, facts.overlap),
    Row("attention, D = 64, 128 x 128", "h200", ATTENTION + ["--set", "D=64"], [], None, facts.overlap),
    Row("attention, D = 128, 128 x 176", "h200", ATTENTION + ["--set", "BN=176"], [], None, facts.overlap),
    Row("attention backward, D = 64, 64 x 64", "h200", BACKWARD, [], None, facts.overlap),
    Row("the same without overlap", "h200", BACKWARD, APART, None, facts.overlap),
    Row("attention backward, D = 64, 64 x 128", "h200", BACKWARD + ["--set", "BN=128"], [], None, facts.overlap),
    Row("attention backward, D = 128, 80 x 128", "h200", WIDE, [], None, facts.overlap),
    Row("80 x 128 without overlap, FlashAttention-3's order", "h200", WIDE, APART + IN_ORDER, None, facts.overlap),
    Row("80 x 128, that order, S of the next step beside dQ", "h200", WIDE, IN_ORDER + ["--ask=issued(dot)@1 < done(dot_5)"],
        "80 x 128 without overlap, FlashAttention-3's order", facts.refutation),
    Row("attention, D = 128, 2 x 128 x 96", "b200", BLACKWELL, [], None, facts.roles),
    Row("the same with a process more", "b200", BLACKWELL, ["--processes=4"], None, facts.roles),
    Row("the same with a process less", "b200", BLACKWELL, ["--processes=2"],
        "attention, D = 128, 2 x 128 x 96", facts.refutation),
    Row("the same without crossing", "b200", BLACKWELL, ["--no-crossing"],
        "attention, D = 128, 2 x 128 x 96", facts.refutation),
    Row("the same without sub-tiles", "b200", BLACKWELL, ["--no-split"],
        "attention, D = 128, 2 x 128 x 96", facts.refutation),
]

class Answer:
    """What `heddle solve` says of a program's one pipelined loop."""

    def __init__(self, tools, row, machine, interval):
        words = [str(tools / "heddle"), "solve", *row.program, "--machine=" + machine, *row.question]
        if interval:
            words.append("--ii=%d" % interval)
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            process = subprocess.Popen(words + ["--json=" + file.name], cwd=ROOT, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True)
            self.text = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            code = os.waitstatus_to_exitcode(status)
            if code not in (0, 2):
                sys.exit(" ".join(words) + "\n" + self.text)
            self.found = json.load(file)[0]
        self.seconds = usage.ru_utime + usage.ru_stime
        self.solution = self.found.get("solution")
        self.problem = self.found["problem"]
        self.interval = self.solution["ii"] if self.solution else None
        self.asked = interval


def ask_all(tools, rows, machine_of, known=None):
    """Answers by row; intervals of other rows are taken from `known`, if given."""
    answers = {}
    for row in rows:
        interval = (known or answers)[row.at].interval if row.at else None
        if row.at and not interval:
            continue
        answers[row.name] = Answer(tools, row, machine_of(row), interval)
        print(".", end="", file=sys.stderr, flush=True)
    return answers


def scaled(machine, section, factor):
    """A machine's description with one section's costs changed."""
    description = json.loads((ROOT / "machines" / (machine + ".json")).read_text(encoding="utf-8"))
    for name, cost in description["costs"][section].items():
        if name in ("rows", "columns", "row_work", "queue_steps"):
            continue  # shapes, not costs
        value = cost["value"] / factor if name.endswith("_per_cycle") else cost["value"] * factor
        # Some must be whole; small ones may not be, and matter to the digit.
        cost["value"] = round(value) if isinstance(cost["value"], int) and value >= 100 else value
        cost.pop("range", None)
    return json.dumps(description)


SECTIONS = ("tensor", "tensor_memory", "copy", "hand_over", "instructions")


def perturb(tools):
    """A table of the conclusions, and where they did not survive. What was refuted at an
    interval is asked at the same one."""
    answers = ask_all(tools, ROWS, lambda row: row.machine)
    fallen = {row.name: [] for row in ROWS}
    for section in SECTIONS:
        changed = [row for row in ROWS if section != "tensor_memory" or row.machine == "b200"]
        for factor, sign in ((1.1, "+10 %"), (0.9, "-10 %")):
            with tempfile.TemporaryDirectory() as folder:
                files = {}
                for machine in {row.machine for row in changed}:
                    files[machine] = pathlib.Path(folder) / (machine + ".json")
                    files[machine].write_text(scaled(machine, section, factor), encoding="utf-8")
                again = ask_all(tools, changed, lambda row: str(files[row.machine]), answers)
            for row in changed:
                before, after = (row.conclusion(given[row.name]) if row.name in given else "nothing was found"
                                 for given in (answers, again))
                if before != after:
                    fallen[row.name].append("%s %s: %s" % (section, sign, after))
    lines = ["| loop | what holds | with costs 10 % up or down |", "|---|---|---|"]
    lines += ["| %s | %s | %s |" % (row.name, row.conclusion(answers[row.name]), "; ".join(fallen[row.name]) or "the same")
              for row in ROWS]
    return "\n".join(lines) + "\n"


def conclusions(answers):
    lines = ["| loop | at least | II | what holds | seconds |", "|---|--:|--:|---|--:|"]
    for row in ROWS:
        answer = answers.get(row.name)
        if not answer:
            lines.append("| %s | | | not asked | |" % row.name)
            continue
        lines.append("| %s | %d | %s | %s | %.1f |" % (
            row.name, answer.found["bound"], answer.interval or answer.asked or "-", row.conclusion(answer), answer.seconds))
    return "\n".join(lines) + "\n"


def describe(answers):
    return {
        "conclusions": conclusions(answers),
        "attention": facts.beside_flash_attention(answers["attention, D = 128, 128 x 128"],
                                                  answers["the same without the slack goal"]),
        "bindings": facts.bindings((name, answers[name]) for name in answers if answers[name].solution),
        "roles": facts.division(answers["attention, D = 128, 2 x 128 x 96"]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=pathlib.Path, required=True)
    parser.add_argument("--perturb", action="store_true")
    parser.add_argument("--update", metavar="FILE", type=pathlib.Path)
    options = parser.parse_args()
    tools = options.tools.resolve()
    parts = {"perturbed": perturb(tools)} if options.perturb else describe(ask_all(tools, ROWS, lambda row: row.machine))
    print(file=sys.stderr)
    for text in parts.values():
        print(text)
    if options.update:
        old = options.update.read_text(encoding="utf-8")
        options.update.write_text(MARKED.sub(
            lambda m: m[1] + parts[m[2]] + m[3] if m[2] in parts else m[0], old), encoding="utf-8")


if __name__ == "__main__":
    main()
