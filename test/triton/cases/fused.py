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


def adapters_in_place(lengths=(70, 30, 64), adapters=(2, -1, 0), n=200, rank=16, bm=64, bn=64):
    starts = np.concatenate([[0], np.cumsum(lengths)])
    rows, count = int(starts[-1]), max(adapters) + 1

    def expected(inputs):
        out = inputs["y_ptr"].copy()
        for start, length, adapter in zip(starts, lengths, adapters):
            if adapter >= 0:
                mine = slice(start, start + length)
                out[mine] += inputs["x_ptr"][mine] @ inputs["w_ptr"][adapter].T
        return {"y_ptr": out}

    return Case(
        name="adapters_in_place",
        kernel="fused.adapters_in_place",
        grid=(ceil_div(max(lengths), bm), len(lengths)),
        arguments={
            "x_ptr": Buffer((rows, rank), "f16"),
            "w_ptr": Buffer((count, n, rank), "f16"),
            "y_ptr": Buffer((rows, n), "f16"),
            "starts_ptr": Buffer((len(lengths),), "i32", starts[:-1]),
            "lengths_ptr": Buffer((len(lengths),), "i32", np.array(lengths)),
            "adapters_ptr": Buffer((len(lengths),), "i32", np.array(adapters)),
            "n": Scalar(n),
            "rank": Scalar(rank),
            "stride_w": Scalar(n * rank),
            "stride_y": Scalar(n),
        },
        constants={"BM": bm, "BN": bn, "RANK": max(16, rank)},
        expected=expected,
        # The product and the sum are rounded to f16.
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


CORPUS = [norm_matmul, rms_matmul, adapters_in_place]
