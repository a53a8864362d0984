# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/serving.py with sizes and meaning."""

import itertools

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div


def tiles(bm=64, bn=64, bk=64):
    return {"BM": bm, "BN": bn, "BK": bk}


def experts_gathered(tokens=70, top=2, experts=4, n=136, k=208, tile=tiles()):
    random = np.random.default_rng(7)
    chosen = np.stack([random.permutation(experts)[:top] for _ in range(tokens)]).reshape(-1)
    lists, owners = [], []
    for expert in range(experts):
        mine = np.flatnonzero(chosen == expert)
        padded = ceil_div(len(mine), tile["BM"]) * tile["BM"]
        lists.append(np.concatenate([mine, np.full(padded - len(mine), tokens * top)]))
        owners += [expert] * (padded // tile["BM"])
    numbers = np.concatenate(lists)
    # As wrappers do, one block more than is used.
    used, numbers = len(numbers), np.concatenate([numbers, np.full(tile["BM"], tokens * top)])

    def expected(inputs):
        rows = np.repeat(inputs["x_ptr"], top, 0)
        out = np.einsum("tk,tnk->tn", rows, inputs["w_ptr"][chosen])
        return {"out_ptr": out * inputs["weights_ptr"][:, None]}

    return Case(
        name="experts_gathered",
        kernel="serving.experts_gathered",
        grid=(len(numbers) // tile["BM"] * ceil_div(n, tile["BN"]),),
        arguments={
            "x_ptr": Buffer((tokens, k), "f16"),
            "w_ptr": Buffer((experts, n, k), "f16"),
            "out_ptr": Buffer((tokens * top, n), "f16", "poison"),
            "weights_ptr": Buffer((tokens * top,), "f32"),
            "tokens_ptr": Buffer(numbers.shape, "i32", numbers),
            "experts_ptr": Buffer((len(owners) + 1,), "i32", np.array([*owners, 0])),
            "count_ptr": Buffer((1,), "i32", np.array([used])),
            "tokens": Scalar(tokens),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_x": Scalar(k),
            "stride_we": Scalar(n * k),
            "stride_wn": Scalar(k),
            "stride_o": Scalar(n),
        },
        constants={**tile, "TOP": top},
        expected=expected,
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def decode_paged(lengths=(130, 1, 64, 97), shared=2, group=4, head_dim=64, page=32):
    random = np.random.default_rng(9)
    each = ceil_div(max(lengths), page)
    pages = random.permutation(len(lengths) * each).reshape(len(lengths), each)
    heads, scale = shared * group, head_dim**-0.5

    def expected(inputs):
        out = np.zeros((len(lengths), heads, head_dim))
        for i, length in enumerate(lengths):
            k, v = (inputs[name][pages[i]].reshape(-1, shared, head_dim)[:length] for name in ("k_ptr", "v_ptr"))
            for head in range(heads):
                scores = k[:, head // group] @ inputs["q_ptr"][i, head] * scale
                powers = np.exp(scores - scores.max())
                out[i, head] = powers / powers.sum() @ v[:, head // group]
        return {"out_ptr": out}

    cache = (pages.size, page, shared, head_dim)
    return Case(
        name="decode_paged",
        kernel="serving.decode_paged",
        grid=(len(lengths), shared),
        arguments={
            "q_ptr": Buffer((len(lengths), heads, head_dim), "f16"),
            "k_ptr": Buffer(cache, "f16"),
            "v_ptr": Buffer(cache, "f16"),
            "out_ptr": Buffer((len(lengths), heads, head_dim), "f16", "poison"),
            "pages_ptr": Buffer(pages.shape, "i32", pages),
            "lengths_ptr": Buffer((len(lengths),), "i32", np.array(lengths)),
            "scale": Scalar(scale, "f32"),
            "stride_q": Scalar(heads * head_dim),
            "stride_page": Scalar(page * shared * head_dim),
            "stride_row": Scalar(shared * head_dim),
            "pages_each": Scalar(each),
        },
        constants={"GROUP": group, "ROWS": 16, "HEAD_DIM": head_dim, "PAGE": page},
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def decode_split(
    name="decode_split", lengths=(130, 1, 64, 97), splits=3, shared=2, group=4, head_dim=64, block=32, page=16,
    element="i32",
):  # fmt: skip
    """Sums and their logarithms for each part; a part without keys keeps the zeros that stand there."""
    random = np.random.default_rng(11)
    each = ceil_div(max(lengths), page)
    pages = random.permutation(len(lengths) * each).reshape(len(lengths), each)
    heads, scale = shared * group, head_dim**-0.5

    def expected(inputs):
        sums = np.zeros((len(lengths), splits, heads, head_dim))
        logs = np.zeros((len(lengths), splits, heads))
        for i, length in enumerate(lengths):
            k, v = (inputs[name][pages[i]].reshape(-1, shared, head_dim)[:length] for name in ("k_ptr", "v_ptr"))
            rows = ceil_div(length, splits)
            for part, head in itertools.product(range(splits), range(heads)):
                mine = slice(rows * part, min(rows * (part + 1), length))
                if mine.stop <= mine.start:
                    continue
                scores = k[mine, head // group] @ inputs["q_ptr"][i, head] * scale
                powers = np.exp(scores - scores.max())
                sums[i, part, head] = powers / powers.sum() @ v[mine, head // group]
                logs[i, part, head] = scores.max() + np.log(powers.sum())
        return {"sums_ptr": sums, "logs_ptr": logs}

    cache = (pages.size, page, shared, head_dim)
    return Case(
        name=name,
        kernel="serving.decode_split",
        grid=(len(lengths), shared, splits),
        arguments={
            "q_ptr": Buffer((len(lengths), heads, head_dim), "f16"),
            "k_ptr": Buffer(cache, "f16"),
            "v_ptr": Buffer(cache, "f16"),
            "sums_ptr": Buffer((len(lengths), splits, heads, head_dim), "f32", "zeros"),
            "logs_ptr": Buffer((len(lengths), splits, heads), "f32", "zeros"),
            "places_ptr": Buffer(pages.shape, element, pages),
            "lengths_ptr": Buffer((len(lengths),), "i32", np.array(lengths)),
            "scale": Scalar(scale, "f32"),
            "stride_q": Scalar(heads * head_dim),
            "stride_row": Scalar(shared * head_dim),
            "stride_head": Scalar(head_dim),
            "places_each": Scalar(each),
        },
        constants={
            "SPLITS": splits, "GROUP": group, "ROWS": 16, "HEAD_DIM": head_dim,
            "BLOCK_D": 1 << (head_dim - 1).bit_length(), "BLOCK": block, "PAGE": page,
        },  # fmt: skip
        expected=expected,
        tolerance=2**-9,
        outcome=SPECIALISED,
    )


def decode_tokens():
    """Each token's place for itself, of 64 bits, and heads that fill no power of two."""
    return decode_split("decode_tokens", lengths=(100, 33, 7), head_dim=80, block=64, page=1, element="i64")


def scaled_arguments(m, n, k, element):
    """Of C = A B', B along k."""
    fill = "small" if element == "i8" else "normal"
    return {
        "a_ptr": Buffer((m, k), element, fill),
        "b_ptr": Buffer((n, k), element, fill),
        "m": Scalar(m),
        "n": Scalar(n),
        "k": Scalar(k),
        "stride_a": Scalar(k),
        "stride_b": Scalar(k),
        "stride_c": Scalar(n),
    }


def matmul_int8(m=100, n=136, k=208, tile=tiles()):
    random = np.random.default_rng(1)
    return Case(
        name="matmul_int8",
        kernel="serving.matmul_int8",
        grid=(ceil_div(m, tile["BM"]), ceil_div(n, tile["BN"])),
        arguments={
            **scaled_arguments(m, n, k, "i8"),
            "c_ptr": Buffer((m, n), "f16", "poison"),
            "rows_ptr": Buffer((m,), "f32", random.integers(1, 9, m) / 1024),
            "columns_ptr": Buffer((n,), "f32", random.integers(1, 9, n) / 1024),
        },
        constants=tile,
        expected=lambda inputs: {
            "c_ptr": inputs["a_ptr"] @ inputs["b_ptr"].T
            * inputs["rows_ptr"][:, None] * inputs["columns_ptr"]
        },  # fmt: skip
        tolerance=2**-11,
        outcome=SPECIALISED,
    )


def matmul_int4(m=80, n=128, k=256, group=128, tile=tiles()):
    def expected(inputs):
        words = inputs["b_ptr"].astype(np.int64)
        numbers = (words[:, None] >> (4 * np.arange(8))[None, :, None] & 15).reshape(k, n) - 8
        return {"c_ptr": inputs["a_ptr"] @ (numbers * np.repeat(inputs["scales_ptr"], group, 0))}

    return Case(
        name="matmul_int4",
        kernel="serving.matmul_int4",
        grid=(ceil_div(m, tile["BM"]), ceil_div(n, tile["BN"])),
        arguments={
            "a_ptr": Buffer((m, k), "f16"),
            "b_ptr": Buffer((k // 8, n), "i32", "bits"),
            "scales_ptr": Buffer((k // group, n), "f16"),
            "c_ptr": Buffer((m, n), "f16", "poison"),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
            "stride_a": Scalar(k),
            "stride_b": Scalar(n),
            "stride_s": Scalar(n),
            "stride_c": Scalar(n),
        },
        constants={**tile, "GROUP": group},
        expected=expected,
        # The weights are rounded to f16.
        tolerance=2**-10,
        outcome=SPECIALISED,
    )


def matmul_blocks_of_fp8(m=100, n=256, k=384, tile=tiles(64, 128, 128)):
    blocks, columns = ceil_div(k, tile["BK"]), ceil_div(n, tile["BN"])
    random = np.random.default_rng(2)

    def expected(inputs):
        a = inputs["a_ptr"] * np.repeat(inputs["sa_ptr"], tile["BK"], 1)[:, :k]
        scales = np.repeat(np.repeat(inputs["sb_ptr"], tile["BN"], 0)[:n], tile["BK"], 1)[:, :k]
        return {"c_ptr": a @ (inputs["b_ptr"] * scales).T}

    return Case(
        name="matmul_blocks_of_fp8",
        kernel="serving.matmul_blocks_of_fp8",
        grid=(ceil_div(m, tile["BM"]), columns),
        arguments={
            **scaled_arguments(m, n, k, "e4m3"),
            "c_ptr": Buffer((m, n), "bf16", "poison"),
            "sa_ptr": Buffer((m, blocks), "f32", random.integers(1, 9, (m, blocks)) / 8),
            "sb_ptr": Buffer((columns, blocks), "f32", random.integers(1, 9, (columns, blocks)) / 8),
            "stride_sa": Scalar(blocks),
            "stride_sb": Scalar(blocks),
        },
        constants=tile,
        expected=expected,
        tolerance=2**-8,
        outcome=SPECIALISED,
    )


E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def from_four_bits(numbers, axis):
    """Two in a byte along the axis, the lower bits first."""
    numbers = numbers.astype(np.int64)
    halves = np.stack([numbers & 15, numbers >> 4 & 15], axis + 1)
    shape = [size * 2 if i == axis else size for i, size in enumerate(numbers.shape)]
    return (np.where(halves & 8, -1, 1) * E2M1[halves & 7]).reshape(shape)


def matmul_scaled(name="matmul_scaled", a="e4m3", b="e4m3", m=72, n=64, k=128, tile=tiles()):
    random = np.random.default_rng(3)
    packs = {x: 2 if kind == "e2m1" else 1 for x, kind in (("a", a), ("b", b))}
    is_scaled = a != "bf16"

    def buffer(kind, shape):
        return Buffer(shape, "i8", "small") if kind == "e2m1" else Buffer(shape, kind)

    def expected(inputs):
        rows, columns = inputs["a_ptr"], inputs["b_ptr"]
        rows = from_four_bits(rows, 1) if a == "e2m1" else rows
        columns = from_four_bits(columns, 0) if b == "e2m1" else columns
        powers = {x: np.repeat(2.0 ** (inputs[f"s{x}_ptr"] - 127), 32, 1) for x in "ab"}
        return {"c_ptr": (rows * powers["a"] if is_scaled else rows) @ (columns * powers["b"].T)}

    return Case(
        name=name,
        kernel="serving.matmul_scaled",
        grid=(ceil_div(m, tile["BM"]), ceil_div(n, tile["BN"])),
        arguments={
            "a_ptr": buffer(a, (m, k // packs["a"])),
            "b_ptr": buffer(b, (k // packs["b"], n)),
            "c_ptr": Buffer((m, n), "f32", "poison"),
            "sa_ptr": Buffer((m, k // 32), "i8", random.integers(120, 127, (m, k // 32))),
            "sb_ptr": Buffer((n, k // 32), "i8", random.integers(120, 127, (n, k // 32))),
            "m": Scalar(m),
            "n": Scalar(n),
            "k": Scalar(k),
        },
        constants={
            **tile, "A_KIND": a, "B_KIND": b, "A_PACK": packs["a"], "B_PACK": packs["b"], "A_SCALED": is_scaled,
        },
        expected=expected,
        tolerance=2**-12,
        outcome=SPECIALISED,
    )  # fmt: skip


def matmul_scaled_short():
    """Few rows, whose products are those of warps."""
    return matmul_scaled("matmul_scaled_short", b="e2m1", m=40, tile=tiles(32, 64, 64))


def matmul_scaled_weights():
    return matmul_scaled("matmul_scaled_weights", a="bf16", b="e2m1", m=56)


CORPUS = [
    experts_gathered, decode_paged, decode_split, decode_tokens, matmul_int8, matmul_int4, matmul_blocks_of_fp8, matmul_scaled, matmul_scaled_short,
    matmul_scaled_weights,
]  # fmt: skip
