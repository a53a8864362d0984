# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels over rows as projects write them: softmax, norms, cross entropy."""

import triton
import triton.language as tl


@triton.jit
def softmax(
    out_ptr, in_ptr, in_row_stride, out_row_stride, n_rows, n_cols,
    BLOCK: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """Persistent: each program takes every num_programs-th row."""
    start = tl.program_id(0)
    step = tl.num_programs(0)
    for row in tl.range(start, n_rows, step, num_stages=STAGES):
        cols = tl.arange(0, BLOCK)
        mask = cols < n_cols
        x = tl.load(in_ptr + row * in_row_stride + cols, mask=mask, other=-float("inf"))
        numerator = tl.exp(x - tl.max(x, axis=0))
        out = numerator / tl.sum(numerator, axis=0)
        tl.store(out_ptr + row * out_row_stride + cols, out, mask=mask)


@triton.jit
def layer_norm_forward(
    x_ptr, out_ptr, weight_ptr, bias_ptr, mean_ptr, rstd_ptr, row_stride, n_cols, eps,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """Rows of any length, in three walks over the row."""
    row = tl.program_id(0)
    x_ptr += row * row_stride
    out_ptr += row * row_stride
    sums = tl.zeros([BLOCK], dtype=tl.float32)
    for first in range(0, n_cols, BLOCK):
        cols = first + tl.arange(0, BLOCK)
        sums += tl.load(x_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
    mean = tl.sum(sums, axis=0) / n_cols
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for first in range(0, n_cols, BLOCK):
        cols = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + cols, mask=cols < n_cols, other=0.0).to(tl.float32)
        x = tl.where(cols < n_cols, x - mean, 0.0)
        squares += x * x
    rstd = 1 / tl.sqrt(tl.sum(squares, axis=0) / n_cols + eps)
    tl.store(mean_ptr + row, mean)
    tl.store(rstd_ptr + row, rstd)
    for first in range(0, n_cols, BLOCK):
        cols = first + tl.arange(0, BLOCK)
        mask = cols < n_cols
        weight = tl.load(weight_ptr + cols, mask=mask)
        bias = tl.load(bias_ptr + cols, mask=mask)
        x = tl.load(x_ptr + cols, mask=mask, other=0.0).to(tl.float32)
        tl.store(out_ptr + cols, (x - mean) * rstd * weight + bias, mask=mask)


@triton.jit
def layer_norm_backward(
    x_ptr, weight_ptr, mean_ptr, rstd_ptr, dy_ptr, dx_ptr, dw_ptr, db_ptr,
    row_stride, n_rows, n_cols, rows_per_program, BLOCK: tl.constexpr,
):  # fmt: skip
    """dx, and each program's share of the gradients of weight and bias."""
    program = tl.program_id(0).to(tl.int64)
    first = program * rows_per_program
    last = tl.minimum(first + rows_per_program, n_rows)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    weight = tl.load(weight_ptr + cols, mask=mask, other=0.0)
    dw = tl.zeros([BLOCK], dtype=tl.float32)
    db = tl.zeros([BLOCK], dtype=tl.float32)
    for row in range(first, last):
        x = tl.load(x_ptr + row * row_stride + cols, mask=mask, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + row * row_stride + cols, mask=mask, other=0.0).to(tl.float32)
        mean = tl.load(mean_ptr + row)
        rstd = tl.load(rstd_ptr + row)
        x_hat = tl.where(mask, (x - mean) * rstd, 0.0)
        wdy = weight * dy
        c1 = tl.sum(x_hat * wdy, axis=0) / n_cols
        c2 = tl.sum(wdy, axis=0) / n_cols
        tl.store(dx_ptr + row * row_stride + cols, (wdy - (x_hat * c1 + c2)) * rstd, mask=mask)
        dw += dy * x_hat
        db += dy
    tl.store(dw_ptr + program * n_cols + cols, dw, mask=mask)
    tl.store(db_ptr + program * n_cols + cols, db, mask=mask)


@triton.jit
def rms_norm(
    x_ptr, residual_ptr, weight_ptr, out_ptr, row_stride, n_cols, eps, BLOCK: tl.constexpr,
):  # fmt: skip
    """Adds the residual, keeps the sum in its place, and normalises it."""
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * row_stride + cols, mask=mask, other=0.0)
    x += tl.load(residual_ptr + row * row_stride + cols, mask=mask, other=0.0)
    tl.store(residual_ptr + row * row_stride + cols, x, mask=mask)
    x = x.to(tl.float32)
    rstd = tl.rsqrt(tl.sum(x * x, axis=0) / n_cols + eps)
    weight = tl.load(weight_ptr + cols, mask=mask, other=0.0)
    tl.store(out_ptr + row * row_stride + cols, (x * rstd).to(weight.dtype) * weight, mask=mask)


@triton.jit
def cross_entropy(
    logits_ptr, logits_stride, target_ptr, loss_ptr, n_cols, n_non_ignored, ignore_index,
    BLOCK: tl.constexpr,
):  # fmt: skip
    """The loss of a row by an online log-sum-exp; its gradient replaces the logits."""
    row = tl.program_id(0).to(tl.int64)
    logits_ptr += row * logits_stride
    target = tl.load(target_ptr + row)
    if target == ignore_index:
        for first in range(0, n_cols, BLOCK):
            cols = first + tl.arange(0, BLOCK)
            tl.store(logits_ptr + cols, 0.0, mask=cols < n_cols)
        tl.store(loss_ptr + row, 0.0)
    else:
        highest = float("-inf")
        total = 0.0
        at_target = tl.load(logits_ptr + target).cast(tl.float32)
        for first in range(0, n_cols, BLOCK):
            cols = first + tl.arange(0, BLOCK)
            x = tl.load(logits_ptr + cols, mask=cols < n_cols, other=float("-inf")).cast(tl.float32)
            higher = tl.maximum(highest, tl.max(x))
            total = total * tl.exp(highest - higher) + tl.sum(tl.exp(x - higher))
            highest = higher
        for first in range(0, n_cols, BLOCK):
            cols = first + tl.arange(0, BLOCK)
            x = tl.load(logits_ptr + cols, mask=cols < n_cols, other=float("-inf")).cast(tl.float32)
            gradient = tl.exp(x - highest) / total
            gradient = tl.where(cols == target, gradient - 1.0, gradient) / n_non_ignored
            tl.store(logits_ptr + cols, gradient, mask=cols < n_cols)
        tl.store(loss_ptr + row, (highest + tl.log(total) - at_target) / n_non_ignored)


@triton.jit
def group_norm(
    x_ptr, weight_ptr, bias_ptr, out_ptr, mean_ptr, rstd_ptr, size, channels, eps, BLOCK: tl.constexpr
):  # fmt: skip
    """A group's `channels` of `size` places each; sums go through all of them, results through each."""
    group = tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)
    count = channels * size
    x_ptr += group * count
    out_ptr += group * count
    total = 0.0
    squares = 0.0
    for first in range(0, count, BLOCK):
        at = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < count, other=0.0)
        total += tl.sum(x)
        squares += tl.sum(x * x)
    mean = total / count
    rstd = tl.rsqrt(squares / count - mean * mean + eps)
    for channel in range(channels):
        weight = tl.load(weight_ptr + tl.program_id(1) * channels + channel)
        bias = tl.load(bias_ptr + tl.program_id(1) * channels + channel)
        for first in range(0, size, BLOCK):
            at = first + tl.arange(0, BLOCK)
            x = tl.load(x_ptr + channel * size + at, mask=at < size, other=0.0)
            tl.store(out_ptr + channel * size + at, (x - mean) * rstd * weight + bias, mask=at < size)
    tl.store(mean_ptr + group, mean)
    tl.store(rstd_ptr + group, rstd)


@triton.jit
def column_sums(
    x_ptr, out_ptr, count, ROWS: tl.constexpr, COLUMNS: tl.constexpr, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr
):  # fmt: skip
    """Sums of the columns of several matrices, whose places are divided, as PyTorch's Inductor writes them."""
    at = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    column = at % COLUMNS
    matrix = at // COLUMNS
    total = tl.full([XBLOCK, RBLOCK], 0, tl.float32)
    for first in tl.range(0, ROWS, RBLOCK):
        row = first + tl.arange(0, RBLOCK)[None, :]
        inside = row < ROWS
        x = tl.load(x_ptr + (column + COLUMNS * row + ROWS * COLUMNS * matrix), inside, other=0.0).to(tl.float32)
        total = tl.where(inside, total + x, total)
    sums = tl.sum(total, 1)[:, None]
    tl.store(out_ptr + at, sums, at < count)


@triton.jit
def column_sums_across(
    x_ptr, out_ptr, count, rows, COLUMNS: tl.constexpr, XBLOCK: tl.constexpr, RBLOCK: tl.constexpr
):  # fmt: skip
    """The same by tiles with columns of two matrices, and with masks for both axes."""
    at = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    exists = at < count
    column = at % COLUMNS
    matrix = at // COLUMNS
    total = tl.full([XBLOCK, RBLOCK], 0, tl.float32)
    for first in tl.range(0, rows, RBLOCK):
        row = first + tl.arange(0, RBLOCK)[None, :]
        inside = exists & (row < rows)
        x = tl.load(x_ptr + (column + COLUMNS * row + COLUMNS * rows * matrix), inside, other=0.0).to(tl.float32)
        total = tl.where(inside, total + x, total)
    sums = tl.sum(total, 1)[:, None]
    tl.store(out_ptr + at, sums, exists)
