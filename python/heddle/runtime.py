# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Load and launch kernels: a thin layer over libheddle_runtime.so.

A failure raises HeddleError (or one of its subclasses), whose text is the
library's sentence. Launches go to the current torch stream if torch is imported,
else to the default stream, unless a stream is given. What the driver's compiler
did to a kernel goes to the log "heddle.runtime", when a launch first meets it.
"""

import ctypes
import logging
import os
import sys

from . import _capi, _values, _words

_library = None
_log = logging.getLogger("heddle.runtime")


@_capi.REMARK_HANDLER
def _log_remark(kernel, remark, data):
    found = _read_remark(remark.contents)
    _log.warning("%s [%s]", found["text"], found["id"])


def _read_remark(remark):
    return {
        name: getattr(remark, name).decode(errors="replace") for name, _ in remark._fields_
    }


def _open_library(path=None):
    global _library
    _library = _capi.load(path)
    _library.heddle_set_remark_handler(_log_remark, None)


class HeddleError(RuntimeError):
    """A call failed. `status` is the heddle_status, `kind` its own sentence."""

    def __init__(self, status, kind, message):
        super().__init__(message or kind)
        self.status = status
        self.kind = kind


class ManifestError(HeddleError):
    """The manifest cannot be read, contradicts itself or does not fit the PTX."""


class DeviceError(HeddleError):
    """No driver, no device, or a device that cannot run the kernel."""


class ArgumentError(HeddleError):
    """The launch arguments do not fit the kernel."""


_ERRORS = {2: ManifestError, 3: DeviceError, 4: DeviceError, 5: DeviceError, 7: ArgumentError}


def use_library(path):
    """Takes the runtime from this file. Call it before anything else."""
    _open_library(path)


def library():
    """The loaded library, as ctypes sees it."""
    if _library is None:
        _open_library()
    return _library


def _check(status):
    if status == 0:
        return
    api = library()
    kind = api.heddle_status_string(status).decode()
    message = api.heddle_last_error().decode(errors="replace")
    raise _ERRORS.get(status, HeddleError)(status, kind, message)


def device_available():
    """Whether there is a driver with a device."""
    return bool(library().heddle_device_available())


def device_name():
    buffer = ctypes.create_string_buffer(256)
    _check(library().heddle_device_name(buffer, len(buffer)))
    return buffer.value.decode()


def device_info():
    """A DeviceInfo with index, sm_count, capability_major, ..."""
    info = _capi.DeviceInfo()
    _check(library().heddle_device_query(ctypes.byref(info)))
    return info


def synchronize(stream=None):
    """Waits for the stream (the current one if none is given)."""
    _check(library().heddle_synchronize(_stream_handle(stream)))


def _stream_handle(stream):
    if stream is None:
        torch = sys.modules.get("torch")
        if torch is not None and torch.cuda.is_initialized():
            return torch.cuda.current_stream().cuda_stream
        return 0
    return getattr(stream, "cuda_stream", getattr(stream, "ptr", stream))


class Buffer:
    """Device memory for callers without a framework; a view argument."""

    def __init__(self, shape, dtype):
        self.shape = tuple(shape)
        self.dtype = _capi.DTYPES[_values.dtype_index(dtype)]
        self.bytes = _capi.DTYPE_BYTES[_values.dtype_index(dtype)]
        for extent in self.shape:
            self.bytes *= extent
        self._pointer = ctypes.c_void_p()
        _check(library().heddle_malloc(self.bytes, ctypes.byref(self._pointer)))

    def data_ptr(self):
        return self._pointer.value

    def stride(self):
        return _values.packed_strides(self.shape)

    def write(self, data):
        """Copies bytes to the device."""
        data = bytes(data)
        if len(data) != self.bytes:
            raise ValueError("the buffer has %d bytes, not %d" % (self.bytes, len(data)))
        _check(library().heddle_copy_to_device(self._pointer, data, self.bytes))

    def read(self):
        """Copies the device's bytes to the host, after the default stream's work."""
        data = ctypes.create_string_buffer(max(self.bytes, 1))
        _check(library().heddle_copy_from_device(data, self._pointer, self.bytes))
        return data.raw[: self.bytes]

    def fill_bytes(self, value):
        _check(library().heddle_memset(self._pointer, value, self.bytes))

    def free(self):
        if self._pointer:
            pointer, self._pointer = self._pointer, ctypes.c_void_p()
            _check(library().heddle_free(pointer))

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.free()


class Kernel:
    """A kernel from KERNEL.ptx and the KERNEL.json beside it.

    `kernel(a, b, c)` launches; `kernel.bind(a, b, c)` makes a Launch that repeats
    at the cost of one C call.
    """

    def __init__(self, path, manifest=None):
        manifest = manifest or os.path.splitext(path)[0] + ".json"
        with open(path, "rb") as file:
            ptx = file.read()
        with open(manifest, "rb") as file:
            text = file.read()
        self._open(ptx, text)

    @classmethod
    def from_text(cls, ptx, manifest):
        """A kernel from the two texts themselves."""
        kernel = cls.__new__(cls)
        encode = lambda text: text.encode() if isinstance(text, str) else text
        kernel._open(encode(ptx), encode(manifest))
        return kernel

    def _open(self, ptx, manifest):
        self._handle = ctypes.c_void_p()
        api = library()
        _check(
            api.heddle_kernel_create(
                ptx, len(ptx), manifest, len(manifest), ctypes.byref(self._handle)
            )
        )
        self.name = api.heddle_kernel_name(self._handle).decode()
        self._arguments = []
        for index in range(api.heddle_kernel_argument_count(self._handle)):
            info = _capi.ArgumentInfo()
            _check(api.heddle_kernel_argument(self._handle, index, ctypes.byref(info)))
            self._arguments.append(info)
        self._words = _words.Packer(self._arguments)

    def close(self):
        """Unloads the kernel. Its launches must have ended. If a CUDA graph captured
        one, the code stays on the device, so that the graph may be launched still."""
        if getattr(self, "_handle", None):
            handle, self._handle = self._handle, None
            library().heddle_kernel_destroy(handle)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __del__(self):
        # Not while the interpreter ends: the driver may be gone before.
        if not sys.is_finalizing():
            self.close()

    def _pack(self, values, stream=0, keep=None):
        if len(values) != len(self._arguments):
            names = ", ".join(info.name.decode() for info in self._arguments)
            raise TypeError(
                "kernel '%s' takes %d arguments (%s), but %d were passed"
                % (self.name, len(self._arguments), names, len(values))
            )
        args = (_capi.Arg * len(values))()
        for arg, value, info in zip(args, values, self._arguments):
            _values.fill(arg, value, info, stream, keep)
        return args

    def __call__(self, *values, stream=None):
        stream = _stream_handle(stream)
        words = self._words(*values)
        if words is not None:
            launch = library().heddle_kernel_launch_words
            status = launch(self._handle, words, self._words.count, stream)
            if status:
                _check(status)
            return
        keep = []
        args = self._pack(values, stream, keep)
        _check(library().heddle_kernel_launch(self._handle, args, len(args), stream))
        self._words.accept(values)

    def bind(self, *values, stream=None):
        """A Launch with these arguments and this stream, which keeps them alive."""
        return Launch(self, values, _stream_handle(stream))

    def time(self, sets, launches, stream=None):
        """Milliseconds of `launches` launches back to back over the argument sets
        in turn; see heddle_kernel_time."""
        packed = [self._pack(values) for values in sets]
        count = len(self._arguments)
        args = (_capi.Arg * (count * len(packed)))()
        for index, one in enumerate(packed):
            args[index * count : (index + 1) * count] = list(one)
        result = ctypes.c_float()
        _check(
            library().heddle_kernel_time(
                self._handle, args, len(packed), count, launches,
                _stream_handle(stream), ctypes.byref(result),
            )
        )
        return result.value

    def load(self):
        """Compiles for the current device now instead of at the first launch."""
        _check(library().heddle_kernel_load(self._handle))

    @property
    def arguments(self):
        """A list of dictionaries: name, kind, dtype, rank, order, written."""
        return [
            {
                "name": info.name.decode(),
                "kind": _capi.KIND_NAMES[info.kind],
                "dtype": _capi.DTYPES[info.dtype],
                "rank": info.rank,
                "order": tuple(info.order[: info.rank]),
                "written": bool(info.written),
            }
            for info in self._arguments
        ]

    @property
    def variants(self):
        """A list of dictionaries: entry, threads, cluster, shared_bytes."""
        api = library()
        result = []
        for index in range(api.heddle_kernel_variant_count(self._handle)):
            info = _capi.VariantInfo()
            _check(api.heddle_kernel_variant(self._handle, index, ctypes.byref(info)))
            result.append(
                {
                    "entry": info.entry.decode(),
                    "threads": info.threads,
                    "cluster": tuple(info.cluster),
                    "shared_bytes": info.shared_bytes,
                }
            )
        return result

    def resources(self, variant=0):
        """Registers, local bytes, ... of a variant on the current device."""
        info = _capi.Resources()
        _check(library().heddle_kernel_resources(self._handle, variant, ctypes.byref(info)))
        return {name: getattr(info, name) for name, _ in info._fields_}

    @property
    def jit_log(self):
        """What the driver's compiler said on the current device."""
        return library().heddle_kernel_jit_log(self._handle).decode(errors="replace")

    @property
    def remarks(self):
        """Where the driver's compiler made a variant slower than planned, on the
        current device: a list of dictionaries: id, variant, text."""
        found = []
        for index in range(library().heddle_kernel_remark_count(self._handle)):
            remark = _capi.Remark()
            _check(library().heddle_kernel_remark(self._handle, index, ctypes.byref(remark)))
            found.append(_read_remark(remark))
        return found

    def plan(self, *values, sm_count=0):
        """(variant, grid) that a launch would take; `sm_count` 0 asks the device."""
        args = self._pack(values)
        info = _capi.PlanInfo()
        _check(
            library().heddle_kernel_plan(
                self._handle, args, len(args), sm_count, ctypes.byref(info)
            )
        )
        return info.variant, tuple(info.grid)

    def describe(self, *values, sm_count=0):
        """The plan of a launch as text."""
        args = self._pack(values)
        needed = ctypes.c_size_t()
        call = library().heddle_kernel_plan_describe
        _check(call(self._handle, args, len(args), sm_count, None, 0, ctypes.byref(needed)))
        buffer = ctypes.create_string_buffer(needed.value)
        _check(call(self._handle, args, len(args), sm_count, buffer, len(buffer), None))
        return buffer.value.decode()


class Launch:
    """A launch with its arguments packed once."""

    def __init__(self, kernel, values, stream):
        self._kernel = kernel
        self._values = values  # keeps the memory alive
        self._capsules = []
        self._args = kernel._pack(values, stream, self._capsules)
        self._stream = stream
        self._call = library().heddle_kernel_launch

    def __call__(self):
        status = self._call(
            self._kernel._handle, self._args, len(self._args), self._stream
        )
        if status:
            _check(status)
