# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sum of two vectors, with a mask for the last block."""

import triton
import triton.language as tl
from case import Buffer, Case, Scalar

N = 3000


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


CASES = [
    Case(
        name="vector_add",
        kernel=vector_add,
        grid=(triton.cdiv(N, 1024),),
        arguments={
            "x_ptr": Buffer((N,)),
            "y_ptr": Buffer((N,)),
            "out_ptr": Buffer((N,), fill="poison"),
            "n": Scalar(N),
        },
        constants={"BLOCK": 1024},
        expected=lambda inputs: {"out_ptr": inputs["x_ptr"] + inputs["y_ptr"]},
        tolerance=2**-23,
    )
]
