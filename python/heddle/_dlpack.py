# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that show themselves by DLPack only.

The tensor is read while its capsule lives and never taken over, so that the
producer's own capsule destructor gives it back.
"""

import ctypes
from ctypes import POINTER, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

HOST_DEVICES = (1,)  # kDLCPU
CUDA_DEVICES = (2, 3, 13)  # kDLCUDA, kDLCUDAHost, kDLCUDAManaged
_READ_ONLY = 1
# (code, bits) of DLDataType -> heddle_dtype
_DTYPES = {
    (2, 16): 0, (4, 16): 1, (2, 32): 2, (2, 64): 3, (0, 8): 4, (0, 16): 5, (0, 32): 6, (0, 64): 7,
    (1, 8): 4, (1, 16): 5, (1, 32): 6, (1, 64): 7, (6, 8): 4, (10, 8): 8, (12, 8): 9,
}  # fmt: skip


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32),
        ("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16),
        ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("byte_offset", c_uint64),
    ]  # fmt: skip


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32), ("minor", c_uint32), ("manager", c_void_p), ("deleter", c_void_p),
        ("flags", c_uint64), ("tensor", _Tensor),
    ]  # fmt: skip


_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = c_void_p, [ctypes.py_object, ctypes.c_char_p]


def is_on_host(value):
    return hasattr(value, "__dlpack_device__") and value.__dlpack_device__()[0] in HOST_DEVICES


def _capsule(value, stream):
    """`stream` is the consumer's handle, None for memory of the host; the producer
    makes it wait for what writes the tensor."""
    keywords = {} if stream is None else {"stream": stream or 1}  # 1: the legacy default stream
    try:
        return value.__dlpack__(max_version=(1, 0), **keywords)
    except TypeError:  # from before versions
        return value.__dlpack__(**keywords)


def describe(value, name, stream=None):
    """((address, dtype, shape, strides in elements, is read-only), what keeps it)."""
    kind = value.__dlpack_device__()[0]
    if kind not in HOST_DEVICES + CUDA_DEVICES:
        raise TypeError("argument '%s' is on a DLPack device of type %d" % (name, kind))
    capsule = _capsule(value, stream if kind in CUDA_DEVICES else None)
    read_only = False
    if _is_valid(capsule, b"dltensor_versioned"):
        managed = _Versioned.from_address(_pointer(capsule, b"dltensor_versioned"))
        if managed.major != 1:
            raise TypeError("argument '%s' comes by DLPack %d, not 1" % (name, managed.major))
        tensor, read_only = managed.tensor, bool(managed.flags & _READ_ONLY)
    else:
        tensor = _Tensor.from_address(_pointer(capsule, b"dltensor"))
    dtype = _DTYPES.get((tensor.code, tensor.bits))
    if dtype is None or tensor.lanes != 1:
        raise TypeError(
            "argument '%s' has DLPack type (%d, %d, %d), which heddle has not"
            % (name, tensor.code, tensor.bits, tensor.lanes)
        )
    from ._values import packed_strides

    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(tensor.strides[: tensor.ndim]) if tensor.strides else packed_strides(shape)
    address = (tensor.data or 0) + tensor.byte_offset
    return (address, dtype, shape, strides, read_only), capsule
