# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of einsums of PyTorch's tensors, by einsums.

The gradient of a dense operand is the product of the others and of what comes from above;
that of a sparse one is the same where it has elements, in its own layout. A matrix is stored
by its other axis for that if no plan takes it as it is.
"""

import itertools
import string

import torch
from torch.autograd.function import once_differentiable

from . import _sparse_program
from ._sparse_torch import compute, index_arrays, trust

_BUILD = {"csr": torch.sparse_csr_tensor, "csc": torch.sparse_csc_tensor}


def assemble(layout, arrays, values, shape):
    """A sparse tensor of arrays that are sound."""
    if layout == "coo":
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


def gradient(inputs, output, operands, place, upstream, workers):
    """The gradient of an operand, in its layout."""
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
        return lambda found: compute(subscripts, found, format, workers)

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
        return _with_values(value, found.values())
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


class Einsum(torch.autograd.Function):
    @staticmethod
    def forward(context, subscripts, format, workers, *given):
        operands = [value.detach() for value in given]
        context.subscripts, context.workers = subscripts, workers
        # Saved one by one, so that torch notices when one is written to before the backward pass.
        context.parts, saved = [], []
        for value in operands:
            layout, arrays, values = ("strided", (), value) if value.layout == torch.strided else index_arrays(value)
            context.parts.append((layout, len(arrays), value.shape))
            saved += [*arrays, values]
        context.save_for_backward(*saved)
        return compute(subscripts, operands, format, workers)

    @staticmethod
    @once_differentiable
    def backward(context, upstream):
        saved, operands = iter(context.saved_tensors), []
        for layout, count, shape in context.parts:
            arrays = [next(saved) for _ in range(count)]
            values = next(saved).detach()
            # Checked by the forward pass, and since then not written to.
            operands.append(values if layout == "strided" else trust(assemble(layout, arrays, values, shape)))
        inputs, output = _sparse_program.split(context.subscripts, len(operands))
        return (None, None, None, *(
            gradient(inputs, output, operands, place, upstream, context.workers) if wanted else None
            for place, wanted in enumerate(context.needs_input_grad[3:])))


def differentiable(subscripts, values, format, workers):
    """The einsum with a backward pass."""
    return Einsum.apply(subscripts, format, workers, *values)
