# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a Triton kernel says about itself: arguments, launch and meaning.

A module in kernels/ defines a kernel and `CASES`, a list of these. compile.py
turns a case into PTX, check.py emulates that and compares with `expected`,
which computes in float64 from the values that the kernel reads.

The kernels that heddle compiles are in corpus/, as a user has them, and their
cases in cases/, which needs no Triton: functions of the sizes, listed in `CORPUS`.
"""

import dataclasses
import math
import typing

import numpy as np

# What heddle makes of the loops of a kernel. The third is "declined:ID", with the id
# of the remark that says why.
NO_DOT = "no-dot"
SPECIALISED = "specialised"


@dataclasses.dataclass
class Buffer:
    """Memory behind a pointer: `element` is heddle's word (f16, bf16, e4m3, i32, ...)."""

    shape: tuple
    element: str = "f32"
    # or bits, small (integers), zeros, poison, or an array of values
    fill: typing.Any = "normal"


@dataclasses.dataclass
class Scalar:
    value: float
    element: str = "i32"


@dataclasses.dataclass
class Descriptor:
    """A tensor descriptor made by the host; `buffer` has memory of its own."""

    buffer: Buffer
    block: tuple


@dataclasses.dataclass
class Case:
    name: str
    kernel: typing.Any  # in the corpus "module.function"
    grid: tuple
    arguments: dict
    constants: dict
    expected: typing.Callable  # {name: float64 array} -> {name: float64 array}
    tolerance: float  # of the largest magnitude in the output
    warps: int = 4
    ctas: int = 1  # of a cluster, which works on one program
    stages: int = 3
    outcome: str = ""


def ceil_div(x, y):
    return -(-x // y)


def next_power_of_two(x):
    return 1 << (x - 1).bit_length()


def normal_cdf(x):
    return 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
