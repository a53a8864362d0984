#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GEMM kernels against exact and float64 references, on a GPU.

    python3 test/gpu/gemm_correctness.py --kernel-dir build/kernels

For every shape, layout and type there are two tests, each of two launches in a
row into buffers that were poisoned with NaN:

  exact   operands are integers in [-2,2], so every sum is exact in fp32 whatever
          the order: C must equal the reference rounded to the output type.
          Operands and C are dense: odd sizes select the variants without TMA.
  normal  operands are N(0,1), and rows are padded to 16 bytes, so that TMA takes
          every size; operand padding is NaN, which must not be read into C.
          The largest |C - float64| / (|A|*|B|) must be at most twice cuBLAS's.

In both, guard bands before, between and after the outputs, and the padding of C,
must stay as they were. Exit code: 0 all passed, 1 some failed, 2 nothing could be
run or a required kernel is missing, 3 bad input.
"""

import argparse
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "bench"))
sys.path.insert(0, os.path.join(ROOT, "python"))
sys.path.insert(0, HERE)

import gemm_problem as problem  # noqa: E402
from gemm_checks import Checker, Watchdog  # noqa: E402

SIZES = (1, 17, 64, 128, 129, 1000, 4095, 4096)
K_STEP = 64  # of the kernels' tiles, for sizes around a full ring


def ring_depths(kernels):
    """Every ring depth in the kernels' manifests, 4 if none says."""
    depths = set()
    for path in kernels.values():
        with open(os.path.splitext(path)[0] + ".json") as file:
            for variant in json.load(file)["variants"]:
                depths.update(ring["depth"] for ring in variant.get("rings", []))
    return sorted(depths) or [4]


def k_sizes(depths):
    """The sizes, nothing, single steps of the instruction, and a full ring of
    depth D with a step less and more."""
    sizes = set(SIZES) | {0, 8, 16}
    for depth in depths:
        sizes |= {K_STEP * depth + delta for delta in (-K_STEP, 0, K_STEP)}
    return sorted(sizes)


def all_shapes(depths):
    return [(m, n, k) for k in k_sizes(depths) for m in SIZES for n in SIZES]


def quick_shapes(depths):
    """A subset in which each pair of M and N, of M and K and of N and K values
    comes up: position sums of 0 modulo the number of sizes (a Latin square)."""
    ks = k_sizes(depths)
    return [
        (m, n, k)
        for l, k in enumerate(ks)
        for i, m in enumerate(SIZES)
        for j, n in enumerate(SIZES)
        if (i + j + l) % len(SIZES) == 0
    ]


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernel-dir", default="build/kernels")
    parser.add_argument("--library", help="libheddle_runtime.so, if not in build/lib")
    parser.add_argument("--layouts", default=",".join(problem.LAYOUTS))
    parser.add_argument("--inputs", default=",".join(problem.INPUTS))
    parser.add_argument("--outputs", default=",".join(problem.OUTPUTS))
    parser.add_argument("--shape", action="append", default=[], metavar="MxNxK")
    parser.add_argument("--quick", action="store_true", help="an eighth of the shapes")
    parser.add_argument("--require-all", action="store_true", help="a missing kernel fails")
    parser.add_argument("--max-failures", type=int, default=40, help="stop after so many")
    parser.add_argument("--hang-seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    try:
        options.shape = [problem.parse_shape(text) for text in options.shape]
        options.layouts = options.layouts.split(",")
        options.inputs = [problem.type_name(text) for text in options.inputs.split(",")]
        options.outputs = [problem.type_name(text) for text in options.outputs.split(",")]
    except ValueError as error:
        print("gemm_correctness.py: error: %s" % error, file=sys.stderr)
        sys.exit(3)
    return options


def choose_shapes(options, paths):
    if options.shape:
        return options.shape
    depths = ring_depths(paths)
    # Empty results too: they must succeed and touch nothing.
    empty = [(0, 128, 64), (128, 0, 64)]
    return (quick_shapes(depths) if options.quick else all_shapes(depths)) + empty


def main(arguments=None):
    options = parse_options(arguments)
    import torch

    if not torch.cuda.is_available():
        print("gemm_correctness.py: there is no GPU here", file=sys.stderr)
        return 2
    torch.zeros(1, device="cuda")  # makes torch's context current for heddle
    import heddle.runtime

    if options.library:
        heddle.runtime.use_library(options.library)
    paths, missing = problem.find_kernels(
        options.kernel_dir, options.layouts, options.inputs, options.outputs
    )
    print("%d kernels in %s, %d missing" % (len(paths), options.kernel_dir, len(missing)))
    for key in missing:
        print("  missing: gemm_%s_%s_%s.ptx" % key)
    if not paths or (missing and options.require_all):
        return 2
    kernels = {key: heddle.runtime.Kernel(path) for key, path in paths.items()}
    checker = Checker(kernels, options.seed, options.max_failures, torch.device("cuda"))
    with Watchdog(options.hang_seconds) as watchdog:
        checker.run(choose_shapes(options, paths), watchdog)
    return checker.report()


if __name__ == "__main__":
    sys.exit(main())
