# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton kernels of torch.compile by heddle: what heddle.torch.enable() switches on.

Inductor compiles each of its kernels, its templates' and the user's in some configurations,
each of which becomes a launcher. heddle adds one for each configuration whose text differs,
so that Inductor's own timing of the launchers chooses among Triton's and heddle's.
"""

import functools
import json
import logging
import weakref

import torch
import triton
from torch._inductor.runtime import triton_heuristics
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from . import _triton_launch
from . import triton as _by_heddle

_log = logging.getLogger("heddle.torch")
_plain_make_launchers = None
_stand_in = _triton_launch.LaunchedKernel
_kernels = []  # a _Kernel for each of Inductor's


class _Kernel:
    """One of Inductor's kernels: which launchers it has, and why it lacks heddle's."""

    def __init__(self, tuner):
        self.tuner = weakref.ref(tuner)
        self.name = tuner.inductor_meta.get("kernel_name") or tuner.fn.__name__
        self.reason = ""

    def note(self, _, reason):
        reason = reason.strip()
        if reason != self.reason:
            self.reason = reason
            _log.info("%s is left to Triton: %s", self.name, reason)

    def chosen(self):
        """"heddle" or "triton"; None while both are candidates, and of kernels that are gone."""
        tuner = self.tuner()
        if tuner is None or len(tuner.launchers) != 1:
            return None
        return "heddle" if getattr(tuner.launchers[0], "by_heddle", False) else "triton"


def enable():
    global _plain_make_launchers
    tuner = triton_heuristics.CachingAutotuner
    if _plain_make_launchers is None:
        _plain_make_launchers = tuner._make_launchers
        tuner._make_launchers = _make_launchers


def disable():
    global _plain_make_launchers
    if _plain_make_launchers is not None:
        triton_heuristics.CachingAutotuner._make_launchers = _plain_make_launchers
        _plain_make_launchers = None


def kernels():
    return [(one.name, one.chosen(), one.reason) for one in _kernels if one.tuner() is not None]


def _make_launchers(tuner):
    """In place of CachingAutotuner's own, which takes as many launchers as results for all."""
    tuner.launchers = [one for one in tuner.launchers if not getattr(one, "by_heddle", False)]
    failure = None
    try:
        _plain_make_launchers(tuner)
    except RuntimeError as error:  # none of Triton's fits the device
        failure = error
    if _is_candidate(tuner):
        with torch.cuda.device(tuner.device_props.index):
            tuner.launchers = tuner.launchers + launchers_of(tuner)
    if failure and not tuner.launchers:
        raise failure


def _is_candidate(tuner):
    return (
        tuner.device_props.type == "cuda"
        and tuner.device_props.cc == 90
        and torch.version.hip is None
        and not tuner.inductor_meta.get("store_cubin")  # a launch from C++ takes a cubin of Triton's
        and not getattr(tuner, "triton_interpret", False)
        and tuner.compile_results
    )


def launchers_of(tuner):
    """heddle's launchers of one of Inductor's kernels; none where it is declined."""
    kernel = next((one for one in _kernels if one.tuner() is tuner), None)
    if kernel is None:
        _kernels[:] = [one for one in _kernels if one.tuner() is not None]
        kernel = _Kernel(tuner)
        _kernels.append(kernel)
    function = tuner.fn
    if function.fn is None:  # a process that compiles made the tuner, and left its text behind
        reload = getattr(tuner, "_reload_kernel", None)
        if not callable(reload):
            kernel.note("", "its source is not in this process")
            return []
        function = reload().fn
    made = {}
    for result in tuner.compile_results:
        # Warps and stages are Triton's choices; heddle's are in its schedule.
        text = json.dumps(result.compile_meta["constants"], sort_keys=True, default=repr)
        if text not in made:
            made[text] = _launcher(tuner, function, result, kernel)
    return [launcher for launcher in made.values() if launcher is not None]


def _launcher(tuner, function, result, kernel):
    meta = result.compile_meta
    source = ASTSource(function, meta["signature"], meta["constants"], meta["configs"][0])
    target = GPUTarget(meta["device_type"], meta["cc"], 32)
    options = tuner._create_compile_options(result.config, meta)
    by_triton = functools.partial(triton.compile, source, target=target, options=options)
    try:
        made = _by_heddle.standing_in(source, target, options, by_triton, kernel.note, _stand_in)
        launcher = triton_heuristics.TritonCompileResult(
            made, result.config, meta, result.inductor_meta
        ).make_launcher()
    except _by_heddle.Declined as reason:
        kernel.note("", str(reason))
        return None
    except OSError:  # there is no library
        raise
    except Exception as error:
        kernel.note("", "bug in heddle: %r" % error)
        return None
    launcher.by_heddle = True
    launcher.n_spills = 0  # Inductor passes over what spills more than a little; time tells better
    return launcher
