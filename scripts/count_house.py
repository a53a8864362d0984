#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what is out of order in the middle of the compiler, and holds the counts.

Five kinds are counted, each with the number at which it is in order:

  chip         numbers and names of one chip, outside machines/            0
  readback     places that predict, or find again, another pass's decision  0
  model        units that make times out of a machine's costs               1
               (lib/Machine/Times.cpp)
  description  descriptions of one GPU                                      1
  switch       options that switch a piece of a pass off                    0

scripts/house.txt lists each item that is left, with the reason. An item that is not in the list
is a fault, and so is a line of the list without its item: counts go down only. Lines of the kind
`plain` name constants that look like a chip's and are none.

Exit status 1 if there is a fault. --list prints the items of the sources.
"""

import argparse
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts" / "house.txt"
GOALS = {"chip": 0, "readback": 0, "model": 1, "description": 1, "switch": 0}

# Where one chip's instructions are at home: its rung, the ways to and from it, what executes or
# judges its code. Thresholds are at home nowhere.
HOME = ("Conversion/ArefToHopper/", "Conversion/HopperToNvvm/", "Conversion/NvvmToPtx/",
        "Dialect/Hopper/", "Emulator/", "Mutate/", "Check/")

CHIP_NAME = re.compile(r"\bhopperLimits\b|\"[^\"]*\b(?:h100|h200|b200|sm_\d+a?)\b[^\"]*\"", re.IGNORECASE)
# What the figures of data centre GPUs are known by: multiprocessors, shared memory of a block and
# of a multiprocessor, register budgets.
CHIP_FIGURE = re.compile(r"(?<![\w.])(?:132|148|232448|233472|227|228|232|240)(?![\w.])")
# A named number, and the words in a name by which it may be a chip's, or a threshold that was
# measured on one.
CONSTANT = re.compile(r"\bconstexpr\s+[\w:]+\s+([^;]*);", re.DOTALL)
NAMED = re.compile(r"\b(k[A-Z]\w*)\s*=\s*[\d.(]")
THRESHOLD = re.compile(r"Margin|Worth|SmallestPart|PerRound|Sector|Unrolled|Many|^kLeast|MostStep$")
CHIP_WORD = re.compile(THRESHOLD.pattern + r"|Thread|Warp|Wgmma|Lane|Register|Column|Row|Shared|Swizzle|Barrier|"
                       r"Chunk|Group|Block|Slot|Unit|Tensor|Beside")
# Shapes of instructions without a name: what an extent is compared with, or comes in multiples of.
SHAPE = re.compile(r"%\s*\d{2,}\b|\b\w*(?:[rR]ows|[cC]olumns|[tT]hreads|[wW]arps|[rR]egisters)\s*(?:[<>]=?|[!=]=)\s*\d{2,}\b")
# Who decides, and whose named numbers are looked at for that.
DECIDERS = ("Analysis/", "Conversion/", "Dialect/Aref/", "Dialect/Sched/", "Dialect/Tile/", "Evaluate/", "Machine/",
            "Pipeline/", "Plan/", "Schedule/Problem", "Schedule/Solve/", "Simulator/", "TileChoice/", "Transforms/")
# Layouts of registers and of shared memory are made of the instructions' shapes, each in one place.
LAYOUTS = ("Machine/Layout", "Machine/SharedLayout")

# Decisions of one pass that another one predicts, takes back, or reads from what was emitted.
READBACK = {
    "getAsmString": "reads the text of emitted instructions",
    "shareCode": "compares emitted code to find processes that do the same",
    "steadyOutcome": "predicts the branch that iterations keep",
    "doTheSame": "predicts which processes share code",
    "keepsEquals": "gives way to code that is shared below",
    "isWorthATextEach": "guesses the gain of shared code",
    "isInstanceBefore": "recognises the expander's arithmetic",
    "storeAtOnce": "takes a deferred store back",
    "findDelayedSums": "asks again what another rung has decided",
    "findLeaders": "finds sub-tiles again by numbers",
}

# The parts of machine::Costs that are times or rates.
TIMES = re.compile(r"\bcosts\.(?:instructions|tensor|tensorMemory|copy|handOver|besideProducts)\b(?!\.(?:rows|columns|sectorBytes)\b)")
# What reads them, or scales all of them for one question.
READER = "lib/Machine/Costs.cpp"

OPTION = re.compile(r"Option<\"\w+\", \"([\w-]+)\", \"(bool|::heddle::\w+)\"")
NEVER = re.compile(r"\benum class (\w+)[^;{]*\{[^}]*\b(?:Never|Off)\b")
SWITCH_FIELD = re.compile(r"\bbool (\w+) = (?:true|false);")
COMMENT = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|//[^\n]*|/\*.*?\*/", re.DOTALL)

Item = collections.namedtuple("Item", "kind path name")


def strip_comments(text):
    """The code alone; strings stay."""
    return COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)


def folder_of(path):
    """The path within lib or include/heddle."""
    return re.sub(r"^(?:lib|include/heddle)/", "", path)


def chip_items(path, code):
    folder = folder_of(path)
    is_home = folder.startswith(HOME)
    if folder.startswith(DECIDERS):
        for declared in CONSTANT.finditer(code):
            for name in NAMED.findall(declared[0]):
                if (THRESHOLD if is_home else CHIP_WORD).search(name):
                    yield Item("chip", path, name)
    if is_home:
        return
    for match in CHIP_NAME.finditer(code):
        yield Item("chip", path, re.search(r"hopperLimits|[hb]\d+|sm_\w+", match[0], re.IGNORECASE)[0])
    if folder.startswith(DECIDERS):
        for match in CHIP_FIGURE.finditer(re.sub(r"\"[^\"\n]*\"", '""', code)):
            yield Item("chip", path, match[0])
        for match in () if folder.startswith(LAYOUTS) else SHAPE.finditer(code):
            yield Item("chip", path, re.sub(r"\s", "", match[0]))


def readback_items(path, code):
    for name in READBACK:
        # A call, and neither its declaration nor its definition.
        for line in code.splitlines():
            found = re.search(rf"(?<![\w:])(?:\w+::)*{name}\(", line)
            if found and not re.match(r"(?:static |inline )*[\w:<>*&]+[ *&]+[\w:]*" + name + r"\(", line):
                yield Item("readback", path, name)


def model_items(path, code):
    if path != READER and path.endswith(".cpp") and TIMES.search(code):
        yield Item("model", path, pathlib.PurePosixPath(path).stem)


def switch_items(path, code):
    if path.endswith("Passes.td"):
        for name, kind in OPTION.findall(code):
            yield Item("switch", path, name)
    for name in NEVER.findall(code):
        yield Item("switch", path, name)
    for options in re.finditer(r"\bstruct (\w*Options) \{(.*?)\n\};", code, re.DOTALL):
        if path.startswith("include/heddle/Pipeline/"):
            for name in SWITCH_FIELD.findall(options[2]):
                yield Item("switch", path, f"{options[1]}.{name}")


def description_items(texts):
    """Files for a GPU, and machines that are compiled in with figures of their own."""
    for path, text in texts.items():
        if re.fullmatch(r"machines/\w[\w-]*\.json", path):
            target = json.loads(text)["target"]
            if target.startswith("sm_9"):
                yield Item("description", path, target)
        for struct in re.finditer(r"\bstruct (Machine|Limits|Costs) \{(.*?)\n\};", strip_comments(text), re.DOTALL):
            if folder_of(path).startswith(("Machine/", "Schedule/")) and re.search(r"=\s*\n?\s*[1-9]\d", struct[2]):
                yield Item("description", path, struct[1])


def find_items(texts):
    """Every item of the sources, given by path; an item of one name counts once a file."""
    items = set(description_items(texts))
    for path, text in texts.items():
        if not path.startswith(("lib/", "include/")) or not path.endswith((".cpp", ".h", ".td")):
            continue
        code = strip_comments(text)
        for kind in (chip_items, readback_items, model_items, switch_items):
            items |= set(kind(path, code))
    return items


def read_list(text):
    """What is left, by item: its reason; `plain` items, by path and name; faults."""
    left, plain, faults = {}, {}, []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"(\w+) (\S+) (\S+): (.+)", line)
        if not match or match[1] not in (*GOALS, "plain"):
            faults.append(f"scripts/house.txt:{number}: expected KIND PATH NAME: reason")
            continue
        known, key = (plain, match.group(2, 3)) if match[1] == "plain" else (left, Item(*match.group(1, 2, 3)))
        if key in known:
            faults.append(f"scripts/house.txt:{number}: {match[2]} {match[3]} is listed twice")
        known[key] = match[4]
    return left, plain, faults


def judge(items, listed):
    """The number of each kind, and what the list and the sources do not agree on."""
    left, plain, faults = read_list(listed)
    found = {(item.path, item.name) for item in items}
    counted = {item for item in items if item[1:] not in plain}
    for item in sorted(counted - left.keys()):
        faults.append(f"{item.path}: '{item.name}' is new of the kind {item.kind}: find it a place in machines/ or in "
                      "the plan, or give scripts/house.txt the reason why it must stand here")
    for path, name in sorted([item[1:] for item in left.keys() - counted] + list(plain.keys() - found)):
        faults.append(f"{path}: '{name}' is gone; strike it from scripts/house.txt")
    return collections.Counter(item.kind for item in counted), faults


def read_sources():
    folders = [ROOT / "lib", ROOT / "include" / "heddle", ROOT / "machines"]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
            for folder in folders for path in sorted(folder.rglob("*"))
            if path.suffix in (".cpp", ".h", ".td", ".json")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the items of the sources")
    items = find_items(read_sources())
    if parser.parse_args().list:
        for item in sorted(items):
            print(" ".join(item))
        return 0
    counts, faults = judge(items, LIST.read_text(encoding="utf-8"))
    for fault in faults:
        print(fault)
    for kind, goal in GOALS.items():
        print(f"{kind:12} {counts[kind]:3}   in order at {goal}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
