# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""corpus/continued.py with sizes and meaning."""

import numpy as np
from case import SPECIALISED, Buffer, Case, Scalar, ceil_div


def weighted(scores, seen, values):
    """The mean of values by the exponentials of the scores that are seen."""
    scores = np.where(seen, scores, -np.inf)
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers @ values / powers.sum(1, keepdims=True)


def attention_continued(queries=(70, 101), keys=(70, 330), heads=4, group=2, d=64, bm=64, bn=64):
    starts_q, starts_k = (np.concatenate([[0], np.cumsum(lengths)]) for lengths in (queries, keys))
    shape, cache = (starts_q[-1], heads, d), (starts_k[-1], heads // group, d)

    def expected(inputs):
        o = np.empty(shape)
        for one in range(len(queries)):
            mine, theirs = slice(*starts_q[one : one + 2]), slice(*starts_k[one : one + 2])
            seen = np.arange(queries[one])[:, None] + keys[one] - queries[one] >= np.arange(keys[one])
            for head in range(heads):
                k, v = (inputs[name][theirs, head // group] for name in ("k_ptr", "v_ptr"))
                scores = inputs["q_ptr"][mine, head] @ k.T / np.sqrt(d)
                o[mine, head] = weighted(scores, seen, v)
        return {"o_ptr": o}

    return Case(
        name="attention_continued",
        kernel="continued.attention_continued",
        grid=(ceil_div(max(queries), bm), len(queries), heads),
        arguments={
            "q_ptr": Buffer(shape, "bf16"),
            "k_ptr": Buffer(cache, "bf16"),
            "v_ptr": Buffer(cache, "bf16"),
            "o_ptr": Buffer(shape, "bf16", "poison"),
            "starts_q_ptr": Buffer(starts_q.shape, "i32", starts_q),
            "starts_k_ptr": Buffer(starts_k.shape, "i32", starts_k),
            "scale": Scalar(float(np.log2(np.e) / np.sqrt(d)), "f32"),
            "stride_q": Scalar(heads * d),
            "stride_k": Scalar(heads // group * d),
        },
        constants={"GROUP": group, "D": d, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-6,
        outcome=SPECIALISED,
    )


def attention_tree(context=150, drafts=12, heads=2, d=64, bm=16, bn=32):
    parents = np.random.default_rng(5).integers(0, np.maximum(np.arange(drafts), 1))
    sees = np.eye(drafts, dtype=bool)
    for draft in range(1, drafts):
        sees[draft] |= sees[parents[draft]]

    def expected(inputs):
        o = np.empty((drafts, heads, d))
        seen = np.concatenate([np.ones((drafts, context), bool), sees], 1)
        for head in range(heads):
            q, k, v = (inputs[name][:, head] for name in ("q_ptr", "k_ptr", "v_ptr"))
            o[:, head] = weighted(q @ k.T / np.sqrt(d), seen, v)
        return {"o_ptr": o}

    return Case(
        name="attention_tree",
        kernel="continued.attention_tree",
        grid=(heads,),
        arguments={
            "q_ptr": Buffer((drafts, heads, d), "bf16"),
            "k_ptr": Buffer((context + drafts, heads, d), "bf16"),
            "v_ptr": Buffer((context + drafts, heads, d), "bf16"),
            "seen_ptr": Buffer((drafts,), "i32", sees @ (1 << np.arange(drafts))),
            "o_ptr": Buffer((drafts, heads, d), "bf16", "poison"),
            "context": Scalar(context),
            "drafts": Scalar(drafts),
            "scale": Scalar(d**-0.5, "f32"),
            "stride": Scalar(heads * d),
        },
        constants={"D": d, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=2**-6,
        outcome=SPECIALISED,
    )


def nearest_centre(n=100, centres=150, d=64, bm=64, bn=64):
    def expected(inputs):
        distances = inputs["norms_ptr"] - 2 * inputs["x_ptr"] @ inputs["c_ptr"].T
        return {"distance_ptr": distances.min(1), "nearest_ptr": distances.argmin(1)}

    # Small integers: sums are exact, and so are ties.
    random = np.random.default_rng(3)
    c = random.integers(-4, 5, (centres, d))
    return Case(
        name="nearest_centre",
        kernel="continued.nearest_centre",
        grid=(ceil_div(n, bm),),
        arguments={
            "x_ptr": Buffer((n, d), "f16", random.integers(-4, 5, (n, d))),
            "c_ptr": Buffer((centres, d), "f16", c),
            "norms_ptr": Buffer((centres,), "f32", (c * c).sum(1)),
            "distance_ptr": Buffer((n,), "f32", "poison"),
            "nearest_ptr": Buffer((n,), "i32", np.zeros(n, np.int32)),
            "n": Scalar(n),
            "centres": Scalar(centres),
        },
        constants={"D": d, "BM": bm, "BN": bn},
        expected=expected,
        tolerance=0.0,
        outcome=SPECIALISED,
    )


CORPUS = [attention_continued, attention_tree, nearest_centre]
