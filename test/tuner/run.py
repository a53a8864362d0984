#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tuner's models with others': run.py HEDDLE_TUNER_CASES.

SciPy and scikit-learn go into a virtual environment in the user's cache, once; where PyPI cannot be
reached the test is skipped, and says so. GPyTorch brings PyTorch, some gigabytes, so its test runs
where `bench/tuner/study.py --prepare botorch` has installed it.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "bench/tuner"))
import environment


class Peers(unittest.TestCase):
    def compare(self, group, program):
        with tempfile.NamedTemporaryFile() as cases:
            subprocess.run([CASES], stdout=cases, check=True)
            done = subprocess.run([environment.python_of(group), HERE / program, cases.name],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_models(self):
        reason = environment.prepare("tuner-peers")
        if reason:
            print(f"remark: skipped, no SciPy and scikit-learn: {reason}")
            self.skipTest(reason)
        self.compare("tuner-peers", "peers.py")

    def test_gpytorch(self):
        if not environment.is_there("tuner-botorch"):
            print("remark: skipped, no GPyTorch, which takes gigabytes: bench/tuner/study.py --prepare botorch")
            self.skipTest("no GPyTorch")
        self.compare("tuner-botorch", "gpytorch_peer.py")


if __name__ == "__main__":
    CASES = sys.argv.pop(1)
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout))
