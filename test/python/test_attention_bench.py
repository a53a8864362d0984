# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench/attention.py can show without a GPU: its points and kernels, what it takes
for right, and its peers on the CPU. Skipped in part without torch or Triton."""

import math
import os
import subprocess
import sys
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path.insert(0, os.path.join(ROOT, "bench"))

import attention
import compile as compile_kernels
import table
from attention_points import PRESETS, Point

try:
    import torch
except ImportError:
    torch = None
try:
    import numpy
    import triton
except ImportError:
    triton = None

if torch:
    import attention_problem


class PointsTest(unittest.TestCase):
    def test_every_point_has_a_kernel(self):
        kernels = {kernel for kernel, _, _ in compile_kernels.attention_kernels()}
        for name, points in PRESETS.items():
            for point in points:
                self.assertIn(point.kernel, kernels, name)
                self.assertIsNone(point.wrong(), point)

    def test_settings_are_legal(self):
        for _, program, settings in compile_kernels.attention_kernels():
            with open(os.path.join(ROOT, "examples", program + ".mlir")) as file:
                text = file.read()
            for setting in settings:
                self.assertIn("tile.param @%s :" % setting.split("=")[0], text)

    def test_what_is_set_takes_the_place_of_what_was(self):
        given = ["D=96", "BM=128", "BN=128"]
        self.assertEqual(compile_kernels.settings_of(given, ["BN=176", "in=bf16"]), ["D=96", "BM=128", "BN=176", "in=bf16"])

    def test_heads_share_evenly(self):
        for point in PRESETS["family"]:
            self.assertEqual(point.heads % point.group, 0)
            self.assertLessEqual(point.heads * point.depth, 2048)

    def test_options(self):
        cases = attention.parse_options(["--preset", "gqa,d96"]).cases
        self.assertEqual(cases, PRESETS["gqa"] + PRESETS["d96"])
        cases = attention.parse_options([]).cases
        self.assertEqual(sorted(map(str, cases)), sorted(map(str, PRESETS["plain"])))
        one = ["--depths=128", "--lengths=1024", "--causal=only", "--window=100"]
        self.assertEqual(attention.parse_options(one).cases, [Point(128, 1024, True, window=100)])
        for wrong in (["--preset", "gpa"], ["--lengths", "100"], ["--window", "7"], [*one, "--group=2"]):
            with self.assertRaises(SystemExit):
                attention.parse_options(wrong)

    def test_only_who_can_is_asked(self):
        names = ["heddle", "cudnn", "flash", "flex", "triton", "variant"]
        self.assertEqual(attention.systems_for(Point(128, 512, True, window=9), names),
                         ["heddle", "flex", "triton", "variant"])
        self.assertEqual(attention.systems_for(Point(128, 512), names),
                         ["heddle", "cudnn", "flash", "triton", "variant"])

    def test_a_table_of_the_family(self):
        ratio = {"system": "heddle", "baseline": "flex", "ratio": 2, "low": 1, "high": 3}
        result = {"kind": "window of 9", "depth": 128, "causal": True, "length": 512, "comparisons": [ratio],
                  "systems": {"heddle": {"tflops": 300.2}, "flex": {"skipped": "no"}}}
        row, head, rule = table.KINDS["kind"]
        self.assertEqual(len(row(result)), len(head))
        self.assertEqual(len(head), rule.count("|") - 1)
        self.assertIn("2.000 [1.000, 3.000]", row(result))


@unittest.skipIf(torch is None, "torch is not installed")
class MeaningTest(unittest.TestCase):
    def test_who_sees_whom(self):
        for queries, keys, window in ((5, 5, None), (5, 9, 2), (9, 5, 3), (4, 4, 100), (3, 3, 1)):
            seen = attention_problem.sees(queries, keys, True, "cpu", window)
            for i in range(queries):
                for j in range(keys):
                    last = i + keys - queries
                    expected = j <= last and (window is None or j > last - window)
                    self.assertEqual(bool(seen[i, j]), expected, (queries, keys, window, i, j))

    def test_operations_of_a_window(self):
        for length, window in ((7, 1), (7, 3), (7, 7), (7, 20)):
            pairs = attention_problem.sees(length, length, True, "cpu", window).sum().item()
            self.assertEqual(attention_problem.flops(3, length, length, 16, True, window), 4 * 3 * 16 * pairs)

    def test_neighbouring_heads_share(self):
        q = torch.randn(6, 4, 8).double()
        k, v = torch.randn(2, 5, 8).double(), torch.randn(2, 5, 8).double()
        mask = attention_problem.sees(4, 5, True, "cpu")
        shared = attention_problem.exact_attention(q, k, v, 0.3, mask)
        for head in range(6):
            one = [x[head // 3 : head // 3 + 1] for x in (k, v)]
            alone = attention_problem.exact_attention(q[head : head + 1], *one, 0.3, mask)
            self.assertTrue(torch.equal(shared[head : head + 1], alone))


class Case:
    """A point's operands on the CPU, smaller than those on a GPU."""

    def __init__(self, point, heads):
        self.point, self.scale = point, 1 / math.sqrt(point.depth)
        torch.manual_seed(0)
        shape, shared = ((n, point.length, point.depth) for n in (heads, heads // point.group))
        self.sets = [(torch.randn(shape).half(), torch.randn(shared).half(),
                      torch.randn(shared).half(), torch.empty(shape).half())]
        mask = attention_problem.sees(point.length, point.length, point.causal, "cpu", point.window)
        self.expected = attention_problem.exact_attention(*self.sets[0][:3], self.scale, mask)

    def split_heads(self, tensor):
        return tensor.view(1, -1, self.point.length, self.point.depth)

    def error(self, launch):
        result = self.sets[0][3]
        result.fill_(math.nan)
        launch()
        return (result.double() - self.expected).abs().max().item()


@unittest.skipIf(torch is None, "torch is not installed")
class PeersTest(unittest.TestCase):
    def test_sdpa(self):
        from torch.nn.attention import SDPBackend

        for point in (Point(96, 128), Point(64, 128, True, group=3), Point(64, 128, True)):
            case = Case(point, 6)
            launches, _, _ = attention.sdpa_launches(case, SDPBackend.MATH)
            self.assertLess(case.error(launches[0]), 2e-3, point)

    def test_flex(self):
        uncompiled = mock.patch("torch.compile", lambda function, **options: function)
        with mock.patch.object(attention, "DEVICE", "cpu"), uncompiled:
            for window in (1, 20, 128, 1000):
                case = Case(Point(64, 256, True, window=window), 2)
                launches, _, _ = attention.flex_launches(case)
                self.assertLess(case.error(launches[0]), 2e-3, window)

    @unittest.skipIf(triton is None, "triton is not installed")
    def test_triton(self):
        # Triton 3.6 takes arrays of one element for numbers.
        if tuple(map(int, numpy.__version__.split(".")[:2])) >= (2, 4):
            self.skipTest("Triton's interpreter needs NumPy before 2.4")
        script = os.path.join(HERE, "interpreted_attention.py")
        done = subprocess.run([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 30)
        for line in lines:
            self.assertLess(float(line.split()[-1]), 2e-3, line)


if __name__ == "__main__":
    unittest.main()
