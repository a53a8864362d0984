# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's tensors as operands of heddle.sparse, and the calls on them.

Strided tensors, sparse CSR and CSC matrices and coalesced COO tensors are read where they
lie. Index arrays are checked when they are first seen and again when their version counter
says that they were written to. A call is prepared once for operands of one kind and is then
a look-up, one call of C and an empty tensor.
"""

import ctypes
import itertools
import os
import re
import struct
import weakref

import torch
from torch.autograd import forward_ad

from . import _sparse_program
from ._sparse_program import Operand, encoding_of

MOST_KEPT = 4096  # calls and matrices; all are forgotten then, and made again
_calls = {}
_matrices = {}  # id of a tensor -> its Matrix
_kinds = {}  # what plans depend on in a sparse operand -> a number


# --- Sparse operands ---------------------------------------------------------


class Elsewhere(TypeError):
    """A tensor that is not in host memory."""

    def __init__(self, name, device):
        super().__init__(
            f"operand {name} is on {device}; heddle.sparse computes on CPUs and CUDA's GPUs: move it by .cpu()")


def _must_have_memory(array, name):
    """A storage may have been given back, or made smaller, behind its tensors."""
    if array.numel():
        last = array.storage_offset() + sum((extent - 1) * step for extent, step in zip(array.shape, array.stride()))
        needed, there = (last + 1) * array.dtype.itemsize, array.untyped_storage().nbytes()
        if needed > there:
            raise ValueError(f"operand {name} has elements in {needed} bytes of a storage, of which {there} are left")


def _fault_of_rows(positions, coordinates, rows, columns):
    """The first rule that the arrays of a compressed matrix break, or ""."""
    count = coordinates.numel()
    if positions.numel() != rows + 1:
        return f"positions go from 0 to the number of elements, {count}, in {rows + 1} steps"
    if positions.dtype != coordinates.dtype:
        return "positions and coordinates have different types"
    if positions.dtype not in (torch.int32, torch.int64):
        return f"positions and coordinates are {positions.dtype}, not int32 or int64"
    fault = _sparse_program.library().heddle_sparse_fault_of_rows(
        positions.data_ptr(), coordinates.data_ptr(), coordinates.dtype.itemsize * 8, rows, columns, count)
    return fault.decode() if fault else ""


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


def _check(arrays, shape, layout, name):
    if layout == "coo":
        fault = _fault_of_list(arrays[0], shape)
    else:
        rows, columns = shape if layout == "csr" else (shape[1], shape[0])
        fault = _fault_of_rows(arrays[0], arrays[1], rows, columns)
    if fault:
        raise ValueError(f"operand {name}: {fault}")


_BLOCKS = (torch.sparse_bsr, torch.sparse_bsc)
_COMPRESSED = (torch.sparse_csr, torch.sparse_csc, *_BLOCKS)


def has_parts(value):
    """Whether a sparse tensor is made of blocks, or is a batch of matrices."""
    return value.layout in _BLOCKS or (value.layout in _COMPRESSED and value.dim() > 2)


def _by_elements(value):
    """The same for its elements, the zeros of blocks among them: a matrix by rows, others as a list."""
    found = value.detach().to_sparse_coo().coalesce()
    indices, values = found.indices(), found.values()
    if value.dim() > 2 or values.dim() > 1:
        return "coo", (indices,), values
    fault = _fault_of_list(indices, value.shape)
    if fault:
        raise ValueError(fault)
    return "csr", (torch._convert_indices_from_coo_to_csr(indices[0], value.shape[0]), indices[1].contiguous()), values


def index_arrays(value):
    """(layout, index arrays, values) of a sparse tensor."""
    layout = value.layout
    if has_parts(value):
        return _by_elements(value)
    if layout == torch.sparse_csr:
        return "csr", (value.crow_indices(), value.col_indices()), value.values()
    if layout == torch.sparse_csc:
        return "csc", (value.ccol_indices(), value.row_indices()), value.values()
    return "coo", (value.indices(),), value.values()


def describe(layout, arrays, values, shape, name, is_sound=False):
    """(operand, arrays that it points into) of a sparse matrix given by its arrays, which are
    not checked if they are known to be sound."""
    dtype = str(values.dtype).rpartition(".")[2]
    if not all(array.device.type == "cpu" for array in (*arrays, values)):
        raise Elsewhere(name, values.device)
    if values.dim() != 1:
        raise TypeError(f"operand {name} has dense dimensions in its elements, which is not supported yet")
    if layout != "coo" and (len(shape) != 2 or arrays[0].dim() != 1):
        raise TypeError(f"operand {name} is a batch of sparse matrices, which is not supported yet")
    for array in (*arrays, values):
        _must_have_memory(array, name)
    arrays = [array.contiguous() for array in arrays]
    if not is_sound:
        _check(arrays, shape, layout, name)
    count, rank = values.numel(), len(shape)
    if arrays[-1].shape[-1] != count:
        raise ValueError(f"operand {name}: there are {arrays[-1].shape[-1]} coordinates and {count} values")
    if layout == "coo":
        levels = ["d0 : compressed(nonunique)" if rank > 1 else "d0 : compressed"]
        levels += [f"d{axis} : singleton{'(nonunique)' if axis + 1 < rank else ''}" for axis in range(1, rank)]
        kept = [torch.tensor([0, count], dtype=torch.int64)]
        kept += [row.contiguous() for row in arrays[0]]
        encoding, counts = encoding_of(rank, ", ".join(levels), 64), [count] * rank
    else:
        levels = "d0 : dense, d1 : compressed" if layout == "csr" else "d1 : dense, d0 : compressed"
        kept = arrays
        encoding = encoding_of(2, levels, 32 if arrays[1].dtype == torch.int32 else 64)
        counts = [shape[0] if layout == "csr" else shape[1], count]
    kept.append(values.resolve_neg().contiguous())
    return Operand(name, shape, dtype, encoding, counts, [array.data_ptr() for array in kept]), kept


_patterns = weakref.WeakValueDictionary()  # where index arrays lie, and of what shape -> a Matrix that was checked


def _is_known_pattern(place, value):
    """Whether a new tensor is made of the index arrays of one that was checked, lives and was not written to."""
    known = _patterns.get(place)
    owner = known.reference() if known is not None else None
    return (owner is not None and known.state is not None and Matrix.state_of(owner) == known.state
            and value.layout is not torch.sparse_coo and value._version == 0)


class Matrix:
    """A sparse tensor as an operand: checked and described, until its arrays change."""

    def __init__(self, value, name, is_sound=False):
        layout, arrays, values = index_arrays(value)
        # A matrix by rows and its transposed one by columns are the same arrays under the same rules.
        shape = value.shape[::-1] if layout == "csc" else value.shape
        place = (layout == "coo", *(array.data_ptr() for array in arrays), arrays[-1].numel(), arrays[-1].dtype, shape)
        is_sound = is_sound or _is_known_pattern(place, value)
        self.operand, self.kept = describe(layout, arrays, values, value.shape, name, is_sound)
        if not is_sound:
            _patterns[place] = self
        self.reference = weakref.ref(value, lambda _, key=id(value): _matrices.pop(key, None))
        self.shape, self.slots = value.shape, self.operand.slots
        operand = self.operand
        self.kind = _kinds.setdefault((operand.type, operand.logs, operand.shape), len(_kinds))
        self.state, self.calls = self.state_of(value), {}
        self.address = self.kept[-1].data_ptr()

    def is_in_place(self):
        """Whether the values' storage was neither given back nor made anew, which no version counts."""
        return self.kept[-1].data_ptr() == self.address

    @staticmethod
    def state_of(value):
        """What changes when the tensor's arrays do. None: there is no telling."""
        try:
            if value.layout is not torch.sparse_coo:
                # Its arrays are views, so that writing to them counts in its version; they
                # are never others, unless it becomes another tensor under the same name.
                return value._cdata, value._version
            indices, values = value.indices(), value.values()
            return value._cdata, value._version, indices.data_ptr(), indices._version, values.data_ptr(), value.shape
        except RuntimeError:
            return None  # an inference tensor, which has no version


def trust(value):
    """The same sparse tensor, whose arrays are known to be sound and are not looked at. One of a
    GPU is not described here."""
    if value.device.type == "cpu":
        _matrices[id(value)] = Matrix(value, "T0", is_sound=True)
    return value


def recall(matrices, value):
    """What was made of a sparse tensor and kept in `matrices`; None if it is new or has changed."""
    known = matrices.get(id(value))
    if known is not None and known.reference() is value:
        state = Matrix.state_of(value)
        if state is not None and state == known.state:
            return known
    return None


def make_and_keep(matrices, kind, value, name):
    """A `kind` of a sparse tensor, kept in `matrices` unless the tensor was computed with a gradient."""
    with torch.no_grad():
        made = kind(value, name)
    if len(matrices) >= MOST_KEPT:
        matrices.clear()
    if value.is_leaf:
        matrices[id(value)] = made
    return made


def matrix_of(value, name):
    """The Matrix of a sparse tensor, made when it is new or has changed."""
    known = recall(_matrices, value)
    if known is not None and known.is_in_place():
        return known
    if value.layout is not torch.sparse_coo and value.layout not in _COMPRESSED:
        raise TypeError(f"operand {name} is stored as {value.layout}; convert it by to_sparse_csr() or to_sparse_coo()")
    if value.layout == torch.sparse_coo and not value.is_coalesced():
        raise ValueError(f"operand {name} is not coalesced; call coalesce()")
    return make_and_keep(_matrices, Matrix, value, name)


# --- Calls -------------------------------------------------------------------


_MEMORY = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


class Call:
    """An einsum prepared for operands of one kind."""

    def __init__(self, program, shape, pattern, dtype, slots):
        self.program, self.shape, self.pattern = program, shape, pattern
        self.dtype = getattr(torch, dtype)
        self.bytes = self.dtype.itemsize
        for extent in shape:
            self.bytes *= extent
        if not pattern and self.bytes > _MEMORY:
            raise MemoryError(f"the result has {' x '.join(map(str, shape))} elements of {self.dtype.itemsize} bytes, "
                              "more than the memory of this machine holds")
        self.model = torch.empty((), dtype=self.dtype).expand(shape)  # of results: quicker than shape and type
        self.count = slots
        self.pack = struct.Struct(f"{slots}q").pack
        self.handle, self.into = program.handle, program.run_into
        # The place of the operand that a sparse result has the positions of.
        same = re.search(r'einsum.nest "R" .*assemble "same T(\d+)"', program.plan) if pattern else None
        self.same = int(same[1]) if same else MOST_KEPT

    def run(self, slots, values=()):
        """The result of arrays at the addresses in `slots`. One that has the positions of a CSR matrix
        among `values`, the operands, shares its index arrays."""
        if not self.pattern:
            return self.run_dense(self.pack(*slots))
        if self.same < len(values) and values[self.same].layout is torch.sparse_csr:
            owner = values[self.same]
            made = torch.empty_like(owner.values())
            if self.into(self.handle, self.pack(*slots), self.count, made.data_ptr(), made.nbytes):
                self.program.fail()
            return torch.sparse_csr_tensor(owner.crow_indices(), owner.col_indices(), made, self.shape,
                                           check_invariants=False)
        index = torch.int64 if "posWidth = 64" in self.pattern else torch.int32
        found = self.program.run(slots, 3)
        parts = [_array(found[2 * i], found[2 * i + 1], kind) for i, kind in enumerate((index, index, self.dtype))]
        return torch.sparse_csr_tensor(*parts, self.shape, check_invariants=False)

    def run_dense(self, packed):
        made = _empty_like(self.model, memory_format=_CONTIGUOUS)
        if self.into(self.handle, packed, self.count, made.data_ptr(), self.bytes):
            self.program.fail()
        return made


_empty_like, _CONTIGUOUS, _STRIDED = torch.empty_like, torch.contiguous_format, torch.strided
_address = struct.Struct("q").pack


class Repeated:
    """A call of one matrix with strided tensors of one shape: all slots but their address."""

    def __init__(self, call, slots, place, bytes):
        self.call, self.bytes = call, bytes
        self.before, self.after = (struct.pack(f"{len(part)}q", *part) for part in (slots[:place], slots[place + 1:]))


def repeat(subscripts, a, b, format, workers):
    """(the repeated call of a matrix and a strided tensor, its slots), or None and None."""
    known = _matrices.get(id(a))
    if known is None or known.reference() is not a or b.layout is not _STRIDED:
        return None, None
    found = known.calls.get((subscripts, b.shape, b.dtype, format, workers, torch.get_num_threads()))
    if (found is None or not b.is_contiguous() or not b.is_cpu or b.is_neg()
            or known.state is None or known.state_of(a) != known.state or not known.is_in_place()):
        return None, None
    if b.untyped_storage().nbytes() < found.bytes:  # it was given back
        return None, None
    return found.call, found.before + _address(b.data_ptr()) + found.after


_PRODUCTS = {(2, 2): "ij,jk->ik", (2, 1): "ij,j->i"}  # by the operands' axes
_is_grad_enabled = torch.is_grad_enabled


def multiply_again(a, b, format, workers):
    """The product of a matrix that was multiplied before with a strided tensor like that of then,
    without a gradient; None if that is not so. What it asks is what a small product takes."""
    known = _matrices.get(id(a))
    if known is None or known.reference() is not a or not isinstance(b, torch.Tensor):
        return None
    if _is_grad_enabled() and (b.requires_grad or a.requires_grad) or forward_ad._current_level >= 0:
        return None
    subscripts = _PRODUCTS.get((len(known.shape), b.dim()))
    call, packed = repeat(subscripts, a, b, format, workers) if subscripts else (None, None)
    return call.run_dense(packed) if call is not None else None


def _array(address, count, dtype):
    """The tensor of a result, which frees its memory when nothing refers to it."""
    free = _sparse_program.library().heddle_sparse_free
    if count == 0:
        free(address)
        return torch.empty(0, dtype=dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    weakref.finalize(memory, free, address)
    return torch.frombuffer(memory, dtype=dtype, count=count)


def _row_major(value, name):
    """(the tensor by rows, whether its two axes change places for that)."""
    if not value.is_cpu:
        raise Elsewhere(name, value.device)
    _must_have_memory(value, name)
    if value.is_neg():
        value = value.resolve_neg()
    if value.is_contiguous():
        return value, False
    if value.dim() == 2 and value.stride(0) < value.stride(1):
        # Columns are nearer to each other than rows are, as in a part of a transposed matrix.
        return value.t().contiguous(), True
    return value.contiguous(), False


def by_rows(value, name):
    """A strided tensor, or a copy of it, with the elements of a row side by side."""
    value, is_turned = _row_major(value, name)
    return value.contiguous() if not is_turned else value.t().contiguous()


def operand_of(value, name):
    counts = list(itertools.accumulate(value.shape, lambda a, b: a * b))
    return Operand(name, value.shape, str(value.dtype).rpartition(".")[2], "", counts, [value.data_ptr()])


def _prepare(subscripts, readable, matrices, turned, format, workers):
    inputs, output = _sparse_program.split(subscripts, len(readable))
    operands = []
    for place, (value, matrix) in enumerate(zip(readable, matrices)):
        name = f"T{place}"
        if matrix is None:
            operands.append(operand_of(value, name))
            if place in turned and len(inputs[place]) == 2:
                inputs[place] = inputs[place][::-1]
        else:
            found = matrix.operand
            operands.append(Operand(name, found.shape, found.dtype, found.encoding, found.sizes[len(found.shape):],
                                    found.slots[:-len(found.shape)]))
    program, shape, pattern = _sparse_program.compile_einsum(inputs, output, operands, format, workers)
    slots = sum(len(operand.slots) for operand in operands)
    return Call(program, shape, pattern, operands[0].dtype, slots)


_PROCESSORS = os.cpu_count() or 1


def threads():
    """PyTorch's number of threads; 0, the compiler's choice, where it is all processors."""
    threads = torch.get_num_threads()
    return 0 if threads >= _PROCESSORS else threads


def _find(subscripts, values, format, workers):
    """(call, slots, what must live while it runs) for tensors without gradients."""
    workers = workers or threads()
    key, slots, readable, matrices, turned = [subscripts, format, workers], [], [], [], ()
    for place, value in enumerate(values):
        if value.layout is torch.strided:
            value, is_turned = _row_major(value, f"T{place}")
            if is_turned:
                turned += (place,)
            shape = value.shape
            key += (shape, value.dtype, is_turned)
            slots.append(value.data_ptr())
            slots += shape
            matrices.append(None)
        else:
            matrix = matrix_of(value, f"T{place}")
            key.append(matrix.kind)
            slots += matrix.slots
            matrices.append(matrix)
        readable.append(value)
    key = tuple(key)
    call = _calls.get(key)
    if call is None:
        if len(_calls) >= MOST_KEPT:
            _calls.clear()
        call = _calls[key] = _prepare(subscripts, readable, matrices, turned, format, workers)
    return call, slots, (readable, matrices)


def is_on_gpu(value):
    return value.is_cuda


def _gpu_of(values, error):
    """The module for tensors on GPUs if one is there. Asked behind a failure, so that the CPU's
    calls do not take longer."""
    if not any(map(is_on_gpu, values)):
        raise error
    from . import _sparse_gpu

    return _sparse_gpu


def plan_of(subscripts, values, format):
    try:
        return _find(subscripts, values, format, 0)[0].program.plan
    except Elsewhere as error:
        return _gpu_of(values, error).plan_of(subscripts, values, format)


def compute(subscripts, values, format, workers):
    """The einsum of tensors, without gradients."""
    if len(values) == 2:
        call, packed = repeat(subscripts, values[0], values[1], format, workers)
        if call is not None:
            return call.run_dense(packed)
    try:
        call, slots, alive = _find(subscripts, values, format, workers)
    except Elsewhere as error:
        return _gpu_of(values, error).compute(subscripts, values, format)
    _remember(subscripts, values, format, workers, call, slots, alive)
    return call.run(slots, values)


def _remember(subscripts, values, format, workers, call, slots, alive):
    """Keeps the call for its next time, if it is one of a matrix and a strided tensor."""
    readable, matrices = alive
    matrix = matrices[0]
    if len(values) == 2 and matrix is not None and matrices[1] is None and not call.pattern and readable[1] is values[1]:
        key = (subscripts, values[1].shape, values[1].dtype, format, workers, torch.get_num_threads())
        if len(matrix.calls) >= MOST_KEPT:
            matrix.calls.clear()
        matrix.calls[key] = Repeated(call, slots, len(matrix.slots), values[1].nbytes)


def has_tangents(values):
    """Whether one of the strided tensors has a derivative of forward mode."""
    return forward_ad._current_level >= 0 and any(
        value.layout is torch.strided and forward_ad.unpack_dual(value).tangent is not None for value in values)


def einsum(subscripts, values, format, workers):
    if has_tangents(values):
        from . import _sparse_gradients

        return _sparse_gradients.along(subscripts, values, format, workers)
    if torch.is_grad_enabled():
        for value in values:
            if value.requires_grad:
                for place, value in enumerate(values):
                    if value.requires_grad and value.layout is not torch.strided and has_parts(value):
                        raise TypeError(f"operand T{place} is {value.layout} of {value.dim()} axes, which takes no "
                                        "gradient here; convert it by to_sparse_coo() or store it as CSR")
                from . import _sparse_gradients

                return _sparse_gradients.differentiable(subscripts, values, format, workers)
    return compute(subscripts, values, format, workers)
