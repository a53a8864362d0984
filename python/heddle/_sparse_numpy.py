# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's and SciPy's arrays as operands of heddle.sparse, read where they lie. A matrix is
checked and described once, by the name that it has in its place."""

import ctypes
import weakref

from . import _sparse_program
from ._sparse_program import Operand

_matrices = {}  # id of a matrix and its name -> a weak reference to it, and its operand


def array(address, count, dtype):
    """The array of a result, which frees its memory when nothing refers to it."""
    import numpy

    free = _sparse_program.library().heddle_sparse_free
    size = count * numpy.dtype(dtype).itemsize
    if count == 0:
        free(address)
        return numpy.empty(0, dtype)
    memory = (ctypes.c_char * size).from_address(address)
    weakref.finalize(memory, free, address)
    return numpy.frombuffer(memory, dtype=dtype, count=count)


def _row_major(array):
    """The array, or a copy, whose elements lie side by side."""
    import numpy

    return array if array.flags.c_contiguous else numpy.ascontiguousarray(array)


def _describe_rows(value, name, layout):
    value.check_format(full_check=True)
    if not value.has_canonical_format:
        raise ValueError(f"operand {name} has unsorted or repeated coordinates; call sum_duplicates()")
    if value.indptr.dtype != value.indices.dtype:
        raise TypeError(f"operand {name} has positions and coordinates of different types")
    first, second = ("d0", "d1") if layout == "csr" else ("d1", "d0")
    encoding = _sparse_program.encoding_of(
        2, f"{first} : dense, {second} : compressed", value.indices.dtype.itemsize * 8)
    arrays = [_row_major(array) for array in (value.indptr, value.indices, value.data)]
    counts = [len(value.indptr) - 1, len(value.indices)]
    return encoding, arrays, counts


def _describe(value, name):
    import numpy

    layout = getattr(value, "format", None)
    if layout in ("csr", "csc"):
        encoding, arrays, counts = _describe_rows(value, name, layout)
    elif layout is not None:
        raise TypeError(f"operand {name} is stored as {layout}; convert it by .tocsr() or .tocsc()")
    else:
        value = _row_major(numpy.asarray(value))
        encoding, arrays, counts = "", [value], []
        count = 1
        for extent in value.shape:
            count *= extent
            counts.append(count)
    operand = Operand(name, value.shape, str(arrays[-1].dtype), encoding, counts,
                      [array.ctypes.data for array in arrays])
    operand.arrays = arrays
    return operand


def _is_still(operand, value):
    """Whether a matrix has the arrays that were read, and not copied."""
    arrays = operand.arrays
    return (value.indptr is arrays[0] and value.indices is arrays[1] and value.data is arrays[2]
            and value.shape == operand.shape)


def read(value, name):
    """The operand of a value."""
    if getattr(value, "format", None) is None:
        return _describe(value, name)
    key = (id(value), name)
    known = _matrices.get(key)
    if known and known[0]() is value and _is_still(known[1], value):
        return known[1]
    operand = _describe(value, name)
    _matrices[key] = weakref.ref(value, lambda _: _matrices.pop(key, None)), operand
    return operand


def _prepare(subscripts, values, format, workers):
    inputs, output = _sparse_program.split(subscripts, len(values))
    operands = [read(value, f"T{number}") for number, value in enumerate(values)]
    return operands, *_sparse_program.compile_einsum(inputs, output, operands, format, workers)


def plan_of(subscripts, values, format):
    return _prepare(subscripts, values, format, 0)[1].plan


def einsum(subscripts, values, format, workers):
    operands, program, shape, pattern = _prepare(subscripts, values, format, workers)
    slots = [slot for operand in operands for slot in operand.slots]
    dtype = operands[0].dtype
    if not pattern:
        address, count = program.run(slots, 1)
        return array(address, count, dtype).reshape(shape)
    import scipy.sparse

    index = "int64" if "posWidth = 64" in pattern else "int32"
    found = program.run(slots, 3)
    positions, coordinates, elements = (array(found[2 * i], found[2 * i + 1], kind)
                                        for i, kind in enumerate((index, index, dtype)))
    result = scipy.sparse.csr_array((elements, coordinates, positions), shape=shape, copy=False)
    result.has_canonical_format = True
    return result
