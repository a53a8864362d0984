#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels drawn from grammars of forms, against their meaning in float64:

    forms.py LIBHEDDLE.SO                                 the test: some seeds
    forms.py LIBHEDDLE.SO singles                         each form with the plain one of all other axes
    forms.py LIBHEDDLE.SO run --first=1 --count=500       random ones; a table of forms and of reasons
    forms.py LIBHEDDLE.SO print --seed=7                  the text of a kernel
    forms.py LIBHEDDLE.SO ttir --seed=7                   the same as TTIR

`run` and `singles` take --triton=HEDDLE, which also emulates Triton's own PTX by that command, --only=WORD, and
--log=FILE, to which outcomes are written as they come. Needs Triton and numpy: test/triton/run.py has them.
"""

import argparse
import collections
import pathlib
import re
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "forms"))
import campaign  # noqa: E402
from isolated import heddle  # noqa: E402

GOOD = ("right", "declined", "no program")
TESTED = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
# Forms that a campaign found wrong, crashed, declined or called bad input, the fault gone since.
FOUND = (
    ("product", {"loop": "constant"}),
    ("product", {"loop": "nested by memory"}),
    ("product", {"loop": "in a conditional"}),
    ("product", {"loop": "conditional inside", "control": "grouped", "b": "gathered along the sum",
                 "epilogue": "residual", "BM": 64, "sizes": "empty"}),
    ("chain", {"kind": "chunks of a state", "control": "early return", "BN": 32}),
    ("chain", {"kind": "chunks of a state", "BN": 16, "D": 16, "sizes": "short"}),
    ("chain", {"kind": "chunks of a state", "loop": "pointers", "keys": "descriptor", "D": 128}),
    ("product", {"sum": "rows that swap"}),
    ("product", {"sum": "rows handed on twice", "BM": 128}),
    ("product", {"sum": "rows of two turns before"}),
    ("chain", {"kind": "chunks of a state", "state": "keys scaled", "keys": "transposed in memory", "D": 32, "E": 32, "sizes": "whole"}),
    ("product", {"loop": "hints", "memory of a": "columns", "epilogue": "halves", "BK": 128}),
    ("product", {"epilogue": "transposed", "BM": 32, "BN": 256}),
    ("product", {"elements": "bf16", "change of b": "exponential", "sum": "two sums", "epilogue": "residual", "sizes": "empty"}),
    ("chain", {"kind": "chunks of a state", "loop": "from memory", "BN": 128}),
    ("product", {"sum": "number of the first turn", "loop": "nested"}),
    ("product", {"sum": "number handed on twice", "loop": "while"}),
    ("product", {"sum": "numbers that swap", "loop": "counted"}),
    ("product", {"sum": "rows that swap"}),
    ("product", {"loop": "while, in between", "sizes": "empty"}),
    ("product", {"loop": "while, down", "control": "persistent by while"}),
    ("product", {"loop": "while, other steps", "BM": 64}),
    ("product", {"control": "work of several", "BM": 64, "sizes": "one step"}),
    ("product", {"loop": "while, in between", "control": "persistent by while", "a": "two loads", "change of b": "relu",
                 "memory of b": "columns", "sum": "rows that swap", "epilogue": "transposed", "BN": 64, "sizes": "whole"}),
)  # fmt: skip


def is_fine(outcome):
    return outcome.kind in GOOD


def reason_of(outcome):
    """A sentence without its place and numbers, so that equal reasons are counted together."""
    if outcome.kind == "right":
        return f"compiled as {outcome.loop}" if outcome.loop not in ("specialised", "") else ""
    sentence = re.sub(r"^\S+:\d+:\d+: ", "", outcome.text)
    return f"{outcome.kind}: {re.sub(r'[0-9]+', 'N', sentence)[:160]}"


class Figures:
    """Counts by form and by reason."""

    def __init__(self):
        self.forms = collections.defaultdict(collections.Counter)
        self.reasons, self.examples, self.kinds = collections.Counter(), {}, collections.Counter()
        self.seconds = []

    def add(self, one, outcome):
        kind = outcome.kind
        if kind == "no program":
            self.kinds[kind] += 1
            return
        kind = "specialised" if kind == "right" and outcome.loop == "specialised" else "plain" if kind == "right" else kind
        self.kinds[kind] += 1
        self.seconds.append((outcome.seconds, one.seed, one.describe()))
        for axis, form in one.forms.items():
            self.forms[one.grammar, axis, form][kind] += 1
        reason = reason_of(outcome)
        if reason:
            self.reasons[reason] += 1
            self.examples.setdefault(reason, one.seed)

    def table(self):
        total = sum(self.kinds.values()) - self.kinds["no program"]
        lines = [f"{total} kernels: " + ", ".join(f"{count} {kind}" for kind, count in self.kinds.most_common())]
        lines += ["", "| form | kernels | specialised | one process | declined | wrong or worse |", "|---|--:|--:|--:|--:|--:|"]
        for (grammar, axis, form), counts in self.forms.items():
            count = sum(counts.values())
            worse = count - counts["specialised"] - counts["plain"] - counts["declined"]
            lines.append(
                f"| {grammar}, {axis}: {form} | {count} | {counts['specialised']} | {counts['plain']} | {counts['declined']} | {worse} |"
            )
        lines += ["", "| kernels | reason | seed |", "|--:|---|--:|"]
        lines += [f"| {count} | {reason} | {self.examples[reason]} |" for reason, count in self.reasons.most_common()]
        slow = sorted(self.seconds, reverse=True)[:5]
        lines += ["", "slowest to compile: " + "; ".join(f"{s:.1f} s (seed {seed}: {what})" for s, seed, what in slow)]
        return "\n".join(lines)


def campaign_of(drawn, options):
    figures, bad, log = Figures(), 0, open(options.log, "a", encoding="utf-8") if options.log else None
    for one in drawn:
        if options.only and options.only not in one.describe():
            continue
        outcome = campaign.outcome_of(one)
        if options.triton and outcome.kind != "no program":
            theirs = campaign.outcome_of_triton(one, options.triton)
            if theirs.kind != "right":
                outcome.text = f"{outcome.kind}; Triton's own is {theirs.kind}: {theirs.text}"
                outcome.kind = "differs"
        figures.add(one, outcome)
        bad += not is_fine(outcome)
        line = f"{one.seed} {outcome.kind} {outcome.loop} {outcome.seconds:.1f}s [{one.describe()}] {outcome.text}"
        if log:
            print(line, file=log, flush=True)
        if not is_fine(outcome):
            print(line, flush=True)
    print(figures.table())
    return bad


class FormsTest(unittest.TestCase):
    def test_seeds(self):
        figures, bad = Figures(), []
        for seed in TESTED:
            one = campaign.drawn(seed)
            outcome = campaign.outcome_of(one)
            figures.add(one, outcome)
            if not is_fine(outcome):
                bad.append(f"seed {seed} [{one.describe()}]: {outcome.kind}: {outcome.text}")
        print(dict(figures.kinds), file=sys.stderr)
        self.assertEqual("\n".join(bad), "")
        self.assertGreater(figures.kinds["specialised"], len(TESTED) // 3)

    def test_found(self):
        for grammar, forms in FOUND:
            one = campaign.with_forms(grammar, forms)
            outcome = campaign.outcome_of(one)
            self.assertEqual((outcome.kind, outcome.text), ("right", ""), one.describe())

    def test_a_wrong_result_is_noticed(self):
        """A kernel against the meaning of another one."""
        one = campaign.with_forms("product", {"BM": 16, "BN": 16})
        expected = campaign.expected_of(one)
        arrays = {name: values.copy() for name, values in expected.items()}
        one.case.arguments = {"c_ptr": campaign.Buffer(expected["c_ptr"].shape, "f64")}
        self.assertIsNone(campaign.difference(one, arrays, expected))
        arrays["c_ptr"][-1] += 1
        self.assertIn("1 of", campaign.difference(one, arrays, expected))


def main():
    library, *words = sys.argv[1:]
    heddle.use_compiler(library)
    if not words or words[0] not in ("run", "singles", "print", "ttir"):
        unittest.main(argv=["forms.py", *words])
    parser = argparse.ArgumentParser()
    parser.add_argument("what")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--triton", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--log", default="")
    options = parser.parse_args(words)
    if options.what == "run":
        sys.exit(bool(campaign_of(map(campaign.drawn, range(options.first, options.first + options.count)), options)))
    if options.what == "singles":
        sys.exit(bool(campaign_of(campaign.singles(), options)))
    one = campaign.drawn(options.seed)
    if options.only:
        one = next(found for found in campaign.singles() if options.only in found.describe())
    if options.what == "print":
        print(f"# {one.describe()}\n{one.text}")
        return
    with tempfile.TemporaryDirectory() as folder:
        print(campaign.ttir_of_drawn(one, folder))


if __name__ == "__main__":
    main()
