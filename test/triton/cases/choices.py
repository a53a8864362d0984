# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/choices.py with sizes and meaning."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div


def matmul_chosen(m=100, n=136, k=232, bm=64, bn=128, bk=64):
    # No block of the second rows is there.
    keep = np.array([[1, 0, 0, 1], [0, 0, 0, 0]])

    def expected(inputs):
        there = np.repeat(np.repeat(keep, bm, 0), bk, 1)[:m, :k]
        return {"c_ptr": np.where(there, inputs["a_ptr"], 0) @ inputs["b_ptr"]}

    return Case(
        name="matmul_chosen",
        kernel="choices.matmul_chosen",
        grid=(ceil_div(m, bm), ceil_div(n, bn)),
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "b_ptr": Buffer((k, n), "f16"),
            "keep_ptr": Buffer(keep.shape, "i32", keep),
            "c_ptr": Buffer((m, n), "f32", "poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def attention_window(length=230, window=40, sinks=4, d=64, bm=64, bn=32):
    scale = d**-0.5 * 1.4426950408889634

    def expected(inputs):
        s = inputs["q_ptr"] @ inputs["k_ptr"].T * scale
        row = np.arange(length)
        distance = row[:, None] - row[None, :]
        s = np.where((distance >= 0) & ((distance < window) | (row < sinks)), s, -np.inf)
        p = np.exp2(s - s.max(axis=1, keepdims=True))
        return {"o_ptr": p / p.sum(axis=1, keepdims=True) @ inputs["v_ptr"]}

    return Case(
        name="attention_window",
        kernel="choices.attention_window",
        grid=(ceil_div(length, bm),),
        arguments={
            **{name: Buffer((length, d), "f16") for name in ("q_ptr", "k_ptr", "v_ptr")},
            "o_ptr": Buffer((length, d), "f32", "poison"),
            "length": Scalar(length),
            "window": Scalar(window),
            "sinks": Scalar(sinks),
            "scale": Scalar(scale, "f32"),
        },
        constants={"D": d, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-8,
        outcome=SPECIALISED,
    )


def attention_documents(lengths=(90, 7, 100, 33), heads=2, d=64, bm=64, bn=32):
    length = sum(lengths)
    scale = d**-0.5 * 1.4426950408889634
    document = np.repeat(np.arange(len(lengths)), lengths)

    def expected(inputs):
        s = inputs["q_ptr"] @ np.swapaxes(inputs["k_ptr"], 1, 2) * scale
        row = np.arange(length)
        seen = (document[:, None] == document) & (row[:, None] >= row)
        p = np.where(seen, np.exp2(s - s.max(2, where=seen, initial=-np.inf, keepdims=True)), 0)
        return {"o_ptr": p / p.sum(2, keepdims=True) @ inputs["v_ptr"]}

    return Case(
        name="attention_documents",
        kernel="choices.attention_documents",
        grid=(ceil_div(length, bm), heads),
        arguments={
            **{name: Buffer((heads, length, d), "f16") for name in ("q_ptr", "k_ptr", "v_ptr")},
            "o_ptr": Buffer((heads, length, d), "f32", "poison"),
            "document_ptr": Buffer((length,), "i32", document),
            "length": Scalar(length),
            "scale": Scalar(scale, "f32"),
        },
        constants={"D": d, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-8,
        outcome=SPECIALISED,
    )


def gradients_listed(length=230, d=64, span=64, bm=64, bn=32):
    scale = d**-0.5 * 1.4426950408889634
    blocks = ceil_div(length, span)
    # Every second block before the diagonal's, and that.
    lists = [list(range(row * bm // span % 2, row * bm // span + 1, 2)) for row in range(ceil_div(length, bm))]
    listed = np.array([one + [0] * (blocks - len(one)) for one in lists])

    def expected(inputs):
        q, k, v, do = (inputs[name] for name in ("q_ptr", "k_ptr", "v_ptr", "do_ptr"))
        row = np.arange(length)
        seen = row[:, None] >= row
        for tile, one in enumerate(lists):
            seen[tile * bm : (tile + 1) * bm] &= np.isin(row // span, one)
        p = np.where(seen, np.exp2(q @ k.T * scale - inputs["most_ptr"][:, None]), 0)
        return {"dq_ptr": p * (do @ v.T - inputs["delta_ptr"][:, None]) @ k * scale}

    return Case(
        name="gradients_listed",
        kernel="choices.gradients_listed",
        grid=(len(lists),),
        arguments={
            **{name: Buffer((length, d), "f16") for name in ("q_ptr", "k_ptr", "v_ptr", "do_ptr")},
            "most_ptr": Buffer((length,), "f32", np.full(length, 8.0)),
            "delta_ptr": Buffer((length,), "f32"),
            "dq_ptr": Buffer((length, d), "f32", "poison"),
            "counts_ptr": Buffer((len(lists),), "i32", np.array([len(one) for one in lists])),
            "list_ptr": Buffer(listed.shape, "i32", listed),
            "length": Scalar(length),
            "blocks": Scalar(blocks),
            "scale": Scalar(scale, "f32"),
        },
        constants={"D": d, "SPAN": span, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-8,
        outcome=SPECIALISED,
    )


def matmul_listed(n=128, bm=64, bk=32):
    next_one = np.array([-1, 0, 4, 5, 1, 2])
    first = np.array([3, -1, 0])

    def expected(inputs):
        found = np.zeros((len(first), bm, n))
        for row, at in enumerate(first):
            while at >= 0:
                found[row] += inputs["a_ptr"][at] @ inputs["b_ptr"][at]
                at = next_one[at]
        return {"c_ptr": found}

    return Case(
        name="matmul_listed",
        kernel="choices.matmul_listed",
        grid=(len(first), n // bm),
        arguments={
            "a_ptr": Buffer((len(next_one), bm, bk), "f16"),
            "b_ptr": Buffer((len(next_one), bk, n), "f16"),
            "next_ptr": Buffer(next_one.shape, "i32", next_one),
            "c_ptr": Buffer((len(first), bm, n), "f32", "poison"),
            "first_ptr": Buffer(first.shape, "i32", first),
            "n": Scalar(n),
        },
        constants={"BM": bm, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def matmul_sources(m=64, n=128, k=256, bm=64, bn=64, bk=32):
    kinds = np.array([0, 2, 0, 0, 1, 1, 0, 2])

    def expected(inputs):
        kind = np.repeat(kinds, bk)[:, None]
        b = np.where(kind == 0, 0, np.where(kind == 1, inputs["old_ptr"], inputs["new_ptr"]))
        return {"c_ptr": inputs["a_ptr"] @ b}

    turns = np.array([np.count_nonzero(kinds), *kinds])
    return Case(
        name="matmul_sources",
        kernel="choices.matmul_sources",
        grid=(m // bm, n // bn),
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "new_ptr": Buffer((k, n), "f16"),
            "old_ptr": Buffer((k, n), "f16"),
            "turn_ptr": Buffer(turns.shape, "i32", turns),
            "c_ptr": Buffer((m, n), "f32", "poison"),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def states_kept(length=150, every=2, d=64, bt=32):
    chunks = ceil_div(length, bt)
    has_gate = np.array([0, 1, 1, 0, 1])

    def expected(inputs):
        h, kept = np.zeros((d, d)), []
        for chunk in range(chunks):
            if chunk % every == 0:
                kept.append(h)
            if has_gate[chunk]:
                h = h * np.exp2(inputs["gate_ptr"][chunk])[:, None]
            here = slice(chunk * bt, (chunk + 1) * bt)
            h = h + inputs["k_ptr"][here].T @ inputs["v_ptr"][here]
        return {"kept_ptr": np.stack(kept), "last_ptr": h}

    return Case(
        name="states_kept",
        kernel="choices.states_kept",
        grid=(1,),
        arguments={
            "k_ptr": Buffer((length, d), "f16"),
            "v_ptr": Buffer((length, d), "f16"),
            # Of a chunk without one it is a NaN.
            "gate_ptr": Buffer((chunks, d), fill=np.where(has_gate[:, None], -np.linspace(0, 1, d), np.nan)),
            "has_gate_ptr": Buffer((chunks,), "i32", has_gate),
            "kept_ptr": Buffer((ceil_div(chunks, every), d, d), fill="poison"),
            "last_ptr": Buffer((d, d), fill="poison"),
            "length": Scalar(length),
            "every": Scalar(every),
        },
        constants={"D": d, "BT": bt},
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


CORPUS = [
    matmul_chosen, attention_window, attention_documents, gradients_listed, matmul_listed, matmul_sources, states_kept,
]  # fmt: skip
