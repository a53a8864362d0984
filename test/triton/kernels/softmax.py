# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax along rows, a row a program."""

import numpy as np
import triton
import triton.language as tl
from case import Buffer, Case, Scalar

ROWS, COLUMNS = 6, 500


@triton.jit
def softmax(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * columns + offsets, e / tl.sum(e, axis=0), mask=mask)


def expected(inputs):
    x = inputs["x_ptr"]
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return {"out_ptr": e / e.sum(axis=1, keepdims=True)}


CASES = [
    Case(
        name="softmax",
        kernel=softmax,
        grid=(ROWS,),
        arguments={
            "x_ptr": Buffer((ROWS, COLUMNS)),
            "out_ptr": Buffer((ROWS, COLUMNS), fill="poison"),
            "columns": Scalar(COLUMNS),
        },
        constants={"BLOCK": 512},
        expected=expected,
        tolerance=2**-20,
    )
]
