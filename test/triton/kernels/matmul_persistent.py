# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A persistent matrix product: two programs walk over all output tiles."""

import triton
import triton.language as tl
from case import Buffer, Case, Descriptor, Scalar

M, N, K = 192, 128, 128
BM, BN, BK = 64, 64, 64
PROGRAMS = 2


@triton.jit
def matmul_persistent(
    a_desc, b_desc, c_desc, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PROGRAMS: tl.constexpr,
):  # fmt: skip
    columns = tl.cdiv(n, BN)
    tiles = tl.cdiv(m, BM) * columns
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=True):
        row = tile // columns * BM
        column = tile % columns * BN
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for first in range(0, k, BK):
            acc = tl.dot(a_desc.load([row, first]), b_desc.load([first, column]), acc)
        c_desc.store([row, column], acc.to(tl.float16))


CASES = [
    Case(
        name="matmul_persistent",
        kernel=matmul_persistent,
        grid=(PROGRAMS,),
        arguments={
            "a_desc": Descriptor(Buffer((M, K), "f16"), (BM, BK)),
            "b_desc": Descriptor(Buffer((K, N), "f16"), (BK, BN)),
            "c_desc": Descriptor(Buffer((M, N), "f16", "poison"), (BM, BN)),
            "m": Scalar(M),
            "n": Scalar(N),
            "k": Scalar(K),
        },
        constants={"BM": BM, "BN": BN, "BK": BK, "PROGRAMS": PROGRAMS},
        expected=lambda inputs: {"c_desc": inputs["a_desc"] @ inputs["b_desc"]},
        tolerance=2**-11,
    )
]
