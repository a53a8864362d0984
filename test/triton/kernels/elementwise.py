# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of each element: what libdevice and the back end make of them."""

import math

import numpy as np
import triton
import triton.language as tl
from case import Buffer, Case, Scalar
from triton.language.extra import libdevice

N = 512


@triton.jit
def store(out_ptr, row, value, offsets, N: tl.constexpr):
    tl.store(out_ptr + row * N + offsets, value)


@triton.jit
def float_functions(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    o = tl.arange(0, N)
    x = tl.load(x_ptr + o)
    y = tl.load(y_ptr + o)
    positive = tl.abs(x) + 0.125
    store(out_ptr, 0, tl.exp(x), o, N)
    store(out_ptr, 1, tl.exp2(y), o, N)
    store(out_ptr, 2, tl.log(positive), o, N)
    store(out_ptr, 3, tl.log2(positive), o, N)
    store(out_ptr, 4, tl.sin(x), o, N)
    store(out_ptr, 5, tl.cos(y), o, N)
    store(out_ptr, 6, tl.sqrt(positive), o, N)
    store(out_ptr, 7, tl.rsqrt(positive), o, N)
    store(out_ptr, 8, tl.erf(x), o, N)
    store(out_ptr, 9, tl.sigmoid(y), o, N)
    store(out_ptr, 10, tl.floor(4 * x), o, N)
    store(out_ptr, 11, tl.ceil(4 * y), o, N)
    store(out_ptr, 12, tl.fma(x, y, x), o, N)
    store(out_ptr, 13, x / positive, o, N)
    store(out_ptr, 14, tl.div_rn(y, positive), o, N)
    store(out_ptr, 15, tl.sqrt_rn(positive), o, N)
    store(out_ptr, 16, tl.minimum(x, y), o, N)
    store(out_ptr, 17, tl.clamp(x, -0.5, 0.5), o, N)
    store(out_ptr, 18, libdevice.tanh(x), o, N)
    store(out_ptr, 19, libdevice.pow(positive, y), o, N)
    store(out_ptr, 20, libdevice.log1p(positive), o, N)
    store(out_ptr, 21, libdevice.atan2(x, y), o, N)
    store(out_ptr, 22, libdevice.rint(4 * x), o, N)
    store(out_ptr, 23, libdevice.fast_expf(x), o, N)
    store(out_ptr, 24, libdevice.cyl_bessel_i0(x), o, N)
    store(out_ptr, 25, libdevice.cbrt(x), o, N)
    store(out_ptr, 26, libdevice.fmod(4 * x, positive), o, N)
    store(out_ptr, 27, libdevice.lgamma(positive), o, N)


def expected_floats(inputs):
    x, y = inputs["x_ptr"], inputs["y_ptr"]
    positive = np.abs(x) + 0.125
    return {
        "out_ptr": np.stack([
            np.exp(x), np.exp2(y), np.log(positive), np.log2(positive), np.sin(x), np.cos(y),
            np.sqrt(positive), 1 / np.sqrt(positive), np.vectorize(math.erf)(x),
            1 / (1 + np.exp(-y)), np.floor(4 * x), np.ceil(4 * y), x * y + x, x / positive,
            y / positive, np.sqrt(positive), np.minimum(x, y), np.clip(x, -0.5, 0.5), np.tanh(x),
            positive**y, np.log1p(positive), np.arctan2(x, y), np.rint(4 * x), np.exp(x),
            np.i0(x), np.cbrt(x), np.fmod(4 * x, positive), np.vectorize(math.lgamma)(positive),
        ])
    }  # fmt: skip


@triton.jit
def integer_functions(x_ptr, y_ptr, out_ptr, N: tl.constexpr):
    o = tl.arange(0, N)
    x = tl.load(x_ptr + o)
    y = tl.load(y_ptr + o)
    small = (y & 31) + 1
    wide = x.to(tl.int64) * y.to(tl.int64)
    store(out_ptr, 0, x + y, o, N)
    store(out_ptr, 1, x * y, o, N)
    store(out_ptr, 2, x // small, o, N)
    store(out_ptr, 3, x % small, o, N)
    store(out_ptr, 4, x.to(tl.uint32, bitcast=True) // small.to(tl.uint32), o, N)
    store(out_ptr, 5, x >> (small & 15), o, N)
    store(out_ptr, 6, x.to(tl.uint32, bitcast=True) >> (small & 15), o, N)
    store(out_ptr, 7, x << (small & 15), o, N)
    store(out_ptr, 8, (x & y) ^ (x | ~y), o, N)
    store(out_ptr, 9, tl.umulhi(x, y), o, N)
    store(out_ptr, 10, (wide >> 20).to(tl.int32), o, N)
    store(out_ptr, 11, (wide // (small.to(tl.int64) + 1000)).to(tl.int32), o, N)
    store(out_ptr, 12, x.to(tl.int16).to(tl.int32) + y.to(tl.int8).to(tl.int32), o, N)
    store(out_ptr, 13, libdevice.clz(x), o, N)
    store(out_ptr, 14, libdevice.popc(y), o, N)
    store(out_ptr, 15, libdevice.brev(x), o, N)
    store(out_ptr, 16, libdevice.mulhi(x, y), o, N)
    store(out_ptr, 17, tl.maximum(x, y) - tl.minimum(x, y), o, N)
    store(out_ptr, 18, tl.where(x < y, x, -y), o, N)
    store(out_ptr, 19, libdevice.byte_perm(x, y, 0x3715), o, N)


def expected_integers(inputs):
    x, y = inputs["x_ptr"].astype(np.int64), inputs["y_ptr"].astype(np.int64)
    ux, uy = x & 0xFFFFFFFF, y & 0xFFFFFFFF
    small = (y & 31) + 1
    shift = small & 15
    both = (uy << 32 | ux).astype(np.uint64)
    picked = [(both >> np.uint64(8 * byte)) & np.uint64(0xFF) for byte in (5, 1, 7, 3)]
    permuted = sum(byte << np.uint64(8 * i) for i, byte in enumerate(picked))

    def truncated(a, b):
        return np.sign(a) * (np.abs(a) // b)

    def reverse(value):
        return int(f"{value:032b}"[::-1], 2)

    rows = [
        x + y, x * y, truncated(x, small), x - truncated(x, small) * small, ux // small,
        x >> shift, ux >> shift, x << shift, (x & y) ^ (x | ~y),
        [(int(a) * int(b)) >> 32 for a, b in zip(ux, uy)], (x * y) >> 20,
        truncated(x * y, small + 1000),
        ((x + 2**15) & 0xFFFF) - 2**15 + ((y + 2**7) & 0xFF) - 2**7,
        [32 - int(a).bit_length() for a in ux], [int(b).bit_count() for b in uy],
        [reverse(int(a)) for a in ux], (x * y) >> 32, np.abs(x - y), np.where(x < y, x, -y),
        permuted,
    ]  # fmt: skip
    wrapped = [(np.asarray(row).astype(np.int64) + 2**31) % 2**32 - 2**31 for row in rows]
    return {"out_ptr": np.stack(wrapped)}


@triton.jit
def conversions(x_ptr, out_ptr, N: tl.constexpr):
    o = tl.arange(0, N)
    x = tl.load(x_ptr + o)
    store(out_ptr, 0, x.to(tl.float16).to(tl.float32), o, N)
    store(out_ptr, 1, x.to(tl.bfloat16).to(tl.float32), o, N)
    store(out_ptr, 2, x.to(tl.float8e4nv).to(tl.float32), o, N)
    store(out_ptr, 3, x.to(tl.float8e5).to(tl.float32), o, N)
    store(out_ptr, 4, x.to(tl.float64).to(tl.float32), o, N)
    store(out_ptr, 5, (x * 100).to(tl.int32).to(tl.float32), o, N)
    store(out_ptr, 6, (x * 10).to(tl.int8).to(tl.float32), o, N)
    store(out_ptr, 7, (tl.abs(x) * 1e9).to(tl.uint32).to(tl.float32), o, N)
    store(out_ptr, 8, (x * 1e12).to(tl.int64).to(tl.float32), o, N)
    store(out_ptr, 9, x.to(tl.float16, fp_downcast_rounding="rtz").to(tl.float32), o, N)
    store(out_ptr, 10, (x.to(tl.bfloat16) * x.to(tl.bfloat16)).to(tl.float32), o, N)
    store(out_ptr, 11, (x.to(tl.float16) + 1.0).to(tl.float32), o, N)


def expected_conversions(inputs):
    x = inputs["x_ptr"]
    f32 = x.astype(np.float32)

    def rounded(values, exponent_bits, fraction_bits):
        exponent = np.maximum(np.frexp(values)[1] - 1, 2 - 2 ** (exponent_bits - 1))
        step = np.ldexp(1.0, exponent - fraction_bits)
        return np.rint(values / step) * step

    half = f32.astype(np.float16).astype(np.float64)
    bfloat = rounded(x, 8, 7)
    down = np.where(np.abs(half) > np.abs(x),
                    np.nextafter(half.astype(np.float16), np.float16(0)).astype(np.float64), half)
    hundred = np.trunc((f32 * np.float32(100)).astype(np.float64))
    rows = [
        half, bfloat, rounded(x, 4, 3), rounded(x, 5, 2), x, hundred,
        np.trunc((f32 * np.float32(10)).astype(np.float64)),
        np.trunc((np.abs(f32) * np.float32(1e9)).astype(np.float64)).astype(np.float32),
        np.trunc((f32 * np.float32(1e12)).astype(np.float64)).astype(np.float32),
        down, rounded(bfloat * bfloat, 8, 7),
        (half.astype(np.float16) + np.float16(1)).astype(np.float64),
    ]  # fmt: skip
    return {"out_ptr": np.stack([np.asarray(row, np.float64) for row in rows])}


CASES = [
    Case(
        name="float_functions",
        kernel=float_functions,
        grid=(1,),
        arguments={
            "x_ptr": Buffer((N,)), "y_ptr": Buffer((N,)),
            "out_ptr": Buffer((28, N), fill="poison"),
        },
        constants={"N": N},
        expected=expected_floats,
        tolerance=2**-20,
    ),
    Case(
        name="integer_functions",
        kernel=integer_functions,
        grid=(1,),
        arguments={
            "x_ptr": Buffer((N,), "i32", "bits"), "y_ptr": Buffer((N,), "i32", "bits"),
            "out_ptr": Buffer((20, N), "i32", "poison"),
        },
        constants={"N": N},
        expected=expected_integers,
        tolerance=0,
    ),
    Case(
        name="conversions",
        kernel=conversions,
        grid=(1,),
        arguments={"x_ptr": Buffer((N,)), "out_ptr": Buffer((12, N), fill="poison")},
        constants={"N": N},
        expected=expected_conversions,
        tolerance=0,
    ),
]  # fmt: skip
