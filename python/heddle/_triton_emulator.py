# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A driver for Triton that has no GPU: kernels run on heddle's emulator.

Wrappers ask the active driver about the machine, many when they are imported: it answers
as on an H200, for which kernels are compiled.
"""

import contextlib
import time

from triton.backends.driver import DriverBase

from ._triton_source import TARGET

# Of an H200 (NVIDIA H200 Tensor Core GPU data sheet, CUDA Programming Guide, table of compute
# capabilities); rates in kHz, 4.8 TB/s by 6144 wires at two transfers a cycle.
_PROPERTIES = {
    "max_shared_mem": 232448,
    "max_num_regs": 65536,
    "multiprocessor_count": 132,
    "warpSize": 32,
    "warp_size": 32,
    "sm_clock_rate": 1980000,
    "mem_clock_rate": 3125000,
    "mem_bus_width": 6144,
}


class _Utils:
    """What Triton's launcher has in C."""

    @staticmethod
    def get_device_properties(device=0):
        return dict(_PROPERTIES)

    @staticmethod
    def set_printf_fifo_size(size):
        pass  # nothing prints

    @staticmethod
    def load_binary(*unused):
        raise NotImplementedError("the emulator runs heddle's kernels, not Triton's cubin")


class _Event:
    def __init__(self, enable_timing=False, **unused):
        self._time = None

    def record(self, stream=None):
        self._time = time.perf_counter()

    def synchronize(self):
        pass

    def query(self):
        return True

    def elapsed_time(self, end):
        """Milliseconds."""
        return (end._time - self._time) * 1e3


class _Stream:
    cuda_stream = 0

    def __init__(self, *unused, **also):
        pass

    def synchronize(self):
        pass


class _Interface:
    """What torch.cuda is to Triton's own driver: one device, whose work is done when a call
    returns."""

    Event, Stream = _Event, _Stream

    @staticmethod
    def current_device():
        return 0

    @staticmethod
    def device_count():
        return 1

    @staticmethod
    def synchronize(device=None):
        pass

    @staticmethod
    def current_stream(device=None):
        return _Stream()

    default_stream = current_stream

    @staticmethod
    def stream(stream):
        return contextlib.nullcontext()

    @staticmethod
    def device(device):
        return contextlib.nullcontext()

    @staticmethod
    def get_device_capability(device=None):
        return (9, 0)


class _Cache:
    """In place of the memory that Triton writes between runs to empty the L2 cache."""

    def zero_(self):
        pass


class EmulatorDriver(DriverBase):
    utils = _Utils()

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

    def get_current_stream(self, device=0):
        return 0

    def get_device_capability(self, device=0):
        return (9, 0)

    def get_device_interface(self):
        return _Interface

    def get_active_torch_device(self):
        import torch

        return torch.device("cpu")

    def get_benchmarker(self):
        return _time_once

    def get_empty_cache_for_benchmark(self):
        return _Cache()

    def clear_cache(self, cache):
        cache.zero_()


def _time_once(call, quantiles=None, **unused):
    """One run's milliseconds: figures of an emulator rank nothing."""
    start = time.perf_counter()
    call()
    elapsed = (time.perf_counter() - start) * 1e3
    return [elapsed] * len(quantiles) if quantiles else elapsed
