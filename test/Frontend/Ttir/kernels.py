# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels whose TTIR lies in Inputs. make_inputs.py writes it; a change here
changes the locations there.
"""
import triton
import triton.language as tl
from triton.language.extra import libdevice

@triton.jit
def add(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = tl.load(y_ptr + offs, mask=mask)
    tl.store(out_ptr + offs, x + y, mask=mask)

@triton.jit
def softmax(y_ptr, x_ptr, x_stride, y_stride, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < n_cols
    x = tl.load(x_ptr + row * x_stride + cols, mask=mask, other=-float('inf'))
    x = x.to(tl.float32)
    x = x - tl.max(x, axis=0)
    e = tl.exp(x)
    y = e / tl.sum(e, axis=0)
    tl.store(y_ptr + row * y_stride + cols, y.to(y_ptr.dtype.element_ty), mask=mask)

@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
           BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(axis=0)
    num_pid_m = tl.cdiv(M, BM)
    num_pid_n = tl.cdiv(N, BN)
    num_in_group = GROUP * num_pid_n
    group = pid // num_in_group
    first = group * GROUP
    size = min(num_pid_m - first, GROUP)
    pid_m = first + ((pid % num_in_group) % size)
    pid_n = (pid % num_in_group) // size
    offs_am = (pid_m * BM + tl.arange(0, BM)) % M
    offs_bn = (pid_n * BN + tl.arange(0, BN)) % N
    offs_k = tl.arange(0, BK)
    a_ptrs = a_ptr + (offs_am[:, None] * stride_am + offs_k[None, :] * stride_ak)
    b_ptrs = b_ptr + (offs_k[:, None] * stride_bk + offs_bn[None, :] * stride_bn)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = tl.load(a_ptrs, mask=offs_k[None, :] < K - k * BK, other=0.0)
        b = tl.load(b_ptrs, mask=offs_k[:, None] < K - k * BK, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BK * stride_ak
        b_ptrs += BK * stride_bk
    c = acc.to(tl.float16)
    offs_cm = pid_m * BM + tl.arange(0, BM)
    offs_cn = pid_n * BN + tl.arange(0, BN)
    c_ptrs = c_ptr + stride_cm * offs_cm[:, None] + stride_cn * offs_cn[None, :]
    c_mask = (offs_cm[:, None] < M) & (offs_cn[None, :] < N)
    tl.store(c_ptrs, c, mask=c_mask)

@triton.jit
def matmul_desc(a_desc, b_desc, c_desc, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = a_desc.load([pid_m * BM, k * BK])
        b = b_desc.load([pid_n * BN, k * BK])
        acc = tl.dot(a, b.T, acc)
    c_desc.store([pid_m * BM, pid_n * BN], acc.to(tl.float16))

@triton.jit
def matmul_dev_desc(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, [N, K], [K, 1], [BN, BK])
    c_desc = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BM, BN])
    pid_m = tl.program_id(0)
    pid_n = tl.program_id(1)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BK)):
        a = a_desc.load([pid_m * BM, k * BK])
        b = b_desc.load([pid_n * BN, k * BK])
        acc = tl.dot(a, b.T, acc)
    c_desc.store([pid_m * BM, pid_n * BN], acc.to(tl.float16))

@triton.jit
def matmul_persistent(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr, NUM_SMS: tl.constexpr):
    a_desc = tl.make_tensor_descriptor(a_ptr, [M, K], [K, 1], [BM, BK])
    b_desc = tl.make_tensor_descriptor(b_ptr, [N, K], [K, 1], [BN, BK])
    c_desc = tl.make_tensor_descriptor(c_ptr, [M, N], [N, 1], [BM, BN])
    start_pid = tl.program_id(axis=0)
    num_pid_m = tl.cdiv(M, BM)
    num_pid_n = tl.cdiv(N, BN)
    k_tiles = tl.cdiv(K, BK)
    num_tiles = num_pid_m * num_pid_n
    num_in_group = GROUP * num_pid_n
    for tile_id in tl.range(start_pid, num_tiles, NUM_SMS, flatten=True):
        group = tile_id // num_in_group
        first = group * GROUP
        size = min(num_pid_m - first, GROUP)
        pid_m = first + (tile_id % size)
        pid_n = (tile_id % num_in_group) // size
        acc = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(k_tiles):
            a = a_desc.load([pid_m * BM, k * BK])
            b = b_desc.load([pid_n * BN, k * BK])
            acc = tl.dot(a, b.T, acc)
        c_desc.store([pid_m * BM, pid_n * BN], acc.to(tl.float16))

@triton.jit
def _inner(acc, l_i, m_i, q, K, V, stride_kn, stride_kk, stride_vn, stride_vk, start_m, qk_scale, lo, hi, offs_m, offs_n, offs_d, N_CTX, CAUSAL: tl.constexpr, BLOCK_N: tl.constexpr, STAGE: tl.constexpr):
    k_ptrs = K + offs_d[:, None] * stride_kk + (lo + offs_n[None, :]) * stride_kn
    v_ptrs = V + (lo + offs_n[:, None]) * stride_vn + offs_d[None, :] * stride_vk
    for start_n in tl.range(lo, hi, BLOCK_N):
        start_n = tl.multiple_of(start_n, BLOCK_N)
        k = tl.load(k_ptrs)
        qk = tl.dot(q, k)
        if STAGE == 2:
            mask = offs_m[:, None] >= (start_n + offs_n[None, :])
            qk = qk * qk_scale + tl.where(mask, 0, -1.0e6)
            m_ij = tl.maximum(m_i, tl.max(qk, 1))
            qk -= m_ij[:, None]
        else:
            m_ij = tl.maximum(m_i, tl.max(qk, 1) * qk_scale)
            qk = qk * qk_scale - m_ij[:, None]
        p = tl.math.exp2(qk)
        alpha = tl.math.exp2(m_i - m_ij)
        l_ij = tl.sum(p, 1)
        l_i = l_i * alpha + l_ij
        acc = acc * alpha[:, None]
        v = tl.load(v_ptrs)
        acc = tl.dot(p.to(tl.float16), v, acc)
        m_i = m_ij
        k_ptrs += BLOCK_N * stride_kn
        v_ptrs += BLOCK_N * stride_vn
    return acc, l_i, m_i

@triton.jit
def attn(Q, K, V, Out, sm_scale, stride_qz, stride_qh, stride_qm, stride_qk, stride_kz, stride_kh, stride_kn, stride_kk, stride_vz, stride_vh, stride_vn, stride_vk, stride_oz, stride_oh, stride_om, stride_on, H, N_CTX,
         BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    start_m = tl.program_id(0)
    off_hz = tl.program_id(1)
    off_z = off_hz // H
    off_h = off_hz % H
    Q += off_z.to(tl.int64) * stride_qz + off_h.to(tl.int64) * stride_qh
    K += off_z.to(tl.int64) * stride_kz + off_h.to(tl.int64) * stride_kh
    V += off_z.to(tl.int64) * stride_vz + off_h.to(tl.int64) * stride_vh
    Out += off_z.to(tl.int64) * stride_oz + off_h.to(tl.int64) * stride_oh
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    offs_d = tl.arange(0, D)
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32) + 1.0
    acc = tl.zeros([BLOCK_M, D], dtype=tl.float32)
    qk_scale = sm_scale * 1.44269504
    q = tl.load(Q + offs_m[:, None] * stride_qm + offs_d[None, :] * stride_qk)
    if CAUSAL:
        acc, l_i, m_i = _inner(acc, l_i, m_i, q, K, V, stride_kn, stride_kk, stride_vn, stride_vk, start_m, qk_scale, 0, start_m * BLOCK_M, offs_m, offs_n, offs_d, N_CTX, CAUSAL, BLOCK_N, 1)
        acc, l_i, m_i = _inner(acc, l_i, m_i, q, K, V, stride_kn, stride_kk, stride_vn, stride_vk, start_m, qk_scale, start_m * BLOCK_M, (start_m + 1) * BLOCK_M, offs_m, offs_n, offs_d, N_CTX, CAUSAL, BLOCK_N, 2)
    else:
        acc, l_i, m_i = _inner(acc, l_i, m_i, q, K, V, stride_kn, stride_kk, stride_vn, stride_vk, start_m, qk_scale, 0, N_CTX, offs_m, offs_n, offs_d, N_CTX, CAUSAL, BLOCK_N, 3)
    acc = acc / l_i[:, None]
    tl.store(Out + offs_m[:, None] * stride_om + offs_d[None, :] * stride_on, acc.to(tl.float16))

@triton.jit
def add_fn(a, b):
    return a + b

@triton.jit
def many(x_ptr, i_ptr, o_ptr, oi_ptr, n, flag, B: tl.constexpr):
    pid = tl.program_id(0)
    if pid * B >= n:
        return
    offs = pid * B + tl.arange(0, B)
    x = tl.load(x_ptr + offs)
    i = tl.load(i_ptr + offs)
    c = tl.associative_scan(x, 0, add_fn)
    c2 = tl.cumsum(x, 0, reverse=True)
    m, mi = tl.max(x, 0, return_indices=True)
    j = tl.join(x, c)
    a, b = tl.split(j)
    k = tl.cat(x, c2, can_reorder=True)
    t = tl.trans(tl.reshape(k, (2, B)))
    s = tl.sum(t, 1)
    cl = tl.clamp(x, -1.0, 1.0)
    g = tl.gather(x, i & (B - 1), 0)
    h = tl.histogram(i & 15, 16)
    q = tl.umulhi(i.to(tl.uint32), 12345678)
    e = libdevice.tanh(x) + libdevice.rsqrt(x * x + 1.0) + tl.erf(x) + tl.exp(x) + tl.log2(x * x + 1) + tl.sin(x) + tl.floor(x)
    f8 = x.to(tl.float8e5).to(tl.float32)
    p = tl.div_rn(x, 3.0) + tl.sqrt_rn(x * x)
    acc = x
    step = 0
    while step < flag:
        acc = acc * 0.5
        step += 1
    if flag > 3:
        acc += 1
    else:
        acc -= 1
    tl.device_assert(flag < 100, "flag")
    tl.device_print("x", m)
    tl.assume(n > 0)
    v = a + b + cl + g + e + f8 + p + acc + m + mi + s + c2
    tl.store(o_ptr + offs, v, mask=offs < n)
    tl.atomic_add(oi_ptr + tl.arange(0, 16), h)
    tl.atomic_max(oi_ptr + 16 + (i & 7), i, sem="relaxed")
    tl.atomic_cas(oi_ptr + 24, 0, 1)
    tl.atomic_xchg(oi_ptr + 25, n)
    tl.store(oi_ptr + 32 + offs, q.to(tl.int32, bitcast=True))

@triton.jit
def shifted(x_ptr, y_ptr, z_ptr, n):
    """Reads through one view of y what it wrote through another, and backwards."""
    o = tl.arange(0, 128)
    tl.store(y_ptr + o, tl.load(x_ptr + o))
    y = tl.load(y_ptr + o + 1, mask=o < n)
    tl.debug_barrier()
    tl.store(y_ptr + o, y)
    tl.store(z_ptr + o, tl.load(y_ptr + 127 - o))

@triton.jit
def carried(x_ptr, out_ptr, last, N: tl.constexpr):
    """Pointers that a loop moves on, under a condition that is the same for all."""
    p = out_ptr + tl.arange(0, 32)
    q = x_ptr + tl.arange(0, 32)
    t = tl.program_id(0)
    for i in range(0, N):
        m = (i < 30) & (t < last)
        tl.store(p, tl.load(q, mask=m, other=0.0) + 1, mask=m)
        p += 32
        q += 32

@triton.jit
def counted(x_ptr, sum_ptr, done_ptr):
    o = tl.arange(0, 128)
    tl.atomic_add(sum_ptr, tl.sum(tl.load(x_ptr + o)))
    tl.atomic_add(done_ptr, 1, sem="acquire")

@triton.jit
def dropped(x_ptr, out_ptr, seed_ptr, p, n, B: tl.constexpr):
    """The seed is read from memory, so that the first round multiplies one number."""
    o = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + o, mask=o < n)
    keep = tl.rand(tl.load(seed_ptr), o) > p
    tl.store(out_ptr + o, tl.where(keep, tl.div_rn(x, 1 - p), 0.0), mask=o < n)

@triton.jit
def magnitudes(x_ptr, out_ptr):
    o = tl.arange(0, 128)
    tl.store(out_ptr + o, tl.abs(tl.load(x_ptr + o)))

@triton.jit
def integers(x_ptr, y_desc, out_ptr, n, m):
    x = tl.make_tensor_descriptor(x_ptr, [n, m], [m, 1], [16, 32])
    out = tl.make_tensor_descriptor(out_ptr, [n, m], [m, 1], [16, 32])
    row = tl.program_id(0) * 16
    out.store([row, 0], x.load([row, 0]) + y_desc.load([row, 0]))

@triton.jit
def _online(acc, l_i, m_i, q, k_desc, v_desc, y, lo, hi, scale, offs_m, offs_n, MASKED: tl.constexpr, BLOCK_N: tl.constexpr):
    y += lo
    for start_n in tl.range(lo, hi, BLOCK_N):
        k = k_desc.load([y, 0]).T
        s = tl.dot(q, k) * scale
        if MASKED:
            s += tl.where(offs_m[:, None] >= (start_n + offs_n[None, :]), 0, -1.0e6)
        m_ij = tl.maximum(m_i, tl.max(s, 1))
        p = tl.math.exp2(s - m_ij[:, None])
        alpha = tl.math.exp2(m_i - m_ij)
        acc = tl.dot(p.to(tl.float16), v_desc.load([y, 0]), acc * alpha[:, None])
        l_i = l_i * alpha + tl.sum(p, 1)
        m_i = m_ij
        y += BLOCK_N
    return acc, l_i, m_i

@triton.jit
def causal_desc(q_ptr, k_ptr, v_ptr, o_ptr, scale, HEADS, N_CTX, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, D: tl.constexpr):
    """Two loops, the second of which always runs BLOCK_M / BLOCK_N times."""
    start_m = tl.program_id(0)
    rows = HEADS * N_CTX
    q_desc = tl.make_tensor_descriptor(q_ptr, [rows, D], [D, 1], [BLOCK_M, D])
    k_desc = tl.make_tensor_descriptor(k_ptr, [rows, D], [D, 1], [BLOCK_N, D])
    v_desc = tl.make_tensor_descriptor(v_ptr, [rows, D], [D, 1], [BLOCK_N, D])
    o_desc = tl.make_tensor_descriptor(o_ptr, [rows, D], [D, 1], [BLOCK_M, D])
    y = tl.program_id(1) * N_CTX
    offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
    offs_n = tl.arange(0, BLOCK_N)
    m_i = tl.zeros([BLOCK_M], dtype=tl.float32) - float("inf")
    l_i = tl.zeros([BLOCK_M], dtype=tl.float32)
    acc = tl.zeros([BLOCK_M, D], dtype=tl.float32)
    q = q_desc.load([y + start_m * BLOCK_M, 0])
    acc, l_i, m_i = _online(acc, l_i, m_i, q, k_desc, v_desc, y, 0, start_m * BLOCK_M, scale, offs_m, offs_n, False, BLOCK_N)
    acc, l_i, m_i = _online(acc, l_i, m_i, q, k_desc, v_desc, y, start_m * BLOCK_M, (start_m + 1) * BLOCK_M, scale, offs_m, offs_n, True, BLOCK_N)
    o_desc.store([y + start_m * BLOCK_M, 0], (acc / l_i[:, None]).to(tl.float16))

MM = dict(a_ptr="*fp16", b_ptr="*fp16", c_ptr="*fp16", M="i32", N="i32", K="i32")
ATT = dict(Q="*fp16", K="*fp16", V="*fp16", Out="*fp16", sm_scale="fp32", H="i32", N_CTX="i32",
  **{f"stride_{t}{a}": "i32" for t, ax in (("q", "zhm"), ("k", "zhn"), ("v", "zhn"), ("o", "zhm")) for a in ax})
ones = dict(stride_qk=1, stride_kk=1, stride_vk=1, stride_on=1)
KERNELS = {
 "add": (add, dict(x_ptr="*fp32", y_ptr="*fp32", out_ptr="*fp32", n="i32"), dict(BLOCK=1024)),
 "softmax": (softmax, dict(x_ptr="*fp16", y_ptr="*fp16", x_stride="i32", y_stride="i32", n_cols="i32"), dict(BLOCK=1024), ["x_stride", "y_stride"]),
 "matmul": (matmul, dict(MM, stride_am="i32", stride_bk="i32", stride_cm="i32"), dict(stride_ak=1, stride_bn=1, stride_cn=1, BM=128, BN=128, BK=64, GROUP=8), ["stride_am", "stride_bk", "stride_cm"]),
 "matmul_desc": (matmul_desc, dict(a_desc="tensordesc<fp16[128, 64]>", b_desc="tensordesc<fp16[128, 64]>", c_desc="tensordesc<fp16[128, 128]>", M="i32", N="i32", K="i32"), dict(BM=128, BN=128, BK=64)),
 "matmul_dev_desc": (matmul_dev_desc, MM, dict(BM=128, BN=128, BK=64), ["M", "N", "K"]),
 "matmul_persistent": (matmul_persistent, MM, dict(BM=128, BN=128, BK=64, GROUP=8, NUM_SMS=132), ["M", "N", "K"]),
 "attn": (attn, ATT, dict(ones, BLOCK_M=128, BLOCK_N=64, D=64, CAUSAL=False)),
 "many": (many, dict(x_ptr="*fp32", i_ptr="*i32", o_ptr="*fp32", oi_ptr="*i32", n="i32", flag="i32"), dict(B=128)),
 "attn_causal": (attn, ATT, dict(ones, BLOCK_M=128, BLOCK_N=64, D=64, CAUSAL=True)),
 "shifted": (shifted, dict(x_ptr="*fp32", y_ptr="*fp32", z_ptr="*fp32", n="i32"), {}),
 "carried": (carried, dict(x_ptr="*fp32", out_ptr="*fp32", last="i32"), dict(N=40)),
 "counted": (counted, dict(x_ptr="*fp32", sum_ptr="*fp32", done_ptr="*i32"), {}),
 "dropped": (dropped, dict(x_ptr="*fp32", out_ptr="*fp32", seed_ptr="*i64", p="fp32", n="i32"), dict(B=1024)),
 "magnitudes": (magnitudes, dict(x_ptr="*fp8e4nv", out_ptr="*fp8e4nv"), {}),
 "integers8": (integers, dict(x_ptr="*i8", y_desc="tensordesc<i8[16, 32]>", out_ptr="*i8", n="i32", m="i32"), {}, ["n", "m"]),
 "integers32": (integers, dict(x_ptr="*u32", y_desc="tensordesc<u32[16, 32]>", out_ptr="*u32", n="i32", m="i32"), {}, ["n", "m"]),
 **{f"causal_{m}_{n}": (causal_desc, dict(q_ptr="*fp16", k_ptr="*fp16", v_ptr="*fp16", o_ptr="*fp16", scale="fp32", HEADS="i32", N_CTX="i32"), dict(BLOCK_M=m, BLOCK_N=n, D=64), ["N_CTX"]) for m, n in ((64, 32), (128, 32), (64, 16))},
}
