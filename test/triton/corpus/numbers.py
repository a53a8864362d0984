# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers made of tiles: in each iteration the scale of a block, a decay over a chunk, and whether a state is to
be scaled anew; in front of the loop the group of a tile by where groups begin, and the longest of some rows."""

import triton
import triton.language as tl


@triton.jit
def matmul_dynamic(
    a_ptr, b_ptr, b_scale_ptr, c_ptr, most_ptr, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Each block of `a` is made 8-bit floats by its own largest element; the largest of all is kept."""
    pid_m, pid_n = tl.program_id(0), tl.program_id(1)
    rows = pid_m * BM + tl.arange(0, BM)
    columns = pid_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    most = 0.0
    for step in range(tl.cdiv(k, BK)):
        inner = step * BK + tl.arange(0, BK)
        a = tl.load(
            a_ptr + rows[:, None] * k + inner[None, :], mask=(rows < m)[:, None] & (inner < k)[None, :], other=0.0
        ).to(tl.float32)
        b = tl.load(
            b_ptr + columns[None, :] * k + inner[:, None],
            mask=(inner < k)[:, None] & (columns < n)[None, :], other=0.0,
        )  # fmt: skip
        largest = tl.max(tl.abs(a))
        scale = tl.maximum(largest, 1e-6) / 448.0
        acc += tl.dot((a / scale).to(tl.float8e4nv), b) * (scale * tl.load(b_scale_ptr + step))
        most = tl.maximum(most, largest)
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], acc, mask=(rows < m)[:, None] & (columns < n)[None, :])
    tl.store(most_ptr + pid_m * tl.num_programs(1) + pid_n, most)


@triton.jit
def attention_lazy(
    q_ptr, k_ptr, v_ptr, o_ptr, length, scale, far,
    D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """The sums are scaled anew only where a row's largest score has grown by much."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + column[None, :], mask=(rows < length)[:, None], other=0.0)
    most = tl.full((BM,), -1e30, dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, length, BN):
        keys = start + tl.arange(0, BN)
        there = (keys < length)[:, None]
        k = tl.load(k_ptr + keys[:, None] * D + column[None, :], mask=there, other=0.0)
        s = tl.where((keys < length)[None, :], tl.dot(q, k.T) * scale, -1e30)
        now = tl.maximum(most, tl.max(s, 1))
        if tl.max(now - most) > far:
            kept = tl.exp2(most - now)
            acc = acc * kept[:, None]
            total = total * kept
            most = now
        p = tl.exp2(s - most[:, None])
        total += tl.sum(p, 1)
        v = tl.load(v_ptr + keys[:, None] * D + column[None, :], mask=there, other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc)
    tl.store(o_ptr + rows[:, None] * D + column[None, :], acc / total[:, None], mask=(rows < length)[:, None])


@triton.jit
def scan_chunks(
    x_ptr, step_ptr, rate_ptr, b_ptr, c_ptr, y_ptr, kept_ptr, length,
    P: tl.constexpr, N: tl.constexpr, BT: tl.constexpr,
):  # fmt: skip
    """A state-space model by chunks: the state decays by what a chunk's steps add up to, which is stored."""
    head = tl.program_id(0)
    rate = tl.load(rate_ptr + head)
    offs_p, offs_n, row = tl.arange(0, P), tl.arange(0, N), tl.arange(0, BT)
    state = tl.zeros((N, P), dtype=tl.float32)
    for start in range(0, length, BT):
        token = start + row
        there = token < length
        step = tl.load(step_ptr + head * length + token, mask=there, other=0.0)
        decay = tl.cumsum(step * rate, 0)
        over_chunk = tl.sum(step * rate)
        x = tl.load(
            x_ptr + (head * length + token)[:, None] * P + offs_p[None, :], mask=there[:, None], other=0.0
        )  # fmt: skip
        b = tl.load(b_ptr + token[:, None] * N + offs_n[None, :], mask=there[:, None], other=0.0)
        c = tl.load(c_ptr + token[:, None] * N + offs_n[None, :], mask=there[:, None], other=0.0)
        within = row[:, None] >= row[None, :]
        weights = tl.exp2(tl.where(within, decay[:, None] - decay[None, :], 0.0)) * step[None, :]
        scores = tl.where(within, tl.dot(c, tl.trans(b)) * weights, 0.0)
        y = tl.dot(scores.to(x.dtype), x)
        y += tl.dot(c, state.to(c.dtype)) * tl.exp2(decay)[:, None]
        tl.store(y_ptr + (head * length + token)[:, None] * P + offs_p[None, :], y, mask=there[:, None])
        to_end = (b * (tl.exp2(over_chunk - decay) * step)[:, None]).to(x.dtype)
        state = state * tl.exp2(over_chunk) + tl.dot(tl.trans(to_end), x)
        tl.store(kept_ptr + head * tl.cdiv(length, BT) + start // BT, tl.exp2(over_chunk))


@triton.jit
def matmul_group_found(
    a_ptr, b_ptr, ends_ptr, lengths_ptr, c_ptr, n, k,
    GROUPS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """A tile's group is how many groups end in front of it; its rows' sums have lengths of their own."""
    pid_m, pid_n = tl.program_id(0), tl.program_id(1)
    ends = tl.load(ends_ptr + tl.arange(0, GROUPS))
    group = tl.sum((ends <= pid_m).to(tl.int32))
    rows = pid_m * BM + tl.arange(0, BM)
    columns = pid_n * BN + tl.arange(0, BN)
    lengths = tl.load(lengths_ptr + rows)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, tl.max(lengths), BK):
        inner = start + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * k + inner[None, :], mask=inner[None, :] < lengths[:, None], other=0.0)
        b = tl.load(
            b_ptr + group * k * n + inner[:, None] * n + columns[None, :],
            mask=(inner < k)[:, None] & (columns < n)[None, :], other=0.0,
        )  # fmt: skip
        acc = tl.dot(a, b, acc)
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], acc, mask=(columns < n)[None, :])
