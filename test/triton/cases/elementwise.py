# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/elementwise.py with sizes and meaning."""

import numpy as np
from case import NO_DOT, Buffer, Case, Scalar, ceil_div, next_power_of_two


def vector_add(n=3000, block=1024):
    return Case(
        name="vector_add",
        kernel="elementwise.vector_add",
        grid=(ceil_div(n, block),),
        arguments={
            "x_ptr": Buffer((n,)),
            "y_ptr": Buffer((n,)),
            "out_ptr": Buffer((n,), fill="poison"),
            "n_elements": Scalar(n),
        },
        constants={"BLOCK": block},
        expected=lambda inputs: {"out_ptr": inputs["x_ptr"] + inputs["y_ptr"]},
        tolerance=2**-22,
        outcome=NO_DOT,
    )


def swiglu(rows=5, cols=1000):
    def expected(inputs):
        gate = inputs["gate_ptr"]
        return {"out_ptr": gate / (1 + np.exp(-gate)) * inputs["up_ptr"]}

    return Case(
        name="swiglu",
        kernel="elementwise.swiglu",
        grid=(rows,),
        arguments={
            "gate_ptr": Buffer((rows, cols), "bf16"),
            "up_ptr": Buffer((rows, cols), "bf16"),
            "out_ptr": Buffer((rows, cols), "bf16", "poison"),
            "row_stride": Scalar(cols),
            "n_cols": Scalar(cols),
        },
        constants={"BLOCK": next_power_of_two(cols)},
        expected=expected,
        # Both factors and their product are rounded to bf16.
        tolerance=2**-7,
        outcome=NO_DOT,
    )


def philox(seed, counters):
    """The first word of Philox-4x32-10 (Salmon et al., SC 2011) with the counter in word 0."""
    mask = np.uint64(0xFFFFFFFF)
    low, high = np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)
    words = [np.asarray(counters, np.uint64)] + [np.zeros(len(counters), np.uint64)] * 3
    for _ in range(10):
        even = np.uint64(0xD2511F53) * words[0]
        odd = np.uint64(0xCD9E8D57) * words[2]
        shift = np.uint64(32)
        words = [
            (odd >> shift) ^ words[1] ^ low, odd & mask,
            (even >> shift) ^ words[3] ^ high, even & mask,
        ]  # fmt: skip
        low = (low + np.uint64(0x9E3779B9)) & mask
        high = (high + np.uint64(0xBB67AE85)) & mask
    return words[0]


def uniform(words):
    """To [0, 1) as Triton does: the word as a signed number, folded at zero."""
    signed = words.astype(np.uint32).view(np.int32).astype(np.int64)
    return np.where(signed < 0, -signed - 1, signed) * 4.6566127342e-10


def dropout(n=3000, block=1024, p=0.3, seed=1234567):
    def expected(inputs):
        keep = uniform(philox(seed, np.arange(n))) > p
        return {"out_ptr": np.where(keep, inputs["x_ptr"] / (1 - p), 0.0)}

    return Case(
        name="dropout",
        kernel="elementwise.dropout",
        grid=(ceil_div(n, block),),
        arguments={
            "x_ptr": Buffer((n,)),
            "out_ptr": Buffer((n,), fill="poison"),
            "n_elements": Scalar(n),
            "p": Scalar(p, "f32"),
            "seed": Scalar(seed),
        },
        constants={"BLOCK": block},
        expected=expected,
        tolerance=2**-20,
        outcome=NO_DOT,
    )


def rotary_embedding(batch=2, seq_len=3, q_heads=6, k_heads=4, head_dim=64):
    tokens, half = batch * seq_len, head_dim // 2

    def rotate(x, inputs):
        cos = np.tile(inputs["cos_ptr"], (batch, 1))[:, None, :]
        sin = np.tile(inputs["sin_ptr"], (batch, 1))[:, None, :]
        left, right = x[:, :, :half], x[:, :, half:]
        return np.concatenate([left * cos - right * sin, right * cos + left * sin], axis=2)

    return Case(
        name="rotary_embedding",
        kernel="elementwise.rotary_embedding",
        grid=(tokens,),
        arguments={
            "q_ptr": Buffer((tokens, q_heads, head_dim), "bf16"),
            "q_row_stride": Scalar(q_heads * head_dim),
            "k_ptr": Buffer((tokens, k_heads, head_dim), "bf16"),
            "k_row_stride": Scalar(k_heads * head_dim),
            "cos_ptr": Buffer((seq_len, half)),
            "sin_ptr": Buffer((seq_len, half)),
            "seq_len": Scalar(seq_len),
        },
        constants={
            "Q_HEADS": q_heads,
            "K_HEADS": k_heads,
            "HEAD_DIM": head_dim,
            "PADDED_Q_HEADS": next_power_of_two(q_heads),
            "PADDED_K_HEADS": next_power_of_two(k_heads),
        },
        expected=lambda inputs: {
            "q_ptr": rotate(inputs["q_ptr"], inputs),
            "k_ptr": rotate(inputs["k_ptr"], inputs),
        },
        tolerance=2**-8,
        outcome=NO_DOT,
    )


def words_and_bias(rows=37, columns=48, words=9, block=256):
    ids = np.random.default_rng(5).integers(-words, words, rows)
    count = rows * columns
    return Case(
        name="words_and_bias",
        kernel="elementwise.words_and_bias",
        grid=(ceil_div(count, block),),
        arguments={
            "ids_ptr": Buffer((rows,), "i64", ids),
            "table_ptr": Buffer((words, columns), "bf16"),
            "bias_ptr": Buffer((columns,), "bf16"),
            "out_ptr": Buffer((rows, columns), fill="poison"),
            "count": Scalar(count),
            "words": Scalar(words),
        },
        constants={"COLUMNS": columns, "BLOCK": block},
        expected=lambda inputs: {"out_ptr": inputs["table_ptr"][ids] + inputs["bias_ptr"]},
        tolerance=2**-20,
        outcome=NO_DOT,
    )


def heads_apart(tokens=21, heads=3, depth=16, block=512):
    count = tokens * heads * depth
    return Case(
        name="heads_apart",
        kernel="elementwise.heads_apart",
        grid=(ceil_div(count, block),),
        arguments={
            "x_ptr": Buffer((tokens, heads, depth), "f16"),
            "out_ptr": Buffer((heads, tokens, depth), "f16", "poison"),
            "count": Scalar(count),
            "tokens": Scalar(tokens),
        },
        constants={"HEADS": heads, "DEPTH": depth, "BLOCK": block},
        expected=lambda inputs: {"out_ptr": inputs["x_ptr"].transpose(1, 0, 2)},
        tolerance=0,
        outcome=NO_DOT,
    )


CORPUS = [vector_add, swiglu, dropout, rotary_embedding, words_and_bias, heads_apart]
