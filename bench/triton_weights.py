# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton side of bench/weights.py: f16 rows by 8-bit weights with a scale for each
128 of K, the text of examples/gemm_int8.mlir. Tuned over a short list by timing."""

import triton
import triton.language as tl
from triton_tuning import tune

GROUP = 128

# (BM, BN, BK, stages, warps)
CONFIGS = [
    (128, 256, 64, 3, 8), (128, 128, 64, 3, 8), (128, 128, 64, 4, 4), (128, 128, 128, 3, 8),
    (128, 64, 64, 4, 4), (64, 128, 64, 4, 4), (64, 256, 64, 3, 8), (256, 64, 64, 3, 8),
]  # fmt: skip
FEW_ROWS = [
    (16, 16, 128, 4, 2), (16, 16, 128, 6, 4), (16, 32, 128, 4, 2), (16, 32, 128, 4, 4), (16, 32, 128, 6, 4),
    (16, 64, 128, 4, 4), (16, 64, 64, 6, 4), (16, 128, 64, 4, 4), (16, 32, 64, 8, 4),
]  # fmt: skip


@triton.jit
def product(
    a_ptr, w_ptr, scale_ptr, c_ptr, m, n, k, stride_am, stride_wn, stride_sg, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, TURN: tl.constexpr,
):  # fmt: skip
    tiles_m = tl.cdiv(m, BM)
    tiles_n = tl.cdiv(n, BN)
    in_group = TURN * tiles_n
    first = tl.program_id(0) // in_group * TURN
    size = min(tiles_m - first, TURN)
    pid_m = first + tl.program_id(0) % in_group % size
    pid_n = tl.program_id(0) % in_group // size
    offs_m = pid_m * BM + tl.arange(0, BM)
    offs_n = pid_n * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (offs_m % m)[:, None] * stride_am + offs_k[None, :]
    w_ptrs = w_ptr + (offs_n % n)[None, :] * stride_wn + offs_k[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        left = k - step * BK
        a = tl.load(a_ptrs, mask=offs_k[None, :] < left, other=0.0)
        q = tl.load(w_ptrs, mask=offs_k[:, None] < left, other=0)
        scale = tl.load(scale_ptr + step * BK // GROUP * stride_sg + offs_n % n)
        acc = tl.dot(a, q.to(tl.float16) * scale[None, :], acc)
        a_ptrs += BK
        w_ptrs += BK
    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :]
    tl.store(c_ptrs, acc.to(tl.float16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


def launch_of(kernel, one, config, **options):
    """A launch of `kernel` on a set (a, weights, scales, c); c is its result."""
    a, w, scales, c = one
    (m, k), n = a.shape, w.shape[0]
    bm, bn, bk, stages, warps = config
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
    return lambda: kernel[grid](
        a, w, scales, c, m, n, k, a.stride(0), w.stride(0), scales.stride(0), c.stride(0),
        BM=bm, BN=bn, BK=bk, GROUP=GROUP, TURN=8, num_stages=stages, num_warps=warps, **options,
    )  # fmt: skip


def launches(sets):
    """(one launch for each set, description, failures)."""
    configs = FEW_ROWS if sets[0][0].shape[0] <= 16 else CONFIGS
    best, failures = tune(lambda config: launch_of(product, sets[0], config), configs)
    if best is None:
        raise RuntimeError("no configuration compiles: %s" % failures[0]["error"])
    return [launch_of(product, one, best) for one in sets], {"config": best}, failures
