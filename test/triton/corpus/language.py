# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What projects use of the language beside loads and arithmetic: truth values, sorting,
permutations, histograms, locks, returns from within conditionals."""

import triton
import triton.language as tl


@triton.jit
def sort_rows(x_ptr, out_ptr, flipped_ptr, COLS: tl.constexpr, ROWS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    offsets = rows[:, None] * COLS + tl.arange(0, COLS)[None, :]
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.sort(x, descending=True))
    tl.store(flipped_ptr + offsets, tl.flip(x, 1))


@triton.jit
def route(
    logits_ptr, weight_ptr, expert_ptr, stride, experts,
    EXPERTS: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    """The K best of each row, with the column behind the number in one key of 64 bits."""
    row = tl.program_id(0)
    column = tl.arange(0, EXPERTS)
    logits = tl.load(logits_ptr + row * stride + column, mask=column < experts, other=-float("inf"))
    bits = logits.to(tl.int32, bitcast=True)
    ordered = tl.where(bits < 0, ~bits & 0x7FFFFFFF, bits | -0x80000000)
    key = (ordered.to(tl.uint32, bitcast=True).to(tl.uint64) << 32) | column.to(tl.uint64)
    best = tl.topk(key, K)
    found = (best >> 32).to(tl.uint32).to(tl.int32, bitcast=True)
    bits = tl.where(found < 0, found & 0x7FFFFFFF, ~found)
    weights = tl.exp(bits.to(tl.float32, bitcast=True))
    weights = weights / tl.sum(weights, 0)
    tl.store(weight_ptr + row * K + tl.arange(0, K), weights)
    tl.store(expert_ptr + row * K + tl.arange(0, K), (best & 0xFFFFFFFF).to(tl.int32))


@triton.jit
def select(x_ptr, keep_ptr, out_ptr, kept_ptr, n, negate, BLOCK: tl.constexpr):
    """A tensor and an argument of truth values, and a tensor of them that is written."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    keep = tl.load(keep_ptr + offsets, mask=mask, other=False)
    if negate:
        keep = keep == 0
    x = tl.load(x_ptr + offsets, mask=mask & keep, other=0.0)
    tl.store(out_ptr + offsets, x, mask=mask)
    tl.store(kept_ptr + offsets, keep & (x > 0), mask=mask)


@triton.jit
def count_and_permute(
    x_ptr, order_ptr, out_ptr, counts_ptr, n, ROWS: tl.constexpr, COLS: tl.constexpr, BINS: tl.constexpr
):  # fmt: skip
    """Columns in another order, and how often each number occurs in it."""
    row = tl.arange(0, ROWS)
    column = tl.arange(0, COLS)
    order = tl.load(order_ptr + column)
    x = tl.load(x_ptr + row[:, None] * COLS + column[None, :])
    index = tl.broadcast_to(order[None, :], (ROWS, COLS))
    tl.store(out_ptr + row[:, None] * COLS + column[None, :], tl.gather(x, index, 1))
    tl.store(counts_ptr + tl.arange(0, BINS), tl.histogram(order, BINS, mask=column < n))


@triton.jit
def locked_sum(x_ptr, lock_ptr, count_ptr, sum_ptr, cols, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    """Programs of a group add their rows in turn, under a lock; the first finds nothing there."""
    row = tl.program_id(0)
    group = row % GROUP
    column = tl.arange(0, BLOCK)
    mask = column < cols
    total = tl.load(x_ptr + row * cols + column, mask=mask, other=0.0)
    sums = sum_ptr + group * cols + column
    while tl.atomic_cas(lock_ptr + group, 0, 1) == 1:
        pass
    count = tl.load(count_ptr + group)
    if count > 0:
        total += tl.load(sums, mask=mask, other=0.0)
    tl.store(sums, total, mask=mask)
    tl.debug_barrier()
    tl.atomic_add(count_ptr + group, 1)
    tl.atomic_xchg(lock_ptr + group, 0)


@triton.jit
def early_returns(x_ptr, kind_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Each row is left out, filled, halved or copied."""
    row = tl.program_id(0)
    offsets = row * BLOCK + tl.arange(0, BLOCK)
    if row >= n:
        return
    kind = tl.load(kind_ptr + row)
    factor = 1.0
    if kind < 2:
        if kind == 0:
            return
        tl.store(out_ptr + offsets, tl.full([BLOCK], 3.0, tl.float32))
        return
    elif kind == 2:
        factor = 0.5
    else:
        if kind == 4:
            return
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) * factor)
