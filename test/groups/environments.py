# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cached environments of packages that a group of tests needs.

A folder in the user's cache and the commands that fill it go in; the reason why it could not be
filled comes out, or None. A file `complete` says that it was; a lock lets several tests of one
group ask at a time. Not in test/ itself: there the folder triton would stand for the package.
"""

import fcntl
import shutil
import subprocess


def run_steps(folder, steps):
    """Makes folder/venv anew; `complete` is there when all commands went well."""
    shutil.rmtree(folder / "venv", ignore_errors=True)
    for step in steps:
        done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode:
            lines = done.stdout.strip().splitlines()
            return lines[-1] if lines else f"{step[:3]} failed"
    (folder / "complete").touch()
    return None


def prepare(folder, install):
    """`install(folder)`, unless it was done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return None if (folder / "complete").exists() else install(folder)
    except OSError as error:
        return str(error)
