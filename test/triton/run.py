#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels here with Triton and emulates them: run.py HEDDLE FOLDER

Also looks whether the files in ttir/ are still what Triton writes.

Triton's wheel is used by this test alone. It goes into a virtual environment in
the user's cache, once; where PyPI cannot be reached the test is skipped.
"""

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = ["triton==3.6.0", "numpy>=1.26,<3"]


def cache_folder():
    root = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(root) / "heddle" / "triton-3.6.0"


def install(folder):
    """Why Triton could not be installed; None when it is there."""
    if (folder / "complete").exists():
        return None
    shutil.rmtree(folder / "venv", ignore_errors=True)
    steps = [
        [sys.executable, "-m", "venv", str(folder / "venv")],
        [str(folder / "venv/bin/python"), "-m", "pip", "install", "--quiet",
         "--disable-pip-version-check", "--timeout=20", "--retries=1", *PACKAGES],
    ]  # fmt: skip
    for step in steps:
        done = subprocess.run(
            step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        if done.returncode:
            lines = done.stdout.strip().splitlines()
            return f"{step[2]}: {lines[-1] if lines else 'failed'}"
    (folder / "complete").touch()
    return None


def prepare(folder):
    """The same for several tests at a time."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return install(folder)
    except OSError as error:
        return str(error)


def main():
    heddle, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    cache = cache_folder()
    reason = prepare(cache)
    if reason:
        print(f"remark: Triton's PTX is not tested, because it cannot be installed: {reason}")
        print("Ran 1 test in 0s\n\nOK (skipped=1)")
        return 0
    python = str(cache / "venv/bin/python")
    environment = dict(os.environ, TRITON_CACHE_DIR=str(folder / "cache"))
    for command in (
        ["ttir.py", "--check"], ["compile.py", str(folder)], ["check.py", heddle, str(folder)]
    ):  # fmt: skip
        done = subprocess.run([python, "-B", str(HERE / command[0]), *command[1:]], env=environment)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
