# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What run_tests.py makes of groups and of what they print."""

import contextlib
import io
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import run_tests


class Groups(unittest.TestCase):
    def test_programs_come_before_googletests(self):
        groups = [(run_tests.run_gtest, "A", [], ""), (run_tests.run_program, "b", []),
                  (run_tests.run_gtest, "C", [], ""), (run_tests.run_program, "d", [])]  # fmt: skip
        self.assertEqual([group[1] for group in run_tests.longest_first(groups)], ["b", "d", "A", "C"])

    def test_counts_what_unittest_prints(self):
        text = "remark: no GPU\\nFAIL: test_a (T)\\nRan 5 tests in 1.0s\\n\\nFAILED (failures=1, skipped=2)\\n"
        with contextlib.redirect_stdout(io.StringIO()):  # run_tests.py reads what these tests print
            tally = run_tests.run_program("one", [sys.executable, "-c", f"print('{text}'); exit(1)"])
        self.assertEqual((tally.passed, tally.failures, tally.skipped), (2, ["test_a (T)"], 2))

    def test_a_program_that_dies_is_a_failure(self):
        tally = run_tests.run_program("one", [sys.executable, "-c", "exit(3)"])
        self.assertEqual((tally.passed, tally.failures), (0, ["one ended with status 3"]))


if __name__ == "__main__":
    unittest.main()
