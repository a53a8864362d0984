#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""conflicts.py EXAMPLES OUT: mappings that contradict themselves.

Each case is a kernel and lines that cannot hold together. The compiler has to name a set of them.
The set is checked by the compiler itself: alone it has no plan, without any one of its lines it has
one, and each value that "would do" does. The answer may take 5 s of one processor. Prints what is
wrong; exit status 1 if anything is.
"""

import os
import pathlib
import re
import resource
import subprocess
import sys

SECONDS = 50 if "ASAN_OPTIONS" in os.environ else 5  # sanitizers take ten times as long

GEMM = [
    ['"pipeline" = 5'],
    ['"depth" of "loads" = 5'],
    ['"depth" of "loads" = 7', '"interval" of "loop" = 1024'],
    ['"pipeline" = 4', '"shared_bytes" = 100000'],
    ['"depth" of "loads" = 3', '"shared_bytes" = 120000', '"blocks" = 1'],
    ['"pipeline" = 2', '"depth" of "loads" = 3'],
    ['"interval" of "loop" = 1000'],
    ['"interval" of "loop" = 1023', '"block_order" = 8'],
    ['"together" = ["dot.0", "dot.1"]'],
    ['"together" = ["dot.0", "load_b"]', '"interval" of "loop" = 1100'],
    ['"apart" = ["load_a.0", "load_b"]'],
    ['"apart" = ["dot.0", "cast.0"]', '"process" of "dot.0" = "left"'],
    ['"process" of "dot.0" = "one"', '"process" of "dot.1" = "one"'],
    ['"process" of "dot.0" = "one"', '"process" of "load_b" = "one"', '"interval" of "loop" = 1024'],
    ['"process" of "dot.0" = "left"', '"process" of "cast.0" = "right"', '"process" of "dot.1" = "right"'],
    ['"registers" of "mma.0" = 240', '"registers" of "mma.1" = 240', '"registers" of "load" = 64'],
    ['"registers" of "mma.0" = 128'],
    ['"registers" of "mma.1" = 152', '"block_order" = 4'],
    ['"warps" of "mma.0" = 8'],
    ['"blocks" = 2'],
    ['"blocks" = 2', '"depth" of "loads" = 2'],
    ['"blocks" = 9'],
    ['"machine" = "b200"', '"blocks" = 1'],
    ['"turns" of "loop" = "alu"'],
    ['"start" of "dot.0" = 7'],
    ['"start" of "load_b" = 1000', '"start" of "dot.0" = 1200', '"start" of "load_a.0" = 0'],
    ['"start" of "load_b" = 3000', '"start" of "dot.0" = 3100', '"interval" of "loop" = 1024'],
    ['"order_of" of "loop" = "done(dot.0) < issued(dot.1)"', '"interval" of "loop" = 1024',
     '"order_of" of "loop" = "issued(dot.1) < issued(dot.0)"'],
    ['"order_of" of "loop" = "issued(dot) < issued(load_b)"'],
    ['"latency" of "dot.0" = 10'],
    ['"via" of "dot.0" = "loads"'],
    ['"via" of "load_a.0" = "one"', '"via" of "load_b" = "two"'],
    ['"groups" = 3', '"block_order" = 2'],
    ['"late" of "load_b" = true'],
    ['"tail" of "loop" = true', '"interval" of "loop" = 900'],
    ['"schedule" = "exact"', '"interval" of "loop" = 1000'],
    ['"process" of "dott" = "mma.0"', '"blocks" = 1'],
]
ATTENTION = [
    ['"order_of" of "loop" = "done(*) <= issued(*)@1"', '"interval" of "loop" = 2048'],
    ['"order_of" of "loop" = "done(dot_2) <= issued(dot)@1"', '"interval" of "loop" = 2048',
     '"depth" of "load_k" = 2'],
    ['"order_of" of "loop" = "issued(dot) < issued(exp2)"', '"order_of" of "loop" = "done(exp2) < done(dot)"'],
    ['"apart" = ["dot", "dot_2"]', '"depth" of "load_v" = 2'],
    ['"depth" of "load_k" = 4', '"depth" of "load_v" = 2', '"depth" of "load_q.0" = 2'],
    ['"shared_bytes" = 150000', '"depth" of "load_k" = 2', '"depth" of "load_v" = 2'],
]
CASES = [("gemm", lines) for lines in GEMM] + [("attention", lines) for lines in ATTENTION]


class Compiler:
    def __init__(self, examples, out):
        self.examples, self.out = pathlib.Path(examples), pathlib.Path(out)

    def ask(self, kernel, lines):
        """(exit status, messages, seconds of the processor)"""
        mapping = self.out / "conflict.mlir"
        mapping.write_text("".join([f"task.mapping @m entry @{kernel} {{\n"] +
                                   [f"  task.pin {line}\n" for line in lines] + ["}\n"]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["heddle", "compile", self.examples / f"{kernel}.mlir", f"--mapping={mapping}",
                               "--emit=hopper", "-o", self.out / "conflict.hopper"],
                              stderr=subprocess.PIPE, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return done.returncode, done.stderr, after.ru_utime - before.ru_utime

    def faults(self, kernel, lines):
        status, said, seconds = self.ask(kernel, lines)
        if status != 2 or not re.search(r"\[pin-(conflict|unmet)\]", said):
            yield f"is answered by exit status {status}: {said}"
            return
        if seconds > SECONDS:
            yield f"takes {seconds:.1f} s"
        listed = re.findall(r"conflict\.mlir:(\d+):\d+: note: (?!.* would do)", said)
        if "[pin-unmet]" in said:
            listed = re.findall(r"conflict\.mlir:(\d+):\d+: error", said)
        core = sorted({int(number) - 2 for number in listed})
        if not core:
            yield f"names no line: {said}"
            return
        if len(core) > 1 and self.ask(kernel, [lines[i] for i in core])[0] == 0:
            yield "has a plan for the lines that are named"
        for dropped in core:
            rest = [lines[i] for i in core if i != dropped]
            if self.ask(kernel, rest)[0] != 0:
                yield f"has no plan without {lines[dropped]} either: the set is not minimal"
        for number, value in re.findall(r"conflict\.mlir:(\d+):\d+: note: (.*) would do", said):
            changed = [value if i == int(number) - 2 else lines[i] for i in core]
            if self.ask(kernel, changed)[0] != 0:
                yield f"says that {value} would do, and it does not"


def main():
    compiler = Compiler(*sys.argv[1:3])
    wrong = 0
    for kernel, lines in CASES:
        for fault in compiler.faults(kernel, lines):
            print(f"{kernel} {lines} {fault}")
            wrong += 1
    print(f"{len(CASES)} contradictions, {wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
