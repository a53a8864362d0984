# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A driver for Triton that has no GPU: kernels run on heddle's emulator."""

import time

from triton.backends.driver import DriverBase

from ._triton_source import TARGET


class EmulatorDriver(DriverBase):
    @classmethod
    def is_active(cls):
        return False  # only where heddle.triton.enable(emulate=True) sets it

    def map_python_to_cpp_type(self, ty):
        raise NotImplementedError("the emulator has no launcher in C")

    def get_current_target(self):
        return TARGET

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device):
        return 0

    def get_device_capability(self, device=0):
        return (9, 0)

    def get_active_torch_device(self):
        import torch

        return torch.device("cpu")

    def get_benchmarker(self):
        return _time_once

    def get_empty_cache_for_benchmark(self):
        return None

    def clear_cache(self, cache):
        pass


def _time_once(call, quantiles=None, **unused):
    """One run's milliseconds: figures of an emulator rank nothing."""
    start = time.perf_counter()
    call()
    elapsed = (time.perf_counter() - start) * 1e3
    return [elapsed] * len(quantiles) if quantiles else elapsed
