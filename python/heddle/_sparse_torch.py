# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's tensors as operands of heddle.sparse, and gradients of einsums by einsums.

Strided tensors, sparse CSR and CSC matrices and coalesced COO tensors are read where they
lie, by their pointers. Index arrays are checked when they are first seen and again when their
version counter says that they were written to. torch is imported only where a tensor of it
was given.
"""

import ctypes
import itertools
import weakref

_checked = {}  # places and versions of index arrays -> a reference to what keeps them


def is_tensor(value):
    """Whether a value is a torch.Tensor, without importing torch."""
    return any(kind.__module__.startswith("torch") and kind.__name__ == "Tensor" for kind in type(value).__mro__)


def _identity(value, arrays):
    """What changes when index arrays do; None for tensors without a version counter."""
    try:
        return (id(value), *((array.data_ptr(), array.numel(), array._version) for array in arrays))
    except RuntimeError:
        return None


def _check_once(value, arrays, find_fault, name):
    key = _identity(value, arrays)
    known = _checked.get(key) if key else None
    if known and known() is value:
        return
    fault = find_fault()
    if fault:
        raise ValueError(f"operand {name}: {fault}")
    if key:
        _checked[key] = weakref.ref(value, lambda _: _checked.pop(key, None))


def _fault_of_rows(positions, coordinates, rows, columns):
    """The first rule that the arrays of a compressed matrix break, or ""."""
    if positions.numel() != rows + 1 or int(positions[0]) != 0 or int(positions[-1]) != coordinates.numel():
        return f"positions go from 0 to the number of elements, {coordinates.numel()}, in {rows + 1} steps"
    if bool((positions[1:] < positions[:-1]).any()):
        return "positions fall"
    if coordinates.numel() == 0:
        return ""
    if int(coordinates.min()) < 0 or int(coordinates.max()) >= columns:
        return f"a coordinate is outside of 0 to {columns - 1}"
    begins = positions[:-1][positions[:-1] < positions[1:]].long()
    falls = coordinates[1:] <= coordinates[:-1]
    falls[begins[begins > 0] - 1] = False
    return "coordinates of a row are not sorted, or repeated" if bool(falls.any()) else ""


def _fault_of_list(indices, shape):
    """The same for coordinates of a COO tensor: in range, and whole tuples rise."""
    if indices.shape[1] == 0:
        return ""
    for row, extent in zip(indices, shape):
        if int(row.min()) < 0 or int(row.max()) >= extent:
            return f"a coordinate is outside of 0 to {extent - 1}"
    is_later, is_equal = None, None
    for row in indices:
        later, equal = row[1:] > row[:-1], row[1:] == row[:-1]
        is_later = later if is_later is None else is_later | (is_equal & later)
        is_equal = equal if is_equal is None else is_equal & equal
    return "" if bool(is_later.all()) else "elements are not sorted; call coalesce()"


def _encoding(dims, places, bits):
    names = ", ".join(f"d{axis}" for axis in range(dims))
    return f", #sparse_tensor.encoding<{{ map = ({names}) -> ({places}), posWidth = {bits}, crdWidth = {bits} }}>"


def describe(value, name):
    """(encoding, arrays in the order of a program's arguments, counts of the levels) of a tensor."""
    import torch

    value = value.detach()
    if value.device.type != "cpu":
        raise TypeError(f"operand {name} is on {value.device}; heddle.sparse computes on the CPU: move it by .cpu()")
    layout = value.layout
    if layout == torch.strided:
        value = value.resolve_conj().contiguous()
        counts = list(itertools.accumulate(value.shape, lambda a, b: a * b))
        return "", [value], counts
    if len(value.shape) != value.sparse_dim() + value.dense_dim() or value.dense_dim():
        raise TypeError(f"operand {name} has dense dimensions in its elements, which is not supported yet")
    if layout == torch.sparse_coo:
        if not value.is_coalesced():
            raise ValueError(f"operand {name} is not coalesced; call coalesce()")
        indices = value.indices()
        _check_once(value, [indices], lambda: _fault_of_list(indices, value.shape), name)
        rank, count = len(value.shape), indices.shape[1]
        places = ["d0 : compressed(nonunique)" if rank > 1 else "d0 : compressed"]
        places += [f"d{axis} : singleton{'(nonunique)' if axis + 1 < rank else ''}" for axis in range(1, rank)]
        arrays = [torch.tensor([0, count], dtype=torch.int64)]
        arrays += [row.contiguous() for row in indices]
        return _encoding(rank, ", ".join(places), 64), [*arrays, value.values().contiguous()], [count] * rank
    if layout == torch.sparse_csr:
        positions, coordinates, places = value.crow_indices(), value.col_indices(), "d0 : dense, d1 : compressed"
        rows, columns = value.shape if len(value.shape) == 2 else (0, 0)
    elif layout == torch.sparse_csc:
        positions, coordinates, places = value.ccol_indices(), value.row_indices(), "d1 : dense, d0 : compressed"
        columns, rows = value.shape if len(value.shape) == 2 else (0, 0)
    else:
        raise TypeError(f"operand {name} is stored as {layout}; convert it by to_sparse_csr() or to_sparse_coo()")
    if len(value.shape) != 2:
        raise TypeError(f"operand {name} is a batch of sparse matrices, which is not supported yet")
    _check_once(value, [positions, coordinates],
                lambda: _fault_of_rows(positions, coordinates, rows, columns), name)
    bits = 32 if coordinates.dtype == torch.int32 else 64
    arrays = [positions.contiguous(), coordinates.contiguous(), value.values().contiguous()]
    return _encoding(2, places, bits), arrays, [rows, coordinates.numel()]


def array(address, count, dtype, free):
    """The tensor of a result, which frees its memory when nothing refers to it."""
    import torch

    kind = getattr(torch, dtype)
    if count == 0:
        free(address)
        return torch.empty(0, dtype=kind)
    memory = (ctypes.c_char * (count * torch.empty(0, dtype=kind).element_size())).from_address(address)
    weakref.finalize(memory, free, address)
    return torch.frombuffer(memory, dtype=kind, count=count)


def matrix(positions, coordinates, values, shape):
    """A CSR matrix of a result's arrays, which are sound."""
    import torch

    return torch._sparse_csr_tensor_unsafe(positions, coordinates, values, torch.Size(shape))


# --- Gradients ---------------------------------------------------------------


def _with_values(value, values):
    """A sparse tensor with the pattern of `value`."""
    import torch

    if value.layout == torch.sparse_coo:
        return torch.sparse_coo_tensor(value.indices(), values, value.shape)._coalesced_(True)
    if value.layout == torch.sparse_csr:
        return torch._sparse_csr_tensor_unsafe(value.crow_indices(), value.col_indices(), values, value.shape)
    return torch._sparse_csc_tensor_unsafe(value.ccol_indices(), value.row_indices(), values, value.shape)


def _other_order(value):
    """A compressed matrix stored by its other axis first."""
    import torch

    is_rows = value.layout == torch.sparse_csr
    positions = value.crow_indices() if is_rows else value.ccol_indices()
    coordinates = value.col_indices() if is_rows else value.row_indices()
    outer = torch.repeat_interleave(torch.arange(positions.numel() - 1), positions[1:] - positions[:-1])
    order = torch.argsort(coordinates * (positions.numel() - 1) + outer)
    extent = value.shape[1] if is_rows else value.shape[0]
    counts = torch.bincount(coordinates, minlength=extent)
    made = torch.cat([torch.zeros(1, dtype=counts.dtype), counts.cumsum(0)]).to(positions.dtype)
    build = torch._sparse_csc_tensor_unsafe if is_rows else torch._sparse_csr_tensor_unsafe
    return build(made, outer[order].to(coordinates.dtype), value.values()[order], value.shape)


def _try_orders(run, operands):
    """`run(operands)`, with compressed matrices the other way round if nothing else has a plan."""
    import torch

    turned = [number for number, value in enumerate(operands)
              if value.layout in (torch.sparse_csr, torch.sparse_csc)]
    first = None
    for count in range(len(turned) + 1):
        for chosen in itertools.combinations(turned, count):
            try:
                return run([_other_order(value) if number in chosen else value
                            for number, value in enumerate(operands)])
            except NotImplementedError as error:
                first = first or error
    raise first


def _values_of(value):
    import torch

    return value if value.layout == torch.strided else value.values()


def _gradient(einsum, inputs, output, operands, place, upstream, workers):
    """The gradient of an operand: an einsum of the others and what comes from above."""
    import torch

    own, value = inputs[place], operands[place]
    rest = [(indices, operand) for number, (indices, operand) in enumerate(zip(inputs, operands)) if number != place]
    rest.append((output, upstream))
    if value.layout != torch.strided:
        # Where the operand has elements: its pattern is one of the factors.
        ones = _with_values(value, torch.ones_like(value.values()))
        names, tensors = [own] + [indices for indices, _ in rest], [ones] + [tensor for _, tensor in rest]
        if value.layout != torch.sparse_csr:
            # Results are CSR or dense: the values are taken from a dense one.
            whole = _try_orders(lambda found: einsum(",".join(names[1:]) + "->" + own, *found, format="dense",
                                                     workers=workers), tensors[1:])
            if value.layout == torch.sparse_coo:
                return _with_values(value, whole[tuple(value.indices())])
            columns = torch.repeat_interleave(torch.arange(value.shape[1]),
                                              (value.ccol_indices()[1:] - value.ccol_indices()[:-1]).long())
            return _with_values(value, whole[value.row_indices().long(), columns])
        found = _try_orders(lambda found: einsum(",".join(names) + "->" + own, ones, *found, format="csr",
                                                 workers=workers), tensors[1:])
        return _with_values(value, found.values())
    there = set("".join(indices for indices, _ in rest))
    extents = dict(zip(own, value.shape))
    for index in own:
        if index not in there:
            rest.append((index, torch.ones(extents[index], dtype=value.dtype)))
    return _try_orders(lambda found: einsum(",".join(indices for indices, _ in rest) + "->" + own, *found,
                                            format="dense", workers=workers), [tensor for _, tensor in rest])


def differentiable(einsum, inputs, output, operands, format, workers):
    """The einsum with a backward pass."""
    import torch

    class Einsum(torch.autograd.Function):
        @staticmethod
        def forward(context, *given):
            context.operands = [value.detach() for value in given]
            subscripts = ",".join(inputs) + "->" + output
            return einsum(subscripts, *context.operands, format=format, workers=workers)

        @staticmethod
        def backward(context, upstream):
            upstream = upstream.detach()
            return tuple(
                _gradient(einsum, inputs, output, context.operands, place, upstream, workers) if wanted else None
                for place, wanted in enumerate(context.needs_input_grad))

    return Einsum.apply(*operands)


def needs_gradient(operands):
    import torch

    return torch.is_grad_enabled() and any(value.requires_grad for value in operands)
