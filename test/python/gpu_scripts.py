# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes bench/ and test/gpu/ importable. `torch` is None where it is not installed."""

import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
for folder in ("bench", os.path.join("test", "gpu")):
    sys.path.insert(0, os.path.join(ROOT, folder))

try:
    import torch
except ImportError:
    torch = None
