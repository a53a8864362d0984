# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse einsums on the CPU, on SciPy's and NumPy's arrays and on PyTorch's tensors.

    import heddle.sparse
    C = heddle.sparse.matmul(A, B)                  # CSR times dense, CSR times CSR
    S = heddle.sparse.einsum("ij,ik,jk->ij", A, B, D)   # products where A has elements

Operands are SciPy CSR or CSC arrays and NumPy arrays, or torch tensors (strided, CSR, CSC,
coalesced COO), all float32 or all float64. Results of torch tensors are torch tensors, with
gradients by further einsums.
A program is compiled in process at its first use, by the operands' sizes, and
kept. docs/sparse.md has what einsums mean; what is not lowered yet raises
NotImplementedError with the reason.
"""

import ctypes
import weakref
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_void_p

from . import _compiler_capi, _sparse_torch

__all__ = ["einsum", "matmul", "plan_of"]

_SIGNATURES = {
    "heddle_sparse_compile": (
        c_int,
        [c_char_p, c_size_t, POINTER(c_int64), c_size_t, c_int, POINTER(c_void_p), POINTER(c_void_p)],
    ),
    "heddle_sparse_run": (c_int, [c_void_p, POINTER(c_int64), c_size_t, POINTER(c_int64), c_size_t]),
    "heddle_sparse_message": (c_char_p, [c_void_p]),
    "heddle_sparse_free": (None, [c_void_p]),
    "heddle_sparse_destroy": (None, [c_void_p]),
}
_programs = {}
_matrices = {}  # id of a matrix and its name -> a weak reference to it, and its operand
_ELEMENTS = {"float32": "f32", "float64": "f64"}


def _library():
    found = _compiler_capi.library()
    if not hasattr(found, "_heddle_sparse"):
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(found, name)
            function.restype, function.argtypes = result, arguments
        found._heddle_sparse = True
    return found


class _Program:
    """Compiled code, and the order of its arguments."""

    def __init__(self, text, sizes, workers):
        library = _library()
        handle, texts = c_void_p(), c_void_p()
        flat = (c_int64 * len(sizes))(*sizes)
        source = text.encode()
        outcome = library.heddle_sparse_compile(
            source, len(source), flat, len(sizes), workers, ctypes.byref(handle), ctypes.byref(texts))
        result = _compiler_capi.Result(outcome, texts)
        if outcome == _compiler_capi.DECLINED:
            raise NotImplementedError(result.messages.strip())
        if outcome != _compiler_capi.FINE:
            raise ValueError(result.messages.strip())
        self.plan = result.schedule
        self._handle, self._run = handle, library.heddle_sparse_run
        weakref.finalize(self, library.heddle_sparse_destroy, handle)

    def run(self, slots, count):
        arguments = (c_int64 * len(slots))(*slots)
        results = (c_int64 * (2 * count))()
        outcome = self._run(self._handle, arguments, len(slots), results, 2 * count)
        if outcome != _compiler_capi.FINE:
            raise MemoryError(_library().heddle_sparse_message(self._handle).decode())
        return list(results)


def _array(address, count, dtype):
    """The array of a result, which frees its memory when nothing refers to it."""
    import numpy

    size = count * numpy.dtype(dtype).itemsize
    if count == 0:
        _library().heddle_sparse_free(address)
        return numpy.empty(0, dtype)
    memory = (ctypes.c_char * size).from_address(address)
    weakref.finalize(memory, _library().heddle_sparse_free, address)
    return numpy.frombuffer(memory, dtype=dtype, count=count)


class _Operand:
    """One argument: its type in a program, its sizes for the planner, its slots for a run."""

    def __init__(self, value, name):
        if _sparse_torch.is_tensor(value):
            self.encoding, self.arrays, self.counts = _sparse_torch.describe(value, name)
            dtype = str(value.dtype).rpartition(".")[2]
            self._finish(tuple(value.shape), name, dtype, [array.data_ptr() for array in self.arrays])
            return
        import numpy

        layout = getattr(value, "format", None)
        if layout in ("csr", "csc"):
            self._read_rows(value, name, layout, numpy)
        elif layout is not None:
            raise TypeError(f"operand {name} is stored as {layout}; convert it by .tocsr() or .tocsc()")
        else:
            value = numpy.asarray(value)
            if not value.flags.c_contiguous:
                value = numpy.ascontiguousarray(value)
            self.encoding, self.arrays, self.counts = "", [value], []
            count = 1
            for extent in value.shape:
                count *= extent
                self.counts.append(count)
        self._finish(value.shape, name, str(self.arrays[-1].dtype), [array.ctypes.data for array in self.arrays])

    def _finish(self, shape, name, dtype, pointers):
        self.shape, self.name, self.dtype = shape, name, dtype
        if self.dtype not in _ELEMENTS:
            raise TypeError(f"operand {name} has elements of {self.dtype}; float32 and float64 are supported")
        if len(self.shape) == 0:
            raise ValueError(f"operand {name} is a scalar; multiply by it outside")
        self.type = f"tensor<{'?x' * len(self.shape)}{_ELEMENTS[self.dtype]}{self.encoding}>"
        self.sizes = [*self.shape, *self.counts]
        self.logs = tuple(max(size, 1).bit_length() for size in self.sizes)
        self.slots = pointers + list(self.shape)

    def _read_rows(self, value, name, layout, numpy):
        value.check_format(full_check=True)
        if not value.has_canonical_format:
            raise ValueError(f"operand {name} has unsorted or repeated coordinates; call sum_duplicates()")
        if value.indptr.dtype != value.indices.dtype:
            raise TypeError(f"operand {name} has positions and coordinates of different types")
        bits = value.indices.dtype.itemsize * 8
        first, second = ("d0", "d1") if layout == "csr" else ("d1", "d0")
        self.encoding = (
            f", #sparse_tensor.encoding<{{ map = (d0, d1) -> ({first} : dense, {second} : compressed), "
            f"posWidth = {bits}, crdWidth = {bits} }}>")
        self.arrays = [value.indptr, value.indices, value.data]
        self.counts = [len(value.indptr) - 1, len(value.indices)]

    def is_still(self, value):
        """Whether a matrix has the arrays that were read here."""
        arrays = self.arrays
        return (value.indptr is arrays[0] and value.indices is arrays[1] and value.data is arrays[2]
                and value.shape == self.shape)


def _read(value, name):
    """The operand of a value. A matrix is checked and described once, by the name that it has
    in its place."""
    if _sparse_torch.is_tensor(value) or getattr(value, "format", None) is None:
        return _Operand(value, name)
    key = (id(value), name)
    known = _matrices.get(key)
    if known and known[0]() is value and known[1].is_still(value):
        return known[1]
    operand = _Operand(value, name)
    _matrices[key] = weakref.ref(value, lambda _: _matrices.pop(key, None)), operand
    return operand



def _split(subscripts, count):
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    if not arrow:
        once = [index for index in sorted(set(left) - {","}) if left.count(index) == 1]
        right = "".join(once)
    if len(inputs) != count:
        raise ValueError(f"{subscripts!r} has {len(inputs)} operands and {count} were given")
    if not all(index.isalpha() for index in left.replace(",", "") + right):
        raise ValueError(f"indices are letters, which {subscripts!r} does not keep to")
    return inputs, right


def _choose_format(inputs, output, operands):
    """CSR if every operand is sparse, or one has elements at the output's indices."""
    sparse = [indices for indices, operand in zip(inputs, operands) if operand.encoding]
    if len(output) == 2 and (len(sparse) == len(operands) or output in sparse):
        return "csr"
    return "dense"


def _compile(subscripts, values, format, workers):
    inputs, output = _split(subscripts, len(values))
    operands = [_read(value, f"T{number}") for number, value in enumerate(values)]
    for indices, operand in zip(inputs, operands):
        if len(indices) != len(operand.shape):
            raise ValueError(
                f"operand {operand.name} has {len(operand.shape)} axes and {len(indices)} indices")
        if operand.dtype != operands[0].dtype:
            raise TypeError(
                f"operand {operand.name} has elements of {operand.dtype} and T0 of {operands[0].dtype}")
    if format is None:
        format = _choose_format(inputs, output, operands)
    if format not in ("dense", "csr"):
        raise ValueError(f"a result is 'dense' or 'csr', not {format!r}")
    if not output:
        raise NotImplementedError("a result without indices is not lowered yet; sum the result of one index")
    types = [operand.type for operand in operands]
    pattern = ""
    if format == "csr":
        widths = [operand.encoding for operand in operands if operand.encoding]
        pattern = next((encoding for encoding in widths if "d0 : dense" in encoding), None) or (
            ", #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), "
            "posWidth = 32, crdWidth = 32 }>")
    made = f"tensor<{'?x' * len(output)}{_ELEMENTS[operands[0].dtype]}{pattern}>"
    key = (subscripts, tuple(types), made, workers,
           tuple(operand.logs for operand in operands))
    program = _programs.get(key)
    if program is None:
        arguments = ", ".join(f"%{operand.name}: {kind}" for operand, kind in zip(operands, types))
        factors = " * ".join(f"%{operand.name}({', '.join(indices)})"
                             for operand, indices in zip(operands, inputs))
        text = (f"einsum.program @einsum({arguments}) {{\n"
                f"  %R = einsum.statement ({', '.join(output)}) += {factors}\n"
                f"    : {', '.join(types)} -> {made}\n  einsum.return %R : {made}\n}}\n")
        sizes = [size for operand in operands for size in operand.sizes]
        program = _programs[key] = _Program(text, sizes, workers)
    extents = {}
    for indices, operand in zip(inputs, operands):
        for index, extent in zip(indices, operand.shape):
            if extents.setdefault(index, extent) != extent:
                raise ValueError(f"{index} is {extents[index]} and, in operand {operand.name}, {extent}")
    return program, operands, tuple(extents[index] for index in output), pattern


def einsum(subscripts, *operands, format=None, workers=0):
    """The sum of products that `subscripts` says, as numpy.einsum writes it.

    subscripts: "ij,jk->ik"; without an arrow the result has the indices that occur once, sorted.
    operands: SciPy CSR or CSC arrays of two axes, NumPy arrays of any; or torch tensors; all of
        one type.
    format: "dense" or "csr"; None chooses csr if every operand is sparse, or one has elements
        at the result's indices.
    workers: threads; 0 is as many as the processor has. The result has the same bits for any.

    Gives a NumPy array or a scipy.sparse.csr_array, or a torch tensor, strided or CSR, that
    gradients go through. Raises ValueError for operands that do not
    fit, TypeError for their types, NotImplementedError for what is not lowered yet.
    """
    are_torch = [_sparse_torch.is_tensor(operand) for operand in operands]
    if any(are_torch) and not all(are_torch):
        raise TypeError(f"operand T{are_torch.index(False)} is no torch tensor, and others are")
    if any(are_torch) and _sparse_torch.needs_gradient(operands):
        inputs, output = _split(subscripts, len(operands))
        return _sparse_torch.differentiable(einsum, inputs, output, operands, format, workers)
    program, found, shape, pattern = _compile(subscripts, operands, format, workers)
    slots = [slot for operand in found for slot in operand.slots]
    dtype = found[0].dtype

    def array(address, count, dtype):
        if not any(are_torch):
            return _array(address, count, dtype)
        return _sparse_torch.array(address, count, dtype, _library().heddle_sparse_free)

    if not pattern:
        address, count = program.run(slots, 1)
        return array(address, count, dtype).reshape(shape)
    index = "int64" if "posWidth = 64" in pattern else "int32"
    arrays = program.run(slots, 3)
    parts = [array(arrays[2 * i], arrays[2 * i + 1], kind)
             for i, kind in enumerate((index, index, dtype))]
    if any(are_torch):
        return _sparse_torch.matrix(*parts, shape)
    import scipy.sparse

    result = scipy.sparse.csr_array((parts[2], parts[1], parts[0]), shape=shape, copy=False)
    result.has_canonical_format = True
    return result


def matmul(a, b, format=None, workers=0):
    """a @ b for two matrices, or a matrix and a vector; see einsum."""
    ranks = (len(a.shape), len(b.shape))
    texts = {(2, 2): "ij,jk->ik", (2, 1): "ij,j->i", (1, 2): "j,jk->k"}
    if ranks not in texts:
        raise ValueError(f"matmul takes matrices and vectors, not arrays of {ranks[0]} and {ranks[1]} axes")
    return einsum(texts[ranks], a, b, format=format, workers=workers)


def plan_of(subscripts, *operands, format=None):
    """The program with its plan, as `heddle compile --emit=einsum` writes it."""
    return _compile(subscripts, operands, format, 0)[0].plan
