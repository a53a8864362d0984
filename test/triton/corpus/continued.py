# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that go on where another has come to, and masks that stand in bits."""

import triton
import triton.language as tl


@triton.jit
def attention_continued(
    q_ptr, k_ptr, v_ptr, o_ptr, starts_q_ptr, starts_k_ptr, scale, stride_q, stride_k,
    GROUP: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Packed sequences, whose last queries meet their last keys: whole blocks first, then those that a mask cuts."""
    block, one, head = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    first_q, first_k = tl.load(starts_q_ptr + one), tl.load(starts_k_ptr + one)
    queries = tl.load(starts_q_ptr + one + 1) - first_q
    keys = tl.load(starts_k_ptr + one + 1) - first_k
    if block * BM >= queries:
        return
    rows = block * BM + tl.arange(0, BM)
    columns = tl.arange(0, BN)
    d = tl.arange(0, D)
    q_ptr += first_q.to(tl.int64) * stride_q + head * D
    o_ptr += first_q.to(tl.int64) * stride_q + head * D
    k_ptr += first_k.to(tl.int64) * stride_k + head // GROUP * D
    v_ptr += first_k.to(tl.int64) * stride_k + head // GROUP * D
    ahead = keys - queries
    q = tl.load(q_ptr + rows[:, None] * stride_q + d[None, :], mask=rows[:, None] < queries, other=0.0)
    largest = tl.full([BM], -1.0e20, tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    k_ptrs = k_ptr + columns[None, :] * stride_k + d[:, None]
    v_ptrs = v_ptr + columns[:, None] * stride_k + d[None, :]
    whole = tl.maximum(0, tl.minimum(keys, block * BM + ahead + 1)) // BN * BN
    for start in range(0, whole, BN):
        scores = tl.dot(q, tl.load(k_ptrs)) * scale
        larger = tl.maximum(largest, tl.max(scores, 1))
        p = tl.math.exp2(scores - larger[:, None])
        alpha = tl.math.exp2(largest - larger)
        total = total * alpha + tl.sum(p, 1)
        acc = tl.dot(p.to(v_ptr.dtype.element_ty), tl.load(v_ptrs), acc * alpha[:, None])
        largest = larger
        k_ptrs += BN * stride_k
        v_ptrs += BN * stride_k
    for start in range(whole, tl.minimum(keys, (block + 1) * BM + ahead), BN):
        inside = start + columns < keys
        scores = tl.dot(q, tl.load(k_ptrs, mask=inside[None, :], other=0.0)) * scale
        seen = (rows[:, None] + ahead >= (start + columns)[None, :]) & inside[None, :]
        scores = tl.where(seen, scores, -1.0e20)
        larger = tl.maximum(largest, tl.max(scores, 1))
        p = tl.math.exp2(scores - larger[:, None])
        alpha = tl.math.exp2(largest - larger)
        total = total * alpha + tl.sum(p, 1)
        v = tl.load(v_ptrs, mask=inside[:, None], other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None])
        largest = larger
        k_ptrs += BN * stride_k
        v_ptrs += BN * stride_k
    o = (acc / total[:, None]).to(o_ptr.dtype.element_ty)
    tl.store(o_ptr + rows[:, None] * stride_q + d[None, :], o, mask=rows[:, None] < queries)


@triton.jit
def attention_tree(
    q_ptr, k_ptr, v_ptr, seen_ptr, o_ptr, context, drafts, scale, stride,
    D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Drafts see all of the context, and those of each other that their bits name."""
    head = tl.program_id(0)
    rows = tl.arange(0, BM)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * stride + head * D + d[None, :], mask=rows[:, None] < drafts, other=0.0)
    bits = tl.load(seen_ptr + rows, mask=rows < drafts, other=0)
    largest = tl.full([BM], float("-inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    acc = tl.zeros([BM, D], tl.float32)
    for start in tl.range(0, context + drafts, BN, num_stages=3):
        columns = start + tl.arange(0, BN)
        inside = columns < context + drafts
        k = tl.load(k_ptr + columns[None, :] * stride + head * D + d[:, None], mask=inside[None, :], other=0.0)
        draft = columns - context
        seen = ((bits[:, None] >> tl.maximum(draft, 0)[None, :]) & 1) != 0
        seen = (draft[None, :] < 0) | (seen & inside[None, :])
        scores = tl.where(seen, tl.dot(q, k) * scale, float("-inf"))
        larger = tl.maximum(largest, tl.max(scores, 1))
        p = tl.exp(scores - larger[:, None])
        alpha = tl.exp(largest - larger)
        total = total * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + columns[:, None] * stride + head * D + d[None, :], mask=inside[:, None], other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        largest = larger
    o = (acc / total[:, None]).to(o_ptr.dtype.element_ty)
    tl.store(o_ptr + rows[:, None] * stride + head * D + d[None, :], o, mask=rows[:, None] < drafts)


@triton.jit
def nearest_centre(
    x_ptr, c_ptr, norms_ptr, distance_ptr, nearest_ptr, n, centres,
    D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """The squared distance to the nearest of the centres, less the row's own norm, and which it is."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    x = tl.load(x_ptr + rows[:, None] * D + d[None, :], mask=rows[:, None] < n, other=0.0)
    least = tl.full([BM], float("inf"), tl.float32)
    nearest = tl.full([BM], -1, tl.int32)
    for start in range(0, centres, BN):
        columns = start + tl.arange(0, BN)
        c = tl.load(c_ptr + columns[None, :] * D + d[:, None], mask=columns[None, :] < centres, other=0.0)
        norms = tl.load(norms_ptr + columns, mask=columns < centres, other=float("inf"))
        distances = norms[None, :] - 2.0 * tl.dot(x, c)
        here = tl.min(distances, 1)
        nearest = tl.where(here < least, tl.argmin(distances, 1) + start, nearest)
        least = tl.minimum(here, least)
    tl.store(distance_ptr + rows, least, mask=rows < n)
    tl.store(nearest_ptr + rows, nearest, mask=rows < n)
