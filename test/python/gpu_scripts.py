# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes bench/ and test/gpu/ importable. `torch` is None where it is not installed."""

import os
import sys

from heddle import _compiler_capi

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
for folder in ("bench", os.path.join("test", "gpu")):
    sys.path.insert(0, os.path.join(ROOT, folder))

try:
    import torch
except ImportError:
    torch = None


def no_emulation():
    """Why tensors of torch cannot go through the emulator here; empty if they can."""
    if torch is None:
        return "torch is not installed"
    try:
        _compiler_capi.library()
    except OSError as error:
        return str(error)
    return ""
