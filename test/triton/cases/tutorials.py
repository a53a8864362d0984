# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/tutorials.py with sizes and meaning."""

import dataclasses

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div
from corpus_cases import load

attend = load("cases", "attention").attend
matmul = load("cases", "matmul")


def matmul_counted(m=200, n=272, k=208, tile=(128, 128, 64), programs=4, flatten=False):
    bm, bn, bk = tile
    return Case(
        name="matmul_counted",
        kernel="tutorials.matmul_counted",
        grid=(programs,),
        arguments=matmul.product_arguments(m, n, k),
        constants={"BM": bm, "BN": bn, "BK": bk, "GROUP": 8, "PROGRAMS": programs, "FLATTEN": flatten},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"]},
        tolerance=2**-10,
        warps=8,
        outcome=SPECIALISED,
    )


def matmul_counted_flat(**sizes):
    return dataclasses.replace(matmul_counted(flatten=True, **sizes), name="matmul_counted_flat")


def matmul_in_turns(m=200, n=272, k=208, tile=(64, 64, 32), programs=3):
    bm, bn, bk = tile
    constants = {"BM": bm, "BN": bn, "BK": bk, "GROUP": 8, "PROGRAMS": programs}
    case = matmul_counted(m, n, k, programs=programs)
    return dataclasses.replace(case, name="matmul_in_turns", kernel="tutorials.matmul_in_turns", constants=constants)


def attention_rows(batch=2, heads=2, seq_len=256, head_dim=64, bm=128, bn=64):
    scale = head_dim**-0.5
    shape = (batch, heads, seq_len, head_dim)

    def expected(inputs):
        bias = np.where(np.tri(seq_len, dtype=bool), 0, -np.inf)
        out, lse = attend(*(inputs[name] for name in ("q_ptr", "k_ptr", "v_ptr")), scale, bias)
        return {"out_ptr": out, "lse_ptr": lse}

    return Case(
        name="attention_rows",
        kernel="tutorials.attention_rows",
        grid=(seq_len // bm, batch * heads),
        arguments={
            "q_ptr": Buffer(shape, "f16"),
            "k_ptr": Buffer(shape, "f16"),
            "v_ptr": Buffer(shape, "f16"),
            "out_ptr": Buffer(shape, "f16", "poison"),
            "lse_ptr": Buffer(shape[:3], fill="poison"),
            "sm_scale": Scalar(scale, "f32"),
            "batch": Scalar(batch),
            "heads": Scalar(heads),
            "seq_len": Scalar(seq_len),
        },
        constants={"HEAD_DIM": head_dim, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def attention_gradients(batch=1, heads=2, seq_len=256, head_dim=64, bm=32, bn=128, causal=False):
    shape = (batch, heads, seq_len, head_dim)
    random = np.random.default_rng(11)
    # Of scores whose exponentials stay near 1: the sums and deltas are inputs here.
    sums = np.full(shape[:3], np.log2(seq_len))
    deltas = random.standard_normal(shape[:3]) / 16

    def expected(inputs):
        q, k, v, do = (inputs[name] for name in ("q_ptr", "k_ptr", "v_ptr", "do_ptr"))
        p = np.exp2(k @ np.swapaxes(q, -1, -2) - inputs["lse_ptr"][..., None, :])
        if causal:
            p = np.where(np.tri(seq_len, dtype=bool).T, p, 0)
        ds = p * (v @ np.swapaxes(do, -1, -2) - inputs["delta_ptr"][..., None, :])
        return {"dv_ptr": p @ do, "dk_ptr": 0.125 * (ds @ q)}

    return Case(
        name="attention_gradients_causal" if causal else "attention_gradients",
        kernel="tutorials.attention_gradients",
        grid=(seq_len // bn, batch * heads),
        arguments={
            "q_ptr": Buffer(shape, "f16"),
            "k_ptr": Buffer(shape, "f16", np.round(random.standard_normal(shape) * 64) / 1024),
            "v_ptr": Buffer(shape, "f16"),
            "do_ptr": Buffer(shape, "f16"),
            "dk_ptr": Buffer(shape, "f16", "poison"),
            "dv_ptr": Buffer(shape, "f16", "poison"),
            "lse_ptr": Buffer(shape[:3], "f32", sums.astype(np.float32)),
            "delta_ptr": Buffer(shape[:3], "f32", deltas.astype(np.float32)),
            "sm_scale": Scalar(0.125, "f32"),
            "stride_b": Scalar(heads * seq_len * head_dim),
            "stride_h": Scalar(seq_len * head_dim),
            "stride_m": Scalar(head_dim),
            "stride_d": Scalar(1),
            "heads": Scalar(heads),
            "seq_len": Scalar(seq_len),
        },
        constants={"HEAD_DIM": head_dim, "BM": bm, "BN": bn, "CAUSAL": causal},
        expected=expected,
        # Both factors of the second product and the result are rounded to f16.
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def attention_gradients_causal(**sizes):
    return attention_gradients(causal=True, **sizes)


def matmul_problems(rows=(70, 0, 10, 80), n=104, k=96, programs=3, bm=64, bn=64, bk=32):
    starts = np.concatenate([[0], np.cumsum(rows)])

    def expected(inputs):
        a, b = inputs["a_ptr"], inputs["b_ptr"]
        parts = [a[starts[i] : starts[i + 1]] @ b[i] for i in range(len(rows))]
        return {"c_ptr": np.concatenate(parts)}

    return Case(
        name="matmul_problems",
        kernel="tutorials.matmul_problems",
        grid=(programs,),
        arguments={
            "a_ptr": Buffer((sum(rows), k), "f16"),
            "b_ptr": Buffer((len(rows), k, n), "f16"),
            "c_ptr": Buffer((sum(rows), n), "f16", "poison"),
            "starts_ptr": Buffer(starts.shape, "i32", starts),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={"PROBLEMS": len(rows), "PROGRAMS": programs, "BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def matmul_shares(m=150, n=104, k=200, programs=3, bm=64, bn=64, bk=64):
    steps = ceil_div(k, bk)
    total = ceil_div(m, bm) * ceil_div(n, bn) * steps

    return Case(
        name="matmul_shares",
        kernel="tutorials.matmul_shares",
        grid=(programs,),
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "b_ptr": Buffer((k, n), "f16"),
            "c_ptr": Buffer((m, n), "f32", "zeros"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "share": Scalar(ceil_div(total, programs)),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=lambda inputs: {"c_ptr": inputs["a_ptr"] @ inputs["b_ptr"]},
        tolerance=2**-18,
        outcome=SPECIALISED,
    )


CORPUS = [
    matmul_counted, matmul_counted_flat, matmul_in_turns, attention_rows, attention_gradients,
    attention_gradients_causal, matmul_problems, matmul_shares,
]  # fmt: skip
