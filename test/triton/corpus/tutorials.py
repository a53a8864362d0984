# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The forms of loops that Triton's tutorials have made common: a persistent product that counts
its stores beside its loop, causal attention that counts rows in each of two loops, and the
gradients of keys and values, with fewer rows at a time on the diagonal."""

import triton
import triton.language as tl


@triton.jit
def place_of(tile, in_group, rows, GROUP: tl.constexpr):
    first = tile // in_group * GROUP
    size = min(rows - first, GROUP)
    return first + tile % size, tile % in_group // size


@triton.jit
def matmul_counted(
    a_ptr, b_ptr, c_ptr, m, n, k,
    stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
    PROGRAMS: tl.constexpr, FLATTEN: tl.constexpr,
):  # fmt: skip
    """Rows behind the last are row 0; the tile that is stored is counted on its own."""
    program = tl.program_id(axis=0)
    rows = tl.cdiv(m, BM)
    tiles = rows * tl.cdiv(n, BN)
    in_group = GROUP * tl.cdiv(n, BN)
    stored = program - PROGRAMS
    mask_k = tl.arange(0, BK)
    for tile in tl.range(program, tiles, PROGRAMS, flatten=FLATTEN):
        pid_m, pid_n = place_of(tile, in_group, rows, GROUP)
        offs_m = pid_m * BM + tl.arange(0, BM)
        offs_n = pid_n * BN + tl.arange(0, BN)
        offs_m = tl.where(offs_m < m, offs_m, 0)
        offs_n = tl.where(offs_n < n, offs_n, 0)
        offs_m = tl.max_contiguous(tl.multiple_of(offs_m, BM), BM)
        offs_n = tl.max_contiguous(tl.multiple_of(offs_n, BN), BN)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for step in range(tl.cdiv(k, BK)):
            offs_k = step * BK + tl.arange(0, BK)
            a = tl.load(
                a_ptr + offs_m[:, None] * stride_am + offs_k[None, :] * stride_ak,
                mask=mask_k[None, :] < k - step * BK, other=0.0,
            )  # fmt: skip
            b = tl.load(
                b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :] * stride_bn,
                mask=mask_k[:, None] < k - step * BK, other=0.0,
            )  # fmt: skip
            acc = tl.dot(a, b, acc)
        stored += PROGRAMS
        pid_m, pid_n = place_of(stored, in_group, rows, GROUP)
        offs_m = pid_m * BM + tl.arange(0, BM)
        offs_n = pid_n * BN + tl.arange(0, BN)
        c_ptrs = c_ptr + stride_cm * offs_m[:, None] + stride_cn * offs_n[None, :]
        tl.store(c_ptrs, acc.to(tl.float16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def attend_rows(
    acc, l_i, m_i, q, k_desc, v_desc, first_row, first, last, scale, offs_m, offs_n,
    BN: tl.constexpr, DIAGONAL: tl.constexpr,
):  # fmt: skip
    row = first_row + first
    for start in tl.range(first, last, BN):
        start = tl.multiple_of(start, BN)
        qk = tl.dot(q, k_desc.load([row, 0]).T)
        if DIAGONAL:
            qk = qk * scale + tl.where(offs_m[:, None] >= start + offs_n[None, :], 0, -1.0e6)
            m_ij = tl.maximum(m_i, tl.max(qk, 1))
            qk -= m_ij[:, None]
        else:
            m_ij = tl.maximum(m_i, tl.max(qk, 1) * scale)
            qk = qk * scale - m_ij[:, None]
        p = tl.math.exp2(qk)
        alpha = tl.math.exp2(m_i - m_ij)
        l_i = l_i * alpha + tl.sum(p, 1)
        acc = acc * alpha[:, None]
        acc = tl.dot(p.to(tl.float16), v_desc.load([row, 0]), acc)
        m_i = m_ij
        row += BN
    return acc, l_i, m_i


@triton.jit
def attention_rows(
    q_ptr, k_ptr, v_ptr, out_ptr, lse_ptr, sm_scale, batch, heads, seq_len,
    HEAD_DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Causal, [batch, heads, seq_len, HEAD_DIM], through descriptors that the kernel makes."""
    rows = batch * heads * seq_len
    q_desc = tl.make_tensor_descriptor(q_ptr, [rows, HEAD_DIM], [HEAD_DIM, 1], [BM, HEAD_DIM])
    k_desc = tl.make_tensor_descriptor(k_ptr, [rows, HEAD_DIM], [HEAD_DIM, 1], [BN, HEAD_DIM])
    v_desc = tl.make_tensor_descriptor(v_ptr, [rows, HEAD_DIM], [HEAD_DIM, 1], [BN, HEAD_DIM])
    out_desc = tl.make_tensor_descriptor(out_ptr, [rows, HEAD_DIM], [HEAD_DIM, 1], [BM, HEAD_DIM])
    pid = tl.program_id(0)
    head = tl.program_id(1)
    first_row = head // heads * (seq_len * heads) + head % heads * seq_len
    offs_m = pid * BM + tl.arange(0, BM)
    offs_n = tl.arange(0, BN)
    m_i = tl.zeros([BM], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BM], dtype=tl.float32) + 1.0
    acc = tl.zeros([BM, HEAD_DIM], dtype=tl.float32)
    scale = sm_scale * 1.44269504
    q = q_desc.load([first_row + pid * BM, 0])
    acc, l_i, m_i = attend_rows(
        acc, l_i, m_i, q, k_desc, v_desc, first_row, 0, pid * BM, scale, offs_m, offs_n, BN, False
    )
    first = tl.multiple_of(pid * BM, BM)
    acc, l_i, m_i = attend_rows(
        acc, l_i, m_i, q, k_desc, v_desc, first_row, first, first + BM, scale, offs_m, offs_n, BN, True
    )
    tl.store(lse_ptr + head * seq_len + offs_m, m_i + tl.math.log2(l_i))
    out_desc.store([first_row + pid * BM, 0], (acc / l_i[:, None]).to(tl.float16))


@triton.jit
def add_gradients(
    dk, dv, k, v, q_ptr, do_ptr, lse_ptr, delta_ptr, stride_m, stride_d, first, steps, offs_n,
    BM: tl.constexpr, HEAD_DIM: tl.constexpr, DIAGONAL: tl.constexpr,
):  # fmt: skip
    offs_m = first + tl.arange(0, BM)
    offs_d = tl.arange(0, HEAD_DIM)
    qt_ptrs = q_ptr + offs_m[None, :] * stride_m + offs_d[:, None] * stride_d
    do_ptrs = do_ptr + offs_m[:, None] * stride_m + offs_d[None, :] * stride_d
    row = first
    for _ in range(steps):
        qt = tl.load(qt_ptrs)
        offs_m = row + tl.arange(0, BM)
        pt = tl.math.exp2(tl.dot(k, qt) - tl.load(lse_ptr + offs_m)[None, :])
        if DIAGONAL:
            pt = tl.where(offs_m[None, :] >= offs_n[:, None], pt, 0.0)
        do = tl.load(do_ptrs)
        dv += tl.dot(pt.to(tl.float16), do)
        dpt = tl.dot(v, tl.trans(do)).to(tl.float32)
        dst = pt * (dpt - tl.load(delta_ptr + offs_m)[None, :])
        dk += tl.dot(dst.to(tl.float16), tl.trans(qt))
        row += BM
        qt_ptrs += BM * stride_m
        do_ptrs += BM * stride_m
    return dk, dv


@triton.jit
def attention_gradients(
    q_ptr, k_ptr, v_ptr, do_ptr, dk_ptr, dv_ptr, lse_ptr, delta_ptr, sm_scale,
    stride_b, stride_h, stride_m, stride_d, heads, seq_len,
    HEAD_DIM: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    """Of keys, which are scaled for exp2 already, and values."""
    head = tl.program_id(1)
    matrix = (stride_h * (head % heads) + stride_b * (head // heads)).to(tl.int64)
    sums = (head * seq_len).to(tl.int64)
    q_ptr += matrix
    do_ptr += matrix
    lse_ptr += sums
    delta_ptr += sums
    first = tl.program_id(0) * BN
    offs_n = first + tl.arange(0, BN)
    offs_d = tl.arange(0, HEAD_DIM)
    offsets = matrix + offs_n[:, None] * stride_m + offs_d[None, :] * stride_d
    k = tl.load(k_ptr + offsets)
    v = tl.load(v_ptr + offsets)
    dk = tl.zeros([BN, HEAD_DIM], dtype=tl.float32)
    dv = tl.zeros([BN, HEAD_DIM], dtype=tl.float32)
    row = 0
    if CAUSAL:
        SHORT: tl.constexpr = BM // 2
        dk, dv = add_gradients(
            dk, dv, k, v, q_ptr, do_ptr, lse_ptr, delta_ptr, stride_m, stride_d, first, BN // SHORT,
            offs_n, SHORT, HEAD_DIM, True,
        )  # fmt: skip
        row = first + BN
    dk, dv = add_gradients(
        dk, dv, k, v, q_ptr, do_ptr, lse_ptr, delta_ptr, stride_m, stride_d, row,
        (seq_len - row) // BM, offs_n, BM, HEAD_DIM, False,
    )  # fmt: skip
    tl.store(dv_ptr + offsets, dv.to(tl.float16))
    tl.store(dk_ptr + offsets, (dk * sm_scale).to(tl.float16))


@triton.jit
def matmul_problems(
    a_ptr, b_ptr, c_ptr, starts_ptr, n, k,
    PROBLEMS: tl.constexpr, PROGRAMS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Products of several problems, whose rows memory says, dealt out tile by tile: a program counts
    through all of them and leaves out the tiles of others."""
    tile = tl.program_id(0)
    done = 0
    for problem in range(PROBLEMS):
        start = tl.load(starts_ptr + problem)
        m = tl.load(starts_ptr + problem + 1) - start
        columns = tl.cdiv(n, BN)
        tiles = tl.cdiv(m, BM) * columns
        while tile >= done and tile < done + tiles:
            at = tile - done
            offs_m = at // columns * BM + tl.arange(0, BM)
            offs_n = at % columns * BN + tl.arange(0, BN)
            offs_k = tl.arange(0, BK)
            a_ptrs = a_ptr + (start + offs_m[:, None]) * k + offs_k[None, :]
            b_ptrs = b_ptr + problem * k * n + offs_k[:, None] * n + offs_n[None, :]
            acc = tl.zeros((BM, BN), dtype=tl.float32)
            for step in range(tl.cdiv(k, BK)):
                is_k = offs_k < k - step * BK
                a = tl.load(a_ptrs, mask=(offs_m < m)[:, None] & is_k[None, :], other=0.0)
                b = tl.load(b_ptrs, mask=is_k[:, None] & (offs_n < n)[None, :], other=0.0)
                acc += tl.dot(a, b)
                a_ptrs += BK
                b_ptrs += BK * n
            c_ptrs = c_ptr + (start + offs_m[:, None]) * n + offs_n[None, :]
            tl.store(c_ptrs, acc.to(tl.float16), mask=(offs_m < m)[:, None] & (offs_n < n)[None, :])
            tile += PROGRAMS
        done += tiles


@triton.jit
def matmul_shares(
    a_ptr, b_ptr, c_ptr, m, n, k, share,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Each program has as many steps of all tiles as the others: the end of one tile, whole ones, the
    beginning of one. What they have of a tile they add to it."""
    steps = tl.cdiv(k, BK)
    columns = tl.cdiv(n, BN)
    at = tl.program_id(0) * share
    end = tl.minimum(at + share, tl.cdiv(m, BM) * columns * steps)
    while at < end:
        behind = tl.minimum(at + (steps - at % steps), end)
        tile = at // steps
        offs_m = tile // columns * BM + tl.arange(0, BM)
        offs_n = tile % columns * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for step in range(at, behind):
            offs_k = step % steps * BK + tl.arange(0, BK)
            a = tl.load(
                a_ptr + offs_m[:, None] * k + offs_k[None, :],
                mask=(offs_m < m)[:, None] & (offs_k < k)[None, :], other=0.0,
            )  # fmt: skip
            b = tl.load(
                b_ptr + offs_k[:, None] * n + offs_n[None, :],
                mask=(offs_k < k)[:, None] & (offs_n < n)[None, :], other=0.0,
            )  # fmt: skip
            acc += tl.dot(a, b)
        c_ptrs = c_ptr + offs_m[:, None] * n + offs_n[None, :]
        tl.atomic_add(c_ptrs, acc, mask=(offs_m < m)[:, None] & (offs_n < n)[None, :], sem="relaxed")
        at = behind


@triton.jit
def matmul_in_turns(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, PROGRAMS: tl.constexpr,
):  # fmt: skip
    """One loop through all tiles of a program: each takes a turn, chooses its place first and stores its sum last."""
    start = tl.program_id(0)
    rows, columns, steps = tl.cdiv(m, BM), tl.cdiv(n, BN), tl.cdiv(k, BK)
    tiles = rows * columns // PROGRAMS
    if start < rows * columns % PROGRAMS:
        tiles += 1
    tile = start - PROGRAMS
    step = -1
    row, column = 0, 0
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, steps * tiles):
        step = tl.where(step == steps - 1, 0, step + 1)
        if step == 0:
            tile += PROGRAMS
            first = tile // (GROUP * columns) * GROUP
            size = min(rows - first, GROUP)
            row = (first + tile % size) * BM
            column = tile % (GROUP * columns) // size * BN
        inner = step * BK + tl.arange(0, BK)
        am = row + tl.arange(0, BM)
        bn = column + tl.arange(0, BN)
        a_ptrs = a_ptr + am[:, None] * stride_am + inner[None, :] * stride_ak
        b_ptrs = b_ptr + inner[:, None] * stride_bk + bn[None, :] * stride_bn
        a = tl.load(a_ptrs, mask=(am < m)[:, None] & (inner < k)[None, :], other=0.0)
        b = tl.load(b_ptrs, mask=(inner < k)[:, None] & (bn < n)[None, :], other=0.0)
        acc = tl.dot(a, b, acc)
        if step == steps - 1:
            c_ptrs = c_ptr + am[:, None] * stride_cm + bn[None, :] * stride_cn
            tl.store(c_ptrs, acc.to(c_ptr.dtype.element_ty), mask=(am < m)[:, None] & (bn < n)[None, :])
            acc = tl.zeros((BM, BN), dtype=tl.float32)
