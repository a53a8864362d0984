#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles examples/gemm.mlir for every layout and type, for bench and GPU tests.

    python3 bench/compile_gemm.py --heddle build/bin/heddle --out build/kernels

Writes OUT/gemm_<layout>_<in>_<out>.ptx and .json (24 kernels). Results in f32
keep f32's accuracy: sums of 64 products are joined by ordinary additions, which
takes a narrower tile. Needs no GPU.
"""

import argparse
import itertools
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ORDERS = {"n": "#tile.order<1, 0>", "t": "#tile.order<0, 1>"}
EXACT = ["BN=128", "max_imprecise_acc=64 : i64"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "kernels"))
    parser.add_argument("--set", action="append", default=[], help="further settings, NAME=VALUE")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    kernels = itertools.product("nt", "nt", ["f16", "bf16"], ["f16", "bf16", "f32"])
    failed = 0
    for a, b, in_type, out_type in kernels:
        settings = [f"a_order={ORDERS[a]}", f"b_order={ORDERS[b]}", f"in={in_type}", f"out={out_type}"]
        settings += (EXACT if out_type == "f32" else []) + options.set
        path = os.path.join(options.out, f"gemm_{a}{b}_{in_type}_{out_type}.ptx")
        command = [options.heddle, "compile", os.path.join("examples", "gemm.mlir"), "-o", path]
        command += [text for setting in settings for text in ("--set", setting)]
        failed += subprocess.run(command, cwd=ROOT).returncode != 0
    print(f"{24 - failed} kernels in {options.out}, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
