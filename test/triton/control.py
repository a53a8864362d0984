#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of nested conditionals, loops and early returns: control.py LIBHEDDLE.SO

Written as Triton's front end writes them: a conditional from which a path returns as
branches between blocks, others and loops as scf. A program number decides every
condition; each is compared with Python. Needs numpy, and no Triton.
"""

import random
import sys
import unittest

import numpy as np
from isolated import heddle, isolated, summary

BITS = 5
PROGRAMS = 1 << BITS
COUNT = 80


def statements(source, depth, returns):
    """A list of ("step", a, b), ("store",), ("return",), ("if", bit, then, otherwise),
    ("for", count, body) and ("while", body)."""
    found = []
    for _ in range(source.randint(1, 3)):
        kind = source.choice(("step", "step", "if", "if", "for", "while", "store"))
        if kind == "if" and depth:
            otherwise = statements(source, depth - 1, returns) if source.random() < 0.6 else []
            found.append(("if", source.randrange(BITS), statements(source, depth - 1, returns), otherwise))
        elif kind == "for" and depth:
            found.append(("for", source.randint(0, 3), statements(source, depth - 1, False)))
        elif kind == "while" and depth:
            found.append(("while", statements(source, depth - 1, False)))
        elif kind == "store":
            found.append(("store",))
        else:
            found.append(("step", source.randint(2, 5), source.randint(0, 9)))
    if returns and depth < 3 and source.random() < 0.4:
        found.append(("return",))
    return found


def has_return(body):
    return any(
        one[0] == "return" or (one[0] == "if" and (has_return(one[2]) or has_return(one[3])))
        for one in body
    )


class Returned(Exception):
    pass


def run(body, pid, state):
    """`state`: the number that is computed, what is stored, what stores add."""
    for one in body:
        if one[0] == "step":
            state[0] = (state[0] * one[1] + one[2]) % 1009
        elif one[0] == "store":
            state[1] = state[0]
        elif one[0] == "return":
            raise Returned
        elif one[0] == "if":
            run(one[2] if pid >> one[1] & 1 else one[3], pid, state)
        elif one[0] == "for":
            for _ in range(one[1] + (pid & 1)):
                run(one[2], pid, state)
        else:
            turns = 0
            while turns < state[0] % 4:
                run(one[1], pid, state)
                turns += 1


class Writer:
    def __init__(self):
        self.lines, self.names, self.blocks = [], 0, 0

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def emit(self, text):
        self.lines.append("  " + text)

    def op(self, text):
        result = self.name()
        self.emit(f"{result} = {text}")
        return result

    def block(self):
        self.blocks += 1
        return f"^bb{self.blocks}"

    def bit(self, number):
        amount = self.op(f"arith.constant {number} : i32")
        moved = self.op(f"arith.shrui %pid, {amount} : i32")
        return self.op(f"arith.trunci {moved} : i32 to i1")

    def modulo(self, value, by):
        number = self.op(f"arith.constant {by} : i32")
        return self.op(f"arith.remsi {value}, {number} : i32")

    def body(self, body, value, is_top=False):
        """The value behind; None where the last statement has returned."""
        for one in body:
            if one[0] == "step":
                a, b = (self.op(f"arith.constant {number} : i32") for number in one[1:])
                value = self.op(f"arith.muli {value}, {a} : i32")
                value = self.modulo(self.op(f"arith.addi {value}, {b} : i32"), 1009)
            elif one[0] == "store":
                self.emit(f"tt.store %at, {value} : !tt.ptr<i32>")
            elif one[0] == "return":
                self.emit("tt.return")
                return None
            elif one[0] == "if" and (has_return(one[2]) or has_return(one[3])):
                value = self.branch(one, value)
                if value is None:
                    return None
            elif one[0] == "if":
                condition, result = self.bit(one[1]), self.name()
                self.emit(f"{result} = scf.if {condition} -> (i32) {{")
                for i, part in enumerate(one[2:]):
                    self.emit(f"scf.yield {self.body(part, value)} : i32")
                    self.emit("} else {" if i == 0 else "}")
                value = result
            elif one[0] == "for":
                value = self.loop(one, value)
            else:
                value = self.while_(one, value)
        return value

    def branch(self, one, value):
        condition = self.bit(one[1])
        then, otherwise, behind = (self.block() for _ in range(3))
        self.emit(f"cf.cond_br {condition}, {then}, {otherwise}")
        goes_on = False
        for label, part in ((then, one[2]), (otherwise, one[3])):
            self.lines.append(f"{label}:")
            end = self.body(part, value)
            if end is not None:
                self.emit(f"cf.br {behind}({end} : i32)")
                goes_on = True
        if not goes_on:
            return None
        result = self.name()
        self.lines.append(f"{behind}({result}: i32):")
        return result

    def loop(self, one, value):
        zero, step = (self.op(f"arith.constant {number} : i32") for number in (0, 1))
        count = self.op(f"arith.constant {one[1]} : i32")
        odd = self.op(f"arith.andi %pid, {step} : i32")
        count = self.op(f"arith.addi {count}, {odd} : i32")
        result, carried = self.name(), self.name()
        self.emit(
            f"{result} = scf.for {self.name()} = {zero} to {count} step {step} "
            f"iter_args({carried} = {value}) -> (i32) : i32 {{"
        )
        self.emit(f"scf.yield {self.body(one[2], carried)} : i32")
        self.emit("}")
        return result

    def while_(self, one, value):
        zero, step = (self.op(f"arith.constant {number} : i32") for number in (0, 1))
        result, x, n, y, m = (self.name() for _ in range(5))
        self.emit(f"{result}:2 = scf.while ({x} = {value}, {n} = {zero}) : (i32, i32) -> (i32, i32) {{")
        less = self.op(f"arith.cmpi slt, {n}, {self.modulo(x, 4)} : i32")
        self.emit(f"scf.condition({less}) {x}, {n} : i32, i32")
        self.emit("} do {")
        self.emit(f"^bb0({y}: i32, {m}: i32):")
        end = self.body(one[1], y)
        more = self.op(f"arith.addi {m}, {step} : i32")
        self.emit(f"scf.yield {end}, {more} : i32, i32")
        self.emit("}")
        return f"{result}#0"


def program(body):
    writer = Writer()
    writer.emit("%pid = tt.get_program_id x : i32")
    writer.emit("%at = tt.addptr %out, %pid : !tt.ptr<i32>, i32")
    end = writer.body(body, writer.op("arith.constant 1 : i32"))
    if end is not None:
        writer.emit(f"tt.store %at, {end} : !tt.ptr<i32>")
        writer.emit("tt.return")
    return "\n".join(["tt.func public @k(%out: !tt.ptr<i32>) {", *writer.lines, "}", ""])


def expected(body):
    out = []
    for pid in range(PROGRAMS):
        state = [1, -1]
        try:
            run(body, pid, state)
            state[1] = state[0]
        except Returned:
            pass
        out.append(state[1])
    return np.array(out, np.int32)


def check(body):
    def use(compiled):
        out = np.full(PROGRAMS, -1, np.int32)
        compiled.run(out, grid=(PROGRAMS,))
        bad = np.flatnonzero(out != expected(body))
        return f"program {bad[0]} gives {out[bad[0]]}, not {expected(body)[bad[0]]}" if bad.size else None

    return use


def bodies():
    return {seed: statements(random.Random(seed), 3, True) for seed in range(COUNT)}


class ControlTest(unittest.TestCase):
    maxDiff = None

    def test_every_program(self):
        programs = bodies()
        returning = sum(has_return(body) for body in programs.values())
        self.assertGreater(returning, COUNT // 3)
        outcomes = {seed: isolated(program(body), check(body)) for seed, body in programs.items()}
        kinds, bad = summary(outcomes)
        print(f"{COUNT} programs, of which {returning} return early: {kinds}", file=sys.stderr)
        self.assertEqual(bad, "")
        # One writes nothing, and is declined for that.
        self.assertGreaterEqual(kinds["right"], COUNT - 1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--text"]:
        print(program(bodies()[int(sys.argv[2])]))
        sys.exit(0)
    heddle.use_compiler(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
