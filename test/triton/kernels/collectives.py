# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the threads of a block do together: scans, sorts, gathers, atomics."""

import numpy as np
import triton
import triton.language as tl
from case import Buffer, Case

N = 256


@triton.jit
def product(a, b):
    return a * b


@triton.jit
def collectives(x_ptr, i_ptr, out_ptr, places_ptr, N: tl.constexpr):
    o = tl.arange(0, N)
    x = tl.load(x_ptr + o)
    i = tl.load(i_ptr + o)
    tl.store(out_ptr + o, tl.cumsum(x, 0))
    tl.store(out_ptr + N + o, tl.cumsum(x, 0, reverse=True))
    tl.store(out_ptr + 2 * N + o, tl.associative_scan(1 + x * 0.01, 0, product))
    tl.store(out_ptr + 3 * N + o, tl.sort(x))
    tl.store(out_ptr + 4 * N + o, tl.gather(x, i & (N - 1), 0))
    tl.store(out_ptr + 5 * N + o, tl.flip(x, 0))
    square = tl.reshape(x, (16, 16))
    tl.store(out_ptr + 6 * N + o, tl.reshape(tl.trans(square), (N,)))
    tl.store(out_ptr + 7 * N + tl.arange(0, 16), tl.max(square, 1))
    tl.store(out_ptr + 7 * N + 16 + tl.arange(0, 16), tl.sum(square, 0))
    tl.store(places_ptr + tl.arange(0, 16), tl.argmax(square, 1))
    tl.store(places_ptr + 16 + tl.arange(0, 16), tl.argmin(square, 0))
    tl.store(places_ptr + 32 + tl.arange(0, 16), tl.histogram(i & 15, 16))
    tl.store(places_ptr + 48, tl.xor_sum(i, 0))
    tl.store(places_ptr + 49, tl.sum(i & 255, 0))
    tl.store(places_ptr + 50, tl.min(i, 0))


def expected_collectives(inputs):
    x, i = inputs["x_ptr"], inputs["i_ptr"].astype(np.int64)
    square = x.reshape(16, 16)
    rest = np.concatenate([square.max(axis=1), square.sum(axis=0)])
    out = [
        np.cumsum(x), np.cumsum(x[::-1])[::-1], np.cumprod(1 + x * 0.01), np.sort(x),
        x[i & (N - 1)], x[::-1], square.T.ravel(),
    ]  # fmt: skip
    places = [
        square.argmax(axis=1), square.argmin(axis=0), np.bincount(i & 15, minlength=16),
        [np.bitwise_xor.reduce(i), (i & 255).sum(), i.min()],
    ]  # fmt: skip
    return {"out_ptr": np.concatenate(out + [rest]), "places_ptr": np.concatenate(places)}


@triton.jit
def atomics(x_ptr, i_ptr, floats_ptr, integers_ptr, old_ptr, halves_ptr, N: tl.constexpr):
    o = tl.arange(0, N)
    x = tl.load(x_ptr + o)
    i = tl.load(i_ptr + o) & 0xFFFF
    tl.atomic_add(floats_ptr + (i & 7), x)
    tl.atomic_max(floats_ptr + 8 + (i & 7), x)
    tl.atomic_min(floats_ptr + 16 + (i & 7), x, mask=x > 0)
    tl.atomic_add(integers_ptr + (i & 7), i, sem="relaxed")
    tl.atomic_max(integers_ptr + 8 + (i & 7), i)
    tl.atomic_and(integers_ptr + 16 + (i & 7), i | 0xF00)
    tl.atomic_or(integers_ptr + 24 + (i & 7), i)
    tl.atomic_xor(integers_ptr + 32 + (i & 7), i)
    tl.store(old_ptr + o, tl.atomic_add(integers_ptr + 40 + o * 0, 1))
    tl.store(old_ptr + N + o, tl.atomic_xchg(integers_ptr + 64 + o, i))
    tl.store(old_ptr + 2 * N + o, tl.atomic_cas(integers_ptr + 64 + o, i, i + 1))
    tl.atomic_add(halves_ptr + o, x.to(tl.float16))


def expected_atomics(inputs):
    x, i = inputs["x_ptr"], inputs["i_ptr"].astype(np.int64) & 0xFFFF
    floats, integers = np.zeros(24), np.zeros(64 + N, np.int64)
    for value, number in zip(x, i):
        slot = number & 7
        floats[slot] += value
        floats[8 + slot] = max(floats[8 + slot], value)
        integers[slot] += number
        integers[8 + slot] = max(integers[8 + slot], number)
        integers[16 + slot] &= number | 0xF00
        integers[24 + slot] |= number
        integers[32 + slot] ^= number
    integers[40] = N
    integers[64:] = i + 1
    # Which thread gets which ticket is nobody's promise; all are given out.
    return {
        "floats_ptr": floats,
        "integers_ptr": integers,
        "halves_ptr": x.astype(np.float16).astype(np.float64),
    }


CASES = [
    Case(
        name="collectives",
        kernel=collectives,
        grid=(1,),
        arguments={
            "x_ptr": Buffer((N,)),
            "i_ptr": Buffer((N,), "i32", "bits"),
            "out_ptr": Buffer((7 * N + 32,), fill="poison"),
            "places_ptr": Buffer((51,), "i32", "poison"),
        },
        constants={"N": N},
        expected=expected_collectives,
        tolerance=2**-20,
    ),
    Case(
        name="atomics",
        kernel=atomics,
        grid=(1,),
        arguments={
            "x_ptr": Buffer((N,)),
            "i_ptr": Buffer((N,), "i32", "bits"),
            "floats_ptr": Buffer((24,), fill="zeros"),
            "integers_ptr": Buffer((64 + N,), "i32", "zeros"),
            "old_ptr": Buffer((3 * N,), "i32", "poison"),
            "halves_ptr": Buffer((N,), "f16", "zeros"),
        },
        constants={"N": N},
        expected=expected_atomics,
        tolerance=2**-20,
    ),
]
