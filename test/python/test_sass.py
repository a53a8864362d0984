# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/sass.py on SASS as nvdisasm writes it."""

import contextlib
import io
import os
import stat
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "bench"))

import sass

# An outer loop over tiles around the steady one, whose wait spins out of line and whose
# store every other iteration skips; then another entry.
TEXT = """
.text.other:
        /*0000*/                   EXIT ;
.text.k:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/                   HGMMA.64x256x16.F32 R24, gdesc[UR8], RZ, !UPT ;
.L_x_1:
        /*0020*/                   USHF.L.U32 UR7, UR4, 0x3, URZ ;
.L_x_9:
        /*0030*/                   SYNCS.PHASECHK.TRANS64.TRYWAIT P4, [R0+UR7+0x38000], R195 ;
        /*0040*/              @!P4 BRA `(.L_x_5) ;
.L_x_2:
        /*0050*/                   WARPGROUP.ARRIVE ;
        /*0060*/                   HGMMA.64x256x16.F32 R24, gdesc[UR16], R24 ;
        /*0070*/                   MUFU.EX2 R3, R4 ;
        /*0080*/                   FFMA.FTZ R3, R4, R5, -R6 ;
        /*0090*/               @P4 BRA `(.L_x_3) ;
        /*00a0*/                   BSSY B1, `(.L_x_3) ;
        /*00b0*/                   STSM.16.M88.4 [R192+0x32000], R4 ;
        /*00c0*/               @P0 UTMASTG.2D [UR20], [UR16] ;
.L_x_3:
        /*00d0*/               @P1 SYNCS.ARRIVE.TRANS64.A1T0 RZ, [R0+UR6+0x38020], RZ ;
        /*00e0*/                   PLOP3.LUT P4, PT, PT, PT, UP2, 0x80, 0x0 ;
        /*00f0*/              @!P4 BRA `(.L_x_1) ;
        /*0100*/              @!P0 BRA `(.L_x_0) ;
        /*0110*/                   EXIT ;
.L_x_5:
        /*0120*/                   SYNCS.PHASECHK.TRANS64.TRYWAIT P4, [R0+UR7+0x38000], R195 ;
        /*0130*/              @!P4 BRA `(.L_x_5) ;
        /*0140*/                   BRA `(.L_x_2) ;
.L_x_6:
        /*0150*/                   BRA `(.L_x_6);
"""


class SassTest(unittest.TestCase):
    def test_the_innermost_loop_with_products(self):
        (loop,) = sass.steady_loops(TEXT, "k")
        self.assertEqual(
            dict(loop.always),
            {
                "wgmma": 1, "wgmma's fences and waits": 1, "mbarriers": 2, "uniform pipe": 1,
                "exponentials and other special functions": 1, "multiply-adds": 1, "branches": 3,
                "vector integers, moves, predicates": 1,
            },
        )  # fmt: skip
        self.assertEqual(loop.sometimes, 6)  # three of the store, three that spin

    def test_nothing_to_find(self):
        self.assertEqual(sass.steady_loops(TEXT, "other"), [])
        self.assertEqual(sass.steady_loops(TEXT, "absent"), [])
        self.assertEqual(sass.steady_loops(TEXT.replace("HGMMA", "FADD"), "k"), [])

    def test_a_branch_that_is_always_taken_ends_its_block(self):
        text = TEXT.replace("@P4 BRA `(.L_x_3)", "    BRA `(.L_x_3)")
        self.assertEqual(sass.steady_loops(text, "k")[0].sometimes, 3)

    def test_loops_that_count_the_same_share_a_column(self):
        (loop,) = sass.steady_loops(TEXT, "k")
        longer = sass.Loop(loop.always, loop.sometimes + 1)
        named = [name for name, _ in sass.distinct([loop, longer, loop])]
        self.assertEqual(named, ["loops 1 and 3", "loop 2"])

    def test_every_opcode_has_a_class(self):
        for opcode, name in (
            ("HGMMA", "wgmma"), ("UTMALDG", "copies by TMA"), ("UIADD3", "uniform pipe"),
            ("F2FP", "conversions"), ("HFMA2", "half-precision arithmetic"), ("NOP", "vector integers, moves, predicates"),
            ("FMNMX3", "maxima and minima"), ("LDSM", "shared memory"), ("FSETP", "vector integers, moves, predicates"),
        ):  # fmt: skip
            self.assertEqual(sass.class_of(opcode), name)

    def test_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            ptx, fake = os.path.join(folder, "k.ptx"), os.path.join(folder, "tool")
            with open(ptx, "w", encoding="utf-8") as file:
                file.write("\t.visible .entry k(\n\t.visible .entry other(\n")
            with open(fake, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\ncat <<'END'\n%sEND\n" % TEXT)
            os.chmod(fake, stat.S_IRWXU)
            arguments = [ptx, "--ptxas=true", "--nvdisasm=" + fake]
            code, text, _ = self.run_it(arguments)
            self.assertEqual(code, 0)
            self.assertIn("| | k, loop 1 |\n|---|--:|\n| every iteration | 11 |\n| wgmma | 1 |\n", text)
            code, _, errors = self.run_it(arguments + ["--entry=other"])
            self.assertEqual((code, errors), (2, "sass.py: entry 'other' of %s has no loop with wgmmas\n" % ptx))
            self.assertEqual(self.run_it([ptx, "--ptxas=/absent"])[0], 2)
            self.assertEqual(self.run_it([ptx, "--ptxas=false"])[0], 3)
            self.assertEqual(self.run_it([os.path.join(folder, "no.ptx")])[0], 3)

    def run_it(self, arguments):
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            code = sass.main(arguments)
        return code, output.getvalue(), errors.getvalue()


if __name__ == "__main__":
    unittest.main()
