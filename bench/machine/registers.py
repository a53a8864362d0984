#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how many registers ptxas needs beside those that the model counts.

    python3 bench/machine/registers.py --update machines/h200.json

The model counts the tiles that a process holds. ptxas needs more, for addresses,
counters and what it computes on the way, and says of a budget only whether it sufficed.
So: for each kernel of a family of examples at rising demand, and each of its processes,
the least budget of setmaxnreg at which ptxas spills no more than with all registers there
are, and does not serialise wgmma. The
margins of the machine follow from the most that any kernel needed:

  overhead   beside the tiles held in the loop
  spare      besides that, where results wait in registers for late stores
  loader     all of a process that loads by TMA
  copying    all of a process that copies by itself (the variant for unaligned views)

A margin is the least multiple of eight, as budgets are, with which the model refuses
every budget that did not suffice.

Needs heddle and ptxas, no GPU. Exit code: 0 measured, 1 a kernel was not compiled or
no budget sufficed, 2 a tool is missing.
"""

import argparse
import concurrent.futures
import dataclasses
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import measure  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Budgets that setmaxnreg takes, and what is left at the most to a process.
LEAST, STEP, MOST = 24, 8, 256

# Tiles of one to four processes, from 32 registers of them to all that fit.
FAMILY = (
    *(("gemm", {"BM": m, "BN": n}) for m, n in (
        (64, 64), (64, 128), (64, 256), (128, 128), (128, 192), (128, 256), (192, 128), (256, 64), (256, 128),
    )),
    *(("gemm", {"BM": 128, "BN": n, "out": "f32", "max_imprecise_acc": "64 : i64"}) for n in (64, 128)),
    *(("dual_gemm", {"BM": 128, "BN": n}) for n in (64, 96, 128)),
    *(("gemm_reduction", {"BM": 128, "BN": n}) for n in (128, 256)),
    *((program, {"D": d, "BM": 128, "BN": n}) for program in ("attention", "attention_causal")
      for d, n in ((64, 64), (64, 128), (128, 64), (128, 128))),
)  # fmt: skip

ENTRY = re.compile(r"^\s*(?:\.visible\s+)?\.entry\s+(\w+)", re.M)
BUDGET = re.compile(r"(setmaxnreg\.(?:inc|dec)\.sync\.aligned\.u32\s+)(\d+)")
HELD = re.compile(r"([\w.]+) (\d+) of (\d+)")
SPILLS = re.compile(r"(\d+) bytes spill (?:stores|loads)")
# C7519 puts a fence in front of products; every other one takes them their overlap.
SERIALISED = re.compile(r"\(C75(?!19)\d\d\)")


@dataclasses.dataclass
class Need:
    """What one process of one kernel takes."""

    kernel: str
    process: str
    kind: str  # "computes", "loads" or "copies"
    held: int  # registers of tiles in the loop, by the model
    late: int  # of results that wait for their store
    least: int  # budget that suffices; 0 if none does


def entry_texts(ptx):
    """{entry: PTX of it alone}."""
    places = [(match[1], match.start()) for match in ENTRY.finditer(ptx)]
    ends = [start for _, start in places[1:]] + [len(ptx)]
    head = ptx[: places[0][1]]
    return {name: head + ptx[start:end] for (name, start), end in zip(places, ends)}


def budgets_of(ptx):
    return [int(match[2]) for match in BUDGET.finditer(ptx)]


def with_budgets(ptx, budgets):
    """The PTX with other budgets, in the order of the text."""
    given = iter(budgets)
    return BUDGET.sub(lambda match: match[1] + "%d" % next(given), ptx)


def spilled(log):
    """Bytes that ptxas' log says are spilled, stored and loaded; far too many where
    products are serialised."""
    return sum(int(size) for size in SPILLS.findall(log)) + (1 << 30) * bool(SERIALISED.search(log))


def least_budget(ptx, place, assemble):
    """The least budget of process `place` with which no more is spilled than if all have
    what they may want; 0 if products are serialised even so. `assemble` gives the log of
    a text. (What lives through several processes is spilled whatever they get.)"""
    budgets = [MOST if budget > LEAST else budget for budget in budgets_of(ptx)]

    def spills(budget):
        return spilled(assemble(with_budgets(ptx, budgets[:place] + [budget] + budgets[place + 1 :])))

    least = spills(MOST)
    if least >= 1 << 30:
        return 0
    low, high = LEAST - STEP, MOST  # high suffices, low does not
    while high - low > STEP:
        middle = low + (high - low) // STEP // 2 * STEP
        low, high = (low, middle) if spills(middle) <= least else (middle, high)
    return high


def held_registers(report, overhead):
    """{process: registers of its tiles} from what `heddle explain` prints."""
    line = re.search(r"Registers held at the most: (.*)", report)
    return {name: int(held) - overhead for name, held, _ in HELD.findall(line[1] if line else "")}


def late_registers(sched):
    """{process: registers of results stored late} from a program of the sched rung."""
    found = {}
    for name, process in re.findall(r'sched\.entry "(\S+)" .* in "(\S+)" late\b', sched):
        store = re.search(r'tile\.store .*sched\.op = "%s".* : tensor<(\d+)x(\d+)x[a-z]+(\d+)' % re.escape(name), sched)
        rows, columns, bits = map(int, store.groups())
        found[process] = found.get(process, 0) + rows * columns * bits // 32 // 128
    return found


class Tools:
    def __init__(self, options):
        self.options = options

    def heddle(self, *arguments):
        done = subprocess.run(
            [self.options.heddle, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        if done.returncode:
            raise RuntimeError("heddle %s: %s" % (" ".join(arguments), done.stderr.strip().splitlines()[-1:]))
        return done.stdout

    def assemble(self, ptx):
        """ptxas' log."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "k.ptx")
            with open(path, "w", encoding="utf-8") as file:
                file.write(ptx)
            done = subprocess.run(
                [self.options.ptxas, "-v", "-arch", "sm_90a", path, "-o", os.path.join(folder, "k.cubin")],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
        if done.returncode:
            raise RuntimeError("ptxas: " + done.stdout)
        return done.stdout

    def version(self):
        text = subprocess.run([self.options.ptxas, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
        found = re.search(r"\bV([\d.]+)", text)
        return "ptxas " + (found[1] if found else "of an unknown version")


def needs_of_kernel(tools, overhead, program, settings):
    """The needs of each process of a kernel; processes that do the same are one."""
    name = " ".join([program] + ["%s=%s" % pair for pair in settings.items()])
    chosen = [os.path.join("examples", program + ".mlir"), "--machine=" + tools.options.machine]
    chosen += ["--set=%s=%s" % pair for pair in settings.items()]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.ptx")
        tools.heddle("compile", *chosen, "-o", path)
        with open(path, encoding="utf-8") as file:
            texts = entry_texts(file.read())
        with open(os.path.join(folder, "k.json"), encoding="utf-8") as file:
            variants = json.load(file)["variants"]
    held = held_registers(tools.heddle("explain", *chosen, "--alternatives=none"), overhead)
    late = late_registers(tools.heddle("compile", *chosen, "--emit=sched"))
    needs, seen = [], set()
    for variant, kind in ((variants[0], "loads"), (variants[-1], "copies")):
        processes = variant.get("processes", [])
        ptx = texts[variant["entry"]]
        if len(processes) < 2 or len(budgets_of(ptx)) != len(processes):
            continue  # one process keeps what the launch gives it
        for place, process in enumerate(processes):
            which = process["name"].partition(".")[0]
            computes = which in {other.partition(".")[0] for other in held}
            # Copying kernels' computing processes do what they do beside TMA.
            if (which, kind) in seen or (computes and kind == "copies"):
                continue
            seen.add((which, kind))
            least = least_budget(ptx, place, tools.assemble)
            needs.append(
                Need(name, process["name"], "computes" if computes else kind,
                     held.get(process["name"], 0), late.get(process["name"], 0), least)
            )  # fmt: skip
    return needs


def margins(needs):
    """{field of the machine's registers: (value, the need that it comes from)}."""

    def most(kind, measure_of, chosen=lambda need: True):
        found = [one for one in needs if one.kind == kind and one.least and chosen(one)]
        return max(((measure_of(one), one) for one in found), key=lambda pair: pair[0], default=None)

    # STEP registers less did not suffice.
    refusing = lambda need: need.least - STEP - need.held - need.late + 1
    beside = lambda need: -(-refusing(need) // STEP) * STEP
    # A budget of LEAST says that less would do, but not how much.
    bound = lambda need: need.least > LEAST
    found = {
        "overhead": most("computes", beside, lambda need: bound(need) and not need.late),
        "loader": most("loads", lambda need: need.least),
        "copying": most("copies", lambda need: need.least),
    }
    late = most("computes", beside, lambda need: bound(need) and need.late)
    if late and found["overhead"]:
        found["spare"] = max(0, late[0] - found["overhead"][0]), late[1]
    return {name: value for name, value in found.items() if value}


def describe(need):
    text = "%s of %s needs %d" % (need.process, need.kernel, need.least)
    if need.kind == "computes":
        text += " for %d held" % need.held + (" and %d stored late" % need.late if need.late else "")
    return text


def update(machine, needs, version):
    """Puts margins and raw figures into a machine's description."""
    registers = machine["costs"]["registers"]
    count = len({need.kernel for need in needs})
    for name, (value, need) in margins(needs).items():
        registers[name] = {
            "value": value,
            "from": "%s, bench/machine/registers.py, the most of %d kernels: %s" % (version, count, describe(need)),
        }
    machine.setdefault("measured", {})["registers"] = {
        "by": "bench/machine/registers.py", "date": datetime.date.today().isoformat(), "with": version,
        "needs": {
            "%s, %s, %s" % (need.kernel, need.process, need.kind): {
                "held": need.held, "late": need.late, "least": need.least,
            }
            for need in needs
        },
    }  # fmt: skip


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--machine", default="h200", help="for which the kernels are scheduled")
    parser.add_argument("--update", metavar="MACHINE.json", help="write the margins there")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="kernels whose name begins so")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse_options(arguments)
    for tool in (options.heddle, options.ptxas):
        if not shutil.which(tool):
            print("registers.py: there is no %s" % tool, file=sys.stderr)
            return 2
    with open(os.path.join(ROOT, "machines", options.machine + ".json"), encoding="utf-8") as file:
        overhead = json.load(file)["costs"]["registers"]["overhead"]["value"]
    tools, needs, failed = Tools(options), [], 0
    family = [one for one in FAMILY if one[0].startswith(options.only)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = [pool.submit(needs_of_kernel, tools, overhead, *one) for one in family]
        for one, result in zip(family, waiting):
            try:
                found = result.result()
            except RuntimeError as error:
                print("%s %s: %s" % (*one, error))
                failed += 1
                continue
            for need in found:
                print("%-52s %-6s %3d held %3d late %3d needed" % (need.kernel, need.process, need.held, need.late, need.least))
                failed += not need.least
            needs += found
            sys.stdout.flush()
    for name, (value, need) in margins(needs).items():
        print("%-9s %3d: %s" % (name, value, describe(need)))
    if options.update:
        with open(options.update, encoding="utf-8") as file:
            machine = json.load(file)
        update(machine, needs, tools.version())
        with open(options.update, "w", encoding="utf-8") as file:
            file.write(measure.dump(machine) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
