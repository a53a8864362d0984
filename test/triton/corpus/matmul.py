# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products as projects write them: through pointers and descriptors, persistent,
grouped, split along K, with a fused epilogue, of 8-bit floats with scales, and of f32."""

import triton
import triton.language as tl


@triton.jit
def place_of(pid, m, n, BM: tl.constexpr, BN: tl.constexpr, GROUP: tl.constexpr):
    """The output tile of a program: GROUP rows of tiles before the next column."""
    rows = tl.cdiv(m, BM)
    in_group = GROUP * tl.cdiv(n, BN)
    first = pid // in_group * GROUP
    size = min(rows - first, GROUP)
    return first + pid % in_group % size, pid % in_group // size


@triton.jit
def matmul_pointers(
    a_ptr, b_ptr, c_ptr, m, n, k,
    stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    """Rows and columns beyond the end wrap around, so that only K needs a mask."""
    pid_m, pid_n = place_of(tl.program_id(axis=0), m, n, BM, BN, GROUP)
    offs_am = (pid_m * BM + tl.arange(0, BM)) % m
    offs_bn = (pid_n * BN + tl.arange(0, BN)) % n
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < k - step * BK, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < k - step * BK, other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    c = accumulator.to(tl.float16)
    offs_cm = pid_m * BM + tl.arange(0, BM)
    offs_cn = pid_n * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    tl.store(c_ptrs, c, mask=(offs_cm[:, None] < m) & (offs_cn[None, :] < n))


@triton.jit
def matmul_descriptors(
    a_desc, b_desc, c_desc, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    """Descriptors made by the host; B is stored as n x k."""
    pid_m, pid_n = place_of(tl.program_id(axis=0), m, n, BM, BN, GROUP)
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        a = a_desc.load([pid_m * BM, first])
        b = b_desc.load([pid_n * BN, first])
        accumulator = tl.dot(a, b.T, accumulator)
    c_desc.store([pid_m * BM, pid_n * BN], accumulator.to(tl.float16))


@triton.jit
def matmul_persistent(
    a_ptr, b_ptr, c_ptr, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
    PROGRAMS: tl.constexpr,
):  # fmt: skip
    """As many programs as multiprocessors, each with every PROGRAMS-th tile; descriptors
    made by the kernel."""
    a_desc = tl.make_tensor_descriptor(a_ptr, [m, k], [k, 1], [BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, [n, k], [k, 1], [BN, BK])
    c_desc = tl.make_tensor_descriptor(c_ptr, [m, n], [n, 1], [BM, BN])
    tiles = tl.cdiv(m, BM) * tl.cdiv(n, BN)
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=True):
        pid_m, pid_n = place_of(tile, m, n, BM, BN, GROUP)
        accumulator = tl.zeros((BM, BN), dtype=tl.float32)
        for step in range(tl.cdiv(k, BK)):
            a = a_desc.load([pid_m * BM, step * BK])
            b = b_desc.load([pid_n * BN, step * BK])
            accumulator = tl.dot(a, b.T, accumulator)
        c_desc.store([pid_m * BM, pid_n * BN], accumulator.to(tl.float16))


@triton.jit
def matmul_grouped(
    a_ptr, b_ptr, c_ptr, expert_ptr, m, n, k, stride_be,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """Tokens sorted by expert, each block of BM rows of one expert; B is experts x n x k."""
    pid_m = tl.program_id(axis=1)
    pid_n = tl.program_id(axis=0)
    expert = tl.load(expert_ptr + pid_m).to(tl.int64)
    offs_m = pid_m * BM + tl.arange(0, BM)
    offs_n = pid_n * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + offs_m[:, None] * k + offs_k[None, :]
    b_ptrs = b_ptr + expert * stride_be + offs_n[None, :] * k + offs_k[:, None]
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        k_mask = offs_k < k - first
        a = tl.load(a_ptrs, mask=(offs_m[:, None] < m) & k_mask[None, :], other=0.0)
        b = tl.load(b_ptrs, mask=(offs_n[None, :] < n) & k_mask[:, None], other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BK
        b_ptrs += BK
    c_ptrs = c_ptr + offs_m[:, None] * n + offs_n[None, :]
    tl.store(c_ptrs, accumulator.to(tl.bfloat16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def matmul_split_k(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_bk, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr,
):  # fmt: skip
    """SPLIT programs share the K of a tile and add to the zeroed result."""
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    pid_k = tl.program_id(2)
    offs_k = pid_k * BK + tl.arange(0, BK)
    a_ptrs = a_ptr + offs_m[:, None] * stride_am + offs_k[None, :]
    b_ptrs = b_ptr + offs_k[:, None] * stride_bk + offs_n[None, :]
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK * SPLIT)):
        left = k - step * (BK * SPLIT)
        a = tl.load(a_ptrs, mask=(offs_m[:, None] < m) & (offs_k[None, :] < left), other=0.0)
        b = tl.load(b_ptrs, mask=(offs_k[:, None] < left) & (offs_n[None, :] < n), other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BK * SPLIT
        b_ptrs += BK * SPLIT * stride_bk
    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :]
    tl.atomic_add(c_ptrs, accumulator, mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def gelu(x):
    return 0.5 * x * (1 + tl.erf(x * 0.7071067811865476))


@triton.jit
def matmul_epilogue(
    a_ptr, b_ptr, bias_ptr, residual_ptr, c_ptr, m, n, k, stride_am, stride_bk, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """gelu(A B + bias) + residual, with a mask for every edge."""
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    m_mask = offs_m[:, None] < m
    n_mask = offs_n[None, :] < n
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        ks = first + offs_k
        a = tl.load(
            a_ptr + offs_m[:, None] * stride_am + ks[None, :],
            mask=m_mask & (ks[None, :] < k), other=0.0,
        )  # fmt: skip
        b = tl.load(
            b_ptr + ks[:, None] * stride_bk + offs_n[None, :],
            mask=(ks[:, None] < k) & n_mask, other=0.0,
        )  # fmt: skip
        accumulator += tl.dot(a, b)
    bias = tl.load(bias_ptr + offs_n, mask=offs_n < n, other=0.0)
    c_offsets = offs_m[:, None] * stride_cm + offs_n[None, :]
    residual = tl.load(residual_ptr + c_offsets, mask=m_mask & n_mask, other=0.0)
    c = gelu(accumulator + bias[None, :].to(tl.float32)) + residual.to(tl.float32)
    tl.store(c_ptr + c_offsets, c.to(tl.float16), mask=m_mask & n_mask)


@triton.jit
def matmul_fp8(
    a_ptr, b_ptr, c_ptr, a_scale_ptr, b_scale_ptr, m, n, k,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """e4m3 with a scale for each row of A and of B, which is stored as n x k."""
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    a_desc = tl.make_tensor_descriptor(a_ptr, [m, k], [k, 1], [BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, [n, k], [k, 1], [BN, BK])
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        a = a_desc.load([tl.program_id(0) * BM, first])
        b = b_desc.load([tl.program_id(1) * BN, first])
        accumulator = tl.dot(a, b.T, accumulator)
    a_scale = tl.load(a_scale_ptr + offs_m, mask=offs_m < m, other=0.0)
    b_scale = tl.load(b_scale_ptr + offs_n, mask=offs_n < n, other=0.0)
    c = accumulator * a_scale[:, None] * b_scale[None, :]
    c_ptrs = c_ptr + offs_m[:, None] * n + offs_n[None, :]
    tl.store(c_ptrs, c.to(tl.bfloat16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def matmul_tf32(
    a_ptr, b_ptr, c_ptr, m, n, k, stride_am, stride_bn, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """f32 in and out, multiplied as tf32; B is stored as n x k."""
    offs_m = tl.program_id(0) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(1) * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    accumulator = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(0, k, BK):
        k_mask = offs_k < k - first
        a = tl.load(
            a_ptr + offs_m[:, None] * stride_am + (first + offs_k)[None, :],
            mask=(offs_m[:, None] < m) & k_mask[None, :], other=0.0,
        )  # fmt: skip
        b = tl.load(
            b_ptr + offs_n[None, :] * stride_bn + (first + offs_k)[:, None],
            mask=(offs_n[None, :] < n) & k_mask[:, None], other=0.0,
        )  # fmt: skip
        accumulator = tl.dot(a, b, accumulator, input_precision="tf32")
    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :]
    tl.store(c_ptrs, accumulator, mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))


@triton.jit
def matmul_weights(
    a_ptr, w_ptr, scale_ptr, c_ptr, m, n, k, stride_am, stride_wn, stride_sg, stride_cm,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, QUANTISED: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    """Weights of 8 bits as [n, k], with a scale for each row and each QUANTISED of k."""
    tiles_m = tl.cdiv(m, BM)
    in_group = GROUP * tl.cdiv(n, BN)
    first = tl.program_id(0) // in_group * GROUP
    size = min(tiles_m - first, GROUP)
    offs_m = (first + tl.program_id(0) % in_group % size) * BM + tl.arange(0, BM)
    offs_n = tl.program_id(0) % in_group // size * BN + tl.arange(0, BN)
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (offs_m % m)[:, None] * stride_am + offs_k[None, :]
    w_ptrs = w_ptr + (offs_n % n)[None, :] * stride_wn + offs_k[:, None]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(k, BK)):
        left = k - step * BK
        a = tl.load(a_ptrs, mask=offs_k[None, :] < left, other=0.0)
        q = tl.load(w_ptrs, mask=offs_k[:, None] < left, other=0)
        scale = tl.load(scale_ptr + step * BK // QUANTISED * stride_sg + offs_n % n)
        acc = tl.dot(a, q.to(tl.float16) * scale[None, :], acc)
        a_ptrs += BK
        w_ptrs += BK
    c_ptrs = c_ptr + offs_m[:, None] * stride_cm + offs_n[None, :]
    tl.store(c_ptrs, acc.to(tl.float16), mask=(offs_m[:, None] < m) & (offs_n[None, :] < n))
