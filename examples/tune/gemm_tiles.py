#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures tiles of examples/gemm.mlir for `heddle tune`, in cycles of heddle's schedule for a
million multiplications and additions. What the compiler refuses is invalid, for the reason that it
gives. HEDDLE names the compiler.

    heddle tune examples/tune/gemm_tiles.json --command "python3 examples/tune/gemm_tiles.py"
"""

import json
import os
import pathlib
import re
import subprocess
import sys

KERNEL = pathlib.Path(__file__).resolve().parent.parent / "gemm.mlir"


def measure(point):
    settings = [f"--set={name}={value}" for name, value in point.items()]
    done = subprocess.run([os.environ.get("HEDDLE", "heddle"), "explain", KERNEL, "--alternatives=none", *settings],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if interval := re.search(r"an iteration every (\d+) cycles", done.stdout):
        return {"value": int(interval[1]) / (point["BM"] * point["BN"] * point["BK"]) * 1e6}
    reason = re.search(r"\[([a-z-]+)\]", done.stdout)
    return {"valid": False, "reason": reason[1] if reason else "not-scheduled"}


for line in sys.stdin:
    print(json.dumps(measure(json.loads(line)["point"])), flush=True)
