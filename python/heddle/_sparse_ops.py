# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Einsums as operators of PyTorch's graphs: torch.ops.heddle.sparse_einsum and its backward.

torch.compile and torch.export keep an operator whole when it takes strided tensors and says
of what shape its result is. So a sparse operand is given by its index arrays and values, one
after the other, and the layouts say which arrays belong together. The operators compute as
heddle.sparse does on sparse tensors of these arrays.
"""

import torch

from . import _sparse_program, _sparse_torch, sparse
from ._sparse_gradients import assemble, gradient, values_at

_INDEX_ARRAYS = {"strided": 0, "csr": 2, "csc": 2, "coo": 1}


def _parts(arrays, layouts, ranks, shapes):
    """(layout, index arrays, values, shape) of each operand."""
    arrays, shapes = list(arrays), list(shapes)
    for layout, rank in zip(layouts.split(","), ranks):
        count = _INDEX_ARRAYS[layout]
        index, values = arrays[:count], arrays[count]
        del arrays[:count + 1]
        shape = values.shape
        if layout != "strided":
            shape, shapes = shapes[:rank], shapes[rank:]
        yield layout, index, values, shape


def _read(arrays, subscripts, layouts, shapes):
    """The operands as tensors, and the indices of operands and result."""
    inputs, output = _sparse_program.split(subscripts, len(layouts.split(",")))
    parts = _parts(arrays, layouts, map(len, inputs), shapes)
    operands = [values.detach() if layout == "strided" else assemble(layout, index, values.detach(), shape)
                for layout, index, values, shape in parts]
    return operands, inputs, output


_ARGUMENTS = "Tensor[] arrays, str subscripts, str layouts, SymInt[] shapes, int pattern"


@torch.library.custom_op("heddle::sparse_einsum", mutates_args=(), schema=f"({_ARGUMENTS}) -> Tensor")
def sparse_einsum(arrays, subscripts, layouts, shapes, pattern):
    """The einsum's result, dense; or, if `pattern` is a CSR operand with the result's indices,
    its values where that has elements."""
    operands, _, _ = _read(arrays, subscripts, layouts, shapes)
    found = _sparse_torch.compute(subscripts, operands, "dense" if pattern < 0 else "csr", 0)
    return found if pattern < 0 else values_at(operands[pattern], found)


@sparse_einsum.register_fake
def _(arrays, subscripts, layouts, shapes, pattern):
    inputs, output = _sparse_program.split(subscripts, len(layouts.split(",")))
    extents = {}
    for place, (_, _, values, shape) in enumerate(_parts(arrays, layouts, map(len, inputs), shapes)):
        if place == pattern:
            return torch.empty_like(values)
        extents.update(zip(inputs[place], shape))
    return arrays[-1].new_empty([extents[index] for index in output])


@torch.library.custom_op("heddle::sparse_einsum_backward", mutates_args=(),
                         schema=f"(Tensor upstream, {_ARGUMENTS}, int place) -> Tensor")
def sparse_einsum_backward(upstream, arrays, subscripts, layouts, shapes, pattern, place):
    """The gradient of the values of operand `place`."""
    operands, inputs, output = _read(arrays, subscripts, layouts, shapes)
    if pattern >= 0:
        layout, index, _ = _sparse_torch.index_arrays(operands[pattern])
        upstream = assemble(layout, index, upstream, operands[pattern].shape)
    found = gradient(inputs, output, operands, place, upstream.detach(), 0)
    return found if found.layout == torch.strided else found.values()


@sparse_einsum_backward.register_fake
def _(upstream, arrays, subscripts, layouts, shapes, pattern, place):
    return torch.empty_like(arrays[_places(layouts)[place]], memory_format=torch.contiguous_format)


def _places(layouts):
    """Where the values of each operand are among the arrays."""
    places, at = [], -1
    for layout in layouts.split(","):
        at += _INDEX_ARRAYS[layout] + 1
        places.append(at)
    return places


def _save(ctx, inputs, output):
    arrays, *ctx.rest = inputs
    ctx.save_for_backward(*arrays)


def _backward(context, upstream):
    arrays = list(context.saved_tensors)
    gradients = [None] * len(arrays)
    for place, at in enumerate(_places(context.rest[1])):
        if context.needs_input_grad[0][at]:
            gradients[at] = sparse_einsum_backward(upstream, arrays, *context.rest, place)
    return gradients, None, None, None, None


sparse_einsum.register_autograd(_backward, setup_context=_save)


def einsum(subscripts, values, format, workers):
    """For operands of which at least one is a heddle.sparse.Tensor; the others are strided."""
    inputs, output = _sparse_program.split(subscripts, len(values))
    layouts = ["strided" if isinstance(value, torch.Tensor) else value.layout for value in values]
    if format is None:
        format = _sparse_program.choose_format(inputs, output, [layout != "strided" for layout in layouts])
    pattern = -1
    if format == "csr":
        same = [place for place, layout in enumerate(layouts) if layout == "csr" and inputs[place] == output]
        if not same:
            raise NotImplementedError("the number of the result's elements depends on the operands' values, "
                                      "so it is no operator of a graph; give format='dense', or torch tensors")
        pattern = same[0]
    arrays, shapes = [], []
    for value, layout in zip(values, layouts):
        if layout == "strided":
            arrays.append(value)
        else:
            arrays += [*value.arrays, value.values]
            shapes += value.shape
    found = sparse_einsum(arrays, subscripts, ",".join(layouts), shapes, pattern)
    if pattern < 0:
        return found
    return sparse.Tensor("csr", values[pattern].arrays, found, values[pattern].shape)


def plan_of(subscripts, values, format):
    values = [value.to_torch() if isinstance(value, sparse.Tensor) else value for value in values]
    return _sparse_torch.plan_of(subscripts, values, format)
