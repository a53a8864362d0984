# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that memory or a condition takes through some blocks alone: sparse matrices, windows
of attention, lists, operands of one of two tensors, and states that are kept now and then."""

import triton
import triton.language as tl


@triton.jit
def matmul_chosen(
    a_ptr, b_ptr, keep_ptr, c_ptr, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Blocks of `a` without a flag are zero, whatever memory holds there."""
    pid_m, pid_n = tl.program_id(0), tl.program_id(1)
    rows = pid_m * BM + tl.arange(0, BM)
    columns = pid_n * BN + tl.arange(0, BN)
    keep = keep_ptr + pid_m * tl.cdiv(k, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(tl.cdiv(k, BK)):
        if tl.load(keep + step) != 0:
            inner = step * BK + tl.arange(0, BK)
            a = tl.load(
                a_ptr + rows[:, None] * k + inner[None, :],
                mask=(rows < m)[:, None] & (inner < k)[None, :], other=0.0,
            )  # fmt: skip
            b = tl.load(
                b_ptr + inner[:, None] * n + columns[None, :],
                mask=(inner < k)[:, None] & (columns < n)[None, :], other=0.0,
            )  # fmt: skip
            acc = tl.dot(a, b, acc)
    inside = (rows < m)[:, None] & (columns < n)[None, :]
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], acc, mask=inside)


@triton.jit
def attention_window(
    q_ptr, k_ptr, v_ptr, o_ptr, length, window, sinks, scale,
    D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Each row sees a window before itself and the first few keys."""
    pid = tl.program_id(0)
    rows = pid * BM + tl.arange(0, BM)
    column = tl.arange(0, D)
    q = tl.load(q_ptr + rows[:, None] * D + column[None, :], mask=(rows < length)[:, None], other=0.0)
    most = tl.full((BM,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, tl.minimum((pid + 1) * BM, length), BN):
        if (start + BN > pid * BM - window) | (start < sinks):
            keys = start + tl.arange(0, BN)
            there = (keys < length)[:, None]
            k = tl.load(k_ptr + keys[:, None] * D + column[None, :], mask=there, other=0.0)
            s = tl.dot(q, k.T) * scale
            distance = rows[:, None] - keys[None, :]
            seen = (distance >= 0) & ((distance < window) | (keys < sinks)[None, :])
            s = tl.where(seen, s, float("-inf"))
            now = tl.maximum(most, tl.max(s, 1))
            # No key of the first blocks may be seen by a row.
            base = tl.where(now == float("-inf"), 0.0, now)
            p = tl.exp2(s - base[:, None])
            kept = tl.exp2(most - base)
            total = total * kept + tl.sum(p, 1)
            v = tl.load(v_ptr + keys[:, None] * D + column[None, :], mask=there, other=0.0)
            acc = tl.dot(p.to(v.dtype), v, acc * kept[:, None])
            most = now
    tl.store(o_ptr + rows[:, None] * D + column[None, :], acc / total[:, None], mask=(rows < length)[:, None])


@triton.jit
def attention_documents(
    q_ptr, k_ptr, v_ptr, o_ptr, document_ptr, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Each row sees the keys of its document up to itself; blocks in which no pair is seen are left out."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.arange(0, D)
    heads = tl.program_id(1) * length
    q_ptrs = q_ptr + (heads + rows)[:, None] * D + column[None, :]
    q = tl.load(q_ptrs, mask=(rows < length)[:, None], other=0.0)
    mine = tl.load(document_ptr + rows, mask=rows < length, other=-1)
    most = tl.full((BM,), -1.0e30, dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for start in range(0, length, BN):
        keys = start + tl.arange(0, BN)
        theirs = tl.load(document_ptr + keys, mask=keys < length, other=-2)
        seen = (mine[:, None] == theirs[None, :]) & (rows[:, None] >= keys[None, :])
        if tl.max(tl.max(seen.to(tl.int32), 1), 0) > 0:
            there = (keys < length)[:, None]
            k = tl.load(k_ptr + (heads + keys)[:, None] * D + column[None, :], mask=there, other=0.0)
            v = tl.load(v_ptr + (heads + keys)[:, None] * D + column[None, :], mask=there, other=0.0)
            s = tl.where(seen, tl.dot(q, k.T) * scale, -1.0e30)
            now = tl.maximum(most, tl.max(s, 1))
            p = tl.where(seen, tl.exp2(s - now[:, None]), 0.0)
            kept = tl.exp2(most - now)
            total = total * kept + tl.sum(p, 1)
            acc = tl.dot(p.to(v.dtype), v, acc * kept[:, None])
            most = now
    o_ptrs = o_ptr + (heads + rows)[:, None] * D + column[None, :]
    tl.store(o_ptrs, acc / total[:, None], mask=(rows < length)[:, None])


@triton.jit
def gradients_listed(
    q_ptr, k_ptr, v_ptr, do_ptr, most_ptr, delta_ptr, dq_ptr, counts_ptr, list_ptr, length, blocks, scale,
    D: tl.constexpr, SPAN: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Gradients of queries from blocks of keys in a list, of several tiles each; pointers move on to the next block."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.arange(0, D)
    there = (rows < length)[:, None]
    q = tl.load(q_ptr + rows[:, None] * D + column[None, :], mask=there, other=0.0)
    do = tl.load(do_ptr + rows[:, None] * D + column[None, :], mask=there, other=0.0)
    most = tl.load(most_ptr + rows, mask=rows < length, other=0.0)
    delta = tl.load(delta_ptr + rows, mask=rows < length, other=0.0)
    dq = tl.zeros((BM, D), dtype=tl.float32)
    mine = list_ptr + tl.program_id(0) * blocks
    count = tl.load(counts_ptr + tl.program_id(0))
    keys = tl.load(mine) * SPAN + tl.arange(0, BN)
    k_ptrs = k_ptr + keys[None, :] * D + column[:, None]
    v_ptrs = v_ptr + keys[None, :] * D + column[:, None]
    for step in range(0, count * (SPAN // BN)):
        k = tl.load(k_ptrs, mask=(keys < length)[None, :], other=0.0)
        v = tl.load(v_ptrs, mask=(keys < length)[None, :], other=0.0)
        seen = (rows[:, None] >= keys[None, :]) & (keys < length)[None, :]
        p = tl.where(seen, tl.exp2(tl.dot(q, k) * scale - most[:, None]), 0.0)
        ds = p * (tl.dot(do, v) - delta[:, None])
        dq = tl.dot(ds.to(k.dtype), k.T, dq)
        at = step // (SPAN // BN)
        here = tl.load(mine + at)
        other = tl.load(mine + at + 1, mask=at + 1 < count, other=0)
        is_last = (step + 1) % (SPAN // BN) == 0
        far = tl.where(is_last, (other - here) * SPAN - SPAN + BN, BN)
        k_ptrs += far * D
        v_ptrs += far * D
        keys += far
    tl.store(dq_ptr + rows[:, None] * D + column[None, :], dq * scale, mask=there)


@triton.jit
def matmul_listed(a_ptr, b_ptr, next_ptr, c_ptr, first_ptr, n, BM: tl.constexpr, BK: tl.constexpr):
    """Blocks in lists, each of which says which is next."""
    rows = tl.arange(0, BM)
    inner = tl.arange(0, BK)
    columns = tl.program_id(1) * BM + tl.arange(0, BM)
    at = tl.load(first_ptr + tl.program_id(0))
    acc = tl.zeros((BM, BM), dtype=tl.float32)
    while at >= 0:
        a = tl.load(a_ptr + at * BM * BK + rows[:, None] * BK + inner[None, :])
        b = tl.load(b_ptr + at * BK * n + inner[:, None] * n + columns[None, :])
        acc += tl.dot(a, b)
        at = tl.load(next_ptr + at)
    out = c_ptr + tl.program_id(0) * BM * n
    tl.store(out + rows[:, None] * n + columns[None, :], acc)


@triton.jit
def matmul_sources(
    a_ptr, new_ptr, old_ptr, turn_ptr, c_ptr, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Rows of `b` come from one of two tensors; which block is next is looked for by a loop inside."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    at = -1
    for _ in range(tl.load(turn_ptr)):
        at += 1
        while tl.load(turn_ptr + 1 + at) == 0:
            at += 1
        if tl.load(turn_ptr + 1 + at) > 1:
            source = new_ptr
        else:
            source = old_ptr
        inner = at * BK + tl.arange(0, BK)
        a = tl.load(a_ptr + rows[:, None] * k + inner[None, :])
        b = tl.load(source + inner[:, None] * n + columns[None, :])
        acc += tl.dot(a, b)
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], acc)


@triton.jit
def states_kept(
    k_ptr, v_ptr, gate_ptr, has_gate_ptr, kept_ptr, last_ptr, length, every,
    D: tl.constexpr, BT: tl.constexpr,
):  # fmt: skip
    """The state is stored every few chunks, and only some chunks have a gate."""
    row = tl.arange(0, D)
    place = row[:, None] * D + row[None, :]
    h = tl.zeros((D, D), dtype=tl.float32)
    for chunk in range(tl.cdiv(length, BT)):
        if chunk % every == 0:
            tl.store(kept_ptr + (chunk // every) * D * D + place, h)
        if tl.load(has_gate_ptr + chunk) != 0:
            gate = tl.load(gate_ptr + chunk * D + row)
            h *= tl.exp2(gate)[:, None]
        token = chunk * BT + tl.arange(0, BT)
        k = tl.load(k_ptr + token[None, :] * D + row[:, None], mask=(token < length)[None, :], other=0.0)
        v = tl.load(v_ptr + token[:, None] * D + row[None, :], mask=(token < length)[:, None], other=0.0)
        h += tl.dot(k, v)
    tl.store(last_ptr + place, h)
