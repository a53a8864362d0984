# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product whose K is divided among programs that add into C atomically."""

import triton
import triton.language as tl
from case import Buffer, Case, Scalar

M, N, K = 64, 64, 256
SPLITS = 4
BM, BN, BK = 64, 64, 32


@triton.jit
def matmul_split_k(
    a_ptr, b_ptr, c_ptr, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLITS: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    part = tl.cdiv(k, SPLITS)
    begin = tl.program_id(2) * part
    steps = begin + tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, part, BK):
        a = tl.load(a_ptr + rows[:, None] * k + steps[None, :])
        b = tl.load(b_ptr + steps[:, None] * n + columns[None, :])
        acc = tl.dot(a, b, acc)
        steps += BK
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.atomic_add(c_ptr + rows[:, None] * n + columns[None, :], acc, mask=inside)


CASES = [
    Case(
        name="matmul_split_k",
        kernel=matmul_split_k,
        grid=(M // BM, N // BN, SPLITS),
        arguments={
            "a_ptr": Buffer((M, K), "f16"),
            "b_ptr": Buffer((K, N), "f16"),
            "c_ptr": Buffer((M, N), fill="zeros"),
            "m": Scalar(M),
            "n": Scalar(N),
            "k": Scalar(K),
        },
        constants={"BM": BM, "BN": BN, "BK": BK, "SPLITS": SPLITS},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"]},
        tolerance=2**-18,
    )
]
