# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/plot.py, and that tables and pictures are what the raw results say."""

import glob
import os
import re
import subprocess
import sys
import unittest
import xml.dom.minidom

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "bench"))

import plot

ENVIRONMENT = {"gpu": "A < B & C", "date": "2026-01-02T03:04:05", "protocol": {"rounds": 7}}


def gemm(k, speeds, ratio):
    return {
        "shape": [8192, 8192, k], "in": "f16", "out": "f16",
        "systems": {name: {"tflops": speed} for name, speed in speeds.items()},
        "comparisons": [
            {"system": "heddle", "baseline": "cublas", "ratio": ratio, "low": ratio - 0.01, "high": ratio + 0.01}
        ],
    }  # fmt: skip


def coordinates(svg, pattern):
    return [tuple(map(float, found)) for found in re.findall(pattern, svg)]


class PlotTest(unittest.TestCase):
    def picture(self, *results):
        svg = plot.gemm_picture({"environment": ENVIRONMENT, "results": list(results)})
        xml.dom.minidom.parseString(svg)
        return svg

    def test_points_stand_where_their_values_say(self):
        svg = self.picture(
            gemm(256, {"heddle": 400, "cublas": 200}, 2.0), gemm(1024, {"heddle": 800, "cublas": 600}, 1.3)
        )
        (x1, y1), (x2, y2) = coordinates(svg, r'<circle cx="([\d.]+)" cy="([\d.]+)"')
        self.assertLess(x1, x2)
        zero = plot.HEAD + plot.TOP + plot.PLOT_HEIGHT
        self.assertAlmostEqual((zero - y2) / (zero - y1), 2, places=2)
        # Twice K's logarithm is half the way: 512 would stand in the middle.
        self.assertEqual((x1, x2), (plot.LEFT + 10, plot.LEFT + plot.PLOT_WIDTH - 10))

    def test_other_shapes_and_absent_systems_are_left_out(self):
        other = dict(gemm(256, {"heddle": 1}, 1), shape=[4096, 4096, 256])
        svg = self.picture(gemm(256, {"heddle": 400, "cublas": 200}, 2.0), other)
        self.assertEqual(len(re.findall("<circle", svg)), 1)
        self.assertNotIn("Triton", svg)
        self.assertIn("A &lt; B &amp; C, 2026-01-02, ", svg)

    def test_names_do_not_overlap(self):
        moved = plot.spread([100, 101, 99, 300], 14)
        self.assertEqual(moved[3], 300)
        gaps = sorted(moved)
        for low, high in zip(gaps, gaps[1:]):
            self.assertGreaterEqual(high - low, 14 - 1e-6)
        self.assertLess(moved[2], moved[0])
        self.assertLess(moved[0], moved[1])

    def test_ticks_are_round(self):
        for span, step in ((700, 100), (0.2, 0.05), (3, 0.5), (1, 0.2)):
            self.assertAlmostEqual(plot.tick_step(span), step)

    def test_every_point_lies_in_its_panel(self):
        panel = plot.Panel("", "", {"cublas": [(256, 1.16, 1.14, 1.17), (512, 0.99, 0.98, 1.0)]}, True)
        low, high, _ = plot.y_range(panel)
        self.assertLessEqual(low, 0.98)
        self.assertGreaterEqual(high, 1.17)


class FreshnessTest(unittest.TestCase):
    def check(self, *command):
        done = subprocess.run(
            [sys.executable, *command, "--check"], cwd=ROOT,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_tables(self):
        pages = glob.glob("docs/lab/*.md", root_dir=ROOT)
        self.check("bench/table.py", "docs/performance.md", "README.md", *sorted(pages))

    def test_pictures(self):
        self.check("bench/plot.py")


if __name__ == "__main__":
    unittest.main()
