#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests that need Triton's wheel or numpy:

    run.py ptx HEDDLE FOLDER      Triton's PTX of all cases, emulated
    run.py ttir                   whether the files in ttir/ are still what Triton writes
    run.py corpus LIBHEDDLE.SO    heddle's of the corpus, from those files
    run.py tables LIBHEDDLE.SO    generated kernels: all ways to write, all atomics, all operations, control, what
                                  becomes several operations, what stays out
    run.py forms LIBHEDDLE.SO     kernels drawn from grammars of forms, against their meaning; more words are forms.py's
    run.py dropin LIBHEDDLE.SO LIBHEDDLE_RUNTIME.SO FAKE_DRIVER.SO
                                  kernel[grid](...) by heddle, to a driver that records

Each takes --triton=3.8 in front, for another version than 3.6. The packages go into
virtual environments in the user's cache, once; where PyPI cannot be reached the tests
are skipped.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "groups"))
import environments  # noqa: E402

TABLES = ("written", "atomics", "operations", "control", "expanded", "left_out")
VERSIONS = {"3.6": "3.6.0", "3.8": "3.8.0"}


def cache_folder(version="3.6"):
    root = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(root) / "heddle" / f"triton-{VERSIONS[version]}"


def install(folder):
    """Why Triton could not be installed; None when it is there."""
    steps = [
        [sys.executable, "-m", "venv", str(folder / "venv")],
        [str(folder / "venv/bin/python"), "-m", "pip", "install", "--quiet",
         "--disable-pip-version-check", "--timeout=20", "--retries=1",
         folder.name.replace("-", "=="), "numpy>=1.26,<3"],
    ]  # fmt: skip
    return environments.run_steps(folder, steps)


def prepare(folder):
    """The same for several tests at a time."""
    return environments.prepare(folder, install)


def commands_of(test, arguments):
    if test == "corpus":
        return [["corpus.py", *arguments]]
    if test == "forms":
        return [["forms.py", *arguments]]
    if test == "tables":
        return [[f"{table}.py", *arguments] for table in TABLES]
    if test == "dropin":
        return [["dropin.py", *arguments[:2]]]
    if test == "ttir":
        return [["ttir.py", "--check"]]
    heddle, folder = arguments
    return [["compile.py", folder], ["check.py", heddle, folder]]


def main():
    words, version = sys.argv[1:], "3.6"
    if words[0].startswith("--triton="):
        version = words.pop(0).partition("=")[2]
    test, *arguments = words
    cache = cache_folder(version)
    reason = prepare(cache)
    if reason:
        print(f"remark: {test} is not tested, because Triton cannot be installed: {reason}")
        print("Ran 1 test in 0s\n\nOK (skipped=1)")
        return 0
    python = str(cache / "venv/bin/python")
    environment = dict(os.environ, HEDDLE_CACHE_DIR="")
    if test == "ptx":
        environment["TRITON_CACHE_DIR"] = str(pathlib.Path(arguments[1]) / "cache")
    scratch = tempfile.TemporaryDirectory()
    if test == "dropin":
        # The runtime looks for the driver under its own name.
        os.symlink(arguments[2], os.path.join(scratch.name, "libcuda.so.1"))
        environment["LD_LIBRARY_PATH"] = scratch.name
        environment["FAKE_DRIVER"] = os.path.join(scratch.name, "libcuda.so.1")
    for command in commands_of(test, arguments):
        done = subprocess.run([python, "-B", str(HERE / command[0]), *command[1:]], env=environment)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
