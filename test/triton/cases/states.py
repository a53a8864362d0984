# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/states.py with sizes and meaning."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div


def retention_chunks(heads=2, seq_len=200, d=64, e=64, chunk=64):
    rates = np.array([-0.0625, -0.25])[:heads]

    def expected(inputs):
        apart = np.subtract.outer(np.arange(seq_len), np.arange(seq_len))
        weights = np.where(apart >= 0, np.exp2(np.maximum(apart, 0) * rates[:, None, None]), 0)
        scores = inputs["q_ptr"] @ np.swapaxes(inputs["k_ptr"], -1, -2)
        return {"o_ptr": (scores * weights) @ inputs["v_ptr"]}

    return Case(
        name="retention_chunks",
        kernel="states.retention_chunks",
        grid=(heads,),
        arguments={
            "q_ptr": Buffer((heads, seq_len, d), "f16"),
            "k_ptr": Buffer((heads, seq_len, d), "f16"),
            "v_ptr": Buffer((heads, seq_len, e), "f16"),
            "o_ptr": Buffer((heads, seq_len, e), "f16", "poison"),
            "rates_ptr": Buffer((heads,), "f32", rates),
            "seq_len": Scalar(seq_len),
        },
        constants={"D": d, "E": e, "CHUNK": chunk},
        expected=expected,
        # Scores and the state are rounded to f16.
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def chunk_states(heads=2, seq_len=300, chunk_size=128, p=64, n=128, bl=64):
    chunks = ceil_div(seq_len, chunk_size)
    random = np.random.default_rng(3)
    decays = np.cumsum(-random.random((heads, seq_len)) / 16, 1).astype(np.float32)

    def expected(inputs):
        out = np.zeros((heads, chunks, p, n))
        for chunk in range(chunks):
            rows = slice(chunk * chunk_size, min((chunk + 1) * chunk_size, seq_len))
            decay = inputs["decay_ptr"][:, rows]
            weights = np.exp2(decay[:, -1:] - decay)
            scaled = inputs["b_ptr"][None, rows] * weights[..., None]
            out[:, chunk] = np.swapaxes(inputs["x_ptr"][:, rows], -1, -2) @ scaled
        return {"states_ptr": out}

    return Case(
        name="chunk_states",
        kernel="states.chunk_states",
        grid=(chunks, heads),
        arguments={
            "x_ptr": Buffer((heads, seq_len, p), "f16"),
            "b_ptr": Buffer((seq_len, n), "f16"),
            "decay_ptr": Buffer((heads, seq_len), "f32", decays),
            "states_ptr": Buffer((heads, chunks, p, n), "f32", "poison"),
            "seq_len": Scalar(seq_len),
            "chunk_size": Scalar(chunk_size),
        },
        constants={"P": p, "N": n, "BL": bl},
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def delta_chunks(heads=2, seq_len=200, d=64, e=64, chunk=64):
    chunks = ceil_div(seq_len, chunk)
    random = np.random.default_rng(5)
    # Small corrections, so that the state stays as large as what is added.
    small = np.round(random.standard_normal((heads, seq_len, d)) * 16) / 1024

    def expected(inputs):
        states, new = np.zeros((heads, chunks, d, e)), np.zeros((heads, seq_len, e))
        state = np.zeros((heads, d, e))
        for i in range(chunks):
            rows = slice(i * chunk, min((i + 1) * chunk, seq_len))
            states[:, i] = state
            new[:, rows] = inputs["u_ptr"][:, rows] - inputs["w_ptr"][:, rows] @ state
            state = state + np.swapaxes(inputs["k_ptr"][:, rows], -1, -2) @ new[:, rows]
        return {"states_ptr": states, "new_ptr": new}

    return Case(
        name="delta_chunks",
        kernel="states.delta_chunks",
        grid=(heads,),
        arguments={
            "k_ptr": Buffer((heads, seq_len, d), "f16", small),
            "w_ptr": Buffer((heads, seq_len, d), "f16", small[:, ::-1]),
            "u_ptr": Buffer((heads, seq_len, e), "f16"),
            "states_ptr": Buffer((heads, chunks, d, e), "f16", "poison"),
            "new_ptr": Buffer((heads, seq_len, e), "f16", "poison"),
            "seq_len": Scalar(seq_len),
        },
        constants={"D": d, "E": e, "CHUNK": chunk},
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def states_in_place(heads=2, seq_len=200, d=64, e=64, chunk=64):
    decays = np.array([0.75, 0.5] * ceil_div(heads, 2))[:heads]

    def expected(inputs):
        q, k, v, state = (inputs[f"{name}_ptr"] for name in ("q", "k", "v", "state"))
        out = np.zeros(v.shape)
        for first in range(0, seq_len, chunk):
            rows = slice(first, min(first + chunk, seq_len))
            scores = np.tril(q[:, rows] @ np.swapaxes(k[:, rows], 1, 2))
            out[:, rows] = scores @ v[:, rows] + q[:, rows] @ state
            state = state * decays[:, None, None] + np.swapaxes(k[:, rows], 1, 2) @ v[:, rows]
        return {"o_ptr": out, "state_ptr": state}

    return Case(
        name="states_in_place",
        kernel="states.states_in_place",
        grid=(heads,),
        arguments={
            "q_ptr": Buffer((heads, seq_len, d), "bf16"),
            "k_ptr": Buffer((heads, seq_len, d), "bf16"),
            "v_ptr": Buffer((heads, seq_len, e), "bf16"),
            "decay_ptr": Buffer((heads,), "f32", decays),
            "o_ptr": Buffer((heads, seq_len, e), "bf16", "poison"),
            "state_ptr": Buffer((heads, d, e), "f32"),
            "seq_len": Scalar(seq_len),
        },
        constants={"D": d, "E": e, "CHUNK": chunk},
        expected=expected,
        # Scores and the state are rounded to bf16.
        tolerance=2**-6,
        # In more stages Triton loads the next state before it stores this one.
        stages=1,
        outcome=SPECIALISED,
    )


def taylor_chunks(heads=2, seq_len=150, d=16, e=64, chunk=64):
    # Small, so that the scores stay near 1.
    small = np.random.default_rng(7).standard_normal((2, heads, seq_len, d)).round(1) / 4

    def expected(inputs):
        s = inputs["q_ptr"] @ np.swapaxes(inputs["k_ptr"], 1, 2)
        chunks = np.arange(seq_len) // chunk
        within = np.tril(chunks[:, None] == chunks)
        s = np.where(within, 1 + s + s * s / 2, np.where(np.tril(np.ones_like(within)), 1 + s, 0))
        return {"o_ptr": s @ inputs["v_ptr"], "sums_ptr": s.sum(2)}

    return Case(
        name="taylor_chunks",
        kernel="states.taylor_chunks",
        grid=(heads,),
        arguments={
            "q_ptr": Buffer((heads, seq_len, d), "f16", small[0]),
            "k_ptr": Buffer((heads, seq_len, d), "f16", small[1]),
            "v_ptr": Buffer((heads, seq_len, e), "f16"),
            "o_ptr": Buffer((heads, seq_len, e), "f32", "poison"),
            "sums_ptr": Buffer((heads, seq_len), "f32", "poison"),
            "seq_len": Scalar(seq_len),
        },
        constants={"D": d, "E": e, "CHUNK": chunk},
        expected=expected,
        # Scores and the state are rounded to f16.
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def scores_of_channels(heads=2, seq_len=100, d=100, chunk=64, bc=32, bk=64):
    random = np.random.default_rng(9)
    decays = np.cumsum(-random.random((seq_len, heads, d)) / 32, 0).astype(np.float32)
    blocks = chunk // bc

    def expected(inputs):
        out = np.zeros((2, seq_len, heads, chunk))
        fade = np.exp2(inputs["decay_ptr"])
        q, k = inputs["q_ptr"] * fade * 0.125, inputs["k_ptr"] * fade
        other = inputs["k_ptr"] / fade
        for i in range(seq_len):
            for j in range(i // chunk * chunk, i // bc * bc):
                out[0, i, :, j % chunk] = (q[i] * other[j]).sum(1)
                out[1, i, :, j % chunk] = (k[i] * other[j]).sum(1) * inputs["beta_ptr"][i]
        return {"scores_ptr": out[0], "keys_ptr": out[1]}

    return Case(
        name="scores_of_channels",
        kernel="states.scores_of_channels",
        grid=(ceil_div(seq_len, chunk), blocks * blocks, heads),
        arguments={
            "q_ptr": Buffer((seq_len, heads, d), "bf16"),
            "k_ptr": Buffer((seq_len, heads, d), "bf16"),
            "decay_ptr": Buffer((seq_len, heads, d), "f32", decays),
            "beta_ptr": Buffer((seq_len, heads), "f32"),
            "scores_ptr": Buffer((seq_len, heads, chunk), "f32", "zeros"),
            "keys_ptr": Buffer((seq_len, heads, chunk), "f32", "zeros"),
            "scale": Scalar(0.125, "f32"),
            "seq_len": Scalar(seq_len),
        },
        constants={"H": heads, "D": d, "CHUNK": chunk, "BC": bc, "BK": bk, "NC": blocks},
        expected=expected,
        # Faded queries and keys are rounded to bf16.
        tolerance=2**-7,
        outcome=SPECIALISED,
    )


CORPUS = [retention_chunks, chunk_states, delta_chunks, states_in_place, taylor_chunks, scores_of_channels]
