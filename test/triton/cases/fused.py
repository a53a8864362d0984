# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/fused.py with sizes and meaning."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div

EPS = 2.0**-17


def norm_matmul(m=150, n=136, k=200, bm=128, bn=128, bk=64):
    def expected(inputs):
        x = inputs["x_ptr"]
        mean, variance = x.mean(1, keepdims=True), x.var(1, keepdims=True)
        x = (x - mean) / np.sqrt(variance + EPS) * inputs["gain_ptr"] + inputs["bias_ptr"]
        return {"y_ptr": x @ inputs["w_ptr"]}

    return Case(
        name="norm_matmul",
        kernel="fused.norm_matmul",
        grid=(ceil_div(m, bm), ceil_div(n, bn)),
        arguments={
            "x_ptr": Buffer((m, k), "f16"),
            "gain_ptr": Buffer((k,), "f16"),
            "bias_ptr": Buffer((k,), "f16"),
            "w_ptr": Buffer((k, n), "f16"),
            "y_ptr": Buffer((m, n), "f16", "poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "eps": Scalar(EPS, "f32"),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        # Normalised rows are rounded to f16.
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def rms_matmul(m=150, n=136, k=192, bm=64, bn=64, bk=64):
    def expected(inputs):
        x = inputs["x_ptr"]
        scale = 1 / np.sqrt((x * x).mean(1, keepdims=True) + EPS)
        return {"y_ptr": (x * inputs["gain_ptr"]) @ inputs["w_ptr"].T * scale}

    return Case(
        name="rms_matmul",
        kernel="fused.rms_matmul",
        grid=(ceil_div(m, bm), ceil_div(n, bn)),
        arguments={
            "x_ptr": Buffer((m, k), "f16"),
            "gain_ptr": Buffer((k,), "f16"),
            "w_ptr": Buffer((n, k), "f16"),
            "y_ptr": Buffer((m, n), "f16", "poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "eps": Scalar(EPS, "f32"),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        # Scaled elements are rounded to f16.
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


CORPUS = [norm_matmul, rms_matmul]
