# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose ends and strides the launch does not know: packed sequences of different
lengths, lengths and pages read from memory, gates between the heads of other rows."""

import triton
import triton.language as tl


@triton.jit
def attention_packed(
    q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, starts_ptr, sm_scale, stride_q, stride_k,
    HEADS: tl.constexpr, HEAD_DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Sequence s has rows starts[s] to starts[s + 1] of [tokens, heads, HEAD_DIM]."""
    pid = tl.program_id(0)
    sequence = tl.program_id(1)
    head = tl.program_id(2)
    first = tl.load(starts_ptr + sequence)
    length = tl.load(starts_ptr + sequence + 1) - first
    if pid * BM >= length:
        return
    offs_m = pid * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    offs_d = tl.arange(0, HEAD_DIM)
    q_offsets = (first + offs_m)[:, None] * stride_q + head * HEAD_DIM + offs_d[None, :]
    q = tl.load(q_ptr + q_offsets, mask=offs_m[:, None] < length, other=0.0)
    m_i = tl.full([BM], -float("inf"), dtype=tl.float32)
    l_i = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, HEAD_DIM], dtype=tl.float32)
    for start in range(0, length, BN):
        n = start + offs_n
        kv_offsets = (first + n)[:, None] * stride_k + head * HEAD_DIM + offs_d[None, :]
        k = tl.load(k_ptr + kv_offsets, mask=n[:, None] < length, other=0.0)
        qk = tl.dot(q, tl.trans(k)) * (sm_scale * 1.44269504)
        qk = tl.where(n[None, :] < length, qk, -float("inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp2(qk - m_ij[:, None])
        alpha = tl.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + kv_offsets, mask=n[:, None] < length, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_ij
    tl.store(out_ptr + q_offsets, (acc / l_i[:, None]).to(tl.float16), mask=offs_m[:, None] < length)
    # One number a head, beside those of the other heads.
    tl.store(lse_ptr + (first + offs_m) * HEADS + head, m_i + tl.log2(l_i), mask=offs_m < length)


@triton.jit
def attention_lengths(
    q_ptr, k_ptr, v_ptr, out_ptr, lengths_ptr, sm_scale, stride_b, stride_m, stride_kb, stride_n,
    HEAD_DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Keys and values of each batch end at a length that lies in memory; it may be 0."""
    pid = tl.program_id(0)
    batch = tl.program_id(1)
    length = tl.load(lengths_ptr + batch)
    offs_m = pid * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    offs_d = tl.arange(0, HEAD_DIM)
    q_offsets = batch * stride_b + offs_m[:, None] * stride_m + offs_d[None, :]
    q = tl.load(q_ptr + q_offsets)
    m_i = tl.full([BM], -1.0e9, dtype=tl.float32)
    l_i = tl.full([BM], 1.0e-9, dtype=tl.float32)
    acc = tl.zeros([BM, HEAD_DIM], dtype=tl.float32)
    k_ptrs = k_ptr + batch * stride_kb + offs_n[None, :] * stride_n + offs_d[:, None]
    v_ptrs = v_ptr + batch * stride_kb + offs_n[:, None] * stride_n + offs_d[None, :]
    for start in range(0, length, BN):
        mask = start + offs_n < length
        k = tl.load(k_ptrs, mask=mask[None, :], other=0.0)
        qk = tl.dot(q, k) * (sm_scale * 1.44269504)
        qk = tl.where(mask[None, :], qk, -1.0e9)
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp2(qk - m_ij[:, None])
        alpha = tl.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(v_ptrs, mask=mask[:, None], other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_ij
        k_ptrs += BN * stride_n
        v_ptrs += BN * stride_n
    tl.store(out_ptr + q_offsets, (acc / l_i[:, None]).to(tl.bfloat16))


@triton.jit
def matmul_gated(
    a_ptr, b_ptr, gate_ptr, c_ptr, m, n, k, stride_am, stride_bk, stride_cm, heads,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Each row of a head's product is scaled by a gate that lies between those of the heads."""
    head = tl.program_id(2)
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        ks = first + offs_k
        a = tl.load(
            a_ptr + head * k + offs_m[:, None] * stride_am + ks[None, :],
            mask=(offs_m[:, None] < m) & (ks[None, :] < k), other=0.0,
        )  # fmt: skip
        b = tl.load(
            b_ptr + (head * k + ks)[:, None] * stride_bk + offs_n[None, :],
            mask=(ks[:, None] < k) & (offs_n[None, :] < n), other=0.0,
        )  # fmt: skip
        acc = tl.dot(a, b, acc)
    gate = tl.load(gate_ptr + offs_m * heads + head, mask=offs_m < m, other=0.0)
    acc = acc * tl.exp(gate)[:, None]
    c_ptrs = c_ptr + head * n + offs_m[:, None] * stride_cm + offs_n[None, :]
    tl.store(c_ptrs, acc.to(tl.bfloat16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def matmul_strides(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Every stride is an argument, and none is 1 for A and C."""
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak
    b_ptrs = b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        left = k - step * BK
        a = tl.load(a_ptrs, mask=(offs_m[:, None] < m) & (offs_k[None, :] < left), other=0.0)
        b = tl.load(b_ptrs, mask=(offs_k[:, None] < left) & (offs_n[None, :] < n), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :] * stride_cn
    tl.store(c_ptrs, acc.to(tl.float16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def matmul_band(
    a_ptr, b_ptr, c_ptr, first_ptr, last_ptr, n, stride_am, stride_bk, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Each block of rows multiplies the columns of A from one number in memory to another."""
    pid = tl.program_id(0)
    first = tl.load(first_ptr + pid)
    last = tl.load(last_ptr + pid)
    offs_m = pid * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(first // BK * BK, last, BK):
        ks = step + tl.arange(0, BK)
        k_mask = (ks >= first) & (ks < last)
        a = tl.load(a_ptr + offs_m[:, None] * stride_am + ks[None, :], mask=k_mask[None, :], other=0.0)
        b = tl.load(
            b_ptr + ks[:, None] * stride_bk + offs_n[None, :],
            mask=k_mask[:, None] & (offs_n[None, :] < n), other=0.0,
        )  # fmt: skip
        acc = tl.dot(a, b, acc)
    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :]
    tl.store(c_ptrs, acc, mask=offs_n[None, :] < n)


@triton.jit
def attention_paged(
    q_ptr, k_ptr, v_ptr, out_ptr, table_ptr, lengths_ptr, starts_ptr, sm_scale,
    stride_q, stride_page, stride_row, stride_table,
    HEAD_DIM: tl.constexpr, BM: tl.constexpr, PAGE: tl.constexpr,
):  # fmt: skip
    """Queries of packed sequences, keys and values in pages that a table names."""
    sequence = tl.program_id(0)
    head = tl.program_id(1)
    pid = tl.program_id(2)
    first = tl.load(starts_ptr + sequence)
    queries = tl.load(starts_ptr + sequence + 1) - first
    if pid * BM >= queries:
        return
    length = tl.load(lengths_ptr + sequence)
    offs_m = pid * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, PAGE)
    offs_d = tl.arange(0, HEAD_DIM)
    q_offsets = (first + offs_m)[:, None] * stride_q + head * HEAD_DIM + offs_d[None, :]
    q = tl.load(q_ptr + q_offsets, mask=offs_m[:, None] < queries, other=0.0)
    m_i = tl.full([BM], -float("inf"), dtype=tl.float32)
    l_i = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, HEAD_DIM], dtype=tl.float32)
    for number in range(0, tl.cdiv(length, PAGE)):
        page = tl.load(table_ptr + sequence * stride_table + number).to(tl.int64)
        kv_offsets = page * stride_page + offs_n[:, None] * stride_row + head * HEAD_DIM + offs_d[None, :]
        qk = tl.dot(q, tl.trans(tl.load(k_ptr + kv_offsets))) * (sm_scale * 1.44269504)
        n = number * PAGE + offs_n
        seen = (n[None, :] < length) & (length - queries + offs_m[:, None] >= n[None, :])
        qk = tl.where(seen, qk, -float("inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp2(qk - m_ij[:, None])
        alpha = tl.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        acc += tl.dot(p.to(tl.float16), tl.load(v_ptr + kv_offsets))
        m_i = m_ij
    out = (acc / l_i[:, None]).to(tl.float16)
    tl.store(out_ptr + q_offsets, out, mask=offs_m[:, None] < queries)


@triton.jit
def matmul_ragged(
    a_ptr, b_ptr, c_ptr, starts_ptr, n, k, stride_am, stride_be, stride_bk, stride_cm, experts,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Rows starts[e] to starts[e + 1] by the matrix of expert e; programs of no expert do nothing."""
    expert = tl.program_id(2)
    alive = expert < experts
    first = tl.load(starts_ptr + expert, mask=alive, other=0)
    rows = tl.load(starts_ptr + expert + 1, mask=alive, other=0) - first
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (first + offs_m)[:, None] * stride_am + offs_k[None, :]
    b_ptrs = b_ptr + expert * stride_be + offs_k[:, None] * stride_bk + offs_n[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, k, BK):
        k_mask = offs_k < k - step
        a = tl.load(a_ptrs, mask=(offs_m[:, None] < rows) & k_mask[None, :], other=0.0)
        b = tl.load(b_ptrs, mask=alive & k_mask[:, None] & (offs_n[None, :] < n), other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK * stride_bk
    c_ptrs = c_ptr + (first + offs_m)[:, None] * stride_cm + offs_n[None, :]
    tl.store(c_ptrs, acc.to(tl.float16), mask=(offs_m[:, None] < rows) & (offs_n[None, :] < n))


@triton.jit
def convolution(
    x_ptr, weight_ptr, out_ptr, length, channels, outputs,
    TAPS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Along rows, with as many zeros before the first as behind the last; weight is taps x
    channels x outputs."""
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for tap in range(0, TAPS):
        row = offs_m + tap - TAPS // 2
        inside = (row >= 0) & (row < length)
        for first in range(0, channels, BK):
            ks = first + offs_k
            x = tl.load(
                x_ptr + row[:, None] * channels + ks[None, :],
                mask=inside[:, None] & (ks < channels)[None, :], other=0.0,
            )  # fmt: skip
            weight = tl.load(
                weight_ptr + (tap * channels + ks)[:, None] * outputs + offs_n[None, :],
                mask=(ks < channels)[:, None] & (offs_n < outputs)[None, :], other=0.0,
            )  # fmt: skip
            acc = tl.dot(x, weight, acc)
    out_ptrs = out_ptr + offs_m[:, None] * outputs + offs_n[None, :]
    tl.store(out_ptrs, acc.to(tl.float16), mask=(offs_m < length)[:, None] & (offs_n < outputs)[None, :])


@triton.jit
def matmul_experts(
    a_ptr, b_ptr, c_ptr, weight_ptr, rows_ptr, experts_ptr, padded_ptr, n, k, slots,
    stride_am, stride_be, stride_bn, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, TOP: tl.constexpr,
):  # fmt: skip
    """A mixture of experts: blocks of slots sorted by expert, filled up with a number behind the
    last slot; slot s is of token s // TOP. B is experts x n x k."""
    pid = tl.program_id(0)
    padded = tl.load(padded_ptr)
    in_group = GROUP * tl.cdiv(n, BN)
    first = pid // in_group * GROUP
    size = min(tl.cdiv(padded, BM) - first, GROUP)
    pid_m = first + pid % in_group % size
    pid_n = pid % in_group // size
    if pid_m * BM >= padded:
        return
    slot = tl.load(rows_ptr + pid_m * BM + tl.arange(0, BM))
    mask = slot < slots
    offs_n = (pid_n * BN + tl.arange(0, BN).to(tl.int64)) % n
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + slot[:, None] // TOP * stride_am + offs_k[None, :]
    expert = tl.load(experts_ptr + pid_m).to(tl.int64)
    b_ptrs = b_ptr + expert * stride_be + offs_k[:, None] + offs_n[None, :] * stride_bn
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        left = k - step * BK
        a = tl.load(a_ptrs, mask=mask[:, None] & (offs_k[None, :] < left), other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < left, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK
        b_ptrs += BK
    acc = acc * tl.load(weight_ptr + slot, mask=mask, other=0.0)[:, None]
    offs_c = pid_n * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + stride_cm * slot[:, None] + offs_c[None, :]
    tl.store(c_ptrs, acc.to(tl.float16), mask=mask[:, None] & (offs_c[None, :] < n))


@triton.jit
def matmul_jagged(
    x_ptr, y_ptr, out_ptr, starts_ptr, m, n, most,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """X' Y of each sequence: the sum runs over its rows, at most `most` of them; a sequence may have none."""
    sequence = tl.program_id(0)
    start = tl.load(starts_ptr + sequence)
    length = tl.minimum(tl.load(starts_ptr + sequence + 1) - start, most)
    offs_m = tl.program_id(1) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(2) * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    x_ptrs = x_ptr + start * m + offs_m[:, None] + offs_k[None, :] * m
    y_ptrs = y_ptr + start * n + offs_n[None, :] + offs_k[:, None] * n
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, length, BK):
        left = min(length - k, BK)
        x = tl.load(x_ptrs, mask=(offs_m[:, None] < m) & (offs_k[None, :] < left), other=0.0)
        y = tl.load(y_ptrs, mask=(offs_n[None, :] < n) & (offs_k[:, None] < left), other=0.0)
        acc += tl.dot(x, y)
        x_ptrs += BK * m
        y_ptrs += BK * n
    out_ptrs = out_ptr + sequence * m * n + offs_m[:, None] * n + offs_n[None, :]
    tl.store(out_ptrs, acc, mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def sequence_of(starts_ptr, block, sequences, ROWS: tl.constexpr):
    """Where the blocks of all sequences stand behind one another, with one to spare for each."""
    low: tl.int32 = 0
    high = sequences
    while low < high:
        middle = (low + high) // 2
        if tl.load(starts_ptr + middle) // ROWS + middle <= block:
            low = middle + 1
        else:
            high = middle
    return low - 1


@triton.jit
def attention_mixed(
    q_ptr, k_ptr, v_ptr, out_ptr, sinks_ptr, table_ptr, lengths_ptr, starts_ptr, sequences, stride_table: tl.int64, scale,
    GROUP: tl.constexpr, HEADS: tl.constexpr, PAGE: tl.constexpr, D: tl.constexpr, DP: tl.constexpr,
    WINDOW: tl.constexpr, ROWS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Prompts and single tokens in one launch, over pages: rows of a tile are tokens by heads of a group, and a
    window counts back from each. A sink has a share of every row."""
    block = tl.program_id(0)
    head = tl.program_id(1)
    sequence = sequence_of(starts_ptr, block, sequences, ROWS)
    start = tl.load(starts_ptr + sequence)
    block -= start // ROWS + sequence
    queries = tl.load(starts_ptr + sequence + 1) - start
    if block * ROWS >= queries:
        return
    offs_m = tl.arange(0, BM)
    offs_d = tl.arange(0, DP)
    is_column = offs_d < D
    token = block * ROWS + offs_m // GROUP
    of_head = head * GROUP + offs_m % GROUP
    is_row = token < queries
    offs_q = (start + token)[:, None] * HEADS * GROUP * D + of_head[:, None] * D + offs_d[None, :]
    q = tl.load(q_ptr + offs_q, mask=is_row[:, None] & is_column[None, :], other=0.0)
    m = tl.load(sinks_ptr + of_head).to(tl.float32)
    total = tl.full([BM], 1.0, dtype=tl.float32)
    acc = tl.zeros([BM, DP], dtype=tl.float32)
    before = tl.load(lengths_ptr + sequence) - queries
    end = before + tl.minimum((block + 1) * ROWS, queries)
    first = tl.maximum(before + block * ROWS - WINDOW + 1, 0) // BN
    for step in range(first, tl.cdiv(end, BN)):
        place = step * BN + tl.arange(0, BN)
        page = tl.load(table_ptr + sequence * stride_table + place // PAGE, mask=place < end, other=0).to(tl.int64)
        row = page * PAGE + place % PAGE
        offs_k = row[None, :] * HEADS * D + head * D + offs_d[:, None]
        offs_v = row[:, None] * HEADS * D + head * D + offs_d[None, :]
        k = tl.load(k_ptr + offs_k, mask=is_column[:, None] & (place < end)[None, :], other=0.0)
        v = tl.load(v_ptr + offs_v, mask=is_column[None, :] & (place < end)[:, None], other=0.0)
        back = before + token[:, None] - place[None, :]
        s = tl.where((back >= 0) & (back < WINDOW), tl.dot(q, k) * scale, float("-inf"))
        new = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - new[:, None])
        alpha = tl.exp2(m - new)
        total = total * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m = new
    tl.store(out_ptr + offs_q, acc / total[:, None], mask=is_row[:, None] & is_column[None, :])
