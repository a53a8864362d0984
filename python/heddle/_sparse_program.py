# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Einsum programs behind handles: text and sizes in, compiled code out, kept by their text.

What an operand is made of, arrays of NumPy or of PyTorch, is described elsewhere; here an
operand is its type in a program, its sizes for the planner and its slots for a run.
"""

import base64
import ctypes
import logging
import weakref
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_void_p

from . import _cache, _compiler_capi

_SIGNATURES = {
    "heddle_sparse_compile": (
        c_int,
        [c_char_p, c_size_t, POINTER(c_int64), c_size_t, c_int, POINTER(c_void_p), POINTER(c_void_p)],
    ),
    "heddle_sparse_save": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "heddle_sparse_load": (c_int, [c_char_p, c_size_t, c_int, POINTER(c_void_p), POINTER(c_void_p)]),
    "heddle_sparse_run": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "heddle_sparse_run_into": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "heddle_sparse_fault_of_rows": (c_char_p, [c_void_p, c_void_p, c_int, c_int64, c_int64, c_int64]),
    "heddle_sparse_fault_of_bags": (c_char_p, [c_void_p, c_void_p, c_int, c_int64, c_int64, c_int64]),
    "heddle_sparse_message": (c_char_p, [c_void_p]),
    "heddle_sparse_free": (None, [c_void_p]),
    "heddle_sparse_destroy": (None, [c_void_p]),
}
_log = logging.getLogger("heddle.sparse")
ELEMENTS = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}
MOST_WORKERS = 1024
programs = {}  # (text, logarithms of sizes, workers) -> Program


def library():
    found = _compiler_capi.library()
    if not hasattr(found, "_heddle_sparse"):
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(found, name)
            function.restype, function.argtypes = result, arguments
        found._heddle_sparse = True
    return found


def _compile(key, text, sizes, workers):
    """(handle, plan, remarks), which later processes find by `key`."""
    functions, source = library(), text.encode()
    handle, texts = c_void_p(), c_void_p()
    flat = (c_int64 * len(sizes))(*sizes)
    outcome = functions.heddle_sparse_compile(
        source, len(source), flat, len(sizes), workers, ctypes.byref(handle), ctypes.byref(texts))
    result = _compiler_capi.Result(outcome, texts)
    if outcome == _compiler_capi.DECLINED:
        raise NotImplementedError(result.messages.strip())
    if outcome != _compiler_capi.FINE:
        raise ValueError(result.messages.strip())
    remarks, data, size = result.messages.strip(), c_void_p(), c_size_t()
    if functions.heddle_sparse_save(handle, ctypes.byref(data), ctypes.byref(size)) == _compiler_capi.FINE:
        code = base64.b64encode(ctypes.string_at(data, size.value)).decode()
        functions.heddle_sparse_free(data)
        _cache.store(key, {"code": code, "plan": result.schedule, "remarks": remarks})
    return handle, result.schedule, remarks


def _load(key, workers):
    """The same of an earlier process, or None."""
    entry = _cache.load(key)
    if not isinstance(entry, dict):
        return None
    try:
        code, plan, remarks = base64.b64decode(entry["code"]), entry["plan"], entry["remarks"]
    except (KeyError, TypeError, ValueError):
        return None
    handle, texts = c_void_p(), c_void_p()
    outcome = library().heddle_sparse_load(code, len(code), workers, ctypes.byref(handle), ctypes.byref(texts))
    _compiler_capi.Result(outcome, texts)  # frees it; another processor's code is compiled anew
    return (handle, plan, remarks) if outcome == _compiler_capi.FINE else None


class Program:
    """Compiled code, and the order of its arguments."""

    def __init__(self, text, sizes, workers):
        if not isinstance(workers, int) or not 0 <= workers <= MOST_WORKERS:
            raise ValueError(f"workers are a number from 0 to {MOST_WORKERS}, not {workers!r}")
        functions = library()
        key = _cache.key_of("sparse", _compiler_capi.stamp(), text, repr(sizes), str(workers))
        handle, self.plan, remarks = _load(key, workers) or _compile(key, text, sizes, workers)
        if remarks:
            _log.info("%s", remarks)  # a matrix that is stored again at each call
        self.handle = handle.value
        self.run_raw, self.run_into = functions.heddle_sparse_run, functions.heddle_sparse_run_into
        weakref.finalize(self, functions.heddle_sparse_destroy, handle)

    def fail(self):
        raise MemoryError(library().heddle_sparse_message(self.handle).decode())

    def run(self, slots, count):
        """The address and the number of elements of each of `count` arrays."""
        arguments = (c_int64 * len(slots))(*slots)
        results = (c_int64 * (2 * count))()
        if self.run_raw(self.handle, arguments, len(slots), results, 2 * count):
            self.fail()
        return list(results)


class Operand:
    """One argument of a program. `counts` are the positions of its levels, `pointers` the
    addresses of its arrays."""

    def __init__(self, name, shape, dtype, encoding, counts, pointers):
        self.name, self.shape, self.dtype, self.encoding = name, tuple(shape), dtype, encoding
        if dtype not in ELEMENTS:
            raise TypeError(f"operand {name} has elements of {dtype}; float16, bfloat16, float32 and "
                            "float64 are supported")
        if len(self.shape) == 0:
            raise ValueError(f"operand {name} is a scalar; multiply by it outside")
        self.type = type_of(len(self.shape), dtype, encoding)
        self.sizes = [*self.shape, *counts]
        self.logs = tuple(max(size, 1).bit_length() for size in self.sizes)
        self.slots = [*pointers, *self.shape]


def type_of(rank, dtype, encoding):
    return f"tensor<{'?x' * rank}{ELEMENTS[dtype]}{encoding}>"


def encoding_of(rank, levels, bits):
    """The encoding with the axes d0, d1, ... and levels like "d0 : dense, d1 : compressed"."""
    names = ", ".join(f"d{axis}" for axis in range(rank))
    return f", #sparse_tensor.encoding<{{ map = ({names}) -> ({levels}), posWidth = {bits}, crdWidth = {bits} }}>"


def split(subscripts, count):
    """The indices of each operand, and of the result."""
    if not isinstance(subscripts, str):
        raise TypeError(f"subscripts are a text, not {subscripts!r}")
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    if not arrow:
        once = [index for index in sorted(set(left) - {","}) if left.count(index) == 1]
        right = "".join(once)
    if len(inputs) != count:
        raise ValueError(f"{subscripts!r} has {len(inputs)} operands and {count} were given")
    if not all(index.isascii() and index.isalpha() for index in left.replace(",", "") + right):
        raise ValueError(f"indices are letters from a to z, or A to Z, which {subscripts!r} does not keep to")
    return inputs, right


def choose_format(inputs, output, are_sparse):
    """CSR if every operand is sparse, or one has elements at the output's indices."""
    sparse = [indices for indices, is_sparse in zip(inputs, are_sparse) if is_sparse]
    if len(output) == 2 and (len(sparse) == len(inputs) or output in sparse):
        return "csr"
    return "dense"


def keep(text, operands, workers):
    """The compiled program of a text, whose plan suits operands of about these sizes."""
    key = (text, tuple(operand.logs for operand in operands), workers)
    program = programs.get(key)
    if program is None:
        sizes = [size for operand in operands for size in operand.sizes]
        program = programs[key] = Program(text, sizes, workers)
    return program


def compile_einsum(inputs, output, operands, format, workers):
    """(program, shape of the result, encoding of the result: "" is dense)."""
    for indices, operand in zip(inputs, operands):
        if len(indices) != len(operand.shape):
            raise ValueError(
                f"operand {operand.name} has {len(operand.shape)} axes and {len(indices)} indices")
        if operand.dtype != operands[0].dtype:
            raise TypeError(
                f"operand {operand.name} has elements of {operand.dtype} and T0 of {operands[0].dtype}")
    if format is None:
        format = choose_format(inputs, output, [bool(operand.encoding) for operand in operands])
    if format not in ("dense", "csr"):
        raise ValueError(f"a result is 'dense' or 'csr', not {format!r}")
    if format == "csr" and len(output) != 2:
        raise ValueError(f"a result that is 'csr' has two indices, not {len(output)}")
    pattern = ""
    if format == "csr":
        widths = [operand.encoding for operand in operands if operand.encoding]
        pattern = next((encoding for encoding in widths if "d0 : dense" in encoding), None) or encoding_of(
            2, "d0 : dense, d1 : compressed", 32)
    extents = {}
    for indices, operand in zip(inputs, operands):
        for index, extent in zip(indices, operand.shape):
            if extents.setdefault(index, extent) != extent:
                raise ValueError(f"{index} is {extents[index]} and, in {operand.name}, {extent}")
    made = type_of(len(output), operands[0].dtype, pattern)
    types = [operand.type for operand in operands]
    arguments = ", ".join(f"%{operand.name}: {kind}" for operand, kind in zip(operands, types))
    factors = " * ".join(f"%{operand.name}({', '.join(indices)})" for operand, indices in zip(operands, inputs))
    text = (f"einsum.program @einsum({arguments}) {{\n"
            f"  %R = einsum.statement ({', '.join(output)}) += {factors}\n"
            f"    : {', '.join(types)} -> {made}\n  einsum.return %R : {made}\n}}\n")
    return keep(text, operands, workers), tuple(extents[index] for index in output), pattern
