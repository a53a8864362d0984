#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the Python tests: run.py [LIBHEDDLE_RUNTIME.SO [LIBHEDDLE.SO [FAKE_DRIVER.SO]]]"""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "python"))

if __name__ == "__main__":
    if len(sys.argv) > 1:
        import heddle.runtime

        heddle.runtime.use_library(sys.argv[1])
    if len(sys.argv) > 2:
        heddle.use_compiler(sys.argv[2])
    if len(sys.argv) > 3:
        os.environ["FAKE_DRIVER"] = sys.argv[3]  # for tests that start a process with it
    tests = unittest.defaultTestLoader.discover(HERE)
    result = unittest.TextTestRunner().run(tests)
    sys.exit(not result.wasSuccessful())
