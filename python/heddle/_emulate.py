# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches on the CPU emulator: numpy arrays, torch tensors of the host."""

import ctypes
import json

from . import _capi, _compiler_capi, _dlpack, _values


class EmulatorError(RuntimeError):
    """A launch that the emulator refused or in which it found a fault."""


class Described:
    """A triton.tools.tensor_descriptor.TensorDescriptor over host memory."""

    def __init__(self, descriptor):
        self.base, self.shape = descriptor.base, tuple(descriptor.shape)
        self.strides, self.dtype = tuple(descriptor.strides), descriptor.base.dtype

    def data_ptr(self):
        return self.base.data_ptr()

    def stride(self):
        return self.strides


def is_on_host(value):
    """Whether it is an array in host memory."""
    if hasattr(value, "data_ptr"):
        return getattr(value, "is_cuda", True) is False
    return hasattr(value, "__array_interface__") or _dlpack.is_on_host(value)


def _refuse_absent(value, name):
    """A torch tensor may have no memory of its own, or have lost it."""
    if not hasattr(value, "untyped_storage"):
        return
    if value.device.type != "cpu":
        raise TypeError("argument '%s' is a torch tensor on %s" % (name, value.device))
    if str(value.layout) != "torch.strided":
        raise TypeError("argument '%s' is a torch tensor stored as %s; pass to_dense() of it" % (name, value.layout))
    if value.numel():
        last = value.storage_offset() + sum(
            (extent - 1) * stride for extent, stride in zip(value.shape, value.stride())
        )
        needed, there = (last + 1) * value.element_size(), value.untyped_storage().nbytes()
        if needed > there:
            raise ValueError(
                "argument '%s' has elements in %d bytes of a storage, of which %d are left" % (name, needed, there)
            )


def _describe(value, name):
    """(address, dtype, shape, strides in elements, is read-only) of a host array."""
    if hasattr(value, "data_ptr"):
        _values.refuse_negated(value, name)
        _refuse_absent(value, name)
        return (
            value.data_ptr(), _values.dtype_index(value.dtype), tuple(value.shape),
            tuple(value.stride()), False,
        )  # fmt: skip
    if hasattr(value, "__array_interface__"):
        return _values.from_interface(value.__array_interface__, name)
    if _dlpack.is_on_host(value):
        return _dlpack.describe(value, name)[0]  # the caller holds the memory
    raise TypeError(
        "argument '%s' is %s; the emulator takes numpy arrays and torch tensors of the host"
        % (name, type(value).__name__)
    )


def run(compiled, values, options):
    """One launch; the arrays hold its results."""
    declared = compiled.arguments
    if len(values) != len(declared):
        raise TypeError(
            "kernel '%s' takes %d arguments (%s), but %d were passed"
            % (compiled.name, len(declared), ", ".join(one["name"] for one in declared), len(values))
        )
    args = (_capi.Arg * len(values))()
    sizes = (ctypes.c_size_t * len(values))()
    for index, (value, one) in enumerate(zip(values, declared)):
        sizes[index] = _fill(args[index], value, one)
    result = _compiler_capi.emulate(
        compiled.ptx, compiled.manifest, args, sizes, json.dumps(options)
    )
    if result.outcome != _compiler_capi.FINE:
        raise EmulatorError(result.messages.removeprefix("error: ").rstrip())


def _fill(arg, value, declared):
    """Writes one heddle_arg; how many bytes lie behind a pointer."""
    name = declared["name"]
    arg.kind = _capi.KIND_NAMES.index(declared["kind"])
    element = _capi.DTYPES.index(declared["element"])
    if arg.kind == _capi.SCALAR:
        arg.dtype = element
        arg.scalar_bits = _values.scalar_bits(value, element, name)
        return 0
    address, dtype, shape, strides, read_only = _describe(value, name)
    # numpy has no bfloat16 and no 8-bit floats: integers of their size hold the bits.
    if dtype in _values.INTEGER_OF_SIZE.values() and element in _values.NOT_IN_NUMPY:
        dtype = element if _capi.DTYPE_BYTES[dtype] == _capi.DTYPE_BYTES[element] else dtype
    if arg.kind == _capi.POINTER_KIND and dtype != element:
        raise TypeError(
            "argument '%s' has elements of type %s, but the kernel takes %s"
            % (name, _capi.DTYPES[dtype], declared["element"])
        )
    if read_only and declared.get("written"):
        raise TypeError("argument '%s' is read-only, but the kernel writes it" % name)
    arg.dtype, arg.data, arg.rank = dtype, address, len(shape)
    _values.fill_shape(arg, shape, strides, name)
    span = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides))
    return 0 if 0 in shape else span * _capi.DTYPE_BYTES[dtype]
