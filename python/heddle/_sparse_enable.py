# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's own sparse CPU operators by heddle, for programs as they stand.

For each operator in OPERATORS the kernel that PyTorch's dispatcher has for sparse operands is
replaced by a function that computes by einsums, or declines; then PyTorch's kernel is called
and the reason is counted. The dispatcher's layers above stay: gradients are PyTorch's, of
these operators. disable() puts the kernels back.
"""

import collections
import logging
import weakref

import torch

from . import _sparse_program, _sparse_torch
from ._sparse_gradients import assemble
from ._sparse_torch import compute, index_arrays, repeat

_log = logging.getLogger("heddle.sparse")
_libraries = []
_reasons = collections.Counter()  # (operator, reason) -> calls
_rows = {}  # id of a COO matrix -> a reference to it, its state, and the same by rows
_DTYPES = tuple(getattr(torch, name) for name in _sparse_program.ELEMENTS)
_LAYOUTS = {torch.sparse_csr: "CSR", torch.sparse_csc: "CSC", torch.sparse_bsr: "BSR", torch.sparse_bsc: "BSC",
            torch.sparse_coo: "COO", torch.strided: "strided"}


class Declined(Exception):
    """Why an operator's operands are PyTorch's."""


# --- Operands ----------------------------------------------------------------


def need(condition, reason):
    if not condition:
        raise Declined(reason)


def _by_rows(value):
    """A COO matrix, or one of blocks, as CSR; remembered while the tensor keeps its arrays."""
    known, state = _rows.get(id(value)), None
    if value.layout is not torch.sparse_coo or value.is_coalesced():
        state = _sparse_torch.Matrix.state_of(value)
        if known and known[0]() is value and state is not None and known[1] == state:
            return known[2]
    if value.layout is torch.sparse_coo:
        found = value.coalesce()
        rows, columns = found.indices()
        made = assemble("csr", (torch._convert_indices_from_coo_to_csr(rows, value.shape[0]), columns.contiguous()),
                        found.values(), value.shape)
    else:
        made = assemble(*index_arrays(value), value.shape)
    if state is not None:
        if len(_rows) >= _sparse_torch.MOST_KEPT:
            _rows.clear()
        _rows[id(value)] = weakref.ref(value, lambda _, key=id(value): _rows.pop(key, None)), state, made
    return made


def _operand(value, keeps_layout=False):
    """A tensor as compute() takes it. A COO matrix is stored by rows, unless its gradient is
    to have its layout."""
    layout = value.layout
    need(value.dtype in _DTYPES, f"elements of {value.dtype}")
    if layout is torch.strided:
        return value
    if layout is torch.sparse_coo:
        need(value.dense_dim() == 0, "elements with dense dimensions")
        return value.coalesce() if value.dim() != 2 or keeps_layout else _by_rows(value)
    need(value.dim() == 2, "a batch of sparse matrices")
    return _by_rows(value) if _sparse_torch.has_parts(value) else value


def contract(subscripts, values, format="dense", run=compute):
    """The einsum by `run`, or Declined."""
    values = [_operand(value, run is not compute and value.requires_grad) for value in values]
    need(len({value.dtype for value in values}) == 1, "operands of different types")
    try:
        return run(subscripts, values, format, 0)
    except (ValueError, TypeError, MemoryError) as error:
        raise Declined(str(error)) from error
    except NotImplementedError:
        raise Declined("no plan for these formats") from None


# --- Operators ---------------------------------------------------------------


def _mm(a, b):
    call, packed = repeat("ij,jk->ik", a, b, "dense", 0)
    if call is not None:
        return call.run_dense(packed)  # the same matrix as before, and a tensor as the one then
    layouts = {a.layout, b.layout}
    names = f"{_LAYOUTS[a.layout]} times {_LAYOUTS[b.layout]}"
    if torch.strided in layouts:
        need(a.layout is not torch.strided or b.layout is not torch.sparse_coo, names)
        return contract("ij,jk->ik", (a, b))
    need(layouts == {torch.sparse_csr}, f"{names}, whose result is no CSR matrix")
    return contract("ij,jk->ik", (a, b), "csr")


def _scaled_sum(product, other, beta, alpha):
    """alpha product + beta other, in the product's memory."""
    if alpha != 1:
        product.mul_(alpha)
    if beta != 0:
        need(other.layout is torch.strided, f"a sum with a {_LAYOUTS[other.layout]} matrix")
        need(other.dtype == product.dtype, "operands of different types")
        try:
            product.add_(other, alpha=beta)
        except RuntimeError as error:
            raise Declined(str(error)) from error
    return product


def _addmm(other, a, b, *, beta=1, alpha=1):
    need(other.layout is torch.strided, f"a sum with a {_LAYOUTS[other.layout]} matrix")
    product = _mm(a, b)
    need(product.layout is torch.strided, "a sum with a sparse product")
    return _scaled_sum(product, other, beta, alpha)


def _mv(a, x):
    return contract("ij,j->i", (a, x))


def sampled_addmm(pattern, a, b, *, beta=1.0, alpha=1.0):
    need(pattern.layout is torch.sparse_csr, f"a {_LAYOUTS[pattern.layout]} pattern")
    pattern = _operand(pattern)
    try:
        _sparse_torch.matrix_of(pattern, "T0")  # checked once, and then known for the arrays of `ones`
    except ValueError as error:
        raise Declined(str(error)) from error
    layout, arrays, values = index_arrays(pattern)
    ones = assemble(layout, arrays, torch.ones_like(values), pattern.shape)
    product = contract("ij,ik,kj->ij", (ones, a, b), "csr")
    _scaled_sum(product.values(), values, beta, alpha)
    return product


def mm_reduce(a, b, reduce):
    need(reduce in ("sum", "mean"), f"reduce={reduce!r}: maxima of products are not lowered yet")
    need(a.layout is torch.sparse_csr, f"a {_LAYOUTS[a.layout]} matrix")
    product = contract("ij,jk->ik", (a, b))
    if reduce == "mean":
        product /= a.crow_indices().diff().clamp_(min=1).to(product.dtype).unsqueeze(1)
    return product, torch.empty(0, dtype=a.col_indices().dtype)


def _sparse_product(a, b):
    """COO times COO, which is COO."""
    product = contract("ij,jk->ik", (a, b), "csr")
    rows = torch._convert_indices_from_csr_to_coo(product.crow_indices(), product.col_indices())
    return assemble("coo", (rows.long(),), product.values(), product.shape)


def _bmm(a, b):
    need(a.layout is torch.sparse_coo and b.layout is torch.strided,
          f"{_LAYOUTS[a.layout]} times {_LAYOUTS[b.layout]}")
    return contract("bij,bjk->bik", (a, b))


# Operator, the dispatcher's keys, function.
OPERATORS = (
    ("mm", ("SparseCPU", "SparseCsrCPU"), _mm),
    ("addmm", ("SparseCPU", "SparseCsrCPU"), _addmm),
    ("mv", ("SparseCPU", "SparseCsrCPU"), _mv),
    ("bmm", ("SparseCPU",), _bmm),
    ("_sparse_sparse_matmul", ("SparseCPU",), _sparse_product),
    ("sparse_sampled_addmm", ("SparseCsrCPU",), sampled_addmm),
    ("_sparse_mm_reduce_impl", ("SparseCsrCPU",), mm_reduce),
)


def note(name, reason):
    """Counts a call that goes to PyTorch."""
    if (name, reason) in _reasons or len(_reasons) < _sparse_torch.MOST_KEPT:
        _reasons[name, reason] += 1
    _log.debug("%s stays with PyTorch: %s", name, reason)


def _replacement(name, take, kernel):
    def run(keys, *arguments, **options):
        try:
            return take(*arguments, **options)
        except Declined as declined:
            reason = str(declined)
        note(name, reason)
        return kernel.call_boxed(keys, *arguments, **options)

    return run


def is_enabled():
    return bool(_libraries)


def enable():
    if _libraries:
        return
    if not hasattr(torch.library, "get_kernel"):
        raise RuntimeError(f"enable() needs PyTorch 2.9 or later, which gives out its kernels; this is {torch.__version__}")
    library = torch.library.Library("aten", "IMPL")
    for name, keys, take in OPERATORS:
        for key in keys:
            # mv of CSR has no kernel of its own: it is a call of others.
            if not torch._C._dispatch_has_computed_kernel_for_dispatch_key(f"aten::{name}", key):
                continue
            kernel = torch.library.get_kernel(f"aten::{name}", key)
            library.impl(name, _replacement(name, take, kernel), key, with_keyset=True, allow_override=True)
    _libraries.append(library)


def disable():
    while _libraries:
        _libraries.pop()._destroy()


def declined():
    return [(name, reason, calls) for (name, reason), calls in _reasons.items()]
