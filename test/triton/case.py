# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel in kernels/ says about itself: arguments, launch and meaning.

A module there defines a Triton kernel and `CASES`, a list of these. compile.py
turns a case into PTX, check.py emulates that and compares with `expected`,
which computes in float64 from the values that the kernel reads.
"""

import dataclasses
import typing


@dataclasses.dataclass
class Buffer:
    """Memory behind a pointer: `element` is heddle's word (f16, bf16, e4m3, i32, ...)."""

    shape: tuple
    element: str = "f32"
    fill: str = "normal"  # or bits, small (integers), zeros, poison


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
    kernel: typing.Any
    grid: tuple
    arguments: dict
    constants: dict
    expected: typing.Callable  # {name: float64 array} -> {name: float64 array}
    tolerance: float  # of the largest magnitude in the output
    warps: int = 4
    ctas: int = 1  # of a cluster, which works on one program
    stages: int = 3
