# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the Triton peers choose their configuration: a short list, by timing.
Configurations that do not compile, or whose result is wrong where somebody says how
to tell, are left out and named. To find out that one does not compile takes seconds
each time, because Triton caches successes only: it is remembered, and `remember` a file
in which one run leaves it to the next."""

import json
import os

import torch
import triton.language as tl

_failures = {}  # "kernel config" -> error
_file = None


def remember(path):
    """Reads failures from a file that need not be there, and adds new ones to it."""
    global _file
    _file = path
    if os.path.exists(path):
        with open(path) as file:
            _failures.update(json.load(file))


def note_failure(key, error):
    _failures[key] = error
    if _file:
        with open(_file, "w") as file:
            json.dump(_failures, file, indent=1)


def triton_type(dtype):
    return {torch.float16: tl.float16, torch.bfloat16: tl.bfloat16, torch.float32: tl.float32}[
        dtype
    ]


def milliseconds(launch, launches):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(launches):
        launch()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def first_line(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


# A race shows in some launches only.
CHECKED_LAUNCHES = 3


def tune(make, configs, kernel=None, why_wrong=None):
    """(best configuration, failures). Each runs for about 20 ms. `kernel` names what is
    compiled, where configurations fail by that alone; `why_wrong` says of a launch what is
    wrong with its result, if anything is."""
    best, best_ms, failures = None, float("inf"), []
    for config in configs:
        key = "%s %s" % (kernel, config)
        if kernel and key in _failures:
            failures.append({"config": config, "error": _failures[key]})
            continue
        try:
            launch = make(config)
            launch()
            torch.cuda.synchronize()
            wrong = why_wrong and next(
                filter(None, (why_wrong(launch) for _ in range(CHECKED_LAUNCHES))), None
            )
            if wrong:
                failures.append({"config": config, "error": wrong})
                continue
            once = max(milliseconds(launch, 3) / 3, 1e-3)
            elapsed = milliseconds(launch, max(3, int(20 / once)))
            elapsed /= max(3, int(20 / once))
        except Exception as error:  # a compiler may fail in any way
            failures.append({"config": config, "error": first_line(error)})
            if kernel:
                note_failure(key, first_line(error))
            continue
        if elapsed < best_ms:
            best, best_ms = config, elapsed
    return best, failures
