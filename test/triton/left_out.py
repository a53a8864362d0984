#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of Triton's language stays out, each with a program: left_out.py LIBHEDDLE.SO [--write]

Every program is declined by a sentence, and docs/triton.md has the table of these.
Needs no Triton.
"""

import pathlib
import sys
import unittest

from isolated import heddle, isolated

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "triton.md"
MARK = "<!-- table test/triton/left_out.py -->\n"

TILES = """
  %a = arith.constant dense<1.0> : tensor<64x64xf16>
  %c = arith.constant dense<0.0> : tensor<64x64xf32>
  %e = arith.constant dense<1.0> : tensor<64x64xf8E4M3FN>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %w = arith.extsi %r : tensor<64xi32> to tensor<64xi64>
"""
LEFT_OUT = {
    "`tl.inline_asm_elementwise` of more than arithmetic on registers": """
  %y = tt.elementwise_inline_asm "ld.global.b32 $0, [$1];" {constraints = "=r,l", packed_element = 1 : i32, pure = true} %w : tensor<64xi64> -> tensor<64xi32>
""",
    "`tl.inline_asm_elementwise(..., is_pure=False)`": """
  %y = tt.elementwise_inline_asm "add.s32 $0, $1, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %r : tensor<64xi32> -> tensor<64xi32>
""",
    "`tl.map_elementwise` with a loop or an access to memory": """
  %y = "tt.map_elementwise"(%r) <{pack = 1 : i32}> ({
  ^bb0(%i: i32):
    %h = scf.while (%x = %i) : (i32) -> i32 {
      %b = arith.cmpi sgt, %x, %i : i32
      scf.condition(%b) %x : i32
    } do {
    ^bb0(%x: i32):
      scf.yield %x : i32
    }
    tt.map_elementwise.return %h : i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
""",
    "`tl.map_elementwise(..., pack=2)`": """
  %y = "tt.map_elementwise"(%r) <{pack = 2 : i32}> ({
  ^bb0(%i: i32, %j: i32):
    tt.map_elementwise.return %i, %j : i32, i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
""",
    "`tl.dot` of three axes, of more than 16 along the first": """
  %l = arith.constant dense<1.0> : tensor<32x16x16xf16>
  %m = arith.constant dense<0.0> : tensor<32x16x16xf32>
  %y = tt.dot %l, %l, %m : tensor<32x16x16xf16> * tensor<32x16x16xf16> -> tensor<32x16x16xf32>
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<32x16x16x!tt.ptr<f32>>
  tt.store %q, %y : tensor<32x16x16x!tt.ptr<f32>>
""",
    "`tl.dot(..., max_num_imprecise_acc=32)`": """
  %y = tt.dot %e, %e, %c {maxNumImpreciseAcc = 32 : i32} : tensor<64x64xf8E4M3FN> * tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
""",
    "rows gathered from a descriptor of `padding_option=\"nan\"`": """
  %n = arith.constant 64 : i32
  %s = arith.constant 64 : i64
  %o = arith.constant 1 : i64
  %t = tt.make_tensor_descriptor %p, [%n, %n], [%s, %o] {padding = 2 : i32} : !tt.ptr<f32>, !tt.tensordesc<1x64xf32>
  %y = tt.descriptor_gather %t[%r, %n] : (!tt.tensordesc<1x64xf32>, tensor<64xi32>, i32) -> tensor<64x64xf32>
""",
    "a function of `libdevice` that is none of `tl.math`": """
  %y = tt.extern_elementwise %c {libname = "", libpath = "", pure = true, symbol = "__nv_j0f"} : (tensor<64x64xf32>) -> tensor<64x64xf32>
""",
    "a kernel that writes nothing": "",
}


def program(body):
    return f"tt.func public @k(%p: !tt.ptr<f32>, %n64: i64) {{{TILES}{body}  tt.return\n}}\n"


def sentences():
    """{form: the Outcome of its program}."""
    return {form: isolated(program(body), lambda compiled: None) for form, body in LEFT_OUT.items()}


def table(outcomes):
    lines = ["| left to Triton | heddle's sentence |", "|---|---|"]
    for form, outcome in outcomes.items():
        sentence = outcome.text.partition("error: ")[2].rpartition(" [")[0]
        lines.append(f"| {form} | {sentence} |")
    return "\n".join(lines) + "\n"


class LeftOutTest(unittest.TestCase):
    maxDiff = None

    def test_each_is_declined_as_the_page_says(self):
        outcomes = sentences()
        for form, outcome in outcomes.items():
            self.assertEqual(outcome.kind, "declined", f"{form}: {outcome.text}")
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARK)
        found, end, after = rest.partition("<!-- end -->")
        if "--write" in sys.argv:
            PAGE.write_text(before + MARK + table(outcomes) + end + after, encoding="utf-8")
        else:
            self.assertEqual(found, table(outcomes), "left_out.py LIBHEDDLE.SO --write brings it up to date")


if __name__ == "__main__":
    heddle.use_compiler(sys.argv[1])
    unittest.main(argv=sys.argv[:1])
