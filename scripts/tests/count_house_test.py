# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the count finds and passes over, and that counts go down only."""

import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import count_house  # noqa: E402


def found(path, text):
    return sorted(f"{item.kind} {item.name}" for item in count_house.find_items({path: text}))


class Chip(unittest.TestCase):
    def test_a_name_of_a_chip_is_one_but_in_a_comment(self):
        self.assertEqual(found("lib/Plan/Rules.cpp", 'use("h200"); // as the h100\n'), ["chip h200"])
        self.assertEqual(found("lib/Plan/Rules.cpp", "// on an h200\n/* sm_90a */\n"), [])
        self.assertEqual(found("lib/Plan/Rules.cpp", "machine::hopperLimits().threadsPerBlock"), ["chip hopperLimits"])

    def test_names_are_at_home_in_the_folders_of_its_code(self):
        self.assertEqual(found("lib/Conversion/ArefToHopper/KernelPlan.cpp", "machine::hopperLimits()"), [])

    def test_a_number_by_its_name_or_by_itself(self):
        self.assertEqual(found("lib/Transforms/Split.cpp", "constexpr int64_t kThreads = 128;"), ["chip kThreads"])
        self.assertEqual(found("lib/Transforms/Split.cpp", "constexpr int kMost = 4, kGroupRows =\n 64;"),
                         ["chip kGroupRows"])
        self.assertEqual(found("lib/Transforms/Split.cpp", "if (bytes > 232448)"), ["chip 232448"])
        self.assertEqual(found("lib/Transforms/Split.cpp", "constexpr int kMost = 12;"), [])
        self.assertEqual(found("lib/Sparse/Legal.cpp", "constexpr int kMostRows = 12;"), [])

    def test_shapes_of_instructions_without_a_name(self):
        self.assertEqual(found("lib/Analysis/A.cpp", "return extent * bits % 256 == 0 && (columns <= 24);"),
                         ["chip %256", "chip columns<=24"])
        self.assertEqual(found("lib/Analysis/A.cpp", "return columns % step == 0 && rows > 1;"), [])
        self.assertEqual(found("lib/Machine/Layout.cpp", "assert(rows % 64 == 0);"), [])
        self.assertEqual(found("lib/Transforms/A.cpp", "constexpr int64_t kBeside = 24;"), ["chip kBeside"])

    def test_thresholds_are_at_home_nowhere(self):
        self.assertEqual(found("lib/Conversion/HopperToNvvm/A.cpp", "constexpr double kMargin = 0.1;"),
                         ["chip kMargin"])


class OtherKinds(unittest.TestCase):
    def test_a_call_reads_back_and_a_definition_does_not(self):
        self.assertEqual(found("lib/Transforms/A.cpp", "  if (steadyOutcome(op))\n"), ["readback steadyOutcome"])
        self.assertEqual(found("lib/Transforms/A.cpp", "std::optional<bool> heddle::steadyOutcome(scf::IfOp op) {\n"),
                         [])

    def test_times_make_a_model_and_extents_do_not(self):
        self.assertEqual(found("lib/Analysis/A.cpp", "return 2 * costs.copy.latency;"), ["model A"])
        self.assertEqual(found("lib/Analysis/A.cpp", "return costs.tensor.rows;"), [])
        self.assertEqual(found("lib/Machine/Costs.cpp", "return 2 * costs.copy.latency;"), [])

    def test_figures_compiled_in_are_a_description(self):
        self.assertEqual(found("include/heddle/Schedule/Problem.h", "struct Machine {\n  int most = 240;\n};\n"),
                         ["chip 240", "description Machine"])
        self.assertEqual(found("include/heddle/Schedule/Problem.h", "struct Machine {\n  int most = 0;\n};\n"), [])
        self.assertEqual(found("machines/h300.json", '{"target": "sm_90a"}'), ["description sm_90a"])

    def test_switches(self):
        self.assertEqual(found("include/heddle/Transforms/Passes.td", 'Option<"tail", "tail", "bool", "true", "x">'),
                         ["switch tail"])
        self.assertEqual(found("include/heddle/Plan/P.h", "enum class Tails { Never, Apart };"), ["switch Tails"])


class Ratchet(unittest.TestCase):
    ITEM = count_house.Item("chip", "lib/Plan/A.cpp", "kRows")
    LINE = "chip lib/Plan/A.cpp kRows: not yet\n"

    def test_what_is_listed_is_counted(self):
        counts, faults = count_house.judge({self.ITEM}, self.LINE)
        self.assertEqual((counts["chip"], faults), (1, []))

    def test_what_is_new_is_a_fault(self):
        self.assertIn("'kRows' is new of the kind chip", count_house.judge({self.ITEM}, "")[1][0])

    def test_what_is_gone_is_struck(self):
        self.assertIn("'kRows' is gone", count_house.judge(set(), self.LINE)[1][0])
        self.assertIn("'kRows' is gone", count_house.judge(set(), self.LINE.replace("chip", "plain", 1))[1][0])

    def test_what_is_plain_is_not_counted(self):
        counts, faults = count_house.judge({self.ITEM}, self.LINE.replace("chip", "plain", 1))
        self.assertEqual((counts["chip"], faults), (0, []))

    def test_a_line_has_a_reason_and_stands_once(self):
        self.assertIn("expected KIND PATH NAME: reason", count_house.read_list("chip a b\n")[2][0])
        self.assertIn("listed twice", count_house.read_list(2 * self.LINE)[2][0])

    def test_this_repository(self):
        done = subprocess.run([sys.executable, count_house.__file__], check=False, stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
