# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product through tensor descriptors that the host made."""

import triton
import triton.language as tl
from case import Buffer, Case, Descriptor, Scalar

M, N, K = 130, 136, 128
BM, BN, BK = 64, 64, 64


@triton.jit
def matmul_host_descriptors(
    a_desc, b_desc, c_desc, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        a = a_desc.load([row, first])
        b = b_desc.load([column, first])
        acc = tl.dot(a, b.T, acc)
    c_desc.store([row, column], acc.to(tl.float16))


def make_case(name, ctas):
    return Case(
        name=name,
        kernel=matmul_host_descriptors,
        grid=(triton.cdiv(M, BM), triton.cdiv(N, BN)),
        arguments={
            "a_desc": Descriptor(Buffer((M, K), "f16"), (BM, BK)),
            "b_desc": Descriptor(Buffer((N, K), "f16"), (BN, BK)),
            "c_desc": Descriptor(Buffer((M, N), "f16", "poison"), (BM, BN)),
            "k": Scalar(K),
        },
        constants={"BM": BM, "BN": BN, "BK": BK},
        expected=lambda inputs: {"c_desc": inputs["a_desc"] @ inputs["b_desc"].T},
        tolerance=2**-11,
        ctas=ctas,
    )


CASES = [make_case("matmul_host_descriptors", 1), make_case("matmul_in_clusters", 2)]
