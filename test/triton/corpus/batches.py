# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that work on several heads at a time, with products of three axes: a batched product, and
attention."""

import triton
import triton.language as tl


@triton.jit
def matmul_batched(
    a_ptr, b_ptr, c_ptr, M, N, K,
    HEADS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    head = tl.program_id(2) * HEADS + tl.arange(0, HEADS)
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    a_ptrs = a_ptr + head[:, None, None] * (M * K) + row[None, :, None] * K + inner[None, None, :]
    b_ptrs = b_ptr + head[:, None, None] * (K * N) + inner[None, :, None] * N + column[None, None, :]
    acc = tl.zeros((HEADS, BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        a = tl.load(a_ptrs, mask=(row < M)[None, :, None] & (k + inner < K)[None, None, :], other=0.0)
        b = tl.load(b_ptrs, mask=(k + inner < K)[None, :, None] & (column < N)[None, None, :], other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * N
    c_ptrs = c_ptr + head[:, None, None] * (M * N) + row[None, :, None] * N + column[None, None, :]
    tl.store(c_ptrs, acc.to(tl.float16), mask=(row < M)[None, :, None] & (column < N)[None, None, :])


@triton.jit
def attention_heads(
    q_ptr, k_ptr, v_ptr, o_ptr, seq_len, scale,
    HEADS: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    head = (tl.program_id(1) * HEADS + tl.arange(0, HEADS))[:, None, None] * seq_len * D
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    at = tl.arange(0, D)
    q_at = head + row[None, :, None] * D + at[None, None, :]
    q = tl.load(q_ptr + q_at, mask=(row < seq_len)[None, :, None], other=0.0)
    most = tl.full((HEADS, BM), float("-inf"), dtype=tl.float32)
    total = tl.zeros((HEADS, BM), dtype=tl.float32)
    acc = tl.zeros((HEADS, BM, D), dtype=tl.float32)
    for start in range(0, seq_len, BN):
        key = start + tl.arange(0, BN)
        kv_at = head + key[None, :, None] * D + at[None, None, :]
        k = tl.load(k_ptr + kv_at, mask=(key < seq_len)[None, :, None], other=0.0)
        v = tl.load(v_ptr + kv_at, mask=(key < seq_len)[None, :, None], other=0.0)
        scores = tl.dot(q, tl.permute(k, (0, 2, 1))) * scale
        scores = tl.where((key < seq_len)[None, None, :], scores, float("-inf"))
        above = tl.maximum(most, tl.max(scores, 2))
        weights = tl.exp2(scores - above[:, :, None])
        shrink = tl.exp2(most - above)
        total = total * shrink + tl.sum(weights, 2)
        acc = tl.dot(weights.to(tl.float16), v, acc * shrink[:, :, None])
        most = above
    o = acc / total[:, :, None]
    tl.store(o_ptr + q_at, o.to(tl.float16), mask=(row < seq_len)[None, :, None])
