# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/orders.py with sizes and meaning."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div


def case_of(kernel, m, n, k, bm, bn, bk, parts, counter, between):
    """`counter` counts the programs of a tile; `between` is what they leave behind beside it."""
    grid = (ceil_div(m, bm), ceil_div(n, bn), parts)

    def expected(inputs):
        # Blocks of the sum are dealt out to the parts in turn.
        part = np.arange(k) // bk % parts
        sums = np.stack([inputs["a_ptr"][:, part == one] @ inputs["b_ptr"][part == one] for one in range(parts)])
        left = {name: sums for name in between}
        return {"c_ptr": sums.sum(0), counter: np.full(grid[:2], parts), **left}

    return Case(
        name=kernel,
        kernel=f"orders.{kernel}",
        grid=grid,
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "b_ptr": Buffer((k, n), "f16"),
            **between,
            "c_ptr": Buffer((m, n), "f32", "poison"),
            counter: Buffer(grid[:2], "i32", np.zeros(grid[:2], np.int32)),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def matmul_turns(m=100, n=72, k=300, bm=64, bn=64, bk=32, parts=3):
    return case_of("matmul_turns", m, n, k, bm, bn, bk, parts, "turn_ptr", {})


def matmul_last(m=200, n=136, k=232, bm=128, bn=128, bk=64, parts=3):
    between = {"parts_ptr": Buffer((parts, m, n), "f32", "poison")}
    return case_of("matmul_last", m, n, k, bm, bn, bk, parts, "count_ptr", between)


def matmul_streamed(m=100, n=150, k=300, bm=64, bn=64, bk=32, programs=5):
    steps = ceil_div(m, bm) * ceil_div(n, bn) * ceil_div(k, bk)
    return Case(
        name="matmul_streamed",
        kernel="orders.matmul_streamed",
        grid=(programs,),
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "b_ptr": Buffer((k, n), "f16"),
            "c_ptr": Buffer((m, n), "f32", "zeros"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "each": Scalar(steps // programs),
            "more": Scalar(steps % programs),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"]},
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


CORPUS = [matmul_turns, matmul_last, matmul_streamed]
