# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random tensors for the tests of PyTorch's door: dense or thin, in a layout, from a seed."""

import warnings

import torch

warnings.filterwarnings("ignore", message="Sparse .* tensor support is in beta", category=UserWarning)


def dense(*shape, dtype=torch.float64, seed=1):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


def thin(*shape, dtype=torch.float64, seed=0, density=0.2):
    there = torch.rand(*shape, generator=torch.Generator().manual_seed(seed + 99)) < density
    return there.to(dtype) * dense(*shape, dtype=dtype, seed=seed)


def stored(whole, layout):
    """The same tensor as strided, csr, csc, coo, bsr; narrow has 32-bit indices."""
    if layout == "narrow":
        found = whole.to_sparse_csr()
        return torch.sparse_csr_tensor(found.crow_indices().int(), found.col_indices().int(), found.values(), found.shape)
    return {"strided": lambda: whole, "csr": whole.to_sparse_csr, "csc": whole.to_sparse_csc,
            "coo": lambda: whole.to_sparse().coalesce(), "bsr": lambda: whole.to_sparse_bsr((2, 2))}[layout]()


def whole(value):
    return value if value.layout == torch.strided else value.to_dense()
