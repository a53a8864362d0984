#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever carries a pointer to a store, its argument is `written`: written.py LIBHEDDLE.SO

Kernels are made of a way that an address takes and of something that writes there.
The manifest must name what is written, and nothing else where the way can be
followed; and the emulator, which lets nobody write behind other arguments, must run
them. Needs numpy, and no Triton.
"""

import sys
import unittest

import numpy as np
from isolated import heddle, isolated, summary

SCALAR, TILE = "!tt.ptr<f32>", "tensor<32x!tt.ptr<f32>>"
LENGTH = 4096

# name: (text that makes %p of A and B, what may be written). T is the type of an
# address, P and Q are A and B in it, D a distance in elements, I an i32 of its shape,
# W an i64. %n is 3 and %yes true, which the compiler does not know.
WAYS = {
    "direct": ("%p = tt.addptr P, D : T, I", "A"),
    "loop": ("""
      %p = scf.for %i = %c0 to %n step %c1 iter_args(%x = P) -> (T) : i32 {
        %y = tt.addptr %x, D : T, I
        scf.yield %y : T
      }""", "A"),
    "loops": ("""
      %p = scf.for %i = %c0 to %n step %c1 iter_args(%x = P) -> (T) : i32 {
        %y = scf.for %j = %c0 to %n step %c1 iter_args(%z = %x) -> (T) : i32 {
          %u = tt.addptr %z, D : T, I
          scf.yield %u : T
        }
        scf.yield %y : T
      }""", "A"),
    "exchanged": ("""
      %p, %q = scf.for %i = %c0 to %n step %c1 iter_args(%x = P, %y = Q) -> (T, T) : i32 {
        scf.yield %y, %x : T, T
      }""", "AB"),
    "while": ("""
      %p, %last = scf.while (%x = P, %i = %c0) : (T, i32) -> (T, i32) {
        %more = arith.cmpi slt, %i, %n : i32
        %y = tt.addptr %x, D : T, I
        scf.condition(%more) %y, %i : T, i32
      } do {
      ^bb0(%x: T, %i: i32):
        %next = arith.addi %i, %c1 : i32
        scf.yield %x, %next : T, i32
      }""", "A"),
    "conditional": ("""
      %p = scf.if %yes -> (T) {
        scf.yield P : T
      } else {
        %y = tt.addptr Q, D : T, I
        scf.yield %y : T
      }""", "AB"),
    "conditional in a loop": ("""
      %p = scf.for %i = %c0 to %n step %c1 iter_args(%x = P) -> (T) : i32 {
        %y = scf.if %yes -> (T) {
          %z = tt.addptr %x, D : T, I
          scf.yield %z : T
        } else {
          scf.yield %x : T
        }
        scf.yield %y : T
      }""", "A"),
    "loop in a conditional": ("""
      %p = scf.if %yes -> (T) {
        %y = scf.for %i = %c0 to %n step %c1 iter_args(%x = P) -> (T) : i32 {
          %z = tt.addptr %x, D : T, I
          scf.yield %z : T
        }
        scf.yield %y : T
      } else {
        scf.yield Q : T
      }""", "AB"),
    "select": ("%p = arith.select %yes, P, Q : T", "AB"),
    "bitcast": ("""
      %b = tt.bitcast P : T -> TI
      %c = tt.addptr %b, D : TI, I
      %p = tt.bitcast %c : TI -> T""", "A"),
    "integer": ("""
      %b = tt.ptr_to_int P : T -> W
      %c = arith.addi %b, B64 : W
      %p = tt.int_to_ptr %c : W -> T""", "A"),
    "integer in a loop": ("""
      %b = tt.ptr_to_int P : T -> W
      %c = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b) -> (W) : i32 {
        %y = arith.addi %x, B64 : W
        scf.yield %y : W
      }
      %p = tt.int_to_ptr %c : W -> T""", "A"),
    "integer selected": ("""
      %a = tt.ptr_to_int P : T -> W
      %b = tt.ptr_to_int Q : T -> W
      %c = arith.select %yes, %a, %b : W
      %p = tt.int_to_ptr %c : W -> T""", "AB"),
    "integer and bits": ("""
      %a = tt.ptr_to_int P : T -> W
      %b = arith.constant MASK : W
      %c = arith.andi %a, %b : W
      %p = tt.int_to_ptr %c : W -> T""", "A"),
    # The address of A, passed as a number.
    "argument": ("""
      %p0 = tt.int_to_ptr %w : i64 -> !tt.ptr<f32>
      %p = SPLAT %p0""", "ABC"),
}  # fmt: skip
TILE_WAYS = {
    "expanded": ("""
      %a = tt.expand_dims P {axis = 1 : i32} : T -> tensor<32x1x!tt.ptr<f32>>
      %b = tt.trans %a {order = array<i32: 1, 0>} : tensor<32x1x!tt.ptr<f32>> -> tensor<1x32x!tt.ptr<f32>>
      %p = tt.reshape %b : tensor<1x32x!tt.ptr<f32>> -> T""", "A"),
    "joined": ("""
      %a = tt.join P, Q : T -> tensor<32x2x!tt.ptr<f32>>
      %b, %p = tt.split %a : tensor<32x2x!tt.ptr<f32>> -> T""", "AB"),
    "cat": ("""
      %a = tt.cat P, Q : T -> tensor<64x!tt.ptr<f32>>
      %b = tt.reshape %a : tensor<64x!tt.ptr<f32>> -> tensor<32x2x!tt.ptr<f32>>
      %p, %q = tt.split %b : tensor<32x2x!tt.ptr<f32>> -> T""", "AB"),
    "taken": ("""
      %a = tt.ptr_to_int P : T -> W
      %b = tt.gather %a[D] {axis = 0 : i32} : (W, I) -> W
      %p = tt.int_to_ptr %b : W -> T""", "A"),
    "reversed": ("""
      %a = tt.reshape P : T -> tensor<4x8x!tt.ptr<f32>>
      %b = tt.trans %a {order = array<i32: 1, 0>} : tensor<4x8x!tt.ptr<f32>> -> tensor<8x4x!tt.ptr<f32>>
      %p = tt.reshape %b : tensor<8x4x!tt.ptr<f32>> -> T""", "A"),
}  # fmt: skip

CAS = """
  %pi = tt.bitcast %p : T -> TI
  %old = tt.atomic_cas relaxed, gpu, %pi, ZERO, ONE : (TI, I, I) -> I"""
WRITERS = {
    "store": "tt.store %p, V : T",
    "masked": "tt.store %p, V, M : T",
    "masked by a uniform condition": """
  scf.for %t = %c0 to %n step %c1 : i32 {
    %in = arith.cmpi slt, %t, %c1 : i32
    %m = UNIFORM %in
    tt.store %p, V, %m : T
  }""",
    "add": "%old = tt.atomic_rmw fadd, relaxed, gpu, %p, V, M : (T, F, B) -> F",
    "exchange": "%old = tt.atomic_rmw exch, acq_rel, gpu, %p, V, M : (T, F, B) -> F",
    "cas": CAS,
}
DESCRIPTOR = """
  %d = tt.make_tensor_descriptor %p, [%rows, %cols], [%stride, %one] : !tt.ptr<f32>, !tt.tensordesc<tensor<8x16xf32>>
"""
DESCRIPTOR_WRITERS = {
    "descriptor store": "tt.descriptor_store %d[%c0, %c0], %block : !tt.tensordesc<tensor<8x16xf32>>, tensor<8x16xf32>",
    "descriptor reduce": "tt.descriptor_reduce add, %d[%c0, %c0], %block : !tt.tensordesc<tensor<8x16xf32>>, tensor<8x16xf32>",
}  # fmt: skip
# Of a descriptor itself.
DESCRIPTOR_WAYS = {
    "alone": ("%d = tt.make_tensor_descriptor %A, SHAPE", "A"),
    "conditional descriptor": ("""
      %d = scf.if %yes -> (DESC) {
        %x = tt.make_tensor_descriptor %A, SHAPE
        scf.yield %x : DESC
      } else {
        %x = tt.make_tensor_descriptor %B, SHAPE
        scf.yield %x : DESC
      }""", "AB"),
    "descriptor in a loop": ("""
      %a = tt.make_tensor_descriptor %A, SHAPE
      %b = tt.make_tensor_descriptor %B, SHAPE
      %d, %e = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (DESC, DESC) : i32 {
        scf.yield %y, %x : DESC, DESC
      }""", "AB"),
}  # fmt: skip

HEAD = """tt.func public @k(%A: !tt.ptr<f32>, %B: !tt.ptr<f32>, %C: !tt.ptr<f32>, %n: i32, %w: i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i64
  %cf = arith.constant 1.0 : f32
  %yes = arith.cmpi sgt, %n, %c0 : i32
  %rows = arith.constant 8 : i32
  %cols = arith.constant 16 : i32
  %stride = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %block = arith.constant dense<1.0> : tensor<8x16xf32>
  %range = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %low = arith.constant dense<30> : tensor<32xi32>
  %mask = arith.cmpi slt, %range, %low : tensor<32xi32>
  %zeros = arith.constant dense<0> : tensor<32xi32>
  %ones = arith.constant dense<1> : tensor<32xi32>
  %eights = arith.constant dense<8> : tensor<32xi64>
  %As = tt.splat %A : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %Bs = tt.splat %B : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %Cs = tt.splat %C : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %Ar = tt.addptr %As, %range : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %Br = tt.addptr %Bs, %range : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %Cr = tt.addptr %Cs, %range : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %v = tt.load %C : !tt.ptr<f32>
  %vs = tt.load %Cr : tensor<32x!tt.ptr<f32>>
"""


def fill(text, is_tile):
    words = {
        "T": SCALAR, "I": "i32", "P": "%A", "Q": "%B", "D": "%c1", "W": "i64", "B64": "%c8",
        "TI": "!tt.ptr<i32>", "F": "f32", "B": "i1", "V": "%v", "M": "%yes", "ZERO": "%c0",
        "ONE": "%c1", "MASK": "-1",
    }  # fmt: skip
    if is_tile:
        words = {
            "T": TILE, "I": "tensor<32xi32>", "P": "%Ar", "Q": "%Br", "D": "%range",
            "W": "tensor<32xi64>", "B64": "%eights", "TI": "tensor<32x!tt.ptr<i32>>",
            "F": "tensor<32xf32>", "B": "tensor<32xi1>", "V": "%vs", "M": "%mask",
            "ZERO": "%zeros", "ONE": "%ones", "MASK": "dense<-1>",
        }  # fmt: skip
    lines = []
    for line in text.splitlines():
        if "SPLAT" in line:
            line = (
                "%p = tt.splat %p0 : !tt.ptr<f32> -> T" if is_tile else "%p = tt.bitcast %p0 : T -> T"
            )
        if "UNIFORM" in line:
            line = (
                "%m = tt.splat %in : i1 -> tensor<32xi1>" if is_tile else "%m = arith.andi %in, %in : i1"
            )
        for sign in "(),:<>[]":
            line = line.replace(sign, f" {sign} ")
        lines.append(" ".join(words.get(word, word) for word in line.split(" ")))
    text = "\n".join(lines)
    for sign in "(),:<>[]":
        text = text.replace(f" {sign} ", sign if sign in "<>[]" else f" {sign} ")
    return text.replace("- >", "->").replace("->", " -> ")


def programs():
    """{name: (text, the arguments that are written)}."""
    found = {}
    for is_tile in (False, True):
        ways = dict(WAYS, **TILE_WAYS) if is_tile else WAYS
        for way, (text, written) in ways.items():
            for writer, store in WRITERS.items():
                name = f"{'tile' if is_tile else 'scalar'}, {way}, {writer}"
                found[name] = fill(text + "\n" + store, is_tile), written
    for way, (text, written) in WAYS.items():
        for writer, store in DESCRIPTOR_WRITERS.items():
            found[f"{way}, {writer}"] = fill(text, False) + DESCRIPTOR + store, written
    shape = "[%rows, %cols], [%stride, %one] : !tt.ptr<f32>, DESC"
    for way, (text, written) in DESCRIPTOR_WAYS.items():
        for writer, store in DESCRIPTOR_WRITERS.items():
            text = text.replace("SHAPE", shape).replace("DESC", "!tt.tensordesc<tensor<8x16xf32>>")
            found[f"{way}, {writer}"] = text + "\n" + store, written
    return {
        name: (f"{HEAD}{body}\n  tt.return\n}}\n", written)
        for name, (body, written) in found.items()
    }


def check(written):
    def use(compiled):
        names = "".join(
            one["name"] for one in compiled.arguments if one["kind"] == "pointer" and one["written"]
        )
        if names != written:
            return f"{names or 'nothing'} is called written, not {written}"
        arrays = [np.zeros(LENGTH, np.float32), np.zeros(LENGTH, np.float32), np.ones(LENGTH, np.float32)]
        values = [*arrays, 3, arrays[0].ctypes.data]
        taken = [one["name"] for one in compiled.arguments]
        compiled.run(*[v for v, name in zip(values, "ABCnw") if name in taken], grid=(1,))
        changed = "".join(
            name for name, array, was in zip("ABC", arrays, (0, 0, 1)) if (array != was).any()
        )
        if not changed or not set(changed) <= set(written):
            return f"{changed or 'nothing'} was changed, of {written}"
        return None

    return use


class WrittenTest(unittest.TestCase):
    maxDiff = None

    def test_every_way_to_every_writer(self):
        outcomes = {name: isolated(text, check(written)) for name, (text, written) in programs().items()}
        kinds, bad = summary(outcomes)
        print(f"{len(outcomes)} kernels: {kinds}", file=sys.stderr)
        self.assertEqual(bad, "")
        self.assertGreater(kinds["right"], 0.9 * len(outcomes))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--text"]:
        print(programs()[sys.argv[2]][0])
        sys.exit(0)
    heddle.use_compiler(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
