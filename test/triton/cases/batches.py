# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/batches.py with sizes and meaning."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div


def matmul_batched(batch=4, m=100, n=72, k=136, heads=2, bm=64, bn=64, bk=32):
    return Case(
        name="matmul_batched",
        kernel="batches.matmul_batched",
        grid=(ceil_div(m, bm), ceil_div(n, bn), batch // heads),
        arguments={
            "a_ptr": Buffer((batch, m, k), "f16"),
            "b_ptr": Buffer((batch, k, n), "f16"),
            "c_ptr": Buffer((batch, m, n), "f16", "poison"),
            "M": Scalar(m),
            "N": Scalar(n),
            "K": Scalar(k),
        },
        constants={"HEADS": heads, "BM": bm, "BN": bn, "BK": bk},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"]},
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def attention_heads(batch=4, seq_len=150, d=64, heads=2, bm=64, bn=64):
    scale = np.float32(d**-0.5 / np.log(2))

    def expected(inputs):
        scores = inputs["q_ptr"] @ np.swapaxes(inputs["k_ptr"], -1, -2) * float(scale)
        weights = np.exp2(scores - scores.max(-1, keepdims=True))
        return {"o_ptr": weights @ inputs["v_ptr"] / weights.sum(-1, keepdims=True)}

    return Case(
        name="attention_heads",
        kernel="batches.attention_heads",
        grid=(ceil_div(seq_len, bm), batch // heads),
        arguments={
            "q_ptr": Buffer((batch, seq_len, d), "f16"),
            "k_ptr": Buffer((batch, seq_len, d), "f16"),
            "v_ptr": Buffer((batch, seq_len, d), "f16"),
            "o_ptr": Buffer((batch, seq_len, d), "f16", "poison"),
            "seq_len": Scalar(seq_len),
            "scale": Scalar(float(scale), "f32"),
        },
        constants={"HEADS": heads, "D": d, "BM": bm, "BN": bn},
        expected=expected,
        # Weights are rounded to f16.
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


CORPUS = (matmul_batched, attention_heads)
