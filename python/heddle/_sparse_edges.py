# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edge lists and bags of embeddings as products with CSR matrices.

An edge list adds rows of one tensor, each times a number, to rows of another: a matrix with
the number at (target, source). The matrix is made once for a list, by sorting; edges that
repeat become one element. A bag is a row of a matrix as it stands. Index tensors that do not
fit go to PyTorch's own operators, which say so in their words.
"""

import weakref

import torch

from . import _sparse_program, _sparse_torch
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
    elif not _wants_gradient(x, weights):
        found = _sparse_torch.compute(subscripts, (edges.matrix(edges.values(weights)), x), "dense", 0)
    else:
        from ._sparse_ops import sparse_einsum

        arrays = [edges.positions, edges.coordinates, edges.values(weights), x]
        found = sparse_einsum(arrays, subscripts, "csr,strided", list(edges.shape), -1)
    return found if base is None else base + found


class Bag(torch.autograd.Function):
    """Sums of rows of a table, by bags of checked indices; unsorted and repeated ones are
    added up one after the other."""

    @staticmethod
    def forward(context, table, positions, indices, weights):
        context.save_for_backward(positions, indices, weights)
        context.rows = table.shape[0]
        matrix = assemble("csr", (positions, indices), weights, (positions.numel() - 1, table.shape[0]))
        return _sparse_torch.compute("ij,jk->ik", (_sparse_torch.trust(matrix), table), "dense", 0)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context, upstream):
        positions, indices, weights = context.saved_tensors
        messages = upstream.repeat_interleave(positions.diff(), 0) * weights.unsqueeze(1)
        return upstream.new_zeros(context.rows, upstream.shape[1]).index_add(0, indices, messages), None, None, None


def _are_bags(positions, indices, rows):
    fault = _sparse_program.library().heddle_sparse_fault_of_rows(
        positions.data_ptr(), indices.data_ptr(), indices.dtype.itemsize * 8, positions.numel() - 1, rows,
        indices.numel())
    return fault is None or fault.startswith(b"coordinates of a row are not sorted")


def bags(table, indices, offsets, mode, weights=None, includes_last=False):
    """torch.nn.functional.embedding_bag for mode 0, a sum, or 1, a mean."""
    count = indices.numel()
    positions = offsets.to(indices.dtype)
    if not includes_last:
        positions = torch.cat([positions, positions.new_tensor([count])])
    positions, indices = positions.contiguous(), indices.contiguous()
    if (not offsets.numel() or not _are_bags(positions, indices, table.shape[0])
            or _wants_gradient(weights)):
        return torch.ops.aten.embedding_bag(table, indices, offsets, False, mode, False, weights, includes_last)[0]
    ones = torch.ones(count, dtype=table.dtype) if weights is None else weights.detach().contiguous()
    found = Bag.apply(table, positions, indices, ones)
    if mode == 1:
        found = found / positions.diff().clamp(min=1).to(found.dtype).unsqueeze(1)
    return found


def fixed_bags(table, indices, mode):
    """The same for a matrix with a bag in each row."""
    rows, length = indices.shape
    return bags(table, indices.reshape(-1), torch.arange(0, rows * length + 1, max(length, 1))[:rows + 1]
                if length else torch.zeros(rows + 1, dtype=torch.int64), mode, None, True)
