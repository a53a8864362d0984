# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of 4 bits, two in a byte: of experts whose tokens are gathered, and keys in groups of a paged cache."""

import triton
import triton.language as tl


@triton.jit
def experts_int4(
    x_ptr, w_ptr, scales_ptr, zeros_ptr, out_ptr, tokens_ptr, experts_ptr, count_ptr, tokens, n, k,
    GROUP: tl.constexpr, TOP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Two weights in a byte along k; a group has a scale, and a zero point of 4 bits, two in a byte along n."""
    pid_m, pid_n = tl.program_id(0), tl.program_id(1)
    if pid_m * BM >= tl.load(count_ptr):
        return
    number = tl.load(tokens_ptr + pid_m * BM + tl.arange(0, BM))
    is_token = number < tokens * TOP
    expert = tl.load(experts_ptr + pid_m)
    groups = k // GROUP
    columns = (pid_n * BN + tl.arange(0, BN)) % n
    inner = tl.arange(0, BK)
    x_ptrs = x_ptr + number[:, None] // TOP * k + inner[None, :]
    w_ptrs = w_ptr + expert * n * (k // 2) + (inner[:, None] // 2) + columns[None, :] * (k // 2)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        left = k - step * BK
        x = tl.load(x_ptrs, mask=is_token[:, None] & (inner[None, :] < left), other=0.0)
        pairs = tl.load(w_ptrs, mask=inner[:, None] < left, other=0)
        w = (pairs >> (inner[:, None] % 2) * 4) & 15
        group = (inner[:, None] + step * BK) // GROUP
        scale = tl.load(scales_ptr + (expert * n + columns[None, :]) * groups + group).to(tl.float32)
        zero = tl.load(zeros_ptr + (expert * (n // 2) + columns[None, :] // 2) * groups + group)
        zero = (zero >> (columns[None, :] % 2) * 4) & 15
        w = ((w - zero).to(tl.float32) * scale).to(tl.float16)
        acc = tl.dot(x, w, acc)
        x_ptrs += BK
        w_ptrs += BK // 2
    columns = pid_n * BN + tl.arange(0, BN)
    tl.store(
        out_ptr + number[:, None] * n + columns[None, :], acc.to(tl.float16),
        mask=is_token[:, None] & (columns < n)[None, :],
    )  # fmt: skip


@triton.jit
def attention_grouped_keys(
    q_ptr, k_ptr, v_ptr, o_ptr, length, scale, stride_head,
    D: tl.constexpr, GROUP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Keys lie in groups of GROUP numbers: those of all tokens, then the next ones."""
    head = tl.program_id(1)
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.arange(0, BN)
    d = tl.arange(0, D)
    q_ptrs = q_ptr + head * stride_head + rows[:, None] * D + d[None, :]
    q = tl.load(q_ptrs, mask=(rows < length)[:, None], other=0.0)
    k_ptrs = k_ptr + head * stride_head + d[:, None] // GROUP * (length * GROUP) + d[:, None] % GROUP
    v_ptrs = v_ptr + head * stride_head + d[None, :]
    most = tl.full((BM,), -1.0e30, dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, length, BN):
        key = start + columns
        k = tl.load(k_ptrs + key[None, :] * GROUP, mask=(key < length)[None, :], other=0.0)
        s = tl.where((key < length)[None, :], tl.dot(q, k) * scale, -1.0e30)
        now = tl.maximum(most, tl.max(s, 1))
        p = tl.exp2(s - now[:, None])
        kept = tl.exp2(most - now)
        total = total * kept + tl.sum(p, 1)
        v = tl.load(v_ptrs + key[:, None] * D, mask=(key < length)[:, None], other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * kept[:, None])
        most = now
    o_ptrs = o_ptr + head * stride_head + rows[:, None] * D + d[None, :]
    tl.store(o_ptrs, (acc / total[:, None]).to(tl.float16), mask=(rows < length)[:, None])
