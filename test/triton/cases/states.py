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


CORPUS = [retention_chunks, chunk_states, delta_chunks, states_in_place]
