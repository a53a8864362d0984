# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product through tensor descriptors that the kernel makes itself."""

import triton
import triton.language as tl
from case import Buffer, Case, Scalar

M, N, K = 130, 136, 128
BM, BN, BK = 64, 64, 64


@triton.jit
def matmul_device_descriptors(
    a_ptr, b_ptr, c_ptr, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    a_desc = tl.make_tensor_descriptor(a_ptr, [m, k], [k, 1], [BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, [k, n], [n, 1], [BK, BN])
    c_desc = tl.make_tensor_descriptor(c_ptr, [m, n], [n, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        acc = tl.dot(a_desc.load([row, first]), b_desc.load([first, column]), acc)
    c_desc.store([row, column], acc.to(tl.bfloat16))


CASES = [
    Case(
        name="matmul_device_descriptors",
        kernel=matmul_device_descriptors,
        grid=(triton.cdiv(M, BM), triton.cdiv(N, BN)),
        arguments={
            "a_ptr": Buffer((M, K), "bf16"),
            "b_ptr": Buffer((K, N), "bf16"),
            "c_ptr": Buffer((M, N), "bf16", "poison"),
            "m": Scalar(M),
            "n": Scalar(N),
            "k": Scalar(K),
        },
        constants={"BM": BM, "BN": BN, "BK": BK},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"]},
        tolerance=2**-8,
    )
]
