# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the demo reads from an example's comment."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import run_demo  # noqa: E402


class RunLines(unittest.TestCase):
    def runs(self, text):
        with tempfile.TemporaryDirectory() as folder:
            example = pathlib.Path(folder) / "example.mlir"
            example.write_text(text, encoding="utf-8")
            return run_demo.runs_of(example)

    def test_one_line(self):
        text = "// Adds.\n//\n//   heddle run x.mlir --view a=1x2\n\n!in = f16\n"
        self.assertEqual(self.runs(text), [["--view", "a=1x2"]])

    def test_continued(self):
        text = "//   heddle run x.mlir --view a=1x2\n//     --view b=3\n//\n// more\n"
        self.assertEqual(self.runs(text), [["--view", "a=1x2", "--view", "b=3"]])

    def test_several_and_quotes(self):
        text = "// heddle run x.mlir --ints\n// heddle run x.mlir --set 'o=#tile.order<1, 0>'\n"
        self.assertEqual(self.runs(text), [["--ints"], ["--set", "o=#tile.order<1, 0>"]])

    def test_every_example_has_one(self):
        for example in (run_demo.ROOT / "examples").glob("*.mlir"):
            with self.subTest(example=example.name):
                self.assertTrue(run_demo.runs_of(example))

    def test_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            example = pathlib.Path(folder) / "example.mlir"
            example.write_text("// Adds.\n//\n// Not compiled yet: no scan.\n", encoding="utf-8")
            self.assertEqual(run_demo.why_left_out(example), "Not compiled yet: no scan.")
            self.assertEqual(list(run_demo.run_example("no-such-tool", example, "emulator")), [])
            example.write_text("// heddle run x.mlir --ints\n", encoding="utf-8")
            self.assertIsNone(run_demo.why_left_out(example))

    def test_settings(self):
        arguments = ["--view", "a=1", "--set", "BM=64", "--set=in=bf16", "--ints"]
        self.assertEqual(run_demo.settings_of(arguments), ["--set", "BM=64", "--set=in=bf16"])


if __name__ == "__main__":
    unittest.main()
