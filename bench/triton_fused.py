# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton side of bench/fused.py: persistent TMA kernels that compute, in one
kernel each, the gated product of two products and a product with the sums of its
left operand's rows. Tuned over a short list by timing, as bench/triton_gemm.py's;
configurations with a wrong result are left out and named, as those that do not
compile.

Where the rows of the tile that the product reads are summed element by element, Triton
3.6 and 3.8 let TMA overwrite a slot of B under a wgmma that still reads it: `heddle
emulate` reports that race, and wrong elements of C, at 512 x 512 x 512 for all of them
that compile. So the sums are also tried as a product with ones.
"""

import triton
import triton.language as tl
from triton_gemm import GROUP_M, descriptor, tile_position
from triton_tuning import triton_type, tune

# (BM, BN, BK, stages, warps, flattened loop)
DUAL_CONFIGS = [
    (128, 128, 64, 3, 8, True),
    (128, 128, 64, 4, 8, True),
    (128, 128, 64, 3, 8, False),
    (128, 128, 64, 4, 8, False),
    (256, 64, 64, 3, 8, True),
    (128, 64, 64, 4, 8, False),
    (128, 64, 64, 4, 4, False),
    (64, 128, 64, 4, 4, False),
    (128, 128, 32, 4, 8, False),
]
# The same, and whether rows are summed as a product with ones.
REDUCTION_CONFIGS = [
    (*tile, ones)
    for ones in (False, True)
    for tile in (
        (128, 256, 64, 3, 8, True),
        (128, 256, 64, 3, 8, False),
        (256, 128, 64, 3, 8, False),
        (128, 128, 64, 4, 8, False),
        (128, 128, 64, 4, 4, False),
        (128, 128, 64, 3, 4, True),
        (128, 128, 128, 3, 8, False),
    )
]


@triton.jit
def dual_gemm(
    a_desc, b1_desc, b2_desc, c_desc, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    GROUP: tl.constexpr, PROGRAMS: tl.constexpr, FLATTEN: tl.constexpr, OUT: tl.constexpr,
):  # fmt: skip
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    steps = tl.cdiv(K, BK)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=FLATTEN):
        pid_m, pid_n = tile_position(tile, tiles_m, tiles_n, GROUP)
        up = tl.zeros((BM, BN), dtype=tl.float32)
        gate = tl.zeros((BM, BN), dtype=tl.float32)
        for step in range(steps):
            a = a_desc.load([pid_m * BM, step * BK])
            b1 = b1_desc.load([pid_n * BN, step * BK])
            b2 = b2_desc.load([pid_n * BN, step * BK])
            up = tl.dot(a, b1.T, up)
            gate = tl.dot(a, b2.T, gate)
        result = up * (gate / (1.0 + tl.exp(-gate)))
        c_desc.store([pid_m * BM, pid_n * BN], result.to(OUT))


@triton.jit
def gemm_reduction(
    a_desc, b_desc, c_desc, y_ptr, M, N, K,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
    GROUP: tl.constexpr, PROGRAMS: tl.constexpr, FLATTEN: tl.constexpr, OUT: tl.constexpr,
    ONES: tl.constexpr,
):  # fmt: skip
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    steps = tl.cdiv(K, BK)
    ones = tl.full((BK, 16), 1.0, dtype=OUT)
    for tile in tl.range(tl.program_id(0), tiles_m * tiles_n, PROGRAMS, flatten=FLATTEN):
        pid_m, pid_n = tile_position(tile, tiles_m, tiles_n, GROUP)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        total = tl.zeros((BM,), dtype=tl.float32)
        totals = tl.zeros((BM, 16), dtype=tl.float32)
        for step in range(steps):
            a = a_desc.load([pid_m * BM, step * BK])
            b = b_desc.load([pid_n * BN, step * BK])
            acc = tl.dot(a, b.T, acc)
            if ONES:
                totals = tl.dot(a, ones, totals)
            else:
                total += tl.sum(a.to(tl.float32), axis=1)
        if ONES:  # all 16 columns are the sums
            total = tl.max(totals, axis=1)
        c_desc.store([pid_m * BM, pid_n * BN], acc.to(OUT))
        if pid_n == 0:
            rows = pid_m * BM + tl.arange(0, BM)
            tl.store(y_ptr + rows, total, mask=rows < M)


def dual_launch(a, b1, b2, c, programs, config):
    bm, bn, bk, stages, warps, flatten = config
    (m, k), n = a.shape, b1.shape[0]
    arguments = [descriptor(a, bm, bk), descriptor(b1, bn, bk), descriptor(b2, bn, bk)]
    arguments += [descriptor(c, bm, bn), m, n, k]
    return launch(dual_gemm, arguments, (m, n), programs, config, c)


def reduction_launch(a, b, c, y, programs, config):
    *tile, ones = config
    bm, bn, bk, stages, warps, flatten = tile
    (m, k), n = a.shape, b.shape[0]
    arguments = [descriptor(a, bm, bk), descriptor(b, bn, bk), descriptor(c, bm, bn)]
    arguments += [y, m, n, k]
    return launch(gemm_reduction, arguments, (m, n), programs, tile, c, ONES=ones)


def launch(kernel, arguments, extents, programs, config, c, **constants):
    bm, bn, bk, stages, warps, flatten = config
    grid = (min(programs, triton.cdiv(extents[0], bm) * triton.cdiv(extents[1], bn)),)
    out = triton_type(c.dtype)
    return lambda: kernel[grid](
        *arguments,
        BM=bm, BN=bn, BK=bk, GROUP=GROUP_M, PROGRAMS=grid[0], FLATTEN=flatten, OUT=out,
        num_stages=stages, num_warps=warps, **constants,
    )  # fmt: skip


MAKERS = {
    "dual_gemm": (dual_launch, DUAL_CONFIGS),
    "gemm_reduction": (reduction_launch, REDUCTION_CONFIGS),
}


def launches(program, sets, programs, why_wrong):
    """(one launch function per set of operands, description, failures). `why_wrong` says
    of a launch on the first set what is wrong with its result, if anything is."""
    make_one, configs = MAKERS[program]
    make = lambda config: make_one(*sets[0], programs, config)
    best, failures = tune(make, configs, why_wrong=why_wrong)
    if best is None:
        reasons = sorted({failure["error"] for failure in failures})
        raise RuntimeError("no Triton configuration works: " + "; ".join(reasons))
    description = {"kernel": "persistent TMA", "config": best}
    return [make_one(*one, programs, best) for one in sets], description, failures
