# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/numbers.py with sizes and meaning."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div
from values import round_to


def matmul_dynamic(m=100, n=72, k=208, bm=64, bn=64, bk=64):
    def expected(inputs):
        a, rounded = inputs["a_ptr"], np.zeros((m, k))
        for row in range(0, m, bm):
            for step in range(0, k, bk):
                block = np.s_[row : row + bm, step : step + bk]
                by = np.abs(a[block]).max() / 448
                rounded[block] = round_to(a[block] / by, "e4m3") * by
        largest = [np.abs(a[row : row + bm]).max() for row in range(0, m, bm)]
        return {
            "c_ptr": rounded @ (inputs["b_ptr"] * np.repeat(inputs["b_scale_ptr"], bk)[:k]).T,
            "most_ptr": np.repeat(np.array(largest)[:, None], ceil_div(n, bn), 1),
        }

    return Case(
        name="matmul_dynamic",
        kernel="numbers.matmul_dynamic",
        grid=(ceil_div(m, bm), ceil_div(n, bn)),
        arguments={
            "a_ptr": Buffer((m, k), "bf16"),
            "b_ptr": Buffer((n, k), "e4m3"),
            "b_scale_ptr": Buffer((ceil_div(k, bk),)),
            "c_ptr": Buffer((m, n), "f32", "poison"),
            "most_ptr": Buffer((ceil_div(m, bm), ceil_div(n, bn)), "f32", "poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-9,  # a quotient in f32 may be rounded to the next 8-bit float
        outcome=SPECIALISED,
    )


def attention_lazy(length=200, far=2.0, d=64, bm=64, bn=32):
    scale = d**-0.5 * 1.4426950408889634

    def expected(inputs):
        s = inputs["q_ptr"] @ inputs["k_ptr"].T * scale
        p = np.exp2(s - s.max(axis=1, keepdims=True))
        return {"o_ptr": p / p.sum(axis=1, keepdims=True) @ inputs["v_ptr"]}

    return Case(
        name="attention_lazy",
        kernel="numbers.attention_lazy",
        grid=(ceil_div(length, bm),),
        arguments={
            **{name: Buffer((length, d), "f16") for name in ("q_ptr", "k_ptr", "v_ptr")},
            "o_ptr": Buffer((length, d), "f32", "poison"),
            "length": Scalar(length),
            "scale": Scalar(scale, "f32"),
            "far": Scalar(far, "f32"),
        },
        constants={"D": d, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-8,
        outcome=SPECIALISED,
    )


def scan_chunks(heads=2, length=100, p=64, n=64, bt=32):
    chunks = ceil_div(length, bt)
    steps = np.abs(np.random.default_rng(4).standard_normal((heads, length))).astype(np.float32) / 4

    def expected(inputs):
        y, over = np.zeros((heads, length, p)), np.zeros((heads, chunks))
        for head in range(heads):
            decay = np.exp2(inputs["step_ptr"][head] * inputs["rate_ptr"][head])
            state = np.zeros((n, p))
            for at in range(length):
                update = np.outer(inputs["b_ptr"][at], inputs["x_ptr"][head, at]) * inputs["step_ptr"][head, at]
                state = state * decay[at] + update
                y[head, at] = inputs["c_ptr"][at] @ state
            over[head] = [np.prod(decay[first : first + bt]) for first in range(0, length, bt)]
        return {"y_ptr": y, "kept_ptr": over}

    return Case(
        name="scan_chunks",
        kernel="numbers.scan_chunks",
        grid=(heads,),
        arguments={
            "x_ptr": Buffer((heads, length, p), "bf16"),
            "step_ptr": Buffer((heads, length), "f32", steps),
            "rate_ptr": Buffer((heads,), "f32", np.array([-0.5, -0.125])[np.arange(heads) % 2]),
            "b_ptr": Buffer((length, n), "bf16"),
            "c_ptr": Buffer((length, n), "bf16"),
            "y_ptr": Buffer((heads, length, p), "f32", "poison"),
            "kept_ptr": Buffer((heads, chunks), "f32", "poison"),
            "length": Scalar(length),
        },
        constants={"P": p, "N": n, "BT": bt},
        expected=expected,
        tolerance=2**-6,  # scores and the state are rounded to bf16
        outcome=SPECIALISED,
    )


def matmul_group_found(n=72, k=150, bm=64, bn=64, bk=32):
    # The first group has no rows, and no row of the last tile has a length.
    ends = np.array([0, 2, 3, 5])
    lengths = np.random.default_rng(5).integers(0, k + 1, ends[-1] * bm)
    lengths[-bm:] = 0

    def expected(inputs):
        group = np.searchsorted(ends, np.arange(len(lengths)) // bm, side="right")
        a = np.where(np.arange(k) < lengths[:, None], inputs["a_ptr"], 0)
        return {"c_ptr": np.einsum("rk,rkn->rn", a, inputs["b_ptr"][group])}

    return Case(
        name="matmul_group_found",
        kernel="numbers.matmul_group_found",
        grid=(int(ends[-1]), ceil_div(n, bn)),
        arguments={
            "a_ptr": Buffer((len(lengths), k), "f16"),
            "b_ptr": Buffer((len(ends), k, n), "f16"),
            "ends_ptr": Buffer(ends.shape, "i32", ends),
            "lengths_ptr": Buffer(lengths.shape, "i32", lengths),
            "c_ptr": Buffer((len(lengths), n), "f32", "poison"),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={"GROUPS": len(ends), "BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


CORPUS = [matmul_dynamic, attention_lazy, scan_chunks, matmul_group_found]
