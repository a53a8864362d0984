# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of einsums of PyTorch's tensors, by einsums.

The gradient of a dense operand is the product of the others and of what comes from above;
that of a sparse one is the same where it has elements, in its own layout. A matrix is stored
by its other axis for that if no plan takes it as it is. Where the gradient itself is to have
one, its einsums are differentiable, too.
"""

import itertools
import string

import torch
from torch.autograd import forward_ad

from . import _sparse_program
from ._sparse_torch import compute, einsum, index_arrays, trust

_BUILD = {"csr": torch.sparse_csr_tensor, "csc": torch.sparse_csc_tensor}


def assemble(layout, arrays, values, shape):
    """A sparse tensor of arrays that are sound."""
    if layout == "coo":
        if values.requires_grad:  # which goes through this only, and PyTorch has it from 2.1 on
            return torch.sparse_coo_tensor(arrays[0], values, shape, check_invariants=False, is_coalesced=True)
        return torch.sparse_coo_tensor(arrays[0], values, shape, check_invariants=False)._coalesced_(True)
    return _BUILD[layout](*arrays, values, shape, check_invariants=False)


def _with_values(value, values):
    """A sparse tensor with the pattern of `value`."""
    layout, arrays, _ = index_arrays(value)
    return assemble(layout, arrays, values, value.shape)


def _outer(positions):
    """The row of each element of a matrix stored by rows."""
    rows = torch.arange(positions.numel() - 1, device=positions.device)
    return torch.repeat_interleave(rows, positions[1:] - positions[:-1])


def _keys(value):
    """A number for each element of a CSR matrix, by its place."""
    return _outer(value.crow_indices()) * value.shape[1] + value.col_indices()


def values_at(pattern, found):
    """The values of `found` where the CSR matrix `pattern` has elements. Both are by rows, and `found`
    has no others: where its elements were counted, those are missing that no product reaches."""
    values = found.values()
    if values.numel() == pattern.values().numel():
        return values
    made = values.new_zeros(pattern.values().numel())
    return made.index_put((torch.searchsorted(_keys(pattern), _keys(found)),), values)


def other_order(value):
    """A compressed matrix stored by its other axis first."""
    layout, (positions, coordinates), values = index_arrays(value)
    outer = _outer(positions)
    order = torch.argsort(coordinates.long() * max(positions.numel() - 1, 1) + outer)
    extent = value.shape[1] if layout == "csr" else value.shape[0]
    counts = torch.bincount(coordinates, minlength=extent)
    made = torch.cat([torch.zeros(1, dtype=counts.dtype, device=counts.device), counts.cumsum(0)]).to(positions.dtype)
    other = "csc" if layout == "csr" else "csr"
    return assemble(other, (made, outer[order].to(coordinates.dtype)), values[order], value.shape)


def _try_orders(run, operands):
    """`run(operands)`, with compressed matrices the other way round if nothing else has a plan."""
    compressed = [number for number, value in enumerate(operands)
                  if value.layout in (torch.sparse_csr, torch.sparse_csc)]
    first = None
    for count in range(len(compressed) + 1):
        for chosen in itertools.combinations(compressed, count):
            try:
                return run([other_order(value) if number in chosen else value
                            for number, value in enumerate(operands)])
            except NotImplementedError as error:
                first = first or error
    raise first


def gradient(inputs, output, operands, place, upstream, workers, by=compute):
    """The gradient of an operand, in its layout; the einsums are computed by `by`."""
    own, value = inputs[place], operands[place]
    rest = [(indices, operand) for number, (indices, operand) in enumerate(zip(inputs, operands)) if number != place]
    if output:
        rest.append((output, upstream))
    else:
        # A sum of all: a vector of one element, by an index of its own.
        one = next(letter for letter in string.ascii_letters if letter not in "".join(inputs))
        rest.append((one, upstream.reshape(1)))

    def run(names, format):
        subscripts = ",".join(names) + "->" + own
        return lambda found: by(subscripts, found, format, workers)

    names, tensors = [indices for indices, _ in rest], [tensor for _, tensor in rest]
    if value.layout == torch.strided:
        there = set("".join(names))
        for index, extent in zip(own, value.shape):
            if index not in there:
                names.append(index)
                tensors.append(torch.ones(extent, dtype=value.dtype, device=value.device))
        return _try_orders(run(names, "dense"), tensors)
    if value.layout == torch.sparse_csr:
        # Where the operand has elements: its pattern is one of the factors.
        ones = _with_values(value, torch.ones_like(value.values()))
        found = _try_orders(lambda found: run([own] + names, "csr")([ones, *found]), tensors)
        return _with_values(value, values_at(ones, found))
    # Results are CSR or dense: the values are taken from a dense one.
    there = set("".join(names))
    for index, extent in zip(own, value.shape):
        if index not in there:
            names.append(index)
            tensors.append(torch.ones(extent, dtype=value.dtype, device=value.device))
    whole = _try_orders(run(names, "dense"), tensors)
    layout, arrays, _ = index_arrays(value)
    if layout == "coo":
        return _with_values(value, whole[tuple(arrays[0])])
    return _with_values(value, whole[arrays[1].long(), _outer(arrays[0])])


class _Saved:
    """An operand between the passes: what the gradients of the others need, and its own pattern."""

    def __init__(self, value, is_needed, wants_gradient):
        self.layout, self.shape, self.dtype, self.device = value.layout, value.shape, value.dtype, value.device
        self.is_needed, self.tensors = is_needed, []
        if self.layout == torch.strided:
            self.tensors = [value] if is_needed else []
            return
        # One by one, so that torch notices when one is written to before the backward pass.
        self.kind, arrays, values = index_arrays(value.detach())
        self.tensors = [*arrays, values]
        # Itself, too, where the gradient of another one's gradient goes through it.
        self.has_whole = is_needed and wants_gradient
        if self.has_whole:
            self.tensors.append(value)

    def restore(self, tensors, is_differentiable):
        """The operand, of the next of the tensors that were saved."""
        tensors = [next(tensors) for _ in self.tensors]
        if self.layout == torch.strided:
            # Of one that is not needed there is no more than its shape to be known.
            return tensors[0] if tensors else torch.empty((), dtype=self.dtype, device=self.device).expand(self.shape)
        whole = tensors.pop() if self.has_whole else None
        if is_differentiable and whole is not None:
            return whole
        *arrays, values = tensors
        # Checked by the forward pass, and since then not written to.
        return trust(assemble(self.kind, arrays, values.detach(), self.shape))


class Einsum(torch.autograd.Function):
    @staticmethod
    def forward(context, subscripts, format, workers, *given):
        context.subscripts, context.workers = subscripts, workers
        wanted = context.needs_input_grad[3:]
        context.parts = [_Saved(value, any(wanted[:place] + wanted[place + 1:]), wanted[place])
                         for place, value in enumerate(given)]
        context.save_for_backward(*(tensor for part in context.parts for tensor in part.tensors))
        for part in context.parts:
            part.tensors = [None] * len(part.tensors)
        return compute(subscripts, [value.detach() for value in given], format, workers)

    @staticmethod
    def backward(context, upstream):
        is_differentiable = torch.is_grad_enabled()
        saved = iter(context.saved_tensors)
        operands = [part.restore(saved, is_differentiable) for part in context.parts]
        inputs, output = _sparse_program.split(context.subscripts, len(operands))
        return (None, None, None, *(
            gradient(inputs, output, operands, place, upstream, context.workers, einsum if is_differentiable else compute)
            if wanted else None for place, wanted in enumerate(context.needs_input_grad[3:])))


def differentiable(subscripts, values, format, workers):
    """The einsum with a backward pass."""
    return Einsum.apply(subscripts, format, workers, *values)


def along(subscripts, values, format, workers):
    """The einsum with its derivative along the tangents of forward mode, which sums the einsums that
    have one operand's tangent in its place. Forward mode knows no tangents of sparse tensors."""
    parts = [(value, None) if value.layout != torch.strided else tuple(forward_ad.unpack_dual(value)) for value in values]
    primals = [primal for primal, _ in parts]
    found = einsum(subscripts, primals, format, workers)
    tangents = [einsum(subscripts, [*primals[:place], tangent, *primals[place + 1:]], format, workers)
                for place, (_, tangent) in enumerate(parts) if tangent is not None]
    if not tangents:
        return found
    if found.layout != torch.strided:
        raise NotImplementedError("the result is a sparse tensor, and those have no tangents in PyTorch's forward mode")
    return forward_ad.make_dual(found, sum(tangents[1:], tangents[0]))
