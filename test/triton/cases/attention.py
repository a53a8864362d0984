# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/attention.py with sizes and meaning."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Descriptor, Scalar, ceil_div


def attend(q, k, v, scale, bias=0.0):
    """(softmax(q k' scale + bias) v, log2 of the sums of exponentials)."""
    scores = q @ np.swapaxes(k, -1, -2) * scale + bias
    highest = scores.max(axis=-1, keepdims=True)
    p = np.exp(scores - highest)
    total = p.sum(axis=-1, keepdims=True)
    return p / total @ v, ((highest + np.log(total)) / np.log(2))[..., 0]


def attention(heads=2, seq_len=384, head_dim=128, bm=128, bn=128, causal=False):
    scale = head_dim**-0.5
    rows = heads * seq_len

    def expected(inputs):
        q, k, v = (inputs[name].reshape(heads, seq_len, head_dim)
                   for name in ("q_desc", "k_desc", "v_desc"))  # fmt: skip
        bias = np.where(np.tri(seq_len, dtype=bool), 0, -np.inf) if causal else 0.0
        out, lse = attend(q, k, v, scale, bias)
        return {"out_desc": out.reshape(rows, head_dim), "lse_ptr": lse.reshape(rows)}

    def matrix(extent, fill="normal"):
        return Descriptor(Buffer((rows, head_dim), "f16", fill), (extent, head_dim))

    return Case(
        name="attention_causal" if causal else "attention",
        kernel="attention.attention",
        grid=(seq_len // bm, heads),
        arguments={
            "q_desc": matrix(bm),
            "k_desc": matrix(bn),
            "v_desc": matrix(bn),
            "out_desc": matrix(bm, "poison"),
            "lse_ptr": Buffer((rows,), fill="poison"),
            "sm_scale": Scalar(scale, "f32"),
            "seq_len": Scalar(seq_len),
        },
        constants={"HEAD_DIM": head_dim, "BM": bm, "BN": bn, "CAUSAL": causal},
        expected=expected,
        # p is rounded to f16 before the second product.
        tolerance=2**-9,
        warps=8,
        outcome=SPECIALISED,
    )


def attention_causal(heads=2, seq_len=384, head_dim=128, bm=128, bn=64):
    return attention(heads, seq_len, head_dim, bm, bn, causal=True)


def attention_gqa(
    batch=2, heads=4, kv_heads=2, q_len=150, k_len=200, head_dim=64, bm=128, bn=64
):  # fmt: skip
    scale = head_dim**-0.5
    group = heads // kv_heads

    def expected(inputs):
        q = inputs["q_ptr"].transpose(0, 2, 1, 3)
        k, v = (np.repeat(inputs[name].transpose(0, 2, 1, 3), group, axis=1)
                for name in ("k_ptr", "v_ptr"))  # fmt: skip
        return {"out_ptr": attend(q, k, v, scale)[0].transpose(0, 2, 1, 3)}

    return Case(
        name="attention_gqa",
        kernel="attention.attention_gqa",
        grid=(ceil_div(q_len, bm), batch * heads),
        arguments={
            "q_ptr": Buffer((batch, q_len, heads, head_dim), "bf16"),
            "k_ptr": Buffer((batch, k_len, kv_heads, head_dim), "bf16"),
            "v_ptr": Buffer((batch, k_len, kv_heads, head_dim), "bf16"),
            "out_ptr": Buffer((batch, q_len, heads, head_dim), "bf16", "poison"),
            "sm_scale": Scalar(scale, "f32"),
            "q_len": Scalar(q_len),
            "k_len": Scalar(k_len),
            "stride_qb": Scalar(q_len * heads * head_dim),
            "stride_qm": Scalar(heads * head_dim),
            "stride_qh": Scalar(head_dim),
            "stride_kb": Scalar(k_len * kv_heads * head_dim),
            "stride_kn": Scalar(kv_heads * head_dim),
            "stride_kh": Scalar(head_dim),
        },
        constants={"HEADS": heads, "GROUP": group, "HEAD_DIM": head_dim, "BM": bm, "BN": bn},
        expected=expected,
        # p is rounded to bf16 before the second product, and so is the result.
        tolerance=2**-6,
        outcome=SPECIALISED,
    )


def attention_bias(heads=2, seq_len=208, head_dim=64, bm=128, bn=64):
    scale = head_dim**-0.5

    def expected(inputs):
        q, k, v = (inputs[name] for name in ("q_ptr", "k_ptr", "v_ptr"))
        return {"out_ptr": attend(q, k, v, scale, inputs["bias_ptr"])[0]}

    def matrices(fill="normal"):
        return Buffer((heads, seq_len, head_dim), "f16", fill)

    return Case(
        name="attention_bias",
        kernel="attention.attention_bias",
        grid=(ceil_div(seq_len, bm), heads),
        arguments={
            "q_ptr": matrices(),
            "k_ptr": matrices(),
            "v_ptr": matrices(),
            "bias_ptr": Buffer((heads, seq_len, seq_len), "f16"),
            "out_ptr": matrices("poison"),
            "sm_scale": Scalar(scale, "f32"),
            "seq_len": Scalar(seq_len),
            "stride_h": Scalar(seq_len * head_dim),
            "stride_bh": Scalar(seq_len * seq_len),
        },
        constants={"HEAD_DIM": head_dim, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def attention_bytes(
    heads=2, q_len=208, k_len=336, head_dim=64, bm=128, bn=64, element="e5m2", causal=False
):  # fmt: skip
    scale = head_dim**-0.5
    v_stride = ceil_div(k_len, 16) * 16

    def expected(inputs):
        q, k = inputs["q_ptr"], inputs["k_ptr"]
        v = np.swapaxes(inputs["v_ptr"], -1, -2)[:, :k_len]
        bias = np.where(np.tri(q_len, k_len, dtype=bool), 0, -np.inf) if causal else 0.0
        return {"out_ptr": attend(q, k, v, scale, bias)[0]}

    return Case(
        name="attention_bytes_causal" if causal else "attention_bytes",
        kernel="attention.attention_bytes",
        grid=(ceil_div(q_len, bm), heads),
        arguments={
            "q_ptr": Buffer((heads, q_len, head_dim), element),
            "k_ptr": Buffer((heads, k_len, head_dim), element),
            "v_ptr": Buffer((heads, head_dim, v_stride), element),
            "out_ptr": Buffer((heads, q_len, head_dim), "bf16", "poison"),
            "sm_scale": Scalar(scale, "f32"),
            "q_len": Scalar(q_len),
            "k_len": Scalar(k_len),
            "v_stride": Scalar(v_stride),
        },
        constants={"HEAD_DIM": head_dim, "BM": bm, "BN": bn, "CAUSAL": causal},
        expected=expected,
        # p is rounded to two or three bits before the second product.
        tolerance=2**-4 if element == "e5m2" else 2**-5,
        outcome=SPECIALISED,
    )


def attention_bytes_causal(heads=2, q_len=208, k_len=208, head_dim=128, element="e4m3"):
    return attention_bytes(heads, q_len, k_len, head_dim, element=element, causal=True)


CORPUS = [
    attention, attention_causal, attention_gqa, attention_bias,
    attention_bytes, attention_bytes_causal,
]  # fmt: skip
