# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle: run kernels compiled by the heddle compiler.

    import heddle.runtime
    gemm = heddle.runtime.Kernel("gemm.ptx")   # and gemm.json beside it
    gemm(a, b, c)                              # torch tensors, CuPy arrays, ...
"""
