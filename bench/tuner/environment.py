# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages that the tuner is compared with, in virtual environments of the user's cache.

A group is a name with its packages; it is installed once. Where PyPI cannot be reached, `prepare`
says why, and whoever asked goes on without the group.
"""

import fcntl
import os
import pathlib
import subprocess
import sys

GROUPS = {
    "tuner-peers": ["numpy==2.4.6", "scipy==1.17.1", "scikit-learn==1.9.1"],
    "tuner-study": ["opentuner==0.8.8", "optuna==5.0.0", "smac==2.4.1"],
    "tuner-botorch": ["botorch==0.18.1"],  # with PyTorch: some gigabytes
}


def folder_of(group):
    root = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(root) / "heddle" / group


def python_of(group):
    return folder_of(group) / "venv/bin/python"


def is_there(group):
    return (folder_of(group) / "complete").exists()


def prepare(group):
    """Why the packages are not there, or None."""
    folder = folder_of(group)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if is_there(group):
                return None
            for step in ([sys.executable, "-m", "venv", "--clear", str(folder / "venv")],
                         [str(python_of(group)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                          "--timeout=20", "--retries=1", *GROUPS[group]]):
                done = subprocess.run(step, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      errors="replace")
                if done.returncode:
                    return (done.stdout.strip().splitlines() or ["failed"])[-1]
            (folder / "complete").touch()
            return None
    except OSError as error:
        return str(error)
