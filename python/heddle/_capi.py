# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""runtime/include/heddle/runtime.h, spelled for ctypes.

Only declarations and the search for the library stand here; what they mean is in
the header.
"""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_float, c_int, c_int32, c_int64
from ctypes import c_size_t, c_uint64, c_void_p

ABI_VERSION = 3
MAX_RANK = 5
VIEW, POINTER_KIND, SCALAR = 0, 1, 2
KIND_NAMES = ("view", "pointer", "scalar")
DTYPES = ("f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "e4m3", "e5m2")
DTYPE_BYTES = (2, 2, 4, 8, 1, 2, 4, 8, 1, 1)


class Arg(ctypes.Structure):
    _fields_ = [
        ("kind", c_int32),
        ("dtype", c_int32),
        ("rank", c_int32),
        ("reserved", c_int32),
        ("data", c_void_p),
        ("shape", c_int64 * MAX_RANK),
        ("strides", c_int64 * MAX_RANK),
        ("scalar_bits", c_uint64),
    ]


class DeviceInfo(ctypes.Structure):
    _fields_ = [
        ("index", c_int32),
        ("sm_count", c_int32),
        ("capability_major", c_int32),
        ("capability_minor", c_int32),
        ("shared_bytes", c_int32),
        ("driver_version", c_int32),
    ]


class ArgumentInfo(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int32),
        ("dtype", c_int32),
        ("rank", c_int32),
        ("written", c_int32),
        ("order", c_int32 * MAX_RANK),
    ]


class VariantInfo(ctypes.Structure):
    _fields_ = [
        ("entry", c_char_p),
        ("threads", c_int32),
        ("cluster", c_int32 * 3),
        ("shared_bytes", c_int64),
    ]


class Resources(ctypes.Structure):
    _fields_ = [
        ("registers", c_int32),
        ("local_bytes", c_int32),
        ("static_shared_bytes", c_int32),
        ("max_threads", c_int32),
    ]


class Remark(ctypes.Structure):
    _fields_ = [("id", c_char_p), ("variant", c_char_p), ("text", c_char_p)]


REMARK_HANDLER = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Remark), c_void_p)


class PlanInfo(ctypes.Structure):
    _fields_ = [("variant", c_int32), ("reserved", c_int32), ("grid", c_int64 * 3)]


_SIGNATURES = {
    # name: (result, arguments)
    "heddle_abi_version": (c_int, []),
    "heddle_status_string": (c_char_p, [c_int]),
    "heddle_last_error": (c_char_p, []),
    "heddle_device_available": (c_int, []),
    "heddle_device_query": (c_int, [POINTER(DeviceInfo)]),
    "heddle_device_name": (c_int, [c_char_p, c_size_t]),
    "heddle_synchronize": (c_int, [c_void_p]),
    "heddle_stream_wait": (c_int, [c_void_p, c_void_p]),
    "heddle_malloc": (c_int, [c_size_t, POINTER(c_void_p)]),
    "heddle_free": (c_int, [c_void_p]),
    "heddle_copy_to_device": (c_int, [c_void_p, c_void_p, c_size_t]),
    "heddle_copy_from_device": (c_int, [c_void_p, c_void_p, c_size_t]),
    "heddle_memset": (c_int, [c_void_p, c_int, c_size_t]),
    "heddle_kernel_create": (
        c_int,
        [c_char_p, c_size_t, c_char_p, c_size_t, POINTER(c_void_p)],
    ),
    "heddle_kernel_destroy": (None, [c_void_p]),
    "heddle_kernel_load": (c_int, [c_void_p]),
    "heddle_kernel_launch": (c_int, [c_void_p, POINTER(Arg), c_size_t, c_void_p]),
    "heddle_kernel_launch_words": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p]),
    "heddle_kernel_time": (
        c_int,
        [c_void_p, POINTER(Arg), c_size_t, c_size_t, c_size_t, c_void_p, POINTER(c_float)],
    ),
    "heddle_kernel_name": (c_char_p, [c_void_p]),
    "heddle_kernel_argument_count": (c_size_t, [c_void_p]),
    "heddle_kernel_variant_count": (c_size_t, [c_void_p]),
    "heddle_kernel_argument": (c_int, [c_void_p, c_size_t, POINTER(ArgumentInfo)]),
    "heddle_kernel_variant": (c_int, [c_void_p, c_size_t, POINTER(VariantInfo)]),
    "heddle_kernel_resources": (c_int, [c_void_p, c_size_t, POINTER(Resources)]),
    "heddle_kernel_jit_log": (c_char_p, [c_void_p]),
    "heddle_kernel_remark_count": (c_size_t, [c_void_p]),
    "heddle_kernel_remark": (c_int, [c_void_p, c_size_t, POINTER(Remark)]),
    "heddle_set_remark_handler": (None, [REMARK_HANDLER, c_void_p]),
    "heddle_kernel_plan": (
        c_int,
        [c_void_p, POINTER(Arg), c_size_t, c_int, POINTER(PlanInfo)],
    ),
    "heddle_kernel_plan_describe": (
        c_int,
        [c_void_p, POINTER(Arg), c_size_t, c_int, c_char_p, c_size_t, POINTER(c_size_t)],
    ),
}

RUNTIME = "libheddle_runtime.so"


def candidates(name):
    """Where a library is looked for, in order."""
    here = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(here, name)  # an installed package
    root = os.path.dirname(os.path.dirname(here))
    yield os.path.join(root, "build", "lib", name)  # a checkout after a build
    yield name  # the loader's path


def open_library(name, path, advice):
    """(library, its path) from `path`, or from the first candidate that exists."""
    tried = []
    for candidate in [path] if path else candidates(name):
        if os.sep in candidate and not os.path.exists(candidate):
            tried.append(candidate)
            continue
        try:
            return ctypes.CDLL(candidate), candidate
        except OSError as error:
            tried.append("%s (%s)" % (candidate, error))
    raise OSError("cannot load %s; tried %s; %s" % (name, ", ".join(tried), advice))


def declare(library, path, version, expected, signatures):
    """Checks the library's ABI version and declares its functions."""
    if version != expected:
        raise OSError(
            "%s has ABI version %d, but this Python package needs %d; install both "
            "from the same heddle" % (path, version, expected)
        )
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


def load(path=None):
    """Loads the runtime from `path`, or from the first candidate that exists."""
    library, path = open_library(
        RUNTIME,
        path,
        "build the target HeddleRuntime, or name the file with heddle.runtime.use_library(path)",
    )
    return declare(library, path, library.heddle_abi_version(), ABI_VERSION, _SIGNATURES)
