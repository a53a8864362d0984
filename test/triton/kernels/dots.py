# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One product of each kind that the tensor cores know, in tiles for wgmma and mma."""

import triton
import triton.language as tl
from case import Buffer, Case


@triton.jit
def dots(
    a_ptr, b_ptr, c_ptr,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr, OUT: tl.constexpr,
):  # fmt: skip
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    k = tl.arange(0, K)
    a = tl.load(a_ptr + m[:, None] * K + k[None, :])
    b = tl.load(b_ptr + n[None, :] * K + k[:, None])
    c = tl.dot(a, b, input_precision=PRECISION, out_dtype=OUT)
    tl.store(c_ptr + m[:, None] * N + n[None, :], c)


def make_case(name, tile, element, result, out, tolerance, precision="ieee", warps=4):
    m, n, k = tile
    return Case(
        name=name,
        kernel=dots,
        grid=(1,),
        arguments={
            "a_ptr": Buffer((m, k), element, "small" if element == "i8" else "normal"),
            "b_ptr": Buffer((n, k), element, "small" if element == "i8" else "normal"),
            "c_ptr": Buffer((m, n), result, "poison"),
        },
        constants={"M": m, "N": n, "K": k, "PRECISION": precision, "OUT": out},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"].T},
        tolerance=tolerance,
        warps=warps,
    )


CASES = [
    make_case("dot_i8", (64, 64, 64), "i8", "i32", tl.int32, 0),
    make_case("dot_i8_small_tile", (32, 32, 64), "i8", "i32", tl.int32, 0),
    make_case("dot_f16_in_f16", (64, 64, 64), "f16", "f16", tl.float16, 2**-9),
    make_case("dot_bf16_two_groups", (128, 64, 32), "bf16", "f32", tl.float32, 2**-18, warps=8),
    make_case("dot_bf16_small_tile", (16, 16, 16), "bf16", "f32", tl.float32, 2**-18, warps=1),
    make_case("dot_f64", (32, 32, 32), "f64", "f64", tl.float64, 2**-48),
    make_case("dot_f64_wide", (64, 64, 32), "f64", "f64", tl.float64, 2**-48),
    make_case("dot_tf32x3", (64, 64, 32), "f32", "f32", tl.float32, 2**-18, "tf32x3"),
    make_case("dot_tf32_small_tile", (32, 32, 32), "f32", "f32", tl.float32, 2**-9, "tf32"),
    make_case("dot_bf16x3", (64, 64, 32), "f32", "f32", tl.float32, 2**-14, "bf16x3"),
    make_case("dot_e5m2_small_tile", (32, 32, 64), "e5m2", "f32", tl.float32, 2**-18),
]
