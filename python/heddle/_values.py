# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python objects to heddle_arg.

A view is anything that tells its device address, shape, strides and type: a torch
tensor (data_ptr, shape, stride, dtype), or an object with
__cuda_array_interface__ or __dlpack__. A scalar is a Python number. Nothing here
imports torch or numpy.
"""

import struct

from . import _capi, _dlpack

_BY_NAME = {
    "float16": 0,
    "bfloat16": 1,
    "float32": 2,
    "float64": 3,
    "int8": 4,
    "int16": 5,
    "int32": 6,
    "int64": 7,
    "uint8": 4,
    "bool": 4,
    "uint16": 5,
    "uint32": 6,
    "uint64": 7,
    "float8_e4m3fn": 8,
    "float8_e5m2": 9,
}
for _index, _name in enumerate(_capi.DTYPES):
    _BY_NAME[_name] = _index

_BY_TYPESTR = {
    "<f2": 0,
    "<f4": 2,
    "<f8": 3,
    "|i1": 4,
    "|u1": 4,
    "|b1": 4,
    "<i2": 5,
    "<u2": 5,
    "<i4": 6,
    "<u4": 6,
    "<i8": 7,
    "<u8": 7,
}

_INTEGERS = {4: "<b", 5: "<h", 6: "<i", 7: "<q"}
INTEGER_OF_SIZE = {1: 4, 2: 5}
NOT_IN_NUMPY = {1, 8, 9}  # bf16, e4m3, e5m2


def dtype_index(dtype):
    """The heddle_dtype of "f16", "torch.float16", numpy.float16, ..."""
    name = str(dtype).rsplit(".", 1)[-1].strip("'>")
    if name not in _BY_NAME:
        raise TypeError("heddle has no element type for %s" % (dtype,))
    return _BY_NAME[name]


def refuse_negated(value, name):
    """A torch tensor may hold the negative of its elements, and change their signs at each access."""
    if getattr(value, "is_neg", bool)():
        raise TypeError(
            "argument '%s' is a torch tensor whose elements are negated when they are read; "
            "pass resolve_neg() of it" % name
        )


def describe_view(value, name, stream=0, keep=None):
    """(address, dtype, shape, strides in elements, is read-only). What was written to
    the memory on another stream than `stream` comes first. `keep`, a list, gets what
    must live until the launch."""
    if hasattr(value, "data_ptr"):
        if getattr(value, "is_cuda", True) is False:
            raise TypeError(
                "argument '%s' is in host memory; move it to the device first" % name
            )
        refuse_negated(value, name)
        strides = value.stride() if callable(value.stride) else value.strides
        return value.data_ptr(), dtype_index(value.dtype), tuple(value.shape), tuple(strides), False
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is not None:
        awaited = interface.get("stream")
        if awaited is not None and awaited != (stream or 1):
            from . import runtime

            runtime._check(runtime.library().heddle_stream_wait(stream, awaited))
        return from_interface(interface, name)
    if not hasattr(value, "__dlpack__"):
        raise TypeError(
            "argument '%s' is %s; a view needs data_ptr(), __cuda_array_interface__ or "
            "__dlpack__" % (name, type(value).__name__)
        )
    if _dlpack.is_on_host(value):
        raise TypeError("argument '%s' is in host memory; move it to the device first" % name)
    described, capsule = _dlpack.describe(value, name, stream)
    if keep is not None:
        keep.append(capsule)
    return described


def from_interface(interface, name):
    """The same of __cuda_array_interface__, or of numpy's __array_interface__."""
    typestr = interface["typestr"]
    if typestr not in _BY_TYPESTR:
        raise TypeError("argument '%s' has type %s, which heddle has not" % (name, typestr))
    dtype = _BY_TYPESTR[typestr]
    shape = tuple(interface["shape"])
    size = _capi.DTYPE_BYTES[dtype]
    strides = interface.get("strides")
    if not all(0 <= extent < 1 << 63 for extent in shape) or len(shape) != len(shape if strides is None else strides):
        raise TypeError(
            "argument '%s' says of itself that its extents are %r and its strides %r" % (name, shape, strides)
        )
    if strides is None:
        strides = packed_strides(shape)
    else:
        for stride in strides:
            if stride % size != 0:
                raise TypeError(
                    "argument '%s' has a stride of %d bytes, not a multiple of its "
                    "element size, %d" % (name, stride, size)
                )
        strides = tuple(stride // size for stride in strides)
    address, read_only = interface["data"]
    return address or 0, dtype, shape, strides, read_only


def packed_strides(shape):
    """Row-major strides without gaps, in elements."""
    strides = []
    stride = 1
    for extent in reversed(shape):
        strides.append(stride)
        stride *= max(extent, 1)
    return tuple(reversed(strides))


def scalar_bits(value, dtype, name):
    """The bits of a Python number in the kernel's type."""
    if hasattr(value, "item"):
        value = value.item()
    try:
        if dtype in _INTEGERS:
            # A kernel's integers have a sign only where it reads one.
            letters = _INTEGERS[dtype]
            raw = struct.pack(letters if value < 0 else letters.upper(), value)
        elif dtype == 0:
            raw = struct.pack("<e", value)
        elif dtype == 1:
            raw = struct.pack("<H", bf16_bits(value))
        elif dtype == 2:
            raw = struct.pack("<f", value)
        elif dtype == 3:
            raw = struct.pack("<d", value)
        else:
            raise TypeError("an fp8 scalar cannot be passed by value")
    except (struct.error, OverflowError, TypeError) as error:
        raise TypeError(
            "argument '%s' is %r, but the kernel takes a scalar of type %s: %s"
            % (name, value, _capi.DTYPES[dtype], error)
        ) from None
    return int.from_bytes(raw, "little")


def bf16_bits(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if bits & 0x7FFFFFFF > 0x7F800000:
        return (bits >> 16) | 0x40  # NaN stays NaN
    return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16  # to nearest, ties to even


def fill(arg, value, info, stream=0, keep=None):
    """Writes one heddle_arg. `info` is the kernel's ArgumentInfo; for the others see
    describe_view."""
    name = info.name.decode()
    arg.kind = info.kind
    if info.kind == _capi.SCALAR:
        arg.dtype = info.dtype
        arg.scalar_bits = scalar_bits(value, info.dtype, name)
        return
    if info.kind == _capi.POINTER_KIND and isinstance(value, int):
        arg.dtype = info.dtype
        arg.data = value
        return
    address, arg.dtype, shape, strides, read_only = describe_view(value, name, stream, keep)
    if read_only and info.written:
        raise TypeError("argument '%s' is read-only, but the kernel writes it" % name)
    arg.data = address
    arg.rank = len(shape)
    fill_shape(arg, shape, strides, name)


def fill_shape(arg, shape, strides, name):
    """A pointer's shape is only of use to the emulator, so it may have any rank."""
    if len(shape) > _capi.MAX_RANK:
        if arg.kind == _capi.POINTER_KIND:
            arg.rank = 0
            return
        raise TypeError(
            "argument '%s' has %d axes; a view has at most %d"
            % (name, len(shape), _capi.MAX_RANK)
        )
    for axis, (extent, stride) in enumerate(zip(shape, strides)):
        arg.shape[axis] = extent
        arg.strides[axis] = stride
