# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bags of embeddings: torch.nn.functional.embedding_bag as an einsum.

A bag is a row of a CSR matrix whose coordinates are the bag's indices as they stand, unsorted
and repeated: sums and means are its product with the table, maxima the same over the semiring
of maxima. Bags without weights share one array of ones, or of zeros for maxima. Indices are
checked in one pass at each call, since each call brings others.
"""

import torch

from . import _sparse_program, _sparse_torch
from ._sparse_program import Operand, encoding_of, type_of

SUM, MEAN, MAX = range(3)
_GROWING = (torch.float32, torch.float64)  # types in which gradients of many rows are added up here
_calls = {}  # what a call depends on -> the Call
_same = {}  # (type, number) -> a tensor that holds nothing else


def _all(number, count, dtype):
    """`count` elements that all are `number`, in memory that calls share."""
    known = _same.get((dtype, number))
    if known is None or known.numel() < count:
        known = _same[dtype, number] = torch.full((count,), number, dtype=dtype)
    return known[:count]


def _prepare(shape, dtype, bags, count, index, mode, workers):
    """The Call of a table of a shape and so many bags."""
    element = str(dtype).rpartition(".")[2]
    encoding = encoding_of(2, "d0 : dense, d1 : compressed", 32 if index is torch.int32 else 64)
    matrix = Operand("S", (bags, shape[0]), element, encoding, [bags, count], [0, 0, 0])
    table = Operand("T", shape, element, "", [shape[0], shape[0] * shape[1]], [0])
    made = type_of(2, element, "")
    semiring = ' over "max-plus"' if mode == MAX else ""
    text = (f"einsum.program @bags(%S: {matrix.type}, %T: {table.type}) {{\n"
            f"  %R = einsum.statement (b, e) += %S(b, r) * %T(r, e){semiring}\n"
            f"    : {matrix.type}, {table.type} -> {made}\n  einsum.return %R : {made}\n}}\n")
    program = _sparse_program.keep(text, [matrix, table], workers)
    return _sparse_torch.Call(program, (bags, shape[1]), "", element, len(matrix.slots) + len(table.slots))


def _combine(table, positions, indices, weights, mode):
    """Sums or maxima of the rows of checked bags; a maximum of no row is -inf."""
    table = _sparse_torch.by_rows(table, "table")
    bags, count, workers = positions.numel() - 1, indices.numel(), _sparse_torch.threads()
    key = (table.shape, table.dtype, bags, count.bit_length(), indices.dtype, mode, workers)
    call = _calls.get(key)
    if call is None:
        if len(_calls) >= _sparse_torch.MOST_KEPT:
            _calls.clear()
        call = _calls[key] = _prepare(table.shape, table.dtype, bags, count, indices.dtype, mode, workers)
    return call.run_dense(call.pack(positions.data_ptr(), indices.data_ptr(), weights.data_ptr(), bags, table.shape[0],
                                    table.data_ptr(), *table.shape))


class _Sums(torch.autograd.Function):
    """Sums with a gradient for the table: a bag's goes to each of its rows, times the weight."""

    @staticmethod
    def forward(context, table, positions, indices, weights):
        context.save_for_backward(positions, indices, weights)
        context.rows = table.shape[0]
        return _combine(table, positions, indices, weights, SUM)

    @staticmethod
    def backward(context, upstream):
        positions, indices, weights = context.saved_tensors
        messages = upstream.repeat_interleave(positions.diff(), 0) * weights.unsqueeze(1)
        return upstream.new_zeros(context.rows, upstream.shape[1]).index_add(0, indices, messages), None, None, None


def _without(padding, positions, indices, weights):
    """The bags without the row that does not count."""
    counts = indices != padding
    if bool(counts.all()):
        return positions, indices, weights
    before = torch.cat([positions.new_zeros(1), counts.cumsum(0).to(positions.dtype)])
    return before[positions.long()], indices[counts], None if weights is None else weights[counts]


def _check(positions, indices, rows, name):
    fault = _sparse_program.library().heddle_sparse_fault_of_bags(
        positions.data_ptr(), indices.data_ptr(), indices.dtype.itemsize * 8, positions.numel() - 1, rows,
        indices.numel())
    if fault:
        fault = fault.decode()
        raise (IndexError if fault.startswith("position") else ValueError)(f"bags of {name}: {fault}")


def _stays(table, indices, offsets, mode, weights, includes_last):
    """Whether PyTorch's own operator computes this call."""
    has_gradient = torch.is_grad_enabled() and (
        table.requires_grad and (mode == MAX or table.dtype not in _GROWING)
        or weights is not None and weights.requires_grad)
    has_tangent = _sparse_torch.has_tangents([table] if weights is None else [table, weights])
    return (has_gradient or has_tangent or not offsets.numel() or not table.is_cpu or indices.dim() != 1
            # Indices behind the last bag: PyTorch has them in it for a maximum, and not for a sum.
            or includes_last and int(offsets[-1]) < indices.numel())


def bags(table, indices, offsets, mode, weights=None, includes_last=False, padding=-1, name="a table"):
    """torch.nn.functional.embedding_bag. A mode is SUM, MEAN or MAX; a `padding` below 0 is none;
    `name` is what errors call the table."""
    if _stays(table, indices, offsets, mode, weights, includes_last):
        return torch.ops.aten.embedding_bag.padding_idx(
            table, indices, offsets, False, mode, False, weights, includes_last, padding if padding >= 0 else None)[0]
    positions = offsets if offsets.dtype is indices.dtype else offsets.to(indices.dtype)
    if not includes_last:
        positions = torch.cat([positions, positions.new_tensor([indices.numel()])])
    positions, indices = positions.contiguous(), indices.contiguous()
    _check(positions, indices, table.shape[0], name)
    if padding >= 0:
        positions, indices, weights = _without(padding, positions, indices, weights)
    if weights is None:
        weights = _all(0 if mode == MAX else 1, indices.numel(), table.dtype)
    else:
        weights = weights.detach().contiguous()
    if torch.is_grad_enabled() and table.requires_grad:
        found = _Sums.apply(table, positions, indices, weights)
    else:
        found = _combine(table.detach(), positions, indices, weights, mode)
    if mode == MEAN:
        found = found / positions.diff().clamp(min=1).to(found.dtype).unsqueeze(1)
    if mode == MAX:
        found.masked_fill_((positions[1:] == positions[:-1]).unsqueeze(1), 0)
    return found


def fixed_bags(table, indices, mode, name="a table"):
    """The same for a matrix with a bag in each row."""
    rows, length = indices.shape
    offsets = torch.arange(rows + 1, dtype=indices.dtype, device=indices.device) * length
    return bags(table, indices.reshape(-1), offsets, mode, None, True, -1, name)
