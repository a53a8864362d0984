# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The few calls of the CUDA driver that the micro-benchmarks need."""

import ctypes

_TENSOR_MAP_BYTES = 128
_F16 = 6  # CU_TENSOR_MAP_DATA_TYPE_FLOAT16
_SWIZZLE_128B = 3
_PROMOTE_128B = 2


class DriverError(RuntimeError):
    pass


class Driver:
    """One device's primary context."""

    def __init__(self):
        self.api = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.device = device.value
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.api, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.api.cuGetErrorString(status, ctypes.byref(text))
            raise DriverError("%s: %s" % (name, (text.value or b"unknown error").decode()))

    def name(self):
        text = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", text, 100, self.device)
        return text.value.decode()

    def attribute(self, number):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        self.call("cuMemsetD8_v2", address, ctypes.c_ubyte(0), ctypes.c_size_t(size))
        return address

    def read(self, address, count):
        values = (ctypes.c_int64 * count)()
        self.call("cuMemcpyDtoH_v2", values, address, ctypes.c_size_t(8 * count))
        return list(values)

    def load(self, ptx, entry, shared):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ptx.encode())
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        if shared > 48 * 1024:
            self.call("cuFuncSetAttribute", function, 8, shared)  # MAX_DYNAMIC_SHARED_SIZE_BYTES
        return function

    def launch(self, function, blocks, threads, shared, arguments):
        """Waits for the end. Arguments are ctypes values."""
        pointers = (ctypes.c_void_p * len(arguments))(
            *[ctypes.cast(ctypes.pointer(value), ctypes.c_void_p) for value in arguments]
        )
        self.call("cuLaunchKernel", function, blocks, 1, 1, threads, 1, 1, shared, None, pointers, None)
        self.call("cuCtxSynchronize")

    def tensor_map(self, address, rows, columns, box_rows, box_columns):
        """A row-major f16 matrix in boxes with the 128-byte swizzle."""
        storage = (ctypes.c_ubyte * (_TENSOR_MAP_BYTES + 64))()
        offset = -ctypes.addressof(storage) % 64
        made = (ctypes.c_ubyte * _TENSOR_MAP_BYTES).from_buffer(storage, offset)
        self.call(
            "cuTensorMapEncodeTiled", made, _F16, 2, address,
            (ctypes.c_uint64 * 2)(columns, rows), (ctypes.c_uint64 * 1)(2 * columns),
            (ctypes.c_uint32 * 2)(box_columns, box_rows), (ctypes.c_uint32 * 2)(1, 1),
            0, _SWIZZLE_128B, _PROMOTE_128B, 0,
        )  # fmt: skip
        return made
