#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tuner's models with SciPy's and scikit-learn's: run.py HEDDLE_TUNER_CASES.

The packages go into a virtual environment in the user's cache, once; where PyPI cannot be
reached the test is skipped, and says so.
"""

import fcntl
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ["numpy==2.4.6", "scipy==1.17.1", "scikit-learn==1.9.1"]


def cache_folder():
    root = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(root) / "heddle" / "tuner-peers"


def prepare(folder):
    """Why the packages are not there, or None."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if (folder / "complete").exists():
                return None
            for step in ([sys.executable, "-m", "venv", "--clear", str(folder / "venv")],
                         [str(folder / "venv/bin/python"), "-m", "pip", "install", "--quiet",
                          "--disable-pip-version-check", "--timeout=20", "--retries=1", *PACKAGES]):
                done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      errors="replace")
                if done.returncode:
                    return (done.stdout.strip().splitlines() or ["failed"])[-1]
            (folder / "complete").touch()
            return None
    except OSError as error:
        return str(error)


class Peers(unittest.TestCase):
    def test_models(self):
        reason = prepare(cache_folder())
        if reason:
            print(f"remark: skipped, no SciPy and scikit-learn: {reason}")
            self.skipTest(reason)
        with tempfile.NamedTemporaryFile() as cases:
            subprocess.run([CASES], stdout=cases, check=True)
            done = subprocess.run([cache_folder() / "venv/bin/python", HERE / "peers.py", cases.name],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    CASES = sys.argv.pop(1)
    unittest.main(testRunner=unittest.TextTestRunner(stream=sys.stdout))
