# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that share a tile's sum and order their accesses by atomics: in turns, and by who comes last."""

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
