# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products through pointers: wgmma in f16, and f32 inputs as tf32 and exact.

The small tile has too few rows for wgmma, so it takes mma.sync and ldmatrix.
"""

import triton
import triton.language as tl
from case import Buffer, Case, Scalar

M, N, K = 150, 100, 96


@triton.jit
def matmul_pointers(
    a_ptr, b_ptr, c_ptr, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    steps = tl.arange(0, BK)
    a_ptrs = a_ptr + rows[:, None] * k + steps[None, :]
    b_ptrs = b_ptr + steps[:, None] * n + columns[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        left = k - first
        a = tl.load(a_ptrs, mask=(rows[:, None] < m) & (steps[None, :] < left), other=0.0)
        b = tl.load(b_ptrs, mask=(steps[:, None] < left) & (columns[None, :] < n), other=0.0)
        acc = tl.dot(a, b, acc, input_precision=PRECISION)
        a_ptrs += BK
        b_ptrs += BK * n
    c_ptrs = c_ptr + rows[:, None] * n + columns[None, :]
    tl.store(c_ptrs, acc, mask=(rows[:, None] < m) & (columns[None, :] < n))


def make_case(name, element, tile, precision, tolerance):
    bm, bn, bk = tile
    return Case(
        name=name,
        kernel=matmul_pointers,
        grid=(triton.cdiv(M, bm), triton.cdiv(N, bn)),
        arguments={
            "a_ptr": Buffer((M, K), element),
            "b_ptr": Buffer((K, N), element),
            "c_ptr": Buffer((M, N), fill="poison"),
            "m": Scalar(M),
            "n": Scalar(N),
            "k": Scalar(K),
        },
        constants={"BM": bm, "BN": bn, "BK": bk, "PRECISION": precision},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"]},
        tolerance=tolerance,
    )


CASES = [
    make_case("matmul_pointers", "f16", (64, 64, 32), "tf32", 2**-18),
    make_case("matmul_small_tile", "f16", (32, 32, 32), "tf32", 2**-18),
    make_case("matmul_tf32", "f32", (64, 64, 32), "tf32", 2**-9),
    make_case("matmul_f32", "f32", (32, 32, 32), "ieee", 2**-18),
]
