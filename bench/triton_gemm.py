# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton side of bench/gemm.py: a persistent TMA kernel and a pointer kernel.

The persistent kernel is the usual one: as many programs as SMs, tiles in groups
for the L2, host-side tensor descriptors, fp32 accumulation, optionally an epilogue
in two halves to leave shared memory to the pipeline. Tensors that TMA cannot
describe (a row of 4095 halves) take the pointer kernel. Both are tuned over a
short list by timing; configurations that do not compile are left out and named.
"""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor
from triton_tuning import triton_type, tune

# (BM, BN, BK, stages, warps, split epilogue, flattened loop)
TMA_CONFIGS = [
    (128, 256, 64, 3, 8, True, True),
    (128, 256, 64, 4, 8, True, True),
    (128, 256, 64, 3, 8, False, True),
    (128, 256, 64, 3, 8, True, False),
    (256, 128, 64, 3, 8, True, True),
    (256, 128, 64, 4, 8, True, True),
    (128, 128, 64, 4, 4, True, True),
    (128, 128, 64, 4, 8, False, True),
    (128, 128, 128, 3, 8, True, True),
]

# (BM, BN, BK, stages, warps)
POINTER_CONFIGS = [
    (128, 256, 64, 3, 8),
    (128, 256, 32, 4, 8),
    (256, 128, 64, 3, 8),
    (128, 128, 64, 3, 8),
    (128, 128, 32, 4, 4),
    (128, 128, 64, 4, 4),
]

GROUP_M = 8


@triton.jit
def tile_position(tile, tiles_m, tiles_n, GROUP_M: tl.constexpr):
    # Groups of GROUP_M rows of tiles, walked down first: neighbours share B in L2.
    per_group = GROUP_M * tiles_n
    first_m = (tile // per_group) * GROUP_M
    rows = min(tiles_m - first_m, GROUP_M)
    return first_m + (tile % per_group) % rows, (tile % per_group) // rows


@triton.jit
def gemm_tma(
    a_desc, b_desc, c_desc, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    A_T: tl.constexpr, B_T: tl.constexpr,
    GROUP_M: tl.constexpr, PROGRAMS: tl.constexpr,
    SPLIT: tl.constexpr, FLATTEN: tl.constexpr, OUT: tl.constexpr,
):  # fmt: skip
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    steps = tl.cdiv(K, BK)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=FLATTEN):
        pid_m, pid_n = tile_position(tile, tiles_m, tiles_n, GROUP_M)
        m = pid_m * BM
        n = pid_n * BN
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for step in range(steps):
            k = step * BK
            if A_T:
                a = a_desc.load([k, m]).T
            else:
                a = a_desc.load([m, k])
            if B_T:
                b = b_desc.load([n, k]).T
            else:
                b = b_desc.load([k, n])
            acc = tl.dot(a, b, acc)
        if SPLIT:
            halves = tl.permute(tl.reshape(acc, (BM, 2, BN // 2)), (0, 2, 1))
            left, right = tl.split(halves)
            c_desc.store([m, n], left.to(OUT))
            c_desc.store([m, n + BN // 2], right.to(OUT))
        else:
            c_desc.store([m, n], acc.to(OUT))


@triton.jit
def gemm_pointers(
    a_ptr, b_ptr, c_ptr, M, N, K,
    stride_am, stride_ak, stride_bk, stride_bn, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    GROUP_M: tl.constexpr, OUT: tl.constexpr,
):  # fmt: skip
    pid_m, pid_n = tile_position(tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN), GROUP_M)
    offs_m = pid_m * BM + tl.arange(0, BM)
    offs_n = pid_n * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    # Rows beyond the edge read others again and are not stored.
    a_ptrs = a_ptr + (offs_m % M)[:, None] * stride_am + offs_k[None, :] * stride_ak
    b_ptrs = b_ptr + offs_k[:, None] * stride_bk + (offs_n % N)[None, :] * stride_bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(tl.cdiv(K, BK)):
        left = K - step * BK
        a = tl.load(a_ptrs, mask=offs_k[None, :] < left, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < left, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :]
    tl.store(c_ptrs, acc.to(OUT), mask=(offs_m[:, None] < M) & (offs_n[None, :] < N))


def can_use_tma(*tensors):
    return all(
        tensor.data_ptr() % 16 == 0 and tensor.stride(0) * tensor.element_size() % 16 == 0
        for tensor in tensors
    )


def descriptor(tensor, rows, columns):
    return TensorDescriptor(tensor, list(tensor.shape), list(tensor.stride()), [rows, columns])


def tma_launch(layout, a, b, c, m, n, k, config, programs):
    """A function that launches the persistent kernel on stored matrices."""
    bm, bn, bk, stages, warps, split, flatten = config
    a_t, b_t = layout[0] == "t", layout[1] == "t"
    a_desc = descriptor(a, *((bk, bm) if a_t else (bm, bk)))
    b_desc = descriptor(b, *((bn, bk) if b_t else (bk, bn)))
    c_desc = descriptor(c, bm, bn // 2 if split else bn)
    grid = (min(programs, triton.cdiv(m, bm) * triton.cdiv(n, bn)),)
    out = triton_type(c.dtype)

    def launch():
        gemm_tma[grid](
            a_desc, b_desc, c_desc, m, n, k,
            BM=bm, BN=bn, BK=bk, A_T=a_t, B_T=b_t,
            GROUP_M=GROUP_M, PROGRAMS=grid[0], SPLIT=split, FLATTEN=flatten, OUT=out,
            num_stages=stages, num_warps=warps,
        )  # fmt: skip

    return launch


def pointer_launch(layout, a, b, c, m, n, k, config, programs):
    """The same for the pointer kernel."""
    bm, bn, bk, stages, warps = config
    a_m, a_k = (a.stride(1), a.stride(0)) if layout[0] == "t" else a.stride()
    b_k, b_n = (b.stride(1), b.stride(0)) if layout[1] == "t" else b.stride()
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
    out = triton_type(c.dtype)

    def launch():
        gemm_pointers[grid](
            a, b, c, m, n, k, a_m, a_k, b_k, b_n, c.stride(0),
            BM=bm, BN=bn, BK=bk, GROUP_M=GROUP_M, OUT=out,
            num_stages=stages, num_warps=warps,
        )  # fmt: skip

    return launch


def launches(layout, sets, m, n, k, programs):
    """(one launch function per set (a, b, c), description, failures)."""
    use_tma = all(can_use_tma(*one) for one in sets)
    make_one = tma_launch if use_tma else pointer_launch
    configs = TMA_CONFIGS if use_tma else POINTER_CONFIGS

    def make(one):
        return lambda config: make_one(layout, *one, m, n, k, config, programs)

    best, failures = tune(make(sets[0]), configs)
    if best is None:
        reasons = sorted({failure["error"] for failure in failures})
        raise RuntimeError("no Triton configuration works: " + "; ".join(reasons))
    description = {"kernel": "persistent TMA" if use_tma else "pointers", "config": best}
    return [make(one)(best) for one in sets], description, failures
