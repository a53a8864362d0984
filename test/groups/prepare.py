#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the packages of all groups of tests, one after another.

Nothing goes in, and nothing comes out: what cannot be installed is tried again, and told, by the
group that needs it. It is here so that a run of all tests fetches packages beside its first tests,
which take processors and no network; a group that comes too early waits at the lock.
"""

import importlib.util
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent


def load(path):
    """The module at `path`, of which several are called run.py."""
    spec = importlib.util.spec_from_file_location(f"group_{path.parent.name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    """The smallest first, since the groups come in no order of size."""
    triton, torch, tuner = (load(TESTS / group / "run.py") for group in ("triton", "torch", "tuner"))
    for version in triton.VERSIONS:
        triton.prepare(triton.cache_folder(version))
    tuner.environment.prepare("tuner-peers")
    torch.environments.prepare(torch.cache_folder(), torch.install)


if __name__ == "__main__":
    sys.exit(main())
