#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.sparse on CUDA tensors, on a GPU: results beside float64, gradients, streams, and the
time of a warm call beside PyTorch's.

    PYTHONPATH=python python3 test/gpu/sparse_tensors.py --compiler build/lib/libheddle.so \
        --runtime build/lib/libheddle_runtime.so

Exit code: 0 all right, 1 a result was wrong, 2 there is no GPU.
"""

import argparse
import sys
import time

import torch

EPSILON = {torch.float32: 2.0**-24, torch.float64: 2.0**-53, torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8}


def matrix_of(rows, columns, mean, dtype, seed, index=torch.int32):
    """Rows of all lengths from 0 to about 8 times the mean, a few of them long."""
    generator = torch.Generator(device="cuda").manual_seed(seed)
    drawn = torch.rand(rows, generator=generator, device="cuda").clamp_min(1e-3)
    chance = (mean / columns * 0.4 / drawn.sqrt()).clamp_max(1)
    there = torch.rand(rows, columns, generator=generator, device="cuda") < chance[:, None]
    values = torch.randn(rows, columns, generator=generator, device="cuda").to(dtype) * there
    found = torch.where(there, values + (values == 0).to(dtype), 0).to_sparse_csr()
    return torch.sparse_csr_tensor(found.crow_indices().to(index), found.col_indices().to(index), found.values(),
                                   found.shape)


def error_of(found, wanted, size):
    """Over the size of the terms; what is less than the least normal number counts as that."""
    least = torch.finfo(found.dtype).tiny
    return float(((found.double() - wanted).abs() / size.clamp_min(least)).max()) if wanted.numel() else 0.0


def check(name, error, dtype):
    """A sum of f32 is off by half an epsilon a term at most; a short result is rounded once."""
    allowed = (64 if dtype in (torch.float32, torch.float64) else 1.5) * EPSILON[dtype]
    good = error <= allowed
    print(f"{'right' if good else 'WRONG'}: {name}, error {error / EPSILON[dtype]:.2f} eps")
    return good


def product(sparse, dtype, columns, index):
    a = matrix_of(700, 500, 12, dtype, 1, index)
    b = torch.randn(500, columns, device="cuda").to(dtype)
    wide, other = a.to_dense().double(), b.double()
    return check(f"product, {dtype}, {index}, {columns} columns",
                 error_of(sparse.matmul(a, b), wide @ other, wide.abs() @ other.abs()), dtype)


def sampled(sparse, dtype, columns, index):
    a = matrix_of(300, 200, 9, dtype, 2, index)
    b, d = (torch.randn(rows, columns, device="cuda").to(dtype) for rows in (300, 200))
    found = sparse.einsum("ij,ik,jk->ij", a, b, d).to_dense()
    wide, rows = a.to_dense().double(), b.double() @ d.double().t()
    size = wide.abs() * (b.double().abs() @ d.double().abs().t())
    return check(f"sampled product, {dtype}, {index}, rows of {columns}", error_of(found, wide * rows, size), dtype)


def gradients(sparse):
    a, b = matrix_of(200, 150, 6, torch.float32, 3), torch.randn(150, 32, device="cuda", requires_grad=True)
    sparse.matmul(a, b).square().sum().backward()
    found, b.grad = b.grad, None
    wide = a.to_dense().double()
    wanted = 2 * wide.t() @ (wide @ b.detach().double())
    return check("gradient", error_of(found, wanted, wanted.abs().max()), torch.float32)


def streams(sparse):
    """A launch goes to the current stream: what is computed before it is there."""
    a, stream = matrix_of(200, 150, 6, torch.float32, 4), torch.cuda.Stream()
    with torch.cuda.stream(stream):
        b = torch.ones(150, 64, device="cuda")
        for _ in range(20):
            b = b + 1
        found = sparse.matmul(a, b)
    stream.synchronize()
    wide = a.to_dense().double()
    return check("stream", error_of(found, wide @ b.double(), wide.abs() @ b.double()), torch.float32)


def microseconds(call, times=200):
    for _ in range(10):
        call()
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for _ in range(times):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - begin) / times * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--runtime", required=True)
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("no GPU", file=sys.stderr)
        return 2
    import heddle
    import heddle.runtime
    import heddle.sparse as sparse

    heddle.use_compiler(options.compiler)
    heddle.runtime.use_library(options.runtime)
    good = True
    for dtype in EPSILON:
        for columns in (1, 33, 64, 128, 300):
            for index in (torch.int32, torch.int64):
                good &= product(sparse, dtype, columns, index)
                good &= sampled(sparse, dtype, columns, index)
    good &= gradients(sparse) & streams(sparse)
    small, large = matrix_of(64, 64, 6, torch.float32, 5), matrix_of(20000, 2000, 16, torch.float32, 6)
    for name, a in (("64 rows", small), ("20000 rows", large)):
        b = torch.randn(a.shape[1], 64, device="cuda")
        ours, theirs = microseconds(lambda: sparse.matmul(a, b)), microseconds(lambda: a @ b)
        print(f"{name} times 64 columns: {ours:.1f} us a call, PyTorch {theirs:.1f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
