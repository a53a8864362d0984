# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton side of bench/weights.py: f16 rows by 8-bit weights with a scale for each
128 of K, the corpus's kernel with the text of examples/gemm_int8.mlir. Tuned over a short list
by timing."""

import triton
from corpus_cases import load
from triton_tuning import tune

product = load("corpus", "matmul").matmul_weights
QUANTISED = 128

# (BM, BN, BK, stages, warps)
CONFIGS = [
    (128, 256, 64, 3, 8), (128, 128, 64, 3, 8), (128, 128, 64, 4, 4), (128, 128, 128, 3, 8),
    (128, 64, 64, 4, 4), (64, 128, 64, 4, 4), (64, 256, 64, 3, 8), (256, 64, 64, 3, 8),
]  # fmt: skip
FEW_ROWS = [
    (16, 16, 128, 4, 2), (16, 16, 128, 6, 4), (16, 32, 128, 4, 2), (16, 32, 128, 4, 4), (16, 32, 128, 6, 4),
    (16, 64, 128, 4, 4), (16, 64, 64, 6, 4), (16, 128, 64, 4, 4), (16, 32, 64, 8, 4),
]  # fmt: skip


def launch_of(kernel, one, config, **options):
    """A launch of `kernel` on a set (a, weights, scales, c); c is its result."""
    a, w, scales, c = one
    (m, k), n = a.shape, w.shape[0]
    bm, bn, bk, stages, warps = config
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
    return lambda: kernel[grid](
        a, w, scales, c, m, n, k, a.stride(0), w.stride(0), scales.stride(0), c.stride(0),
        BM=bm, BN=bn, BK=bk, QUANTISED=QUANTISED, GROUP=8, num_stages=stages, num_warps=warps, **options,
    )  # fmt: skip


def launches(sets):
    """(one launch for each set, description, failures)."""
    configs = FEW_ROWS if sets[0][0].shape[0] <= 16 else CONFIGS
    best, failures = tune(lambda config: launch_of(product, sets[0], config), configs)
    if best is None:
        raise RuntimeError("no configuration compiles: %s" % failures[0]["error"])
    return [launch_of(product, one, best) for one in sets], {"config": best}, failures
