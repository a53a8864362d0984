# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/weights.py with sizes and meaning."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div


def halves(values, axis):
    """The two numbers of 4 bits of each byte, one behind the other along an axis."""
    integers = values.astype(np.int64)
    pairs = np.stack([integers & 15, integers >> 4 & 15], axis + 1)
    shape = list(integers.shape)
    shape[axis] *= 2
    return pairs.reshape(shape)


def experts_int4(tokens=40, top=2, experts=4, n=96, k=256, group=64, bm=16, bn=64, bk=64):
    random = np.random.default_rng(9)
    chosen = np.stack([random.permutation(experts)[:top] for _ in range(tokens)]).reshape(-1)
    lists, owners = [], []
    for expert in range(experts):
        mine = np.flatnonzero(chosen == expert)
        padded = ceil_div(len(mine), bm) * bm
        lists.append(np.concatenate([mine, np.full(padded - len(mine), tokens * top)]))
        owners += [expert] * (padded // bm)
    numbers = np.concatenate(lists)
    scales = random.standard_normal((experts, n, k // group)).astype(np.float16).astype(np.float64) / 16

    def expected(inputs):
        weights = halves(inputs["w_ptr"], 2)
        zeros = np.repeat(halves(inputs["zeros_ptr"], 1), group, 2)
        weights = (weights - zeros) * np.repeat(inputs["scales_ptr"], group, 2)
        rows = np.repeat(inputs["x_ptr"], top, 0)
        out = np.empty((tokens * top, n))
        for expert in range(experts):
            out[chosen == expert] = rows[chosen == expert] @ weights[expert].T
        return {"out_ptr": out}

    return Case(
        name="experts_int4",
        kernel="weights.experts_int4",
        grid=(len(owners), ceil_div(n, bn)),
        arguments={
            "x_ptr": Buffer((tokens, k), "f16"),
            "w_ptr": Buffer((experts, n, k // 2), "i8", "small"),
            "scales_ptr": Buffer((experts, n, k // group), "f16", scales),
            "zeros_ptr": Buffer((experts, n // 2, k // group), "i8", "small"),
            "out_ptr": Buffer((tokens * top, n), "f16", "poison"),
            "tokens_ptr": Buffer(numbers.shape, "i32", numbers),
            "experts_ptr": Buffer((len(owners),), "i32", np.array(owners)),
            "count_ptr": Buffer((1,), "i32", np.array([len(numbers)])),
            "tokens": Scalar(tokens),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={"GROUP": group, "TOP": top, "BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        # Scaled weights are rounded to f16.
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def attention_grouped_keys(heads=2, length=200, d=64, group=8, bm=64, bn=64):
    scale = 0.125

    def expected(inputs):
        keys = inputs["k_ptr"].transpose(0, 2, 1, 3).reshape(heads, length, d)
        scores = np.exp2((inputs["q_ptr"] @ np.swapaxes(keys, 1, 2)) * scale)
        return {"o_ptr": scores / scores.sum(2, keepdims=True) @ inputs["v_ptr"]}

    return Case(
        name="attention_grouped_keys",
        kernel="weights.attention_grouped_keys",
        grid=(ceil_div(length, bm), heads),
        arguments={
            "q_ptr": Buffer((heads, length, d), "f16"),
            "k_ptr": Buffer((heads, d // group, length, group), "f16"),
            "v_ptr": Buffer((heads, length, d), "f16"),
            "o_ptr": Buffer((heads, length, d), "f16", "poison"),
            "length": Scalar(length),
            "scale": Scalar(scale, "f32"),
            "stride_head": Scalar(length * d),
        },
        constants={"D": d, "GROUP": group, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


CORPUS = [experts_int4, attention_grouped_keys]
