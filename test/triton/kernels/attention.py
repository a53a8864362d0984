# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward with an online softmax, causal and not."""

import numpy as np
import triton
import triton.language as tl
from case import Buffer, Case, Scalar

HEADS, ROWS, WIDTH = 2, 192, 64
BM, BN = 64, 64
SCALE = WIDTH**-0.5


@triton.jit
def attention(
    q_ptr, k_ptr, v_ptr, out_ptr, rows, scale,
    WIDTH: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    first = tl.program_id(0) * BM
    head = tl.program_id(1) * rows * WIDTH
    queries = first + tl.arange(0, BM)
    keys = tl.arange(0, BN)
    columns = tl.arange(0, WIDTH)
    q = tl.load(q_ptr + head + queries[:, None] * WIDTH + columns[None, :])
    highest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, WIDTH), tl.float32)
    end = rows
    if CAUSAL:
        end = first + BM
    for start in range(0, end, BN):
        places = start + keys
        k = tl.load(k_ptr + head + places[:, None] * WIDTH + columns[None, :])
        scores = tl.dot(q, k.T) * (scale * 1.44269504)
        if CAUSAL:
            scores = tl.where(queries[:, None] >= places[None, :], scores, -float("inf"))
        higher = tl.maximum(highest, tl.max(scores, axis=1))
        p = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(highest - higher)
        total = total * shrink + tl.sum(p, axis=1)
        v = tl.load(v_ptr + head + places[:, None] * WIDTH + columns[None, :])
        acc = tl.dot(p.to(tl.float16), v, acc * shrink[:, None])
        highest = higher
    out = acc / total[:, None]
    tl.store(out_ptr + head + queries[:, None] * WIDTH + columns[None, :], out.to(tl.float16))


def make_expected(causal):
    def expected(inputs):
        scores = inputs["q_ptr"] @ inputs["k_ptr"].transpose(0, 2, 1) * SCALE
        if causal:
            scores = np.where(np.tri(ROWS, dtype=bool), scores, -np.inf)
        p = np.exp(scores - scores.max(axis=2, keepdims=True))
        return {"out_ptr": p / p.sum(axis=2, keepdims=True) @ inputs["v_ptr"]}

    return expected


def make_case(name, causal):
    return Case(
        name=name,
        kernel=attention,
        grid=(ROWS // BM, HEADS),
        arguments={
            "q_ptr": Buffer((HEADS, ROWS, WIDTH), "f16"),
            "k_ptr": Buffer((HEADS, ROWS, WIDTH), "f16"),
            "v_ptr": Buffer((HEADS, ROWS, WIDTH), "f16"),
            "out_ptr": Buffer((HEADS, ROWS, WIDTH), "f16", "poison"),
            "rows": Scalar(ROWS),
            "scale": Scalar(SCALE, "f32"),
        },
        constants={"WIDTH": WIDTH, "BM": BM, "BN": BN, "CAUSAL": causal},
        expected=make_expected(causal),
        # p is rounded to f16 before the second product.
        tolerance=2**-9,
    )


CASES = [make_case("attention", False), make_case("attention_causal", True)]
