#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks the PTX of the pipelined examples at every place and asks the emulator.

The twin of trust.py one level down, where the lowering has become instructions. Each
operator is applied to each statement that it matches, in the first variant of each
example at a small tile with rings of 2 slots. The emulator runs the mutant under a few
schedules on one multiprocessor, and its results are compared with the undamaged
kernel's, bit for bit. A mutant that nobody notices needs a reason in REASONS, or counts
as missed; where no launch comes by, which a trap in its place shows, the reason
stands in NOT_REACHED. The table goes into docs/trust-mutants.md, between its own markers.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import sys

import run_demo
import trust
import trust_undamaged

BEGIN, END = "<!-- trust-ptx: begin -->", "<!-- trust-ptx: end -->"
INTRODUCTION = """

## The same one level down, in PTX

`scripts/trust_ptx.py` breaks instructions and asks the emulator alone. More mutants than on the rung are right, each for a written reason:
the lowering leaves out what it can prove to be redundant, and `docs/trust.md` says why the rest stays.

"""
# Several tiles for the worker, in rows of 16 bytes, which the first variant is for.
EXTENTS = {"512": "264", "256": "200", "300": "136", "100": "104"}
# One slice of K as well, where the loop behind the first products has no iteration.
SHORT = dict(EXTENTS, **{"256": "56"})
# More than one group of 16 rows of tiles, as only a division tells.
TALL = {
    "gemm": {"a": "2184x56", "b": "56x72", "c": "2184x72"},
    "gemm_bias_gelu": {"a": "2184x56", "b": "56x72", "bias": "72", "c": "2184x72"},
    "dual_gemm": {"a": "2184x56", "b1": "56x72", "b2": "56x72", "c": "2184x72"},
    "gemm_reduction": {"a": "2184x56", "b": "56x72", "c": "2184x72", "y": "2184"},
}
SCHEDULES = (("fair", 0), ("adversarial", 1), ("random", 2), ("adversarial", 3))


def drop(statement):
    return ""


def passes(statement):
    """A wait that is over before it began."""
    return re.sub(r"mbarrier\.try_wait\S*\s+(%p\d+).*", r"setp.eq.b32 \1, 0, 0;", statement)


def other_phase(statement):
    before, parity = statement.rstrip("; ").rsplit(",", 1)
    return "{ .reg .b32 other; xor.b32 other, %s, 1; %s, other; }" % (parity.strip(), before)


def number(which, change):
    """Changes the number that the group of `which` matches."""

    def change_it(statement):
        found = re.search(which, statement)
        return statement[: found.start(1)] + str(change(int(found[1]))) + statement[found.end(1) :]

    return change_it


def negate(statement):
    return "@" + statement[2:] if statement.startswith("@!") else "@!" + statement[1:]


def unguard(statement):
    return statement.split(None, 1)[1]


# Behind a predicate; what accesses the kernel's arguments.
GUARDED = r"(?<=\s)"
MEMORY = r"(?:(?:st|ld|red|atom)\.\S*global|cp\.(?:async|reduce)\.(?!bulk\.(?:commit|wait)))"
WAIT_GROUP, READ = r"wgmma\.wait_group\S*\s+(\d+)", r"cp\.async\.bulk\.wait_group\S*\s+(\d+)"
SYNC_ID, SYNC_COUNT = r"bar\.sync\s+(\d+),", r"bar\.sync\s+\S+, (\d+)"
# Code that processes share has the number in a register.
SYNC_SOME = r"bar\.sync\s+(?:%r\d+|[1-9]\d*),"
# name -> what it matches, what it becomes, what is wrong then
OPERATORS = {
    "drop-arrive": (r"mbarrier\.arrive\.shared", drop, "an arrival is missing"),
    "drop-expect": (r"mbarrier\.arrive\.expect_tx", drop, "nobody expects the bytes, and nobody arrives"),
    "pass-wait": (r"mbarrier\.try_wait", passes, "a wait does not wait"),
    "other-phase": (r"mbarrier\.try_wait", other_phase, "a wait is for the other phase"),
    "drop-load": (r"cp\.async\.bulk\.tensor\S*shared::cluster\.global", drop, "a copy is missing"),
    "drop-store": (r"cp\.async\.bulk\.tensor\S*global\.shared", drop, "a result is not stored"),
    "drop-commit-store": (r"cp\.async\.bulk\.commit_group", drop, "a store is in no group"),
    "drop-wait-store": (READ, drop, "a source is written while a store reads it"),
    "weaken-wait-store": (READ, number(READ, lambda n: n + 1), "one store more may be under way"),
    "drop-proxy-fence": (r"fence\.proxy\.async", drop, "the async proxy may not see a write"),
    "drop-sync": (r"bar\.sync", drop, "a named barrier is missing"),
    "other-sync": (r"bar\.sync\s+[1-9]\d*,", None, "a named barrier is another one's"),  # Case.mutants
    "more-sync": (SYNC_SOME, number(SYNC_COUNT, lambda n: n + 32), "a barrier counts a warp too many"),
    "less-sync": (SYNC_SOME, number(SYNC_COUNT, lambda n: n - 32), "a barrier counts a warp too few"),
    "drop-warp-sync": (r"bar\.warp\.sync", drop, "one lane speaks for lanes that are not there yet"),
    "drop-wgmma-fence": (r"wgmma\.fence", drop, "registers may not be ready"),
    "drop-wgmma-commit": (r"wgmma\.commit_group", drop, "products are in no group"),
    "drop-wgmma-wait": (WAIT_GROUP, drop, "a product is read before it is there"),
    "weaken-wgmma-wait": (WAIT_GROUP, number(WAIT_GROUP, lambda n: n + 1), "one product more may be in flight"),
    "drop-registers": (r"setmaxnreg\.dec", drop, "registers are not given back"),
    "negate-guard": (GUARDED + MEMORY, negate, "memory is accessed where it should not be, and not else"),
    "drop-guard": (GUARDED + MEMORY, unguard, "memory is always accessed"),
    "negate-branch": (GUARDED + r"bra", negate, "a branch is taken where it should not be, and not else"),
}
# (operator, examples, pattern of the statement, why the mutant is right all the same).
REASONS = (
    ("drop-registers", "softmax|backward", r"\.dec", "few warps: the pool holds what the others take, too"),
    ("drop-sync", "reduction|backward|softmax", "", "the warps met at another barrier since what it guards was last used"),
    ("drop-wgmma-fence", "", "", "nothing touched a register of these products since the last fence, which only the finished PTX shows"),
    ("drop-wgmma-commit", "dual|attention", "", "the next commit takes the products along, and the wait behind it is for all"),
    ("drop-warp-sync", "", "", "the lanes that are ahead have only read other memory; or all are behind a product, as the branch was taken"),
    ("other-sync", "", r"sync\s+1,", "all who met there meet at barrier 0, which is used at the start only"),
    ("pass-wait", "attention", "", "a wait of another ring stands before it, for a later release of the same readers"),
    ("weaken-wgmma-wait", "attention|reduction|dual", "", "the wait before it leaves nothing in flight"),
    ("drop-wgmma-wait", "attention|reduction|dual", "", "the wait before it leaves nothing in flight"),
    ("drop-commit-store", "softmax", "", "the next commit takes the store along, and the wait behind it is for all"),
    ("drop-wait-store", "softmax", r"\s1;", "no more than the one store is under way"),
    ("weaken-wait-store", "softmax", r"\s1;", "no more than the one store is under way"),
    ("negate-branch", "softmax", r"%p63", "31 lanes of each warp arrive in place of one: the parity is the same after each, and the product is done"),
    ("weaken-wait-store", "softmax", r"\s0;", "the wait between the halves of the tile is for the store that it lets through"),
)
# (examples, why the first variant has code that no launch comes by). An extent of 0 has no
# tensor map, so that a variant without maps runs.
NOT_REACHED = (
    ("gemm", "not reached: it is for an inner loop without an iteration, and such a launch takes another variant"),
)


def statements(ptx, entry):
    """(begin, end) of each statement of the entry that holds one instruction."""
    begin = re.search(r"\.entry %s\(" % entry, ptx).end()
    end = ptx.find("\n}", begin)
    for line in re.finditer(r"^\t+(?!\.)(\S.*;)\s*$", ptx[begin:end], re.M):
        yield begin + line.start(1), begin + line.end(1)


class Case:
    def __init__(self, bench, name, source, settings, depth):
        self.bench, self.name = bench, name
        rung = bench.kept / f"{name}.ptx-case.mlir"
        bench.compile(source, settings, depth, rung)
        self.path = rung.with_suffix(".ptx")
        if trust.call([bench.heddle, "compile", rung, "-o", self.path]).returncode:
            sys.exit(f"{name} does not compile")
        self.manifest = self.path.with_suffix(".json")
        manifest = json.loads(self.manifest.read_text(encoding="utf-8"))
        self.entry = manifest["variants"][0]["entry"]
        self.written = [a["name"] for a in manifest["arguments"] if a.get("written")]
        self.ptx = self.path.read_text(encoding="utf-8")
        self.launches = []  # arguments, and the results that they must have
        own = run_demo.runs_of(source)[0]
        tried = [[trust_undamaged.smaller(word, extents) for word in own]
                 for extents in ((EXTENTS, SHORT) if "gemm" in name else (EXTENTS,))]
        if (tall := TALL.get(trust.example_of(name))):
            tried.append(trust.changed(own, tall))
        for index, arguments in enumerate(tried):
            wanted = {view: bench.kept / f"{name}.{index}.{view}.npy" for view in self.written}
            saved = [f"--out={view}={path}" for view, path in wanted.items()]
            if (done := self.emulate(self.path, arguments, "fair", 0, saved)).returncode:
                sys.exit(f"{name}, undamaged: {done.stderr}")
            # Atomic additions come in any order.
            self.launches.append((arguments, [f"--expect={view}={path}" for view, path in wanted.items()
                                              if (name, view) != ("attention_backward.2", "dq")]))

    def emulate(self, path, arguments, schedule, seed, more):
        return trust.call([self.bench.heddle, "emulate", path, "--manifest", self.manifest, "--jobs=1",
                           "--sms=1", "--max-steps=3000000", f"--order={schedule}", f"--seed={seed}",
                           *arguments, *more])

    def mutants(self):
        places = list(statements(self.ptx, self.entry))
        found = (re.search(SYNC_ID, self.ptx[begin:end]) for begin, end in places)
        barriers = sorted({int(one[1]) for one in found if one} - {0})
        for operator, (pattern, change, _) in OPERATORS.items():
            if operator == "other-sync":
                if len(barriers) < 2:  # another number alone changes nothing
                    continue
                change = number(SYNC_ID, lambda n: barriers[(barriers.index(n) + 1) % len(barriers)])
            for begin, end in places:
                if re.match(r"(@!?%\w+ )?" + pattern, self.ptx[begin:end]):
                    yield operator, begin, end, change

    def reaches(self, begin, end):
        """Whether a launch comes by the statement, with what guards it."""
        guard = re.match(r"@!?%\w+ |", self.ptx[begin:end])[0]
        path = self.bench.kept / f"{self.name}-reach.ptx"
        path.write_text(self.ptx[:begin] + guard + "trap;" + self.ptx[end:], encoding="utf-8")
        trapped = any(self.emulate(path, arguments, "fair", 0, []).returncode
                      for arguments, _ in self.launches)
        path.unlink()
        return trapped

    def noticed(self, mutant):
        operator, begin, end, change = mutant
        path = self.bench.kept / f"{self.name}-{operator}-{begin}.ptx"
        path.write_text(self.ptx[:begin] + change(self.ptx[begin:end]) + self.ptx[end:], encoding="utf-8")
        # Inputs are the same for all seeds of the schedule only if the seed is.
        found = any(self.emulate(path, arguments, schedule, seed, expected if seed == 0 else []).returncode
                    for arguments, expected in self.launches for schedule, seed in SCHEDULES)
        path.unlink()
        return found


def reason_for(case, operator, begin, end):
    statement = case.ptx[begin:end]
    if not case.reaches(begin, end):
        return next((reason for examples, reason in NOT_REACHED if re.search(examples, case.name)), None)
    for name, examples, pattern, reason in REASONS:
        if name == operator and re.search(examples, case.name) and re.search(pattern, statement):
            return reason
    return None


def render(counts, equivalent):
    lines = [BEGIN, "", "| operator | what is wrong | sites | noticed | equivalent | missed |", "|---|---|---|---|---|---|"]
    total = collections.Counter()
    for operator, (_, _, what) in OPERATORS.items():
        count = counts[operator]
        total.update(count)
        lines.append(f"| {operator} | {what} | {sum(count.values())} | {count['noticed']} | "
                     f"{count['equivalent']} | {count['missed']} |")
    lines.append(f"| all | | {sum(total.values())} | {total['noticed']} | {total['equivalent']} | {total['missed']} |")
    lines += ["", "| equivalent | mutants | why it is right all the same |", "|---|---|---|"]
    lines += [f"| {operator} | {number} | {reason} |" for (operator, reason), number in sorted(equivalent.items())]
    return "\n".join([*lines, END])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=trust.ROOT / "build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", help="this example (may be repeated)")
    parser.add_argument("--operator", action="append", choices=OPERATORS,
                        help="this operator (may be repeated); its table is printed, not kept")
    options = parser.parse_args()
    bench = trust.Bench(options.build.resolve(), 0)
    counts, equivalent = collections.defaultdict(collections.Counter), collections.Counter()
    for example in sorted(trust.PIPELINED):
        if options.only and example not in options.only:
            continue
        source = trust.ROOT / "examples" / f"{example}.mlir"
        case = Case(bench, f"{example}.2", source, trust.PIPELINED[example], 2)
        mutants = [mutant for mutant in case.mutants() if not options.operator or mutant[0] in options.operator]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            noticed = list(pool.map(case.noticed, mutants))
        for (operator, begin, end, _), seen in zip(mutants, noticed):
            statement = case.ptx[begin:end]
            reason = None if seen else reason_for(case, operator, begin, end)
            outcome = "noticed" if seen else "equivalent" if reason else "missed"
            counts[operator][outcome] += 1
            if reason:
                equivalent[operator, reason] += 1
            if outcome == "missed":
                line = case.ptx.count("\n", 0, begin) + 1
                print(f"  missed: {case.name} {operator} at line {line}: {statement}", flush=True)
        print(f"{case.name}: {len(mutants)} mutants, {sum(noticed)} noticed", flush=True)
    missed = sum(count["missed"] for count in counts.values())
    total = sum(sum(count.values()) for count in counts.values())
    print(f"trust-ptx: {total} mutants, {missed} missed")
    if options.operator:
        print(render(counts, equivalent))
    elif not options.only:
        text = trust.DOCUMENT.read_text(encoding="utf-8")
        table = render(counts, equivalent)
        if BEGIN in text:
            text = text[: text.index(BEGIN)] + table + text[text.index(END) + len(END) :]
        else:
            text = text.rstrip("\n") + INTRODUCTION + table + "\n"
        trust.DOCUMENT.write_text(text, encoding="utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
