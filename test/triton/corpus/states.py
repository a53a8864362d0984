# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sequences in chunks that hand on a state: retention, the states of chunks of a state-space model,
a delta rule whose corrections read the state, a state that lies in memory, scores that are sums of powers, and
scores whose channels decay apart."""

import triton
import triton.language as tl


@triton.jit
def retention_chunks(
    q_ptr, k_ptr, v_ptr, o_ptr, rates_ptr, seq_len,
    D: tl.constexpr, E: tl.constexpr, CHUNK: tl.constexpr,
):  # fmt: skip
    """o_t = sum over s <= t of rate^(t - s) (q_t . k_s) v_s; a head's rate comes from memory."""
    head = tl.program_id(0)
    rate = tl.load(rates_ptr + head)
    row = tl.arange(0, CHUNK)
    offs_d = tl.arange(0, D)
    offs_e = tl.arange(0, E)
    apart = row[:, None] - row[None, :]
    within = tl.where(apart >= 0, tl.exp2(apart * rate), 0.0)
    to_start = tl.exp2((row + 1) * rate)
    to_end = tl.exp2((CHUNK - 1 - row) * rate)
    over_chunk = tl.exp2(CHUNK * rate)
    state = tl.zeros((D, E), dtype=tl.float32)
    for start in range(0, seq_len, CHUNK):
        rows = head * seq_len + start + row
        is_row = (start + row < seq_len)[:, None]
        q = tl.load(q_ptr + rows[:, None] * D + offs_d[None, :], mask=is_row, other=0.0)
        k = tl.load(k_ptr + rows[:, None] * D + offs_d[None, :], mask=is_row, other=0.0)
        v = tl.load(v_ptr + rows[:, None] * E + offs_e[None, :], mask=is_row, other=0.0)
        scores = tl.dot(q, tl.trans(k)) * within
        o = tl.dot(q, state.to(tl.float16)) * to_start[:, None]
        o += tl.dot(scores.to(tl.float16), v)
        tl.store(o_ptr + rows[:, None] * E + offs_e[None, :], o.to(tl.float16), mask=is_row)
        scaled = (v * to_end[:, None]).to(tl.float16)
        state = state * over_chunk + tl.dot(tl.trans(k), scaled)


@triton.jit
def chunk_states(
    x_ptr, b_ptr, decay_ptr, states_ptr, seq_len, chunk_size,
    P: tl.constexpr, N: tl.constexpr, BL: tl.constexpr,
):  # fmt: skip
    """Of each chunk the P x N sum of x_t b_t' exp2(decay_last - decay_t)."""
    chunk = tl.program_id(0)
    head = tl.program_id(1)
    first = chunk * chunk_size
    last = tl.minimum(first + chunk_size, seq_len)
    offs_p = tl.arange(0, P)
    offs_n = tl.arange(0, N)
    decay_last = tl.load(decay_ptr + head * seq_len + last - 1)
    acc = tl.zeros((P, N), dtype=tl.float32)
    for start in range(first, last, BL):
        rows = start + tl.arange(0, BL)
        is_row = rows < last
        x = tl.load(
            x_ptr + head * seq_len * P + rows[None, :] * P + offs_p[:, None], mask=is_row[None, :], other=0.0
        )
        b = tl.load(b_ptr + rows[:, None] * N + offs_n[None, :], mask=is_row[:, None], other=0.0)
        decay = tl.load(decay_ptr + head * seq_len + rows, mask=is_row, other=0.0)
        b = (b * tl.exp2(decay_last - decay)[:, None]).to(tl.float16)
        acc += tl.dot(x, b)
    place = (head * tl.num_programs(0) + chunk) * P * N
    tl.store(states_ptr + place + offs_p[:, None] * N + offs_n[None, :], acc)


@triton.jit
def delta_chunks(
    k_ptr, w_ptr, u_ptr, states_ptr, new_ptr, seq_len,
    D: tl.constexpr, E: tl.constexpr, CHUNK: tl.constexpr,
):  # fmt: skip
    """Keeps the state in front of each chunk, and what the chunk adds: u - w state."""
    head = tl.program_id(0)
    offs_d = tl.arange(0, D)
    offs_e = tl.arange(0, E)
    state = tl.zeros((D, E), dtype=tl.float32)
    chunks = tl.cdiv(seq_len, CHUNK)
    for chunk in range(chunks):
        rows = chunk * CHUNK + tl.arange(0, CHUNK)
        is_row = (rows < seq_len)[:, None]
        rows += head * seq_len
        place = (head * chunks + chunk) * D * E
        tl.store(states_ptr + place + offs_d[:, None] * E + offs_e[None, :], state.to(tl.float16))
        w = tl.load(w_ptr + rows[:, None] * D + offs_d[None, :], mask=is_row, other=0.0)
        u = tl.load(u_ptr + rows[:, None] * E + offs_e[None, :], mask=is_row, other=0.0)
        new = u - tl.dot(w, state.to(tl.float16))
        tl.store(new_ptr + rows[:, None] * E + offs_e[None, :], new.to(tl.float16), mask=is_row)
        k = tl.load(k_ptr + rows[:, None] * D + offs_d[None, :], mask=is_row, other=0.0)
        state += tl.dot(tl.trans(k), new.to(tl.float16))


@triton.jit
def states_in_place(
    q_ptr, k_ptr, v_ptr, decay_ptr, o_ptr, state_ptr, seq_len,
    D: tl.constexpr, E: tl.constexpr, CHUNK: tl.constexpr,
):  # fmt: skip
    """Each chunk reads the state from memory and writes it there, for the next chunk and the next call."""
    head = tl.program_id(0)
    row = tl.arange(0, CHUNK)
    offs_d = tl.arange(0, D)
    offs_e = tl.arange(0, E)
    decay = tl.load(decay_ptr + head)
    state_ptrs = state_ptr + head * D * E + offs_d[:, None] * E + offs_e[None, :]
    for start in range(0, seq_len, CHUNK):
        is_row = (start + row < seq_len)[:, None]
        rows = (head * seq_len + start + row)[:, None]
        q = tl.load(q_ptr + rows * D + offs_d[None, :], mask=is_row, other=0.0)
        k = tl.load(k_ptr + rows * D + offs_d[None, :], mask=is_row, other=0.0)
        v = tl.load(v_ptr + rows * E + offs_e[None, :], mask=is_row, other=0.0)
        state = tl.load(state_ptrs)
        scores = tl.where(row[:, None] >= row[None, :], tl.dot(q, tl.trans(k)), 0.0)
        o = tl.dot(scores.to(v.dtype), v) + tl.dot(q, state.to(q.dtype))
        tl.store(o_ptr + rows * E + offs_e[None, :], o.to(tl.bfloat16), mask=is_row)
        tl.store(state_ptrs, state * decay + tl.dot(tl.trans(k), v))


@triton.jit
def taylor_chunks(
    q_ptr, k_ptr, v_ptr, o_ptr, sums_ptr, seq_len,
    D: tl.constexpr, E: tl.constexpr, CHUNK: tl.constexpr,
):  # fmt: skip
    """Scores 1 + s + s s / 2 within a chunk and 1 + s across: what is carried are three sums of all chunks before."""
    head = tl.program_id(0)
    offs_d = tl.arange(0, D)
    offs_e = tl.arange(0, E)
    row = tl.arange(0, CHUNK)
    values = tl.zeros((E,), dtype=tl.float32)
    state = tl.zeros((D, E), dtype=tl.float32)
    keys = tl.zeros((D,), dtype=tl.float32)
    before = 0
    for start in range(0, seq_len, CHUNK):
        rows = start + row
        is_row = rows < seq_len
        at = head * seq_len + rows
        q = tl.load(q_ptr + at[:, None] * D + offs_d[None, :], mask=is_row[:, None], other=0.0)
        k = tl.load(k_ptr + at[None, :] * D + offs_d[:, None], mask=is_row[None, :], other=0.0)
        v = tl.load(v_ptr + at[:, None] * E + offs_e[None, :], mask=is_row[:, None], other=0.0)
        s = tl.dot(q, k)
        s = 1 + s + 0.5 * s * s
        s = tl.where((row[:, None] >= row[None, :]) & is_row[None, :], s, 0.0)
        o = tl.dot(s.to(tl.float16), v) + values[None, :] + tl.dot(q, state.to(tl.float16))
        sums = tl.sum(s, 1) + tl.sum(q.to(tl.float32) * keys[None, :], 1) + before
        tl.store(o_ptr + at[:, None] * E + offs_e[None, :], o, mask=is_row[:, None])
        tl.store(sums_ptr + at, sums, mask=is_row)
        values += tl.sum(v.to(tl.float32), 0)
        state += tl.dot(k, v)
        keys += tl.sum(k.to(tl.float32), 1)
        before += CHUNK


@triton.jit
def scores_of_channels(
    q_ptr, k_ptr, decay_ptr, beta_ptr, scores_ptr, keys_ptr, scale, seq_len,
    H: tl.constexpr, D: tl.constexpr, CHUNK: tl.constexpr, BC: tl.constexpr, BK: tl.constexpr, NC: tl.constexpr,
):  # fmt: skip
    """Blocks below the diagonal of a chunk's scores, and of its keys', by block pointers: each channel decays by
    itself, relative to the first row of the block."""
    chunk = tl.program_id(0)
    block = tl.program_id(1)
    head = tl.program_id(2)
    row, column = block // NC, block % NC
    if chunk * CHUNK + row * BC >= seq_len:
        return
    if row <= column:
        return
    first = chunk * CHUNK + row * BC
    other = chunk * CHUNK + column * BC
    q_ptr += head * D
    k_ptr += head * D
    decay_ptr += head * D
    scores = tl.zeros((BC, BC), dtype=tl.float32)
    keys = tl.zeros((BC, BC), dtype=tl.float32)
    for part in range(tl.cdiv(D, BK)):
        p_q = tl.make_block_ptr(q_ptr, (seq_len, D), (H * D, 1), (first, part * BK), (BC, BK), (1, 0))
        p_k = tl.make_block_ptr(k_ptr, (seq_len, D), (H * D, 1), (first, part * BK), (BC, BK), (1, 0))
        p_g = tl.make_block_ptr(decay_ptr, (seq_len, D), (H * D, 1), (first, part * BK), (BC, BK), (1, 0))
        p_kt = tl.make_block_ptr(k_ptr, (D, seq_len), (1, H * D), (part * BK, other), (BK, BC), (0, 1))
        p_gt = tl.make_block_ptr(decay_ptr, (D, seq_len), (1, H * D), (part * BK, other), (BK, BC), (0, 1))
        offs_k = part * BK + tl.arange(0, BK)
        start = tl.load(decay_ptr + first * H * D + offs_k, mask=offs_k < D, other=0.0)
        fade = tl.exp2(tl.load(p_g, boundary_check=(0, 1)) - start[None, :])
        k = tl.load(p_k, boundary_check=(0, 1)).to(tl.float32) * fade
        q = tl.load(p_q, boundary_check=(0, 1)).to(tl.float32) * fade * scale
        grow = tl.exp2(start[:, None] - tl.load(p_gt, boundary_check=(0, 1)))
        kt = (tl.load(p_kt, boundary_check=(0, 1)) * grow).to(tl.bfloat16)
        scores += tl.dot(q.to(tl.bfloat16), kt)
        keys += tl.dot(k.to(tl.bfloat16), kt)
    offs = first + tl.arange(0, BC)
    keys *= tl.load(beta_ptr + offs * H + head, mask=offs < seq_len, other=0.0)[:, None]
    shape, strides = (seq_len, CHUNK), (H * CHUNK, 1)
    p_s = tl.make_block_ptr(scores_ptr + head * CHUNK, shape, strides, (first, column * BC), (BC, BC), (1, 0))
    p_t = tl.make_block_ptr(keys_ptr + head * CHUNK, shape, strides, (first, column * BC), (BC, BC), (1, 0))
    tl.store(p_s, scores.to(tl.float32), boundary_check=(0, 1))
    tl.store(p_t, keys.to(tl.float32), boundary_check=(0, 1))
