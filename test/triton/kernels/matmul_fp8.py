# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products of 8-bit floats, with wgmma and, in a small tile, without."""

import triton
import triton.language as tl
from case import Buffer, Case, Scalar

M, N, K = 128, 64, 128


@triton.jit
def matmul_fp8(
    a_ptr, b_ptr, c_ptr, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    steps = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        a = tl.load(a_ptr + rows[:, None] * k + (first + steps)[None, :])
        # B is stored by columns: wgmma takes 8-bit operands K-major only.
        b = tl.load(b_ptr + columns[None, :] * k + (first + steps)[:, None])
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], acc.to(tl.float16))


def make_case(name, element, tile):
    bm, bn, bk = tile
    return Case(
        name=name,
        kernel=matmul_fp8,
        grid=(M // bm, N // bn),
        arguments={
            "a_ptr": Buffer((M, K), element),
            "b_ptr": Buffer((N, K), element),
            "c_ptr": Buffer((M, N), "f16", "poison"),
            "m": Scalar(M),
            "n": Scalar(N),
            "k": Scalar(K),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"].T},
        tolerance=2**-11,
    )


CASES = [
    make_case("matmul_e4m3", "e4m3", (64, 64, 64)),
    make_case("matmul_e5m2", "e5m2", (64, 64, 64)),
    make_case("matmul_e4m3_small_tile", "e4m3", (32, 32, 64)),
]
