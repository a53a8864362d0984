# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer normalisation of f16 rows with weight and bias."""

import numpy as np
import triton
import triton.language as tl
from case import Buffer, Case, Scalar

ROWS, COLUMNS = 5, 1000
EPSILON = 1e-5


@triton.jit
def layer_norm(x_ptr, weight_ptr, bias_ptr, out_ptr, columns, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / columns
    centred = tl.where(mask, x - mean, 0.0)
    variance = tl.sum(centred * centred, axis=0) / columns
    weight = tl.load(weight_ptr + offsets, mask=mask, other=0.0)
    bias = tl.load(bias_ptr + offsets, mask=mask, other=0.0)
    out = centred * tl.rsqrt(variance + epsilon) * weight + bias
    tl.store(out_ptr + row * columns + offsets, out.to(tl.float16), mask=mask)


def expected(inputs):
    x = inputs["x_ptr"]
    centred = x - x.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1, keepdims=True)
    normal = centred / np.sqrt(variance + EPSILON)
    return {"out_ptr": normal * inputs["weight_ptr"] + inputs["bias_ptr"]}


CASES = [
    Case(
        name="layer_norm",
        kernel=layer_norm,
        grid=(ROWS,),
        arguments={
            "x_ptr": Buffer((ROWS, COLUMNS), "f16"),
            "weight_ptr": Buffer((COLUMNS,)),
            "bias_ptr": Buffer((COLUMNS,)),
            "out_ptr": Buffer((ROWS, COLUMNS), "f16", "poison"),
            "columns": Scalar(COLUMNS),
            "epsilon": Scalar(EPSILON, "f32"),
        },
        constants={"BLOCK": 1024},
        expected=expected,
        tolerance=2**-10,
    )
]
