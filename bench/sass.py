#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the steady loops of kernels hold, instruction class by instruction class.

    python3 bench/sass.py build/kernels/gemm_nt_f16_f16.ptx OTHER.ptx

Assembles each file (a .cubin is taken as it is), takes the entry of its first variant,
or --entry, finds the innermost loops that hold wgmmas, and counts the instructions of a
warp on the way that every iteration takes. What only some iterations run, the parts of
a late store or a mask, and spinning in a wait, is counted apart. Loops with the same
counts share a column.

Needs ptxas and nvdisasm, from the CUDA toolkit or `pip install nvidia-cuda-nvdisasm`;
no GPU. Exit code: 0 fine, 2 a tool is missing or a kernel has no such loop, 3 bad input.
"""

import argparse
import collections
import dataclasses
import os
import re
import subprocess
import sys
import tempfile

# Class -> what the opcode, without its modifiers, looks like; the first that fits.
CLASSES = {
    "wgmma": r"[A-Z]GMMA",
    "wgmma's fences and waits": r"WARPGROUP\w*",
    "exponentials and other special functions": r"MUFU",
    "maxima and minima": r"FMNMX\d?",
    "additions": r"FADD\d?",
    "multiply-adds": r"FFMA\d?",
    "multiplications": r"FMUL\d?",
    "half-precision arithmetic": r"H(ADD|MUL|FMA|MNMX)2\w*",
    "conversions": r"F2F\w*|F2I\w*|I2F\w*|FRND|I2FP",
    "shuffles": r"SHFL",
    "shared memory": r"LDS|STS|LDSM|STSM|ATOMS",
    "copies by TMA": r"UTMA\w+|UBLK\w+",
    "global and local memory": r"LDG\w*|STG|LD|ST|LDL|STL|ATOM\w?|RED|CCTL|PREFETCH",
    "mbarriers": r"SYNCS",
    "named barriers and fences": r"BAR|B2R|FENCE|MEMBAR|ERRBAR|DEPBAR|ARRIVES",
    "branches": r"BRA|BRX|BSSY|BSYNC|WARPSYNC|BREAK|EXIT|CALL|RET|YIELD|NANOSLEEP|ELECT|JMP",
    "uniform pipe": r"U[A-Z]\w*|R2UR|S2UR|VOTEU",
    "vector integers, moves, predicates": r".*",
}

BRANCH = {"BRA", "JMP"}
ENDS = {"EXIT", "RET", "BRX"}
LABEL = re.compile(r"^(\.L_x_\d+):")
INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(@!?\w+\s+)?([A-Z][\w.]*)([^;]*);")
TARGET = re.compile(r"`\((\.L_x_\d+)\)")


@dataclasses.dataclass
class Instruction:
    opcode: str  # without modifiers
    predicate: str
    target: str  # of a branch; "" without


@dataclasses.dataclass
class Block:
    instructions: list = dataclasses.field(default_factory=list)
    successors: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Loop:
    always: collections.Counter  # class -> instructions that every iteration runs
    sometimes: int  # in blocks that an iteration may pass by

    def key(self):
        return tuple(sorted(self.always.items())), self.sometimes


def parse(sass, entry):
    """[(label or None, instruction)] of one entry of nvdisasm's text."""
    body = re.search(r"^\.text\.%s:\n(.*?)(?=^\.text\.|\Z)" % re.escape(entry), sass, re.M | re.S)
    if not body:
        return []
    labels, found = [], []
    for line in body[1].splitlines():
        label = LABEL.match(line)
        if label:
            labels.append(label[1])
            continue
        match = INSTRUCTION.match(line)
        if match:
            target = TARGET.search(match[4])
            opcode = match[3].partition(".")[0]
            is_branch = opcode in BRANCH and target
            found.append(
                (labels, Instruction(opcode, (match[2] or "").strip(), target[1] if is_branch else ""))
            )
            labels = []
    return found


def blocks_of(instructions):
    """The control flow graph; block 0 is the entry."""
    blocks, block_of_label, names = [Block()], {}, [[]]
    for labels, instruction in instructions:
        if labels and blocks[-1].instructions:
            blocks.append(Block())
        for label in labels:
            block_of_label[label] = len(blocks) - 1
        blocks[-1].instructions.append(instruction)
        if instruction.target or instruction.opcode in ENDS:
            blocks.append(Block())
    for index, block in enumerate(blocks):
        last = block.instructions[-1] if block.instructions else None
        goes_on = not last or bool(last.predicate) or not (last.target or last.opcode in ENDS)
        if last and last.target in block_of_label:
            block.successors.append(block_of_label[last.target])
        if goes_on and index + 1 < len(blocks):
            block.successors.append(index + 1)
    return blocks


def reachable(blocks, start, without=None):
    """Blocks on ways from `start` that do not pass `without`."""
    found, work = set(), [] if start == without else [start]
    while work:
        block = work.pop()
        if block not in found:
            found.add(block)
            work += [other for other in blocks[block].successors if other != without]
    return found


def natural_loops(blocks):
    """{header: its blocks, latches} of every loop: a branch back to a block without which
    it could not be reached."""
    predecessors = collections.defaultdict(list)
    for index, block in enumerate(blocks):
        for successor in block.successors:
            predecessors[successor].append(index)
    alive = reachable(blocks, 0)
    loops = {}
    for header in sorted(alive):
        others = reachable(blocks, 0, without=header)
        latches = [b for b in predecessors[header] if b in alive and b not in others]
        if not latches:
            continue
        body, work = {header}, list(latches)
        while work:
            block = work.pop()
            if block not in body:
                body.add(block)
                work += [b for b in predecessors[block] if b in alive]
        loops[header] = body, latches
    return loops


def class_of(opcode):
    return next(name for name, pattern in CLASSES.items() if re.fullmatch(pattern, opcode))


def count(blocks, header, body, latches):
    """The loop's instructions. A block is on every iteration's way if no latch is
    reached around it."""
    inside = [Block(b.instructions, [s for s in b.successors if s in body and s != header]) for b in blocks]
    loop = Loop(collections.Counter(), 0)
    for block in sorted(body):
        around = reachable(inside, header, without=block)
        if block == header or not any(latch in around for latch in latches):
            loop.always.update(class_of(one.opcode) for one in blocks[block].instructions)
        else:
            loop.sometimes += len(blocks[block].instructions)
    return loop


def steady_loops(sass, entry):
    """The innermost loops of an entry that hold wgmmas, in the order of the text."""
    blocks = blocks_of(parse(sass, entry))
    has_products = [any(class_of(one.opcode) == "wgmma" for one in b.instructions) for b in blocks]
    loops = {
        header: found
        for header, found in natural_loops(blocks).items()
        if any(has_products[block] for block in found[0])
    }
    innermost = [
        header
        for header, (body, _) in loops.items()
        if not any(other != header and other in body for other in loops)
    ]
    return [count(blocks, header, *loops[header]) for header in innermost]


def first_entry(text):
    """The name of the first entry in PTX, which is its first variant."""
    found = re.search(r"^\s*\.visible\s+\.entry\s+(\w+)", text, re.M)
    return found[1] if found else ""


def disassemble(options, path):
    """(nvdisasm's text, the entry to look at)."""
    entry = options.entry
    with tempfile.TemporaryDirectory() as folder:
        cubin = path
        if not path.endswith(".cubin"):
            with open(path, encoding="utf-8") as file:
                entry = entry or first_entry(file.read())
            cubin = os.path.join(folder, "kernel.cubin")
            command = [options.ptxas, "-arch", options.arch, path, "-o", cubin]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sass = subprocess.run(
            [options.nvdisasm, "-c", cubin], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    return sass, entry


def distinct(loops):
    """("loops 1 and 3", the loop) of those that count the same."""
    groups = {}
    for number, loop in enumerate(loops, 1):
        groups.setdefault(loop.key(), (loop, []))[1].append("%d" % number)
    for loop, numbers in groups.values():
        yield "loop%s %s" % ("s" if len(numbers) > 1 else "", " and ".join(numbers)), loop


def table(columns):
    """Markdown of [(name, loop)]."""
    rows = [("every iteration", [sum(loop.always.values()) for _, loop in columns])]
    rows += [(name, [loop.always[name] for _, loop in columns]) for name in CLASSES]
    rows.append(("in some iterations: stores, masks, spinning", [loop.sometimes for _, loop in columns]))
    lines = [
        "| | " + " | ".join(name for name, _ in columns) + " |",
        "|---|" + "--:|" * len(columns),
    ]
    for name, counts in rows:
        if any(counts):
            lines.append("| %s | %s |" % (name, " | ".join(str(number or "") for number in counts)))
    return "\n".join(lines) + "\n"


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE", help=".ptx or .cubin")
    parser.add_argument("--entry", default="", help="default: the first; a .cubin needs it")
    parser.add_argument("--arch", default="sm_90a")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--nvdisasm", default="nvdisasm")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse_options(arguments)
    columns = []
    for path in options.files:
        try:
            sass, entry = disassemble(options, path)
        except FileNotFoundError as error:
            print("sass.py: %s" % error, file=sys.stderr)
            return 3 if error.filename == path else 2
        except subprocess.CalledProcessError as error:
            print("sass.py: %s failed on %s" % (error.cmd[0], path), file=sys.stderr)
            return 3
        loops = steady_loops(sass, entry)
        if not loops:
            print("sass.py: entry '%s' of %s has no loop with wgmmas" % (entry, path), file=sys.stderr)
            return 2
        name = os.path.splitext(os.path.basename(path))[0]
        columns += [("%s, %s" % (name, which), loop) for which, loop in distinct(loops)]
    print(table(columns), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
