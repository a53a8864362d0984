# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test/gpu/random_launches.py on the emulator, at sizes that it runs in no time.
Skipped without torch."""

import contextlib
import io
import os
import unittest
from unittest import mock

from gpu_scripts import no_emulation, torch

if torch:
    import random
    import random_cases
    import random_launches


@unittest.skipIf(torch is None, "torch is not installed")
class DrawTest(unittest.TestCase):
    def sizes(self, largest=1 << 20, **options):
        size = random_cases.Sizes(random.Random(1), largest)
        return [size(**options) for _ in range(2000)]

    def test_sizes_of_every_kind(self):
        drawn = self.sizes(empty=True, tiles=64)
        self.assertIn(0, drawn)
        self.assertTrue(set(range(1, 10)) <= set(drawn))
        for tiles in (1, 2, 3, 4):
            self.assertTrue({128 * tiles - 1, 128 * tiles, 128 * tiles + 1} <= set(drawn))
        self.assertTrue(any(size > 32 * 128 for size in drawn))
        self.assertGreater(len(set(drawn)), 500)

    def test_sizes_within_bounds(self):
        self.assertGreaterEqual(min(self.sizes()), 1)
        self.assertLessEqual(max(self.sizes(tiles=64, at_most=100)), 100)
        self.assertLessEqual(max(self.sizes(largest=50, at_most=100)), 50)

    def test_a_case_follows_from_its_number(self):
        def made(seed, index):
            case = random_cases.case_of("gemm_reduction", seed, index, 60, torch.device("cpu"))
            return case.name, case.inputs["a"].tolist()

        self.assertEqual(made(3, 5), made(3, 5))
        self.assertNotEqual(made(3, 5), made(3, 6))
        self.assertNotEqual(made(3, 5), made(4, 5))

    def test_both_kinds_of_data(self):
        names = [
            random_cases.case_of("column_sum", 0, index, 30, torch.device("cpu")).name
            for index in range(40)
        ]
        self.assertEqual({"integers" in name for name in names}, {True, False})


@unittest.skipIf(no_emulation(), no_emulation())
class LaunchTest(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.dict(os.environ, HEDDLE_CACHE_DIR="")
        patch.start()
        self.addCleanup(patch.stop)

    def run_it(self, *arguments):
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            code = random_launches.main(
                ["--device=emulator", "--largest=40", "--launches=8", "--hang-seconds=300", *arguments]
            )
        return code, text.getvalue()

    def test_right_kernels_pass(self):
        code, text = self.run_it("gemm_nt_f16_f16", "gemm_reduction", "attention_causal_d64", "softmax_1024")
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"^seed 0\n4 passed, 0 failed\n")  # two shapes, two kinds of data
        self.assertIn("softmax_1024: 8 launches", text)
        self.assertRegex(text, r"\n12 passed, 0 failed\n$")

    def broken(self, program):
        """One element off in what the kernel wrote last."""
        plain = random_launches.EmulatedKernel.bind

        def bind(kernel, *values):
            launch = plain(kernel, *values)
            written = [one["written"] for one in kernel.arguments]

            def damaged():
                launch()
                for value, is_written in zip(values, written):
                    if is_written and value.numel():
                        value.view(-1)[-1] += 64

            return damaged

        with mock.patch.object(random_launches.EmulatedKernel, "bind", bind):
            return self.run_it(program, "--seed=7")

    def test_a_wrong_element_fails(self):
        code, text = self.broken("column_sum")
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"FAIL column_sum case 0, \d+x\d+(, integers)?: launch 1: ")
        code, text = self.broken("gemm_nt_f16_f16")
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"FAIL exact nt f16->f16 \d+x\d+x\d+: ")

    def test_one_case_alone(self):
        code, text = self.run_it("cumsum", "--case=3")
        self.assertEqual(code, 0, text)
        self.assertIn("cumsum: 2 launches\n", text)

    def test_what_could_not_be_run(self):
        code, text = self.run_it("no_such_kernel")
        self.assertEqual(code, 3)
        self.assertIn("no kernel no_such_kernel; there are attention_backward_d64, ", text)
        code, text = self.run_it("cumsum", "--seconds=0")
        self.assertEqual(code, 2)
        self.assertIn("not all launches of cumsum were made in 0 s", text)


if __name__ == "__main__":
    unittest.main()
