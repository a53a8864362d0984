# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What C = A * B means to the benchmark and the GPU test, and where kernels are.

A layout is two letters, one for A and one for B: "n" for a matrix that is stored
row-major as it stands (A as [M,K], B as [K,N]), "t" for one whose transpose is
(A as [K,M], B as [N,K]). C is always row-major [M,N].

A kernel lies in KERNEL_DIR/gemm_<layout>_<in>_<out>.ptx with its .json beside it;
gemm_<layout>_<in>.ptx serves where both types are the same. Its arguments are
views a, b, c in this order; each view's axes may be in either order.
"""

import itertools
import os

LAYOUTS = ("nn", "nt", "tn", "tt")
INPUTS = ("f16", "bf16")
OUTPUTS = ("f16", "bf16", "f32")
ALIASES = {"fp16": "f16", "half": "f16", "float16": "f16", "bfloat16": "bf16", "fp32": "f32"}

# Distance of 1 to the next number.
EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23}


def type_name(text):
    """"fp16" and "f16" alike."""
    name = ALIASES.get(text, text)
    if name not in OUTPUTS:
        raise ValueError("'%s' is no element type; use f16, bf16 or f32" % text)
    return name


def torch_type(name):
    import torch

    return {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}[name]


def parse_shape(text):
    """"4096x8192x512" to (M, N, K)."""
    parts = text.lower().split("x")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        raise ValueError("'%s' is no shape; write MxNxK, such as 4096x4096x4096" % text)
    return tuple(int(part) for part in parts)


def kernel_path(directory, layout, in_type, out_type):
    """The kernel's PTX file, or None."""
    names = ["gemm_%s_%s_%s.ptx" % (layout, in_type, out_type)]
    if in_type == out_type:
        names.append("gemm_%s_%s.ptx" % (layout, in_type))
    for name in names:
        path = os.path.join(directory, name)
        if os.path.exists(path):
            return path
    return None


def find_kernels(directory, layouts=LAYOUTS, inputs=INPUTS, outputs=OUTPUTS):
    """{(layout, in, out): path} of those that exist, and the list of the others."""
    found, missing = {}, []
    for key in itertools.product(layouts, inputs, outputs):
        path = kernel_path(directory, *key)
        if path:
            found[key] = path
        else:
            missing.append(key)
    return found, missing


def stored_shapes(layout, m, n, k):
    """Shapes of A and B in memory."""
    return (
        (m, k) if layout[0] == "n" else (k, m),
        (k, n) if layout[1] == "n" else (n, k),
    )


def logical(stored, letter):
    """The matrix that the stored one stands for."""
    return stored if letter == "n" else stored.t()


def kernel_view(stored, argument):
    """The stored matrix as the kernel's view sees it: its fastest axis is the last
    of a row-major view and the first of a column-major one."""
    return stored if argument["order"] == (1, 0) else stored.t()


def bind(kernel, a, b, c):
    """A launch of `kernel` on stored matrices."""
    views = [kernel_view(x, argument) for x, argument in zip((a, b, c), kernel.arguments)]
    return kernel.bind(*views)


def call(kernel, a, b, c):
    """The same, in the stream that is current when it is called."""
    views = [kernel_view(x, argument) for x, argument in zip((a, b, c), kernel.arguments)]
    return lambda: kernel(*views)
