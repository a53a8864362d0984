# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products as servers of models do them: experts whose tokens are gathered, decoding from pages with few
rows, and weights of 8 and 4 bits with scales."""

import triton
import triton.language as tl


@triton.jit
def experts_gathered(
    x_ptr, w_ptr, out_ptr, weights_ptr, tokens_ptr, experts_ptr, count_ptr, tokens, n, k,
    stride_x, stride_we, stride_wn, stride_o, TOP: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """A block's rows are numbers in a list sorted by experts, padded with numbers behind the last."""
    columns = tl.cdiv(n, BN)
    pid_m = tl.program_id(0) // columns
    pid_n = tl.program_id(0) % columns
    if pid_m * BM >= tl.load(count_ptr):
        return
    number = tl.load(tokens_ptr + pid_m * BM + tl.arange(0, BM))
    is_token = number < tokens * TOP
    expert = tl.load(experts_ptr + pid_m)
    offs_n = (pid_n * BN + tl.arange(0, BN)) % n
    offs_k = tl.arange(0, BK)
    x_ptrs = x_ptr + number[:, None] // TOP * stride_x + offs_k[None, :]
    w_ptrs = w_ptr + expert * stride_we + offs_n[None, :] * stride_wn + offs_k[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        left = k - step * BK
        x = tl.load(x_ptrs, mask=is_token[:, None] & (offs_k[None, :] < left), other=0.0)
        w = tl.load(w_ptrs, mask=offs_k[:, None] < left, other=0.0)
        acc += tl.dot(x, w)
        x_ptrs += BK
        w_ptrs += BK
    weight = tl.load(weights_ptr + number, mask=is_token, other=0.0)
    acc = acc * weight[:, None]
    offs_n = pid_n * BN + tl.arange(0, BN)
    tl.store(
        out_ptr + number[:, None] * stride_o + offs_n[None, :], acc.to(tl.float16),
        mask=is_token[:, None] & (offs_n[None, :] < n),
    )  # fmt: skip


@triton.jit
def decode_paged(
    q_ptr, k_ptr, v_ptr, out_ptr, pages_ptr, lengths_ptr, scale, stride_q, stride_page, stride_row, pages_each,
    GROUP: tl.constexpr, ROWS: tl.constexpr, HEAD_DIM: tl.constexpr, PAGE: tl.constexpr,
):  # fmt: skip
    """One token a sequence: the GROUP heads that share keys are the rows of the products."""
    sequence = tl.program_id(0)
    shared = tl.program_id(1)
    offs_g = tl.arange(0, ROWS)
    offs_d = tl.arange(0, HEAD_DIM)
    offs_p = tl.arange(0, PAGE)
    is_head = (offs_g < GROUP)[:, None]
    heads = shared * GROUP + offs_g
    q_ptrs = q_ptr + sequence * stride_q + heads[:, None] * HEAD_DIM + offs_d[None, :]
    q = tl.load(q_ptrs, mask=is_head, other=0.0)
    length = tl.load(lengths_ptr + sequence)
    m_i = tl.full((ROWS,), -1.0e30, dtype=tl.float32)
    l_i = tl.zeros((ROWS,), dtype=tl.float32)
    acc = tl.zeros((ROWS, HEAD_DIM), dtype=tl.float32)
    for start in range(0, length, PAGE):
        page = tl.load(pages_ptr + sequence * pages_each + start // PAGE)
        place = page * stride_page + shared * HEAD_DIM
        is_row = start + offs_p < length
        k = tl.load(k_ptr + place + offs_p[None, :] * stride_row + offs_d[:, None], mask=is_row[None, :], other=0.0)
        s = tl.where(is_row[None, :], tl.dot(q, k) * scale, float("-inf"))
        m_new = tl.maximum(m_i, tl.max(s, 1))
        p = tl.exp(s - m_new[:, None])
        alpha = tl.exp(m_i - m_new)
        l_i = l_i * alpha + tl.sum(p, 1)
        v = tl.load(v_ptr + place + offs_p[:, None] * stride_row + offs_d[None, :], mask=is_row[:, None], other=0.0)
        acc = acc * alpha[:, None] + tl.dot(p.to(tl.float16), v)
        m_i = m_new
    out_ptrs = out_ptr + sequence * stride_q + heads[:, None] * HEAD_DIM + offs_d[None, :]
    tl.store(out_ptrs, (acc / l_i[:, None]).to(tl.float16), mask=is_head)


@triton.jit
def decode_split(
    q_ptr, k_ptr, v_ptr, sums_ptr, logs_ptr, places_ptr, lengths_ptr, scale, stride_q, stride_row, stride_head,
    places_each, SPLITS: tl.constexpr, GROUP: tl.constexpr, ROWS: tl.constexpr, HEAD_DIM: tl.constexpr,
    BLOCK_D: tl.constexpr, BLOCK: tl.constexpr, PAGE: tl.constexpr,
):  # fmt: skip
    """A part of each sequence's keys, whose pages stand anywhere: a block has rows of several."""
    sequence = tl.program_id(0)
    shared = tl.program_id(1)
    part = tl.program_id(2)
    offs_g = tl.arange(0, ROWS)
    offs_d = tl.arange(0, BLOCK_D)
    heads = shared * GROUP + offs_g
    is_head = offs_g < GROUP
    offs_p = tl.arange(0, BLOCK)
    is_column = offs_d < HEAD_DIM
    q_places = sequence * stride_q + heads[:, None] * HEAD_DIM + offs_d[None, :]
    q = tl.load(q_ptr + q_places, mask=is_head[:, None] & is_column[None, :], other=0.0)
    length = tl.load(lengths_ptr + sequence)
    each = tl.cdiv(length, SPLITS)
    first = each * part
    last = tl.minimum(first + each, length)
    top = tl.full((ROWS,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((ROWS,), dtype=tl.float32)
    acc = tl.zeros((ROWS, BLOCK_D), dtype=tl.float32)
    if last > first:
        for start in range(first, last, BLOCK):
            offs_n = start + offs_p
            is_row = offs_n < last
            page = tl.load(places_ptr + sequence * places_each + offs_n // PAGE, mask=is_row, other=0)
            row = page * PAGE + offs_n % PAGE
            k_places = row[None, :] * stride_row + shared * stride_head + offs_d[:, None]
            k = tl.load(k_ptr + k_places, mask=is_row[None, :] & is_column[:, None], other=0.0)
            s = tl.dot(q, k.to(q.dtype)) * scale
            s = tl.where(is_head[:, None] & is_row[None, :], s, float("-inf"))
            v_places = row[:, None] * stride_row + shared * stride_head + offs_d[None, :]
            v = tl.load(v_ptr + v_places, mask=is_row[:, None] & is_column[None, :], other=0.0)
            top_new = tl.maximum(tl.max(s, 1), top)
            alpha = tl.exp(top - top_new)
            p = tl.exp(s - top_new[:, None])
            acc = acc * alpha[:, None] + tl.dot(p.to(v.dtype), v)
            total = total * alpha + tl.sum(p, 1)
            top = top_new
        out = (sequence * SPLITS + part) * stride_q + heads[:, None] * HEAD_DIM + offs_d[None, :]
        tl.store(sums_ptr + out, acc / total[:, None], mask=is_head[:, None] & is_column[None, :])
        logs = (sequence * SPLITS + part) * (stride_q // HEAD_DIM) + heads
        tl.store(logs_ptr + logs, top + tl.log(total), mask=is_head)


@triton.jit
def matmul_int8(
    a_ptr, b_ptr, c_ptr, rows_ptr, columns_ptr, m, n, k, stride_a, stride_b, stride_c,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Both operands of 8 bits, scaled by rows and by columns; B lies along k."""
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    offs_m = pid_m * BM + tl.arange(0, BM)
    offs_n = pid_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.int32)
    for start in range(0, k, BK):
        offs_k = start + tl.arange(0, BK)
        a = tl.load(
            a_ptr + offs_m[:, None] * stride_a + offs_k[None, :],
            mask=(offs_m[:, None] < m) & (offs_k[None, :] < k), other=0,
        )  # fmt: skip
        b = tl.load(
            b_ptr + offs_n[None, :] * stride_b + offs_k[:, None],
            mask=(offs_n[None, :] < n) & (offs_k[:, None] < k), other=0,
        )  # fmt: skip
        acc = tl.dot(a, b, acc, out_dtype=tl.int32)
    rows = tl.load(rows_ptr + offs_m, mask=offs_m < m, other=0.0)
    columns = tl.load(columns_ptr + offs_n, mask=offs_n < n, other=0.0)
    c = acc.to(tl.float32) * rows[:, None] * columns[None, :]
    c_ptrs = c_ptr + offs_m[:, None] * stride_c + offs_n[None, :]
    tl.store(c_ptrs, c.to(tl.float16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def matmul_int4(
    a_ptr, b_ptr, scales_ptr, c_ptr, m, n, k, stride_a, stride_b, stride_s, stride_c, GROUP: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Eight weights of 4 bits in a word along k, less 8, with a scale for GROUP of them."""
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    offs_m = pid_m * BM + tl.arange(0, BM)
    offs_n = pid_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        offs_k = start + tl.arange(0, BK)
        a = tl.load(a_ptr + offs_m[:, None] * stride_a + offs_k[None, :], mask=offs_m[:, None] < m, other=0.0)
        words = tl.load(
            b_ptr + (offs_k // 8)[:, None] * stride_b + offs_n[None, :], mask=offs_n[None, :] < n, other=0
        )
        scales = tl.load(scales_ptr + start // GROUP * stride_s + offs_n, mask=offs_n < n, other=0.0)
        numbers = (words >> (offs_k % 8 * 4)[:, None]) & 15
        b = ((numbers - 8).to(tl.float32) * scales[None, :]).to(tl.float16)
        acc += tl.dot(a, b)
    c_ptrs = c_ptr + offs_m[:, None] * stride_c + offs_n[None, :]
    tl.store(c_ptrs, acc.to(tl.float16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def matmul_blocks_of_fp8(
    a_ptr, b_ptr, c_ptr, sa_ptr, sb_ptr, m, n, k, stride_a, stride_b, stride_c, stride_sa, stride_sb,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """A scale for BK elements of a row of A, and one for BK x BN of B."""
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    offs_m = pid_m * BM + tl.arange(0, BM)
    offs_n = pid_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for block in range(tl.cdiv(k, BK)):
        offs_k = block * BK + tl.arange(0, BK)
        a = tl.load(
            a_ptr + offs_m[:, None] * stride_a + offs_k[None, :],
            mask=(offs_m[:, None] < m) & (offs_k[None, :] < k), other=0.0,
        )  # fmt: skip
        b = tl.load(
            b_ptr + offs_n[None, :] * stride_b + offs_k[:, None],
            mask=(offs_n[None, :] < n) & (offs_k[:, None] < k), other=0.0,
        )  # fmt: skip
        rows = tl.load(sa_ptr + offs_m * stride_sa + block, mask=offs_m < m, other=0.0)
        column = tl.load(sb_ptr + pid_n * stride_sb + block)
        acc += tl.dot(a, b) * (rows * column)[:, None]
    c_ptrs = c_ptr + offs_m[:, None] * stride_c + offs_n[None, :]
    tl.store(c_ptrs, acc.to(tl.bfloat16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def matmul_scaled(
    a_ptr, b_ptr, c_ptr, sa_ptr, sb_ptr, m, n, k, A_KIND: tl.constexpr, B_KIND: tl.constexpr, A_PACK: tl.constexpr,
    B_PACK: tl.constexpr, A_SCALED: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """A power of two for 32 numbers along k each; numbers of 4 bits come two in a byte."""
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        a_k = start // A_PACK + tl.arange(0, BK // A_PACK)
        b_k = start // B_PACK + tl.arange(0, BK // B_PACK)
        blocks = start // 32 + tl.arange(0, BK // 32)
        a = tl.load(a_ptr + offs_m[:, None] * (k // A_PACK) + a_k[None, :], mask=offs_m[:, None] < m)
        b = tl.load(b_ptr + b_k[:, None] * n + offs_n[None, :], mask=offs_n[None, :] < n)
        b_scales = tl.load(sb_ptr + offs_n[:, None] * (k // 32) + blocks[None, :], mask=offs_n[:, None] < n, other=0)
        if A_PACK == 2:
            a = a.to(tl.uint8, bitcast=True)
        if B_PACK == 2:
            b = b.to(tl.uint8, bitcast=True)
        a_scales = None
        if A_SCALED:
            a_scales = tl.load(sa_ptr + offs_m[:, None] * (k // 32) + blocks[None, :], mask=offs_m[:, None] < m, other=0)
        acc = tl.dot_scaled(a, a_scales, A_KIND, b, b_scales, B_KIND, acc)
    c_ptrs = c_ptr + offs_m[:, None] * n + offs_n[None, :]
    tl.store(c_ptrs, acc, mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))
