# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element-wise kernels as projects write them: vector add, SwiGLU, dropout, rotary embedding."""

import triton
import triton.language as tl


@triton.jit
def vector_add(x_ptr, y_ptr, out_ptr, n_elements, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@triton.jit
def silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def swiglu(gate_ptr, up_ptr, out_ptr, row_stride, n_cols, BLOCK: tl.constexpr):
    """silu(gate) * up, one program a row."""
    row = tl.program_id(0).to(tl.int64)
    gate_ptr += row * row_stride
    up_ptr += row * row_stride
    out_ptr += row * row_stride
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    gate = tl.load(gate_ptr + cols, mask=mask, other=0).to(tl.float32)
    up = tl.load(up_ptr + cols, mask=mask, other=0)
    tl.store(out_ptr + cols, silu(gate).cast(up.dtype) * up, mask=mask)


@triton.jit
def dropout(x_ptr, out_ptr, n_elements, p, seed, BLOCK: tl.constexpr):
    """Nothing but the seed is kept: the backward pass draws the same numbers again."""
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(out_ptr + offsets, tl.where(keep, x / (1 - p), 0.0), mask=mask)


@triton.jit
def rotate(x_ptr, offsets, mask, cos, sin, HALF: tl.constexpr):
    left = tl.load(x_ptr + offsets, mask=mask, other=0).to(tl.float32)
    right = tl.load(x_ptr + offsets + HALF, mask=mask, other=0).to(tl.float32)
    tl.store(x_ptr + offsets, left * cos - right * sin, mask=mask)
    tl.store(x_ptr + offsets + HALF, right * cos + left * sin, mask=mask)


@triton.jit
def rotary_embedding(
    q_ptr, q_row_stride, k_ptr, k_row_stride, cos_ptr, sin_ptr, seq_len,
    Q_HEADS: tl.constexpr, K_HEADS: tl.constexpr, HEAD_DIM: tl.constexpr,
    PADDED_Q_HEADS: tl.constexpr, PADDED_K_HEADS: tl.constexpr,
):  # fmt: skip
    """In place, all heads of one token: q is [tokens, Q_HEADS, HEAD_DIM], k alike."""
    HALF: tl.constexpr = HEAD_DIM // 2
    token = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, HALF)
    position = token % seq_len
    cos = tl.load(cos_ptr + position * HALF + cols)[None, :]
    sin = tl.load(sin_ptr + position * HALF + cols)[None, :]
    q_heads = tl.arange(0, PADDED_Q_HEADS)[:, None]
    rotate(
        q_ptr + token * q_row_stride, q_heads * HEAD_DIM + cols[None, :],
        (q_heads < Q_HEADS) & (cols[None, :] < HALF), cos, sin, HALF,
    )  # fmt: skip
    k_heads = tl.arange(0, PADDED_K_HEADS)[:, None]
    rotate(
        k_ptr + token * k_row_stride, k_heads * HEAD_DIM + cols[None, :],
        (k_heads < K_HEADS) & (cols[None, :] < HALF), cos, sin, HALF,
    )  # fmt: skip


@triton.jit
def words_and_bias(
    ids_ptr, table_ptr, bias_ptr, out_ptr, count, words, COLUMNS: tl.constexpr, BLOCK: tl.constexpr
):  # fmt: skip
    """Rows that numbers name, counted from the end where these are negative, and a bias: places run through all rows."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    exists = at < count
    column = at % COLUMNS
    word = tl.load(ids_ptr + at // COLUMNS, exists, other=0)
    word = tl.where(word < 0, word + words, word)
    x = tl.load(table_ptr + (column + COLUMNS * word), exists, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + column, exists, other=0.0).to(tl.float32)
    tl.store(out_ptr + at, x + bias, exists)


@triton.jit
def heads_apart(x_ptr, out_ptr, count, tokens, HEADS: tl.constexpr, DEPTH: tl.constexpr, BLOCK: tl.constexpr):
    """Rows of several heads, written as a matrix for each head."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    exists = at < count
    depth = at % DEPTH
    head = at // DEPTH % HEADS
    token = at // (DEPTH * HEADS)
    x = tl.load(x_ptr + at, exists)
    tl.store(out_ptr + (depth + DEPTH * token + DEPTH * tokens * head), x, exists)
