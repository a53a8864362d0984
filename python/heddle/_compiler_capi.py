# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compiler/include/heddle/compiler.h, spelled for ctypes."""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_void_p

from . import _capi

ABI_VERSION = 5
COMPILER = "libheddle.so"
MESSAGES, REPORT, NAME, PTX, MANIFEST, CERTIFICATE, SCHEDULE, PICTURE = range(8)
FINE, OBJECTED, DECLINED, BAD_INPUT, INTERNAL = range(5)

_SIGNATURES = {
    # name: (result, arguments)
    "heddle_compiler_abi_version": (c_int, []),
    "heddle_compiler_version": (c_char_p, []),
    "heddle_compile": (c_int, [c_char_p, c_size_t, c_char_p, POINTER(c_void_p)]),
    "heddle_emulate": (
        c_int,
        [
            c_char_p, c_size_t, c_char_p, c_size_t, POINTER(_capi.Arg), POINTER(c_size_t),
            c_size_t, c_char_p, POINTER(c_void_p),
        ],
    ),
    "heddle_result_kernel_count": (c_size_t, [c_void_p]),
    "heddle_result_text": (c_void_p, [c_void_p, c_int, c_size_t, POINTER(c_size_t)]),
    "heddle_result_destroy": (None, [c_void_p]),
}  # fmt: skip

_library = None
_path = None


def use_library(path):
    """Takes the compiler from this file. Call it before anything else."""
    global _library, _path
    _library, _path = None, path


def library():
    """The loaded library, as ctypes sees it."""
    global _library, _path
    if _library is None:
        found, _path = _capi.open_library(
            COMPILER,
            _path,
            "build the target HeddleCompiler, or name the file with heddle.use_compiler(path)",
        )
        version = found.heddle_compiler_abi_version()
        _library = _capi.declare(found, _path, version, ABI_VERSION, _SIGNATURES)
    return _library


def stamp():
    """What tells one build of the library from another, without loading it."""
    for path in [_path] if _path else _capi.candidates(COMPILER):
        try:
            found = os.stat(path)
        except OSError:
            continue
        return "%d %d" % (found.st_size, found.st_mtime_ns)
    return library().heddle_compiler_version().decode()


class Result:
    """The texts of one call; `outcome` is one of the five above."""

    def __init__(self, outcome, handle):
        self.outcome = outcome
        self._handle = handle
        count = library().heddle_result_kernel_count(handle)
        self.messages = self._text(MESSAGES)
        self.report = self._text(REPORT)
        self.schedule = self._text(SCHEDULE)
        self.picture = self._text(PICTURE)
        self.kernels = [
            {
                "name": self._text(NAME, kernel),
                "ptx": self._text(PTX, kernel),
                "manifest": self._text(MANIFEST, kernel),
                "certificate": self._text(CERTIFICATE, kernel),
            }
            for kernel in range(count)
        ]
        library().heddle_result_destroy(handle)

    def _text(self, text, kernel=0):
        size = c_size_t()
        address = library().heddle_result_text(self._handle, text, kernel, ctypes.byref(size))
        return ctypes.string_at(address, size.value).decode(errors="replace")


def compile_text(source, options):
    """`source` is bytes, `options` JSON."""
    handle = c_void_p()
    outcome = library().heddle_compile(
        source, len(source), options.encode(), ctypes.byref(handle)
    )
    return Result(outcome, handle)


def emulate(ptx, manifest, args, sizes, options):
    ptx, manifest, handle = ptx.encode(), manifest.encode(), c_void_p()
    outcome = library().heddle_emulate(
        ptx, len(ptx), manifest, len(manifest), args, sizes, len(args),
        options.encode(), ctypes.byref(handle),
    )  # fmt: skip
    return Result(outcome, handle)
