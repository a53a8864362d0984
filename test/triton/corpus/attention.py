# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward as projects write it: causal in two loops, grouped heads, with a bias."""

import triton
import triton.language as tl


@triton.jit
def attention_inner(
    acc, l_i, m_i, q, k_desc, v_desc, y, row, first, last, qk_scale, offs_m, offs_n,
    BN: tl.constexpr, DIAGONAL: tl.constexpr,
):  # fmt: skip
    for start in tl.range(first, last, BN):
        start = tl.multiple_of(start, BN)
        k = k_desc.load([y + start, 0]).T
        qk = tl.dot(q, k)
        if DIAGONAL:
            qk = qk * qk_scale + tl.where(offs_m[:, None] >= start + offs_n[None, :], 0, -1.0e6)
            m_ij = tl.maximum(m_i, tl.max(qk, 1))
            qk -= m_ij[:, None]
        else:
            m_ij = tl.maximum(m_i, tl.max(qk, 1) * qk_scale)
            qk = qk * qk_scale - m_ij[:, None]
        p = tl.math.exp2(qk)
        alpha = tl.math.exp2(m_i - m_ij)
        l_ij = tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = v_desc.load([y + start, 0])
        acc = tl.dot(p.to(tl.float16), v, acc)
        l_i = l_i * alpha + l_ij
        m_i = m_ij
    return acc, l_i, m_i


@triton.jit
def attention(
    q_desc, k_desc, v_desc, out_desc, lse_ptr, sm_scale, seq_len,
    HEAD_DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    """Heads one below the other in matrices of HEAD_DIM columns. Causal: a loop over the
    blocks that need no mask, then one over those on the diagonal."""
    pid = tl.program_id(0)
    head = tl.program_id(1)
    y = head * seq_len
    row = y + pid * BM
    offs_m = pid * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    m_i = tl.zeros([BM], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BM], dtype=tl.float32) + 1.0
    acc = tl.zeros([BM, HEAD_DIM], dtype=tl.float32)
    qk_scale = sm_scale * 1.44269504
    q = q_desc.load([row, 0])
    if CAUSAL:
        acc, l_i, m_i = attention_inner(
            acc, l_i, m_i, q, k_desc, v_desc, y, row, 0, pid * BM, qk_scale, offs_m, offs_n,
            BN, False,
        )  # fmt: skip
        acc, l_i, m_i = attention_inner(
            acc, l_i, m_i, q, k_desc, v_desc, y, row, pid * BM, (pid + 1) * BM, qk_scale,
            offs_m, offs_n, BN, True,
        )  # fmt: skip
    else:
        acc, l_i, m_i = attention_inner(
            acc, l_i, m_i, q, k_desc, v_desc, y, row, 0, seq_len, qk_scale, offs_m, offs_n,
            BN, False,
        )  # fmt: skip
    m_i += tl.math.log2(l_i)
    acc = acc / l_i[:, None]
    tl.store(lse_ptr + y + offs_m, m_i)
    out_desc.store([row, 0], acc.to(tl.float16))


@triton.jit
def attention_gqa(
    q_ptr, k_ptr, v_ptr, out_ptr, sm_scale, q_len, k_len,
    stride_qb, stride_qm, stride_qh, stride_kb, stride_kn, stride_kh,
    HEADS: tl.constexpr, GROUP: tl.constexpr, HEAD_DIM: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """[batch, length, heads, HEAD_DIM], GROUP query heads to a key head, any lengths."""
    pid = tl.program_id(0)
    batch = tl.program_id(1) // HEADS
    head = tl.program_id(1) % HEADS
    offs_m = pid * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    offs_d = tl.arange(0, HEAD_DIM)
    q_offsets = batch * stride_qb + head * stride_qh + offs_m[:, None] * stride_qm + offs_d[None, :]
    kv_start = batch * stride_kb + head // GROUP * stride_kh
    q = tl.load(q_ptr + q_offsets, mask=offs_m[:, None] < q_len, other=0.0)
    m_i = tl.full([BM], -float("inf"), dtype=tl.float32)
    l_i = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, HEAD_DIM], dtype=tl.float32)
    for start in range(0, k_len, BN):
        n = start + offs_n
        kv_offsets = kv_start + n[:, None] * stride_kn + offs_d[None, :]
        k = tl.load(k_ptr + kv_offsets, mask=n[:, None] < k_len, other=0.0)
        qk = tl.dot(q, tl.trans(k)) * (sm_scale * 1.44269504)
        qk = tl.where(n[None, :] < k_len, qk, -float("inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp2(qk - m_ij[:, None])
        alpha = tl.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + kv_offsets, mask=n[:, None] < k_len, other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
        m_i = m_ij
    acc = acc / l_i[:, None]
    tl.store(out_ptr + q_offsets, acc.to(tl.bfloat16), mask=offs_m[:, None] < q_len)


@triton.jit
def attention_bias(
    q_ptr, k_ptr, v_ptr, bias_ptr, out_ptr, sm_scale, seq_len, stride_h, stride_bh,
    HEAD_DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Adds a matrix of biases, one for each head, to the scores: [heads, length, HEAD_DIM]."""
    pid = tl.program_id(0)
    head = tl.program_id(1)
    offs_m = pid * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    offs_d = tl.arange(0, HEAD_DIM)
    q_ptrs = q_ptr + head * stride_h + offs_m[:, None] * HEAD_DIM + offs_d[None, :]
    k_ptrs = k_ptr + head * stride_h + offs_n[None, :] * HEAD_DIM + offs_d[:, None]
    v_ptrs = v_ptr + head * stride_h + offs_n[:, None] * HEAD_DIM + offs_d[None, :]
    bias_ptrs = bias_ptr + head * stride_bh + offs_m[:, None] * seq_len + offs_n[None, :]
    m_mask = offs_m[:, None] < seq_len
    q = tl.load(q_ptrs, mask=m_mask, other=0.0)
    m_i = tl.full([BM], -float("inf"), dtype=tl.float32)
    l_i = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, HEAD_DIM], dtype=tl.float32)
    for start in range(0, seq_len, BN):
        n_mask = start + offs_n < seq_len
        k = tl.load(k_ptrs + start * HEAD_DIM, mask=n_mask[None, :], other=0.0)
        bias = tl.load(bias_ptrs + start, mask=m_mask & n_mask[None, :], other=-float("inf"))
        qk = tl.dot(q, k) * sm_scale + bias.to(tl.float32)
        qk = tl.where(n_mask[None, :], qk, -float("inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp(qk - m_ij[:, None])
        alpha = tl.exp(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        v = tl.load(v_ptrs + start * HEAD_DIM, mask=n_mask[:, None], other=0.0)
        acc += tl.dot(p.to(tl.float16), v)
        m_i = m_ij
    out_ptrs = out_ptr + head * stride_h + offs_m[:, None] * HEAD_DIM + offs_d[None, :]
    tl.store(out_ptrs, (acc / l_i[:, None]).to(tl.float16), mask=m_mask)


@triton.jit
def attention_bytes(
    q_ptr, k_ptr, v_ptr, out_ptr, sm_scale, q_len, k_len, v_stride,
    HEAD_DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    """8-bit floats, probabilities among them: [heads, length, HEAD_DIM], and of the values
    one column after the other, [heads, HEAD_DIM, v_stride], as the tensor core takes them."""
    pid = tl.program_id(0)
    head = tl.program_id(1)
    offs_m = pid * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    offs_d = tl.arange(0, HEAD_DIM)
    q_offsets = (head * q_len + offs_m[:, None]) * HEAD_DIM + offs_d[None, :]
    k_ptrs = k_ptr + (head * k_len + offs_n[None, :]) * HEAD_DIM + offs_d[:, None]
    v_ptrs = v_ptr + (head * HEAD_DIM + offs_d[None, :]) * v_stride + offs_n[:, None]
    q = tl.load(q_ptr + q_offsets, mask=offs_m[:, None] < q_len, other=0.0)
    m_i = tl.full([BM], -float("inf"), dtype=tl.float32)
    l_i = tl.zeros([BM], dtype=tl.float32)
    acc = tl.zeros([BM, HEAD_DIM], dtype=tl.float32)
    last = tl.minimum(k_len, (pid + 1) * BM) if CAUSAL else k_len
    for start in range(0, last, BN):
        n = start + offs_n
        k = tl.load(k_ptrs, mask=n[None, :] < k_len, other=0.0)
        qk = tl.dot(q, k) * (sm_scale * 1.44269504)
        if CAUSAL:
            qk = tl.where(offs_m[:, None] >= n[None, :], qk, -float("inf"))
        qk = tl.where(n[None, :] < k_len, qk, -float("inf"))
        m_ij = tl.maximum(m_i, tl.max(qk, 1))
        p = tl.exp2(qk - m_ij[:, None])
        alpha = tl.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(v_ptrs, mask=n[:, None] < k_len, other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc * alpha[:, None])
        m_i = m_ij
        k_ptrs += BN * HEAD_DIM
        v_ptrs += BN
    acc = acc / l_i[:, None]
    tl.store(out_ptr + q_offsets, acc.to(tl.bfloat16), mask=offs_m[:, None] < q_len)
