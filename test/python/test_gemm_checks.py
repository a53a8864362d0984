# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test/gpu/gemm_checks.py on the CPU, with kernels that are right or wrong on
purpose: a check that cannot fail proves nothing. Skipped without torch."""

import contextlib
import io
import unittest

from gpu_scripts import torch

if torch:
    import gemm_problem as problem
    from gemm_checks import Checker, Watchdog, padded

SHAPES = [(17, 33, 8), (1, 1, 1), (64, 80, 100), (5, 7, 0), (0, 16, 8), (16, 0, 8)]


class CpuKernel:
    """C = A * B in double precision, then whatever `fault` does."""

    def __init__(self, layout, order, fault=None):
        self.layout, self.fault, self.launches = layout, fault, 0
        self.arguments = [{"order": order}, {"order": order}, {"order": (1, 0)}]

    def bind(self, a, b, c):
        def launch():
            self.launches += 1
            stored = [x if arg["order"] == (1, 0) else x.t() for x, arg in zip((a, b), self.arguments)]
            left = problem.logical(stored[0], self.layout[0]).double()
            right = problem.logical(stored[1], self.layout[1]).double()
            c.copy_(left @ right)
            if self.fault:
                self.fault(self, a, b, c)

        return launch


def run(fault=None, order=(1, 0), shapes=SHAPES, outputs=None):
    kernels = {
        (layout, in_type, out_type): CpuKernel(layout, order, fault)
        for layout in problem.LAYOUTS
        for in_type in problem.INPUTS
        for out_type in outputs or problem.OUTPUTS
    }
    checker = Checker(kernels, 0, 10**9, torch.device("cpu"))
    text = io.StringIO()
    with contextlib.redirect_stdout(text), Watchdog(60) as watchdog:
        checker.run(shapes, watchdog)
        code = checker.report()
    return checker, code, text.getvalue()


@unittest.skipIf(torch is None, "torch is not installed")
class CheckerTest(unittest.TestCase):
    def test_right_kernels_pass(self):
        for order in ((1, 0), (0, 1)):
            checker, code, text = run(order=order)
            self.assertEqual((checker.failed, code), (0, 0), text)
            self.assertEqual(checker.passed, len(SHAPES) * 24 * 2)
            self.assertTrue(text.endswith("%d passed, 0 failed\n" % checker.passed))

    def one_fault(self, fault, pattern, shapes=((64, 80, 100),)):
        checker, code, text = run(fault, shapes=list(shapes), outputs=["f32"])
        self.assertEqual((checker.passed, code), (0, 1), text)
        self.assertRegex(text, pattern)

    def test_one_wrong_element(self):
        def fault(kernel, a, b, c):
            c[40, 3] += 1

        self.one_fault(fault, r"FAIL exact nn bf16->f32 64x80x100: 1 wrong elements in launch 1, 1 "
                       r"in launch 2, 0 touched outside; launch 1, first at \(40,3\): ")

    def test_missing_last_step_of_k(self):
        def fault(kernel, a, b, c):
            left = problem.logical(a, kernel.layout[0]).double()
            right = problem.logical(b, kernel.layout[1]).double()
            c.copy_(left[:, :-1] @ right[:-1])

        self.one_fault(fault, r"FAIL normal tt f16->f32 64x80x100: error of")

    def test_unwritten_element(self):
        def fault(kernel, a, b, c):
            c[0, 0] = float("nan")

        self.one_fault(fault, r"normal nn f16->f32 64x80x100: error of inf and inf eps")

    def test_only_the_second_launch_is_wrong(self):
        def fault(kernel, a, b, c):
            if kernel.launches % 2 == 0:
                c[0, 0] += 1

        self.one_fault(fault, r"0 wrong elements in launch 1, 1 in launch 2")

    def test_write_outside(self):
        def fault(kernel, a, b, c):
            # One element past the end, in the guard band.
            end = torch.as_strided(c, (1,), (1,), c.storage_offset() + c.shape[0] * c.stride(0))
            end.fill_(0)

        self.one_fault(fault, r"2 touched outside")

    def test_launch_that_raises(self):
        def fault(kernel, a, b, c):
            raise RuntimeError("no variant fits")

        self.one_fault(fault, r"FAIL exact nn f16->f32 64x80x100: RuntimeError: no variant fits")

    def test_padding_is_nan_and_aligned(self):
        matrix = padded(torch.ones(3, 8, dtype=torch.float16), float("nan"))
        self.assertEqual(matrix.stride(), (16, 1))
        self.assertTrue(torch.isnan(torch.as_strided(matrix, (1,), (1,), 8)).all())


if __name__ == "__main__":
    unittest.main()
