# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/sequences.py with sizes and meaning. What a program leaves alone keeps what it
held, so that a write beyond an end shows."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div
from corpus_cases import load

attend = load("cases", "attention").attend

UNTOUCHED = 7.0


def kept(shape, element="f32"):
    """Memory of which the kernel writes only a part."""
    return Buffer(shape, element, np.full(shape, UNTOUCHED))


def attention_packed(lengths=(130, 0, 77, 257), heads=2, head_dim=64, bm=128, bn=64):
    scale = head_dim**-0.5
    starts = np.concatenate([[3], 3 + np.cumsum(lengths)])
    tokens = int(starts[-1]) + 2

    def expected(inputs):
        out, lse = inputs["out_ptr"].copy(), inputs["lse_ptr"].copy()
        for first, last in zip(starts[:-1], starts[1:]):
            if first == last:
                continue
            q, k, v = (inputs[name][first:last].transpose(1, 0, 2)
                       for name in ("q_ptr", "k_ptr", "v_ptr"))  # fmt: skip
            made, sums = attend(q, k, v, scale)
            out[first:last], lse[first:last] = made.transpose(1, 0, 2), sums.T
        return {"out_ptr": out, "lse_ptr": lse}

    shape = (tokens, heads, head_dim)
    return Case(
        name="attention_packed",
        kernel="sequences.attention_packed",
        grid=(ceil_div(max(lengths), bm), len(lengths), heads),
        arguments={
            "q_ptr": Buffer(shape, "f16"),
            "k_ptr": Buffer(shape, "f16"),
            "v_ptr": Buffer(shape, "f16"),
            "out_ptr": kept(shape, "f16"),
            "lse_ptr": kept((tokens, heads)),
            "starts_ptr": Buffer(starts.shape, "i32", starts),
            "sm_scale": Scalar(scale, "f32"),
            "stride_q": Scalar(heads * head_dim),
            "stride_k": Scalar(heads * head_dim),
        },
        constants={"HEADS": heads, "HEAD_DIM": head_dim, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def attention_lengths(lengths=(200, 0, 64), q_len=128, k_len=200, head_dim=64, bm=128, bn=64):
    scale = head_dim**-0.5
    batch = len(lengths)

    def expected(inputs):
        out = np.zeros((batch, q_len, head_dim))
        for b, length in enumerate(lengths):
            if length:
                k, v = (inputs[name][b, :length] for name in ("k_ptr", "v_ptr"))
                out[b] = attend(inputs["q_ptr"][b], k, v, scale)[0]
        return {"out_ptr": out}

    return Case(
        name="attention_lengths",
        kernel="sequences.attention_lengths",
        grid=(q_len // bm, batch),
        arguments={
            "q_ptr": Buffer((batch, q_len, head_dim), "bf16"),
            "k_ptr": Buffer((batch, k_len, head_dim), "bf16"),
            "v_ptr": Buffer((batch, k_len, head_dim), "bf16"),
            "out_ptr": Buffer((batch, q_len, head_dim), "bf16", "poison"),
            "lengths_ptr": Buffer((batch,), "i32", np.array(lengths)),
            "sm_scale": Scalar(scale, "f32"),
            "stride_b": Scalar(q_len * head_dim),
            "stride_m": Scalar(head_dim),
            "stride_kb": Scalar(k_len * head_dim),
            "stride_n": Scalar(head_dim),
        },
        constants={"HEAD_DIM": head_dim, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-7,
        outcome=SPECIALISED,
    )


def matmul_gated(m=140, n=72, k=128, heads=3, bm=128, bn=64, bk=64):
    def expected(inputs):
        a = inputs["a_ptr"].transpose(1, 0, 2)
        gate = np.exp(inputs["gate_ptr"].T)[:, :, None]
        return {"c_ptr": (gate * (a @ inputs["b_ptr"])).transpose(1, 0, 2)}

    return Case(
        name="matmul_gated",
        kernel="sequences.matmul_gated",
        grid=(ceil_div(m, bm), ceil_div(n, bn), heads),
        arguments={
            "a_ptr": Buffer((m, heads, k), "bf16"),
            "b_ptr": Buffer((heads, k, n), "bf16"),
            "gate_ptr": Buffer((m, heads)),
            "c_ptr": Buffer((m, heads, n), "bf16", "poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_am": Scalar(heads * k),
            "stride_bk": Scalar(n),
            "stride_cm": Scalar(heads * n),
            "heads": Scalar(heads),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-7,
        outcome=SPECIALISED,
    )


def matmul_strides(m=100, n=80, k=136, bm=128, bn=64, bk=64):
    """Every other column of A and of C."""

    def expected(inputs):
        c = inputs["c_ptr"].copy()
        c[:, ::2] = inputs["a_ptr"][:, ::2] @ inputs["b_ptr"].T
        return {"c_ptr": c}

    return Case(
        name="matmul_strides",
        kernel="sequences.matmul_strides",
        grid=(ceil_div(m, bm), ceil_div(n, bn)),
        arguments={
            "a_ptr": Buffer((m, 2 * k), "f16"),
            "b_ptr": Buffer((n, k), "f16"),
            "c_ptr": kept((m, 2 * n), "f16"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_am": Scalar(2 * k),
            "stride_ak": Scalar(2),
            "stride_bk": Scalar(1),
            "stride_bn": Scalar(k),
            "stride_cm": Scalar(2 * n),
            "stride_cn": Scalar(2),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def matmul_band(n=72, k=300, bm=64, bn=64, bk=64):
    firsts, lasts = np.array([0, 70, 129, 64]), np.array([300, 130, 129, 128])

    def expected(inputs):
        c = np.zeros((len(firsts) * bm, n))
        for i, (first, last) in enumerate(zip(firsts, lasts)):
            rows = slice(i * bm, (i + 1) * bm)
            c[rows] = inputs["a_ptr"][rows, first:last] @ inputs["b_ptr"][first:last]
        return {"c_ptr": c}

    return Case(
        name="matmul_band",
        kernel="sequences.matmul_band",
        grid=(len(firsts), ceil_div(n, bn)),
        arguments={
            "a_ptr": Buffer((len(firsts) * bm, k), "f16"),
            "b_ptr": Buffer((k, n), "f16"),
            "c_ptr": Buffer((len(firsts) * bm, n), "f32", "poison"),
            "first_ptr": Buffer(firsts.shape, "i32", firsts),
            "last_ptr": Buffer(lasts.shape, "i32", lasts),
            "n": Scalar(n),
            "stride_am": Scalar(k),
            "stride_bk": Scalar(n),
            "stride_cm": Scalar(n),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-18,
        outcome=SPECIALISED,
    )


def attention_paged(queries=(64, 70, 1), lengths=(200, 70, 130), heads=2, head_dim=64, bm=64, page=64):
    scale = head_dim**-0.5
    starts = np.concatenate([[0], np.cumsum(queries)])
    counts = [ceil_div(length, page) for length in lengths]
    order = np.random.default_rng(5).permutation(sum(counts) + 2)
    table = np.zeros((len(lengths), max(counts)), int)
    for sequence, count in enumerate(counts):
        done = sum(counts[:sequence])
        table[sequence, :count] = order[done : done + count]

    def expected(inputs):
        out = np.zeros((starts[-1], heads, head_dim))
        for sequence, (rows, length) in enumerate(zip(queries, lengths)):
            pages = table[sequence, : counts[sequence]]
            k, v = (inputs[name][pages].reshape(-1, heads, head_dim)[:length].transpose(1, 0, 2)
                    for name in ("k_ptr", "v_ptr"))  # fmt: skip
            own = slice(starts[sequence], starts[sequence + 1])
            bias = np.where(np.tri(rows, length, length - rows, dtype=bool), 0, -np.inf)
            made = attend(inputs["q_ptr"][own].transpose(1, 0, 2), k, v, scale, bias)[0]
            out[own] = made.transpose(1, 0, 2)
        return {"out_ptr": out}

    cache = (len(order), page, heads, head_dim)
    return Case(
        name="attention_paged",
        kernel="sequences.attention_paged",
        grid=(len(lengths), heads, ceil_div(max(queries), bm)),
        arguments={
            "q_ptr": Buffer((int(starts[-1]), heads, head_dim), "f16"),
            "k_ptr": Buffer(cache, "f16"),
            "v_ptr": Buffer(cache, "f16"),
            "out_ptr": Buffer((int(starts[-1]), heads, head_dim), "f16", "poison"),
            "table_ptr": Buffer(table.shape, "i32", table),
            "lengths_ptr": Buffer((len(lengths),), "i32", np.array(lengths)),
            "starts_ptr": Buffer(starts.shape, "i32", starts),
            "sm_scale": Scalar(scale, "f32"),
            "stride_q": Scalar(heads * head_dim),
            "stride_page": Scalar(page * heads * head_dim),
            "stride_row": Scalar(heads * head_dim),
            "stride_table": Scalar(table.shape[1]),
        },
        constants={"HEAD_DIM": head_dim, "BM": bm, "PAGE": page},
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def matmul_ragged(sizes=(70, 0, 130), n=72, k=136, programs=4, bm=128, bn=64, bk=64):
    starts = np.concatenate([[0], np.cumsum(sizes)])

    def expected(inputs):
        parts = [inputs["a_ptr"][first:last] @ inputs["b_ptr"][expert]
                 for expert, (first, last) in enumerate(zip(starts[:-1], starts[1:]))]  # fmt: skip
        return {"c_ptr": np.concatenate(parts)}

    return Case(
        name="matmul_ragged",
        kernel="sequences.matmul_ragged",
        grid=(ceil_div(max(sizes), bm), ceil_div(n, bn), programs),
        arguments={
            "a_ptr": Buffer((sum(sizes), k), "f16"),
            "b_ptr": Buffer((len(sizes), k, n), "f16"),
            "c_ptr": Buffer((sum(sizes), n), "f16", "poison"),
            "starts_ptr": Buffer(starts.shape, "i32", starts),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_am": Scalar(k),
            "stride_be": Scalar(k * n),
            "stride_bk": Scalar(n),
            "stride_cm": Scalar(n),
            "experts": Scalar(len(sizes)),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def convolution(length=150, channels=80, outputs=72, taps=3, bm=128, bn=64, bk=64):
    def expected(inputs):
        x = np.pad(inputs["x_ptr"], ((taps // 2, taps // 2), (0, 0)))
        parts = [x[tap : tap + length] @ inputs["weight_ptr"][tap] for tap in range(taps)]
        return {"out_ptr": sum(parts)}

    return Case(
        name="convolution",
        kernel="sequences.convolution",
        grid=(ceil_div(length, bm), ceil_div(outputs, bn)),
        arguments={
            "x_ptr": Buffer((length, channels), "f16"),
            "weight_ptr": Buffer((taps, channels, outputs), "f16"),
            "out_ptr": Buffer((length, outputs), "f16", "poison"),
            "length": Scalar(length),
            "channels": Scalar(channels),
            "outputs": Scalar(outputs),
        },
        constants={"TAPS": taps, "BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def matmul_experts(tokens=90, experts=3, n=72, k=136, top=2, bm=64, bn=64, bk=64):
    random = np.random.default_rng(8)
    chosen = np.stack([random.permutation(experts)[:top] for _ in range(tokens)])
    slots = tokens * top
    rows, of_block = [], []
    for expert in range(experts):
        own = np.flatnonzero(chosen.reshape(-1) == expert)
        blocks = ceil_div(len(own), bm)
        rows += [*own, *[slots] * (blocks * bm - len(own))]
        of_block += [expert] * blocks

    def expected(inputs):
        a = np.repeat(inputs["a_ptr"], top, axis=0)
        b = inputs["b_ptr"][chosen.reshape(-1)]
        return {"c_ptr": np.einsum("sk,snk->sn", a, b) * inputs["weight_ptr"][:, None]}

    return Case(
        name="matmul_experts",
        kernel="sequences.matmul_experts",
        # As many as there may be: each expert may waste a block.
        grid=((ceil_div(slots, bm) + experts) * ceil_div(n, bn),),
        arguments={
            "a_ptr": Buffer((tokens, k), "f16"),
            "b_ptr": Buffer((experts, n, k), "f16"),
            "c_ptr": Buffer((slots, n), "f16", "poison"),
            "weight_ptr": Buffer((slots,)),
            "rows_ptr": Buffer((len(rows),), "i32", np.array(rows)),
            "experts_ptr": Buffer((len(of_block),), "i32", np.array(of_block)),
            "padded_ptr": Buffer((1,), "i32", np.array([len(rows)])),
            "n": Scalar(n),
            "k": Scalar(k),
            "slots": Scalar(slots),
            "stride_am": Scalar(k),
            "stride_be": Scalar(n * k),
            "stride_bn": Scalar(k),
            "stride_cm": Scalar(n),
        },
        constants={"BM": bm, "BN": bn, "BK": bk, "GROUP": 8, "TOP": top},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def matmul_jagged(lengths=(70, 0, 33, 100), m=72, n=40, most=90, bm=64, bn=64, bk=32):
    starts = np.concatenate([[0], np.cumsum(lengths)])

    def expected(inputs):
        out = np.zeros((len(lengths), m, n))
        for i, first in enumerate(starts[:-1]):
            rows = slice(first, min(starts[i + 1], first + most))
            out[i] = inputs["x_ptr"][rows].T @ inputs["y_ptr"][rows]
        return {"out_ptr": out}

    return Case(
        name="matmul_jagged",
        kernel="sequences.matmul_jagged",
        grid=(len(lengths), ceil_div(m, bm), ceil_div(n, bn)),
        arguments={
            "x_ptr": Buffer((sum(lengths), m), "f16"),
            "y_ptr": Buffer((sum(lengths), n), "f16"),
            "out_ptr": Buffer((len(lengths), m, n), "f32", "poison"),
            "starts_ptr": Buffer(starts.shape, "i64", starts),
            "m": Scalar(m),
            "n": Scalar(n),
            "most": Scalar(most),
        },
        constants={"BM": bm, "BN": bn, "BK": bk},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def attention_mixed(
    queries=(37, 1, 1, 20), before=(50, 130, 0, 3), group=2, heads=2, d=80, page=16, window=48, bm=64, bn=32
):
    scale = d**-0.5 * 1.4426950408889634
    rows = bm // group
    dp = 1 << (d - 1).bit_length()
    lengths = np.add(queries, before)
    starts = np.concatenate([[0], np.cumsum(queries)])
    pages = [ceil_div(int(length), page) for length in lengths]
    order = np.random.default_rng(4).permutation(sum(pages))
    table = np.zeros((len(queries), max(pages)), int)
    for i, count in enumerate(pages):
        table[i, :count], order = order[:count], order[count:]

    def expected(inputs):
        out = np.zeros(shape)
        for i, length in enumerate(lengths):
            k, v = (inputs[name][table[i]].reshape(-1, heads, d)[:length] for name in ("k_ptr", "v_ptr"))
            place, token = np.arange(length), before[i] + np.arange(queries[i])
            back = token[:, None] - place
            for head in range(heads * group):
                q = inputs["q_ptr"][starts[i] : starts[i + 1], head]
                s = np.where((back >= 0) & (back < window), q @ k[:, head // group].T * scale, -np.inf)
                p = np.exp2(s)
                share = p.sum(1, keepdims=True) + np.exp2(inputs["sinks_ptr"][head])
                out[starts[i] : starts[i + 1], head] = p / share @ v[:, head // group]
        return {"out_ptr": out}

    shape = (int(starts[-1]), heads * group, d)
    return Case(
        name="attention_mixed",
        kernel="sequences.attention_mixed",
        grid=(int(starts[-1]) // rows + len(queries), heads),
        arguments={
            "q_ptr": Buffer(shape, "f16"),
            "k_ptr": Buffer((sum(pages), page, heads, d), "f16"),
            "v_ptr": Buffer((sum(pages), page, heads, d), "f16"),
            "out_ptr": Buffer(shape, "f32", "poison"),
            "sinks_ptr": Buffer((heads * group,)),
            "table_ptr": Buffer(table.shape, "i32", table),
            "lengths_ptr": Buffer(lengths.shape, "i32", lengths),
            "starts_ptr": Buffer(starts.shape, "i32", starts),
            "sequences": Scalar(len(queries)),
            "stride_table": Scalar(max(pages), "i64"),
            "scale": Scalar(scale, "f32"),
        },
        constants={
            "GROUP": group, "HEADS": heads, "PAGE": page, "D": d, "DP": dp, "WINDOW": window, "ROWS": rows,
            "BM": bm, "BN": bn,
        },
        expected=expected,
        # Shares are rounded to f16.
        tolerance=2**-9,
        outcome=SPECIALISED,
    )  # fmt: skip


CORPUS = [
    attention_packed, attention_lengths, matmul_gated, matmul_strides, matmul_band,
    attention_paged, matmul_ragged, convolution, matmul_experts,
    matmul_jagged, attention_mixed,
]  # fmt: skip
