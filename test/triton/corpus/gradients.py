# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses, gradients and steps of optimisers: rows, several passes over them, updates in place."""

import triton
import triton.language as tl


@triton.jit
def rms_norm_backward(
    dy_ptr, x_ptr, w_ptr, rstd_ptr, dx_ptr, dw_ptr, rows, n, rows_each, BLOCK: tl.constexpr
):  # fmt: skip
    """A program's rows add up its part of dw in registers."""
    program = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    is_column = columns < n
    w = tl.load(w_ptr + columns, mask=is_column, other=0.0).to(tl.float32)
    dw = tl.zeros((BLOCK,), dtype=tl.float32)
    for row in range(program * rows_each, tl.minimum((program + 1) * rows_each, rows)):
        x = tl.load(x_ptr + row * n + columns, mask=is_column, other=0.0).to(tl.float32)
        dy = tl.load(dy_ptr + row * n + columns, mask=is_column, other=0.0).to(tl.float32)
        rstd = tl.load(rstd_ptr + row)
        scaled = x * rstd
        product = dy * w
        mean = tl.sum(product * scaled, 0) / n
        tl.store(dx_ptr + row * n + columns, ((product - scaled * mean) * rstd).to(tl.float16), mask=is_column)
        dw += dy * scaled
    tl.store(dw_ptr + program * n + columns, dw, mask=is_column)


@triton.jit
def softmax_backward(y_ptr, dy_ptr, dx_ptr, n, BLOCK: tl.constexpr):
    """Rows longer than a block: one pass sums, the next writes."""
    row = tl.program_id(0)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        y = tl.load(y_ptr + row * n + columns, mask=columns < n, other=0.0)
        total += y * tl.load(dy_ptr + row * n + columns, mask=columns < n, other=0.0)
    total = tl.sum(total, 0)
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        y = tl.load(y_ptr + row * n + columns, mask=columns < n, other=0.0)
        dy = tl.load(dy_ptr + row * n + columns, mask=columns < n, other=0.0)
        tl.store(dx_ptr + row * n + columns, y * (dy - total), mask=columns < n)


@triton.jit
def cross_entropy_in_place(x_ptr, targets_ptr, loss_ptr, n, smoothing, ignored, BLOCK: tl.constexpr):
    """The logits' gradient takes their place; an online maximum and sum come first."""
    row = tl.program_id(0)
    x_ptr += row * n
    target = tl.load(targets_ptr + row)
    if target == ignored:
        for start in range(0, n, BLOCK):
            columns = start + tl.arange(0, BLOCK)
            tl.store(x_ptr + columns, 0.0, mask=columns < n)
        tl.store(loss_ptr + row, 0.0)
        return
    at_target = tl.load(x_ptr + target)
    m = float("-inf")
    d = 0.0
    total = 0.0
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + columns, mask=columns < n, other=float("-inf"))
        total += tl.sum(tl.where(columns < n, x, 0.0))
        m_new = tl.maximum(m, tl.max(x))
        d = d * tl.exp(m - m_new) + tl.sum(tl.exp(x - m_new))
        m = m_new
    lse = m + tl.log(d)
    even = smoothing / n
    tl.debug_barrier()
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + columns, mask=columns < n, other=float("-inf"))
        gradient = tl.exp(x - lse) - even - tl.where(columns == target, 1.0 - smoothing, 0.0)
        tl.store(x_ptr + columns, gradient, mask=columns < n)
    tl.store(loss_ptr + row, lse - (1.0 - smoothing) * at_target - even * total)


@triton.jit
def divergence(p_ptr, q_ptr, out_ptr, n, BLOCK: tl.constexpr, REVERSED: tl.constexpr):
    """Of Kullback and Leibler, of rows of logarithms."""
    row = tl.program_id(0)
    total = 0.0
    for start in range(0, n, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        p = tl.load(p_ptr + row * n + columns, mask=columns < n, other=float("-inf"))
        q = tl.load(q_ptr + row * n + columns, mask=columns < n, other=float("-inf"))
        if REVERSED:
            p, q = q, p
        total += tl.sum(tl.where(columns < n, tl.exp(p) * (p - q), 0.0))
    tl.store(out_ptr + row, total)


@triton.jit
def adam_step(p_ptr, g_ptr, m_ptr, v_ptr, n, rate, beta1, beta2, eps, decay, step, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    p = tl.load(p_ptr + offs, mask=mask)
    g = tl.load(g_ptr + offs, mask=mask).to(tl.float32)
    m = tl.load(m_ptr + offs, mask=mask) * beta1 + (1.0 - beta1) * g
    v = tl.load(v_ptr + offs, mask=mask) * beta2 + (1.0 - beta2) * g * g
    count = step.to(tl.float32)
    m_hat = m / (1.0 - tl.exp(count * tl.log(beta1)))
    v_hat = v / (1.0 - tl.exp(count * tl.log(beta2)))
    p = p * (1.0 - rate * decay) - rate * m_hat / (tl.sqrt(v_hat) + eps)
    tl.store(p_ptr + offs, p, mask=mask)
    tl.store(m_ptr + offs, m, mask=mask)
    tl.store(v_ptr + offs, v, mask=mask)


@triton.jit
def first_order(a, x, b, y):
    return a * b, x * b + y


@triton.jit
def selective_scan(a_ptr, x_ptr, h_ptr, length, channels, BT: tl.constexpr, BC: tl.constexpr):
    """h_t = a_t h_(t-1) + x_t, each channel on its own, in blocks of time."""
    columns = tl.program_id(0) * BC + tl.arange(0, BC)
    h = tl.zeros((BC,), dtype=tl.float32)
    last = tl.arange(0, BT) == BT - 1
    for start in range(0, length, BT):
        times = start + tl.arange(0, BT)
        mask = (times < length)[:, None] & (columns < channels)[None, :]
        places = times[:, None] * channels + columns[None, :]
        a = tl.load(a_ptr + places, mask=mask, other=1.0)
        x = tl.load(x_ptr + places, mask=mask, other=0.0)
        over, part = tl.associative_scan((a, x), 0, first_order)
        found = over * h[None, :] + part
        tl.store(h_ptr + places, found, mask=mask)
        h = tl.sum(tl.where(last[:, None], found, 0.0), 0)


@triton.jit
def embedding_backward(dy_ptr, tokens_ptr, dw_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    token = tl.load(tokens_ptr + row)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    dy = tl.load(dy_ptr + row * n + columns, mask=columns < n)
    tl.atomic_add(dw_ptr + token * n + columns, dy, mask=columns < n)
