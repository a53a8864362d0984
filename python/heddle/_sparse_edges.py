# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edge lists as products with CSR matrices.

An edge list adds rows of one tensor, each times a number, to rows of another: a matrix with
the number at (target, source). The matrix is made once for a list, by sorting; edges that
repeat become one element. Index tensors that do not fit go to PyTorch's own operators, which
say so in their words.
"""

import weakref

import torch

from . import _sparse_torch
from ._sparse_gradients import assemble

_KINDS = (torch.float32, torch.float64)
_lists = {}  # what tells an edge list -> references to what it lies in, and its Rows


class Rows:
    """The CSR matrix of an edge list: its index arrays, and for each edge the place of its
    number among the values; `order` has the edge of each place if none repeats."""

    def __init__(self, source, target, rows, columns):
        keys, self.place = torch.unique(target.long() * columns + source.long(), return_inverse=True)
        self.shape, self.count = (rows, columns), keys.numel()
        self.order = None
        if self.count == source.numel():
            self.order = torch.empty_like(self.place)
            self.order[self.place] = torch.arange(self.count)
        narrow = torch.int32 if max(self.count, columns) < 2**31 else torch.int64
        counts = torch.bincount(torch.div(keys, columns, rounding_mode="floor"), minlength=rows)
        self.positions = torch.cat([counts.new_zeros(1), counts.cumsum(0)]).to(narrow)
        self.coordinates = (keys % columns).to(narrow)
        self.matrices = {}  # type -> the matrix of edges without numbers

    def values(self, weights):
        """The elements of the matrix of edges with these numbers."""
        if self.order is not None:
            return weights[self.order]
        return weights.new_zeros(self.count).index_add(0, self.place, weights)

    def matrix(self, values):
        return _sparse_torch.trust(assemble("csr", (self.positions, self.coordinates), values, self.shape))

    def counts(self, dtype):
        """The matrix of edges without numbers: how often each is there."""
        if dtype not in self.matrices:
            self.matrices[dtype] = self.matrix(self.values(torch.ones(self.place.numel(), dtype=dtype)))
        return self.matrices[dtype]


def _holder(tensor):
    """(the tensor in whose memory this one lies, what tells the part and its version)."""
    base = tensor if tensor._base is None else tensor._base
    return base, (id(base), tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), tensor.dtype, tensor._version)


def rows_of(source, target, rows, columns):
    """The Rows of an edge list; None if an index is outside."""
    if source.is_inference() or target.is_inference():  # no version counters
        holders, key = (), None
    else:
        (first, its), (second, others) = _holder(source), _holder(target)
        holders, key = (first, second), (its, others, rows, columns)
    known = _lists.get(key)
    if known and all(reference() is holder for reference, holder in zip(known[0], holders)):
        return known[1]
    if source.numel() and (int(source.min()) < 0 or int(source.max()) >= columns
                           or int(target.min()) < 0 or int(target.max()) >= rows):
        return None
    made = Rows(source, target, rows, columns)
    if key:
        if len(_lists) >= _sparse_torch.MOST_KEPT:
            _lists.clear()
        _lists[key] = [weakref.ref(holder, lambda _: _lists.pop(key, None)) for holder in holders], made
    return made


def _wants_gradient(*tensors):
    return torch.is_grad_enabled() and any(tensor is not None and tensor.requires_grad for tensor in tensors)


def add_rows(base, x, weights, source, target, rows):
    """base + the rows x[source], each times its weight, added up at target. No base is zeros,
    no weights are ones; without a source the rows of x are the messages in their order."""
    columns = x.shape[0]
    edges = None
    if source is None:
        source = torch.arange(columns)
        edges = rows_of(source, target, rows, columns) if target.numel() == columns else None
    elif source.shape == target.shape:
        edges = rows_of(source, target, rows, columns)
    if edges is None or not rows:
        messages = x[source] if weights is None else x[source] * weights.reshape(-1, *[1] * (x.dim() - 1))
        start = x.new_zeros(rows, *x.shape[1:]) if base is None else base
        return start.index_add(0, target, messages)
    subscripts = "ij,jk->ik" if x.dim() == 2 else "ij,j->i"
    if weights is None:
        found = _sparse_torch.einsum(subscripts, (edges.counts(x.dtype), x), "dense", 0)
    elif not _wants_gradient(x, weights) and not _sparse_torch.has_tangents((weights,)):
        found = _sparse_torch.einsum(subscripts, (edges.matrix(edges.values(weights)), x), "dense", 0)
    else:
        from ._sparse_ops import sparse_einsum

        arrays = [edges.positions, edges.coordinates, edges.values(weights), x]
        found = sparse_einsum(arrays, subscripts, "csr,strided", list(edges.shape), -1)
    return found if base is None else base + found
