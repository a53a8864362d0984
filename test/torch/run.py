#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests that need PyTorch: run.py LIBHEDDLE.SO [PATTERN]

PyTorch goes into a virtual environment in the user's cache, once, with Triton: 750 MB to fetch,
2 GB on disk, without the 3 GB of CUDA's packages (absent.py stands in for them). Where it
cannot be had the tests are skipped, and say so.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "groups"))
import environments  # noqa: E402

TORCH = "torch==2.15.0"
TRITON = "triton==3.8.0"
NEEDS = ["filelock", "typing-extensions", "sympy", "mpmath", "networkx", "jinja2", "MarkupSafe", "fsspec",
         "numpy>=1.26,<3", "setuptools"]


def cache_folder():
    root = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(root) / "heddle" / "-".join((TORCH, TRITON)).replace("==", "-")


def install(folder):
    """Why PyTorch could not be installed; None when it is there."""
    for tool in ("cc", "nm", "readelf"):
        if not shutil.which(tool):
            return f"there is no {tool}"
    python = str(folder / "venv/bin/python")
    find = "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0] + '/lib')"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout=20", "--retries=1",
           "--no-deps"]  # fmt: skip
    steps = [
        [sys.executable, "-m", "venv", str(folder / "venv")],
        # Triton may be in pip's cache, since other tests have it; PyTorch would only fill that.
        [*pip, "--no-cache-dir", TORCH],
        [*pip, TRITON, *NEEDS],
        ["sh", "-c", f'"$0" "$1" "$("$2" -c "{find}")"', sys.executable, str(HERE / "absent.py"), python],
        [python, "-c", "import torch; assert not torch.cuda.is_available()"],
    ]  # fmt: skip
    return environments.run_steps(folder, steps)


def run(library, pattern):
    """The tests, in the environment's interpreter."""
    sys.path.insert(0, str(HERE.parents[1] / "python"))
    import heddle

    heddle.use_compiler(library)
    tests = unittest.defaultTestLoader.discover(str(HERE), pattern=pattern)
    return not unittest.TextTestRunner(warnings="ignore").run(tests).wasSuccessful()


def main():
    library, pattern = sys.argv[1], (sys.argv + ["test_*.py"])[2]
    if "HEDDLE_TORCH_TESTS" in os.environ:
        return run(library, pattern)
    folder = cache_folder()
    reason = environments.prepare(folder, install)
    if reason:
        print(f"remark: PyTorch's door is not tested, because PyTorch cannot be installed: {reason}")
        print("Ran 1 test in 0s\n\nOK (skipped=1)")
        return 0
    command = [str(folder / "venv/bin/python"), "-B", __file__, library, pattern]
    return subprocess.run(command, env=dict(os.environ, HEDDLE_TORCH_TESTS="1")).returncode


if __name__ == "__main__":
    sys.exit(main())
