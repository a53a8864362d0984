# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Norms in one kernel with the product that reads them, and adapters that add to what another kernel made."""

import triton
import triton.language as tl


@triton.jit
def norm_matmul(
    x_ptr, gain_ptr, bias_ptr, w_ptr, y_ptr, m, n, k, eps,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """A layer norm in two passes over the rows: sums first, then the normalised rows times a matrix."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM,), dtype=tl.float32)
    squares = tl.zeros((BM,), dtype=tl.float32)
    for start in range(0, k, BK):
        inside = (rows < m)[:, None] & (start + inner < k)[None, :]
        x = tl.load(x_ptr + rows[:, None] * k + (start + inner)[None, :], mask=inside, other=0.0).to(tl.float32)
        total += tl.sum(x, 1)
        squares += tl.sum(x * x, 1)
    mean = total / k
    scale = tl.rsqrt(squares / k - mean * mean + eps)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        there = start + inner < k
        inside = (rows < m)[:, None] & there[None, :]
        x = tl.load(x_ptr + rows[:, None] * k + (start + inner)[None, :], mask=inside, other=0.0).to(tl.float32)
        gain = tl.load(gain_ptr + start + inner, mask=there, other=0.0).to(tl.float32)
        bias = tl.load(bias_ptr + start + inner, mask=there, other=0.0).to(tl.float32)
        x = (x - mean[:, None]) * scale[:, None] * gain[None, :] + bias[None, :]
        w = tl.load(
            w_ptr + (start + inner)[:, None] * n + columns[None, :],
            mask=there[:, None] & (columns < n)[None, :], other=0.0,
        )  # fmt: skip
        acc += tl.dot(x.to(w.dtype), w)
    inside = (rows < m)[:, None] & (columns < n)[None, :]
    tl.store(y_ptr + rows[:, None] * n + columns[None, :], acc.to(tl.float16), mask=inside)


@triton.jit
def rms_matmul(
    x_ptr, gain_ptr, w_ptr, y_ptr, m, n, k, eps,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Squares are added up beside the product, and scale its rows; rows and columns wrap around."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    x_ptrs = x_ptr + rows[:, None] % m * k + inner[None, :]
    w_ptrs = w_ptr + columns[None, :] % n * k + inner[:, None]
    squares = tl.zeros((BM, BK), dtype=tl.float32)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        x = tl.load(x_ptrs)
        wide = x.to(tl.float32)
        squares += wide * wide
        gain = tl.load(gain_ptr + step * BK + inner)
        acc += tl.dot(x * gain[None, :], tl.load(w_ptrs))
        x_ptrs += BK
        w_ptrs += BK
    acc = acc * tl.rsqrt(tl.sum(squares, 1) / k + eps)[:, None]
    inside = (rows < m)[:, None] & (columns < n)[None, :]
    tl.store(y_ptr + rows[:, None] * n + columns[None, :], acc.to(tl.float16), mask=inside)


@triton.jit
def adapters_in_place(
    x_ptr, w_ptr, y_ptr, starts_ptr, lengths_ptr, adapters_ptr, n, rank, stride_w, stride_y,
    BM: tl.constexpr, BN: tl.constexpr, RANK: tl.constexpr,
):  # fmt: skip
    """Adds the product with its adapter to the rows of each sequence that has one, block by block."""
    sequence = tl.program_id(1)
    length = tl.load(lengths_ptr + sequence)
    adapter = tl.load(adapters_ptr + sequence)
    if tl.program_id(0) * BM >= length:
        return
    if adapter < 0:
        return
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    is_row = (rows < length)[:, None]
    place = (tl.load(starts_ptr + sequence) + rows)[:, None]
    inner = tl.arange(0, RANK)
    x = tl.load(x_ptr + place * rank + inner[None, :], mask=is_row & (inner < rank)[None, :], other=0.0)
    for start in range(0, n, BN):
        columns = start + tl.arange(0, BN)
        w_ptrs = w_ptr + adapter * stride_w + columns[None, :] * rank + inner[:, None]
        w = tl.load(w_ptrs, mask=(columns < n)[None, :] & (inner < rank)[:, None], other=0.0)
        y_ptrs = y_ptr + place * stride_y + columns[None, :]
        y = tl.load(y_ptrs, mask=is_row & (columns < n)[None, :], other=0.0)
        tl.store(y_ptrs, y + tl.dot(x, w).to(y.dtype), mask=is_row & (columns < n)[None, :])
