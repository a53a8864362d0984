# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that share a tile's sum and order their accesses by atomics: in turns, by who comes last, and in no order."""

import triton
import triton.language as tl


@triton.jit
def matmul_turns(a_ptr, b_ptr, c_ptr, turn_ptr, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Each program waits for its turn to add its part to `c`."""
    pid_m, pid_n, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    parts = tl.num_programs(2)
    rows = pid_m * BM + tl.arange(0, BM)
    columns = pid_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(part * BK, k, BK * parts):
        inner = start + tl.arange(0, BK)
        a = tl.load(
            a_ptr + rows[:, None] * k + inner[None, :], mask=(rows < m)[:, None] & (inner < k)[None, :], other=0.0
        )
        b = tl.load(
            b_ptr + inner[:, None] * n + columns[None, :],
            mask=(inner < k)[:, None] & (columns < n)[None, :], other=0.0,
        )  # fmt: skip
        acc = tl.dot(a, b, acc)
    inside = (rows < m)[:, None] & (columns < n)[None, :]
    c = c_ptr + rows[:, None] * n + columns[None, :]
    turn = turn_ptr + pid_m * tl.num_programs(1) + pid_n
    while tl.atomic_cas(turn, part, -1) != part:
        pass
    if part > 0:
        acc += tl.load(c, mask=inside, other=0.0)
    tl.store(c, acc, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(turn, part + 1)


@triton.jit
def matmul_last(
    a_ptr, b_ptr, parts_ptr, c_ptr, count_ptr, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Parts are stored; the program that finds all others done adds them up."""
    pid_m, pid_n, part = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    parts = tl.num_programs(2)
    rows = pid_m * BM + tl.arange(0, BM)
    columns = pid_n * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(part * BK, k, BK * parts):
        inner = start + tl.arange(0, BK)
        a = tl.load(
            a_ptr + rows[:, None] * k + inner[None, :], mask=(rows < m)[:, None] & (inner < k)[None, :], other=0.0
        )
        b = tl.load(
            b_ptr + inner[:, None] * n + columns[None, :],
            mask=(inner < k)[:, None] & (columns < n)[None, :], other=0.0,
        )  # fmt: skip
        acc = tl.dot(a, b, acc)
    inside = (rows < m)[:, None] & (columns < n)[None, :]
    place = rows[:, None] * n + columns[None, :]
    tl.store(parts_ptr + part * m * n + place, acc, mask=inside)
    tl.debug_barrier()
    if tl.atomic_add(count_ptr + pid_m * tl.num_programs(1) + pid_n, 1) == parts - 1:
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for other in range(parts):
            total += tl.load(parts_ptr + other * m * n + place, mask=inside, other=0.0)
        tl.store(c_ptr + place, total, mask=inside)


@triton.jit
def matmul_piece(a_ptr, b_ptr, c_ptr, m, n, k, first, last, steps, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """The steps from `first` to `last`, all of one tile: stored if they are all of it, else added."""
    tile = first // steps
    rows = tile // tl.cdiv(n, BN) * BM + tl.arange(0, BM)
    columns = tile % tl.cdiv(n, BN) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    a_ptrs = a_ptr + rows[:, None] * k + inner[None, :] + BK * (first % steps)
    b_ptrs = b_ptr + inner[:, None] * n + columns[None, :] + BK * n * (first % steps)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(first, last):
        left = k - step % steps * BK
        a = tl.load(a_ptrs, mask=(rows < m)[:, None] & (inner < left)[None, :], other=0.0)
        b = tl.load(b_ptrs, mask=(inner < left)[:, None] & (columns < n)[None, :], other=0.0)
        acc += tl.dot(a, b)
        a_ptrs += BK
        b_ptrs += BK * n
    inside = (rows < m)[:, None] & (columns < n)[None, :]
    c_ptrs = c_ptr + rows[:, None] * n + columns[None, :]
    if first % steps == 0 and last % steps == 0:
        tl.store(c_ptrs, acc, mask=inside)
    else:
        tl.atomic_add(c_ptrs, acc, mask=inside)


@triton.jit
def matmul_streamed(a_ptr, b_ptr, c_ptr, m, n, k, each, more, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """All steps of all tiles in a row, dealt out evenly: a program has the end of one tile, whole ones, and a beginning."""
    steps = tl.cdiv(k, BK)
    pid = tl.program_id(0)
    first = pid * each + tl.minimum(pid, more)
    end = (pid + 1) * each + tl.minimum(pid + 1, more)
    while first < end:
        last = tl.minimum(first + (steps - first % steps), end)
        matmul_piece(a_ptr, b_ptr, c_ptr, m, n, k, first, last, steps, BM, BN, BK)
        first = last
