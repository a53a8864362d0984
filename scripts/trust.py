#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks every example at every place and writes who notices.

Each mutation operator of heddle-mutate is applied at each site of each variant
of each example, at a small tile, with rings of 2 and of 3 slots. The checker
judges all mutants. What it proves and the rung's verifier accepts goes to the
emulator, with several seeds, in each launch that the variant takes undamaged:
a launch that it refuses says nothing of the mutant.
A mutant that nobody objects to needs a reason in trust_reasons.txt, or counts as
missed. The tables go into docs/trust-mutants.md, between its markers.

What is done is kept in BUILD/trust, so that a run can be stopped and resumed; it
is done again when the tools or the example's code change. Exit status 1 if an
example is not proved, a mutant is missed, or a limit of LIMITS is not kept.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys

import run_demo

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "trust-mutants.md"
REASONS = ROOT / "scripts" / "trust_reasons.txt"
BEGIN, END = "<!-- trust: begin -->", "<!-- trust: end -->"

# Examples with rings, and a small tile for each.
PIPELINED = {
    "gemm": ["BM=128", "BN=64"],
    "dual_gemm": ["BM=128", "BN=64"],
    "gemm_bias_gelu": ["BM=128", "BN=64"],
    "gemm_softmax": ["BM=64"],
    "gemm_reduction": ["BM=128", "BN=64"],
    "attention": ["BM=128", "BN=64"],
    "attention_causal": ["BM=128", "BN=64"],
    "attention_gqa": ["BM=128", "BN=64"],
    "attention_window": ["BM=128", "BN=64"],
    "attention_backward": [],
    "conv/forward": ["BM=64", "BN=64"],
    "conv/patches": ["BM=64", "BN=64"],
    "conv/unfold": ["span=tensor<512x!in>"],
}
DEPTHS = (2, 3)

# What an example's own launch does not reach: loops of one iteration, whole, or of none; rows that the variant for
# TMA takes; one column of tiles; numbers at the ends of what a mask lets through. Launches by the arguments that
# differ, and once more by what stands in views.
MORE_LAUNCHES = {
    "gather_rows": [{"x": f"1x{columns}", "y": f"2x{columns}", "x_rows": "1", "y_rows": "2", "columns": columns}
                    for columns in ("40", "48")],
    "histogram_atomic": [{"counts": "2", "bins": "2"}],
    "gemm": [{"a": "300x64", "b": "64x264", "c": "300x264"}],
    "dual_gemm": [{"a": "300x64", "b1": "64x264", "b2": "64x264", "c": "300x264"}],
    "gemm_bias_gelu": [{"a": "300x64", "b": "64x264", "bias": "264", "c": "300x264"}],
    "gemm_gather": [{"rows": "200xi32", "c": "200x72", "a": "2x136", "a_rows": "2"},
                    {"rows": "400xi32", "c": "400x72", "columns": "0"}],
    "gemm_int8": [{"a": "200x64", "b": "64x136", "scale": "1x136"}],
    "gemm_reduction": [{"a": "300x64", "b": "64x64", "c": "300x64", "y": "300"}],
    "gemm_softmax": [{"b": "200x104", "c": "300x104"}, {"a": "300x64", "b": "64x104", "c": "300x104"}],
    "conv/forward": [{"f": "1x1x32x64"}],
    "conv/patches": [{"f": "1x1x32x64"}],
    "conv/unfold": [{"f": "1x9x64"}],
}
MORE_VALUES = {"gather_rows": ["--values=from=1", "--values=to=2"]}

# At least this share is for the checker alone, at most that may need a reason.
CHECKER_SHARE, REASON_SHARE = 0.95, 0.03

# The checker judges a case in this many parts, so that the longest case does not hold up the others.
PARTS = 32

FINE, OBJECTED = 0, 1  # exit statuses of heddle

RING = re.compile(r'(sched\.ring "[^"]*" depth) \d+')
OUTCOMES = ("counterexample", "unproved", "verifier", "emulator", "equivalent", "missed")


class Mutant(collections.namedtuple("Mutant",
                                     "case kernel operator site place verdict refused")):
    """A line of heddle-mutate. `place` is LINE:COLUMN OPERATION #N, of the operator's sites
    of this line and column in the kernel the N-th; `refused` what the rung's verifier does."""

    @property
    def example(self):
        return example_of(self.case)


def example_of(case):
    return case.split(".")[0]


def name_of(example):
    """Its path below examples/ without the suffix; cases and reasons begin with it."""
    return example.relative_to(ROOT / "examples").with_suffix("").as_posix()


def call(command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)


def write_whole(path, text):
    """What a run that is stopped leaves behind is a result or is not there."""
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)


def digest(*parts):
    together = hashlib.sha256()
    for part in parts:
        together.update(part if isinstance(part, bytes) else str(part).encode())
    return together.hexdigest()[:16]


class Bench:
    """The tools of a build, and the folder that keeps results."""

    def __init__(self, build, seeds, operators=()):
        self.operators = [f"--operator={name}" for name in operators]
        self.heddle = build / "bin" / "heddle"
        self.mutate = build / "bin" / "heddle-mutate"
        self.kept = build / "trust"
        self.seeds = seeds
        self.kept.mkdir(parents=True, exist_ok=True)
        self.version = digest(self.heddle.read_bytes(), self.mutate.read_bytes())

    def compile(self, source, settings, depth, target):
        """The hopper rung of an example, with rings of `depth` slots."""
        settings = [word for each in settings for word in ("--set", each)]
        sched = call([self.heddle, "compile", source, *settings, "--emit=sched"])
        if sched.returncode:
            sys.exit(f"{source}: {sched.stderr}")
        scheduled = target.with_suffix(".sched.mlir")
        text = RING.sub(rf"\1 {depth}", sched.stdout) if depth else sched.stdout
        scheduled.write_text(text, encoding="utf-8")
        done = call([self.heddle, "compile", scheduled, "--emit=hopper", "-o", target])
        if done.returncode:
            sys.exit(f"{source} with rings of {depth}: {done.stderr}")

    def prepare(self, case, source, settings, depth):
        """Compiles one case, which must be proved as it is."""
        rung = self.kept / f"{case}.mlir"
        rung.parent.mkdir(exist_ok=True)
        self.compile(source, settings, depth, rung)
        if call([self.heddle, "check", rung]).returncode:
            sys.exit(f"{case}: the example itself is not proved")

    def judge(self, case, part):
        """Every PARTS-th mutant of a prepared case, from `part` on; [] if it has none."""
        rung = self.kept / f"{case}.mlir"
        key = digest(rung.read_bytes(), self.version, *self.operators)
        table = self.kept / f"{case}-{key}-{part}.tsv"
        if not table.exists():
            done = call([self.mutate, rung, f"--every={PARTS}", f"--from={part}", *self.operators])
            if done.returncode:
                sys.exit(f"{case}: {done.stderr}")
            write_whole(table, done.stdout)
        mutants = []
        for line in table.read_text(encoding="utf-8").splitlines():
            kernel, operator, site, place, verdict, _, verifier = line.split("\t")
            place = re.sub(r"^.*?(\d+:\d+ )", r"\1", place)
            mutants.append(Mutant(case, kernel, operator, int(site), place, verdict,
                                  verifier == "refused"))
        return mutants

    def run(self, rung, source, seed, arguments):
        """The exit status of one launch on the emulator, and what is said."""
        schedule = ("adversarial", "random", "fair")[seed % 3]
        done = call([self.heddle, "run", rung, "--oracle", source, "--device=emulator", "--sms", "2",
                     f"--order={schedule}", "--seed", seed, *arguments])
        return done.returncode, done.stderr

    def objects(self, rung, source, seed, arguments):
        """Whether the emulator objects. Other failures are no verdict: a launch refused, a crash."""
        status, said = self.run(rung, source, seed, arguments)
        if status not in (FINE, OBJECTED):
            sys.exit(f"{rung.name}: heddle run ends with {status}: {said}")
        return status == OBJECTED

    def taken(self, case, kernel):
        """The launches that this variant takes undamaged; what it refuses shows nothing of its mutants."""
        rung = self.kept / f"{case}.mlir"
        source = ROOT / "examples" / f"{example_of(case)}.mlir"
        tried = list(launches(source))
        kept = self.kept / f"{case}-{kernel}-{digest(rung.read_bytes(), self.version, tried)}.launches.json"
        if not kept.exists():
            text = call([self.mutate, rung, "--kernel", kernel, "--undamaged"])
            alone = self.kept / f"{case}-{kernel}.mlir"
            alone.write_text(text.stdout, encoding="utf-8")
            found = []
            for arguments in tried:
                status, said = self.run(alone, source, 0, arguments)
                if status == FINE:
                    found.append(arguments)
                elif status == OBJECTED or "[launch-refused]" not in said:
                    sys.exit(f"{case}, {kernel}, undamaged: {said}")
            write_whole(kept, json.dumps(found))
        found = json.loads(kept.read_text(encoding="utf-8"))
        if not found:
            sys.exit(f"{case}: '{kernel}' takes no launch; give {example_of(case)} one in MORE_LAUNCHES")
        return found

    def emulate(self, mutant, tried):
        """True if the emulator objects for one of the seeds of a launch of `tried`."""
        rung = self.kept / f"{mutant.case}.mlir"
        name = f"{mutant.case}-{mutant.kernel}-{mutant.operator}-{mutant.site}"
        source = ROOT / "examples" / f"{mutant.example}.mlir"
        kept = self.kept / f"{name}-{digest(rung.read_bytes(), self.version, self.seeds, tried)}.json"
        if kept.exists():
            return json.loads(kept.read_text(encoding="utf-8"))
        text = call([self.mutate, rung, "--kernel", mutant.kernel,
                     f"--apply={mutant.operator}:{mutant.site}"])
        broken = self.kept / f"{name}.mlir"
        broken.write_text(text.stdout, encoding="utf-8")
        objected = any(self.objects(broken, source, seed, arguments)
                       for seed in range(self.seeds) for arguments in tried)
        broken.unlink()
        write_whole(kept, json.dumps(objected))
        return objected


def changed(arguments, others):
    """The arguments, with those of `others` in their place."""
    return [f"{name}={others[name]}" if (name := word.split("=")[0]) in others else word for word in arguments]


def launches(source):
    """Arguments of an example's own launch, and of those that reach more."""
    own = run_demo.runs_of(source)[0]
    yield own
    for others in MORE_LAUNCHES.get(name_of(source), []):
        more = changed(own, others)
        yield more
        if (values := MORE_VALUES.get(name_of(source))):
            yield more + values


def cases(only):
    """Of the programs in examples/, those in its folders only if PIPELINED has them."""
    folder = ROOT / "examples"
    nested = {folder / f"{name}.mlir" for name in PIPELINED}
    for example in sorted(nested.union(folder.glob("*.mlir"))):
        name = name_of(example)
        if only and name not in only:
            continue
        if run_demo.why_left_out(example):
            continue
        if name in PIPELINED:
            for depth in DEPTHS:
                yield f"{name}.{depth}", example, PIPELINED[name], depth
        else:
            yield name, example, [], 0


def read_reasons():
    """(example, operator, LINE:COLUMN OPERATION, with #N where a line has it, or *) -> sentence."""
    reasons = {}
    for line in REASONS.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            where, reason = line.split(": ", 1)
            example, operator, *place = where.split()
            numbers = place.pop()[1:].split(",") if place and place[-1].startswith("#") else [""]
            for number in numbers:
                at = " ".join([*place, "#" + number] if number else place)
                reasons[example, operator, at or "*"] = reason
    return reasons


def reason_for(mutant, reasons):
    for place in (mutant.place, mutant.place.split(" #")[0], "*"):
        if (found := reasons.get((mutant.example, mutant.operator, place))):
            return found
    return None


def number_places(mutants):
    """The mutants of a case with the #N of their places."""
    seen = collections.Counter()
    for mutant in mutants:
        seen[(at := (mutant.kernel, mutant.operator, mutant.place))] += 1
        yield mutant._replace(place=f"{mutant.place} #{seen[at]}")


def judge_all(bench, chosen, pool):
    """Case -> its mutants, in the order of heddle-mutate."""
    parts = {}
    # The first part of every case, then the second: what is long is spread.
    for case in pool.map(lambda each: bench.prepare(*each) or each[0], chosen):
        parts[case] = []
    tasks = [(case, part) for part in range(PARTS) for case in parts]
    for (case, _), mutants in zip(tasks, pool.map(lambda task: bench.judge(*task), tasks)):
        parts[case].append(mutants)
    return {case: list(number_places(mutant for row in itertools.zip_longest(*mutants) for mutant in row if mutant))
            for case, mutants in parts.items()}


def classify(bench, mutants, reasons, pool):
    """Mutant -> one of OUTCOMES."""
    outcomes = {}
    proved = [mutant for mutant in mutants
              if mutant.verdict == "proved" and not mutant.refused]
    variants = sorted({(mutant.case, mutant.kernel) for mutant in proved})
    taken = dict(zip(variants, pool.map(lambda variant: bench.taken(*variant), variants)))
    objections = dict(zip(proved, pool.map(
        lambda mutant: bench.emulate(mutant, taken[mutant.case, mutant.kernel]), proved)))
    for mutant in mutants:
        if mutant.verdict != "proved":
            outcomes[mutant] = mutant.verdict
        elif mutant.refused:
            outcomes[mutant] = "verifier"
        elif objections[mutant]:
            outcomes[mutant] = "emulator"
        else:
            outcomes[mutant] = "equivalent" if reason_for(mutant, reasons) else "missed"
    return outcomes


def table(title, names, outcomes, key):
    counts = {name: collections.Counter() for name in names}
    for mutant, outcome in outcomes.items():
        counts[key(mutant)][outcome] += 1
    counts["all"] = collections.Counter(outcomes.values())
    lines = [f"| {title} | sites | checker: counterexample | checker: not proved | "
             "verifier only | emulator only | equivalent | missed |",
             "|---|---|---|---|---|---|---|---|"]
    for name, count in counts.items():
        cells = " | ".join(str(count[outcome]) for outcome in OUTCOMES)
        lines.append(f"| {name} | {sum(count.values())} | {cells} |")
    return lines


def render(outcomes, operators, reasons, seeds):
    commit = "unknown"
    if shutil.which("git"):
        commit = call(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]).stdout.strip() or commit
    lines = [f"Made by `make trust` at commit {commit}, {seeds} seeds on the emulator.", ""]
    lines += table("operator", operators, outcomes, lambda mutant: mutant.operator)
    names = list(dict.fromkeys(mutant.case for mutant in outcomes))
    lines += [""] + table("example, slots a ring", names, outcomes, lambda mutant: mutant.case)
    listed = collections.Counter()
    for mutant, outcome in outcomes.items():
        if outcome == "equivalent":
            listed[mutant.example, mutant.operator, reason_for(mutant, reasons)] += 1
    if listed:
        lines += ["", "| equivalent | mutants | why it is right all the same |", "|---|---|---|"]
        lines += [f"| {example}, {operator} | {count} | {reason} |"
                  for (example, operator, reason), count in sorted(listed.items())]
    return lines


def write_document(lines):
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    DOCUMENT.write_text(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after,
                        encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", help="this example (may be repeated)")
    parser.add_argument("--operator", action="append", default=[],
                        help="this operator (may be repeated); its table is printed, not kept")
    options = parser.parse_args()
    bench = Bench(options.build.resolve(), options.seeds, options.operator)
    operators = options.operator or [
        line.split("\t")[0] for line in call([bench.mutate, "--operators"]).stdout.splitlines()]
    reasons = read_reasons()
    chosen = list(cases(options.only))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        judged = judge_all(bench, chosen, pool)
        # All cases together: what the emulator is asked is little of many of them, and long of a few.
        outcomes = classify(bench, list(itertools.chain(*judged.values())), reasons, pool)
    for case, mutants in judged.items():
        counts = collections.Counter(outcomes[mutant] for mutant in mutants)
        print(case, *(f"{outcome}: {counts[outcome]}" for outcome in OUTCOMES
                      if counts[outcome]), sep="  ", flush=True)
        for mutant in mutants:
            if outcomes[mutant] == "missed":
                print(f"  missed: {mutant.kernel} {mutant.operator}:{mutant.site} at "
                      f"{mutant.place}", flush=True)
    counts = collections.Counter(outcomes.values())
    total = sum(counts.values())
    caught = counts["counterexample"] + counts["unproved"]
    equivalent = counts["equivalent"]
    print(f"trust: {total} mutants; the checker objects to {caught}, the verifier to "
          f"{counts['verifier']} more, the emulator to {counts['emulator']} more; "
          f"{equivalent} are equivalent, {counts['missed']} missed")
    if options.operator:
        print("\n".join(render(outcomes, operators, reasons, options.seeds)))
    elif not options.only:
        write_document(render(outcomes, operators, reasons, options.seeds))
    good = (not counts["missed"] and caught >= CHECKER_SHARE * (total - equivalent)
            and equivalent <= REASON_SHARE * total)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
