# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Triton kernels by heddle, unchanged.

    import heddle.triton
    heddle.triton.enable()        # kernel[grid](...) is heddle's from here on

or, for one kernel, the decorator @heddle.triton.kernel above @triton.jit (and
@triton.autotune). Triton itself still binds and specialises arguments, tunes, and
calls hooks; heddle takes the place of its compiler and launcher. What heddle
declines is compiled by Triton, and the reason goes once to the log "heddle.triton".
"""

import functools
import json
import logging

import triton
from triton.compiler import ASTSource
from triton.runtime import driver
from triton.runtime.jit import JITFunction

from . import _cache, _compiler_capi, _triton_launch, _triton_source, compiler

_log = logging.getLogger("heddle.triton")
_plain_do_compile = JITFunction._do_compile
_everywhere = False
_emulating = False
_schedule = "auto"
_declined = {}
_entries = {}  # by TTIR and options: configurations of an autotuner often differ in nothing else


class Declined(Exception):
    """Why a kernel is left to Triton."""


def enable(emulate=False, schedule="auto"):
    """Every kernel that is not compiled yet is heddle's from here on. With
    `emulate`, kernels run on the CPU, on host tensors; no GPU is needed. `schedule`
    "exact" spends seconds on a kernel with several dots in its loop."""
    global _everywhere, _emulating, _schedule
    if emulate:
        from . import _triton_emulator

        driver.set_active(_triton_emulator.EmulatorDriver())
    _everywhere, _emulating, _schedule = True, bool(emulate), schedule
    JITFunction._do_compile = _do_compile


def disable():
    """Kernels that are not compiled yet are Triton's again."""
    global _everywhere, _emulating
    if _emulating:
        driver.set_active(None)
    _everywhere = _emulating = False


def kernel(function=None, *, schedule=None):
    """Decorates one kernel, whatever is around it: @heddle.triton.kernel, or
    @heddle.triton.kernel(schedule="exact")."""
    if function is None:
        return functools.partial(kernel, schedule=schedule)
    inner = function
    while not isinstance(inner, JITFunction):
        if not hasattr(inner, "fn"):
            raise TypeError("%r is no kernel under @triton.jit" % (function,))
        inner = inner.fn
    inner._by_heddle = True
    inner._heddle_schedule = schedule
    inner.device_caches.clear()
    JITFunction._do_compile = _do_compile
    return function


def declined():
    """{kernel's name: why it was left to Triton}."""
    return dict(_declined)


def forget_declined():
    """Empties that list; what was logged stays logged."""
    _declined.clear()


def compiled(function):
    """The heddle.Compiled of each specialisation of a kernel so far."""
    while not isinstance(function, JITFunction):
        function = function.fn
    return list(getattr(function, "_heddle_compiled", ()))


def _do_compile(self, *arguments, **keywords):
    """In place of JITFunction's own, which calls self.compile."""
    if not isinstance(self.compile, _Compile):
        self.compile = _Compile(self.compile)
    return _plain_do_compile(self, *arguments, **keywords)


class _Compile:
    """triton.compile, with heddle before it."""

    def __init__(self, by_triton):
        self.by_triton = by_triton

    def __call__(self, src, target=None, options=None, **rest):
        by_triton = functools.partial(self.by_triton, src, target=target, options=options, **rest)
        if not (_everywhere or getattr(getattr(src, "fn", None), "_by_heddle", False)):
            return by_triton()
        stand_in = _triton_launch.EmulatedKernel if _emulating else _triton_launch.LaunchedKernel
        try:
            made = standing_in(src, target, options, by_triton, _decline, stand_in)
        except Declined as reason:
            if _emulating:
                raise compiler.CompileError(_compiler_capi.DECLINED, str(reason)) from None
            _decline(src.fn.__name__, str(reason))
            return by_triton()
        except OSError:  # there is no library
            raise
        except Exception as error:
            if _emulating:
                raise
            _decline(src.fn.__name__, "bug in heddle: %r" % error)
            return by_triton()
        src.fn._heddle_compiled = compiled(src.fn) + [made.heddle]
        return made


def standing_in(src, target, options, by_triton, decline, kind):
    """A kernel of heddle's in place of Triton's CompiledKernel: a LaunchedKernel, or an
    EmulatedKernel. Throws Declined."""
    if kind is _triton_launch.EmulatedKernel:
        return kind(_compile(src, target, options, "either"), src, target, options)
    made = _compile(src, target, options, "checked")
    if made.why_in_order:
        # Triton overlaps loads with products in its way; this kernel would not.
        raise Declined(made.why_in_order)
    general = functools.partial(_general, src, target, options, by_triton, decline)
    return kind(made, src, target, options, by_triton, decline, general)


def _general(src, target, options, by_triton, decline):
    """The same kernel for launches that break an assumption of the first; None where
    it does not compile without."""
    try:
        made = _compile(src, target, options, "nothing")
    except Declined:
        return None
    if made.why_in_order:
        return None
    return _triton_launch.LaunchedKernel(made, src, target, options, by_triton, decline)


def _decline(name, reason):
    if _declined.get(name) != reason:
        _declined[name] = reason
        _log.warning("%s is left to Triton: %s", name, reason.rstrip())


def _check_options(src, target, options):
    """What heddle has no equivalent for."""
    if not isinstance(src, ASTSource) or src.language.name != "TRITON":
        raise Declined("it is not written in Triton's own language")
    if target is None or target.backend != "cuda" or target.arch != 90:
        raise Declined("heddle's code runs on compute capability 9.0 only")
    for name, usual in (
        ("launch_cooperative_grid", False),
        ("enable_fp_fusion", True),
        ("ir_override", None),
        ("instrumentation_mode", ""),
    ):
        if options.get(name, usual) != usual:
            raise Declined("option %s is %r" % (name, options[name]))


def _compile(src, target, options, assume):
    """A heddle.Compiled; from the cache by the source of the Python function, what
    it uses, and everything else that its TTIR depends on."""
    options = dict(options or {})
    _check_options(src, target, options)
    schedule = getattr(src.fn, "_heddle_schedule", None) or _schedule
    key = _cache.key_of(
        "triton", triton.__version__, _compiler_capi.stamp(), src.hash(), schedule, assume,
        json.dumps(options, sort_keys=True, default=str),
    )  # fmt: skip
    entry = _cache.load(key)
    if entry is None:
        entry = _make(src, target, options, schedule, assume)
        _cache.store(key, entry)
    if "declined" in entry:
        raise Declined(entry["declined"])
    made = compiler.Compiled(entry["texts"], entry["ttir"])
    for one in made.arguments:
        if one["name"] not in src.fn.arg_names and one["name"] not in compiler.GRID:
            raise Declined("'%s' is a part of an argument" % one["name"])
    return made


def _ttir_of(src, target, options):
    """Some versions of Python count how deep their parser is for all threads in one number, and
    object to it where two of them parse; who tries again gets through."""
    for _ in range(3):
        try:
            return _triton_source.ttir_of(src, target, options)
        except SystemError as error:
            if "recursion depth mismatch" not in str(error):
                raise
    return _triton_source.ttir_of(src, target, options)


def _make(src, target, options, schedule, assume):
    try:
        text = _ttir_of(src, target, options)
    except Exception as error:  # Triton says it better when it tries itself
        raise Declined("Triton's front end objects: %s" % error) from error
    key = text, schedule, assume
    if key not in _entries:
        _entries[key] = _make_from(text, src.fn.__name__ + ".ttir", schedule, assume)
    return _entries[key]


def _make_from(text, name, schedule, assume):
    try:
        made = compiler.compile_text(
            text, compiler.options_of(name, schedule=schedule, assume=assume)
        )
    except compiler.CompileError as error:
        return {"declined": str(error)}
    return {"texts": made.texts, "ttir": text}
