# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random_launches.py draws: sizes, and for each kernel a case of them.

Everything about case number i of a kernel follows from the seed, the kernel's name
and i, so that a case that failed can be had again alone.
"""

import dataclasses
import random

import program_cases
import torch

TILE = 128  # of most programs, for sizes around multiples of it


class Sizes:
    """Extents from one generator: few elements, whole tiles, one more or less, any
    number up to four tiles, at times nothing or many tiles."""

    def __init__(self, rng, largest):
        self.rng, self.largest = rng, largest

    def __call__(self, empty=False, tiles=4, at_most=None):
        """`empty` allows 0; `tiles` above 4 now and then goes up to that many."""
        rng, roll = self.rng, self.rng.random()
        if empty and roll < 0.05:
            return 0
        if roll < 0.2:
            size = rng.randint(1, 9)
        elif roll < 0.35:
            size = TILE * rng.randint(1, 4)
        elif roll < 0.5:
            size = TILE * rng.randint(1, 4) + rng.choice((-8, -1, 1, 8))
        elif roll < 0.92:
            size = rng.randint(1, 4 * TILE)
        else:
            size = rng.randint(1, tiles * TILE)
        most = min(self.largest, at_most or self.largest)
        return size if size <= most else rng.randint(1, most)


class IntegerMaker(program_cases.Maker):
    """Small integers in place of N(0, 1): sums of their products are exact in f32."""

    def normal(self, *shape, dtype=torch.float16):
        return self.integers(-2, 3, *shape).to(dtype)


# Of programs that only move and add, each result is rounded once: it must be equal.
EXACT = {"transpose", "column_sum", "cumsum", "gather_rows", "gemm_reduction"}


def exactly(case):
    zero = {name: torch.zeros((), device=value.device) for name, value in case.expected.items()}
    rounded = {
        name: value.to(case.outputs[name][1]).double() for name, value in case.expected.items()
    }
    return dataclasses.replace(case, expected=rounded, magnitude=zero, peer={}, terms={})


# Kernel -> its cases of one drawn shape.
DRAWS = {
    "attention_backward_d64": lambda make, size: program_cases.attention_backward(
        make, 64, [(size.rng.randint(1, 3), size(), size())]
    ),
    "attention_gqa_d128": lambda make, size: program_cases.attention(
        make, 128, True, [attention_shape(size)], group=size.rng.randint(2, 5)
    ),
    "attention_window_d128": lambda make, size: program_cases.attention(
        make, 128, True, [attention_shape(size)], window=size(tiles=32)
    ),
    "transpose": lambda make, size: program_cases.transpose(
        make, [(size(empty=True, tiles=16), size(empty=True, tiles=16))]
    ),
    "column_sum": lambda make, size: program_cases.column_sum(make, [(size(True, 64), size())]),
    "cumsum": lambda make, size: program_cases.cumsum(make, [(size(), size(True, 64))]),
    "silu_mul": lambda make, size: program_cases.silu_mul(make, [size(True, 4000)]),
    "reduce_max_index": lambda make, size: program_cases.reduce_max_index(
        make, [(size(empty=True), size(tiles=64))]
    ),
    "gather_rows": lambda make, size: program_cases.gather_rows(
        make, [(size(), size(), size(), size())]
    ),
    "histogram_atomic": lambda make, size: program_cases.histogram_atomic(
        make, [(size(True, 4000), size())]
    ),
    "wright_omega": lambda make, size: program_cases.wright_omega(make, [size(True, 400)]),
    # All columns are one tile; far more products than these would move its exponents.
    "gemm_softmax": lambda make, size: program_cases.gemm_softmax(
        make, [(size(True), size(at_most=128), size(True, 8))]
    ),
    "gemm_reduction": lambda make, size: program_cases.gemm_reduction(make, [product(size)]),
    "dual_gemm": lambda make, size: program_cases.dual_gemm(make, [product(size)]),
    "gemm_bias_gelu": lambda make, size: program_cases.gemm_bias_gelu(make, [product(size)]),
}


def product(size):
    """M, N and K; K often takes the ring around several times."""
    return size(empty=True, tiles=16), size(empty=True, tiles=16), size(empty=True, tiles=96)


def attention_shape(size):
    """Heads, queries and keys."""
    return size.rng.randint(1, 4), size(empty=True, tiles=12), size(empty=True, tiles=32)


def attention_draw(depth, causal):
    return lambda make, size: program_cases.attention(make, depth, causal, [attention_shape(size)])


def row_draw(family, tile):
    return lambda make, size: family(make, tile, [(size(tiles=16), size(tiles=32, at_most=tile))])


for _depth in (64, 96, 128, 256):
    DRAWS["attention_d%d" % _depth] = attention_draw(_depth, False)
    DRAWS["attention_causal_d%d" % _depth] = attention_draw(_depth, True)
for _tile in (1024, program_cases.LARGE_TILE):
    DRAWS["softmax_%d" % _tile] = row_draw(program_cases.softmax, _tile)
    DRAWS["layer_norm_%d" % _tile] = row_draw(program_cases.layer_norm, _tile)


def case_of(kernel, seed, index, largest, device):
    """Case number `index` of a kernel."""
    rng = random.Random("%d %s %d" % (seed, kernel, index))
    exact = kernel in EXACT and rng.random() < 0.5
    make = (IntegerMaker if exact else program_cases.Maker)(device, rng.getrandbits(31))
    drawn = list(DRAWS[kernel](make, Sizes(rng, largest)))
    case = rng.choice(drawn)
    case = exactly(case) if exact else case
    name = "case %d, %s%s" % (index, case.name, ", integers" if exact else "")
    return dataclasses.replace(case, name=name)


def gemm_shapes(seed, count, largest):
    """Shapes for gemm_checks, which puts N(0, 1) and integers into each."""
    size = Sizes(random.Random("%d gemm" % seed), largest)
    return [product(size) for _ in range(count)]
