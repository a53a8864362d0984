# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle: compile sequential tile programs and Triton kernels to warp-specialised
GPU kernels, and run them on the GPU or on the emulator.

    import heddle
    product = heddle.compile("product.mlir")   # or a kernel under @triton.jit
    print(product.report())
    product.run(a, b, c)                       # torch tensors, CuPy or numpy arrays, ...

    import heddle.triton
    heddle.triton.enable()                     # kernel[grid](...) by heddle from here on
"""

__version__ = "0.1.0"

from .compiler import Compiled, CompileError, compile
from ._compiler_capi import use_library as use_compiler
from ._emulate import EmulatorError
