# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the Triton peers choose their configuration: a short list, by timing.
Configurations that do not compile are left out and named."""

import torch
import triton.language as tl


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


def tune(make, configs):
    """(best configuration, failures). Each runs for about 20 ms."""
    best, best_ms, failures = None, float("inf"), []
    for config in configs:
        try:
            launch = make(config)
            launch()
            torch.cuda.synchronize()
            once = max(milliseconds(launch, 3) / 3, 1e-3)
            elapsed = milliseconds(launch, max(3, int(20 / once)))
            elapsed /= max(3, int(20 / once))
        except Exception as error:  # a compiler may fail in any way
            failures.append({"config": config, "error": first_line(error)})
            continue
        if elapsed < best_ms:
            best, best_ms = config, elapsed
    return best, failures
