# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments of a case as torch tensors, for a GPU."""

import numpy as np
import torch
from case import Buffer, Descriptor, Scalar
from values import load, stored
from triton.tools.tensor_descriptor import TensorDescriptor

DTYPES = {
    "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64,
    "e4m3": torch.float8_e4m3fn, "e5m2": torch.float8_e5m2,
    "i1": torch.bool, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64,
}  # fmt: skip
GUARD_BYTES = 1024
GUARD = 0xA5


class Memory:
    """A tensor between guard bands."""

    def __init__(self, shape, element, device):
        self.element = element
        dtype = DTYPES[element]
        count = int(np.prod(shape)) * dtype.itemsize
        size = GUARD_BYTES + -(-count // GUARD_BYTES) * GUARD_BYTES + GUARD_BYTES
        self.bytes = torch.full((size,), GUARD, dtype=torch.uint8, device=device)
        self.end = GUARD_BYTES + count
        self.tensor = self.bytes[GUARD_BYTES : self.end].view(dtype).view(tuple(shape))

    def set(self, array):
        raw = torch.from_numpy(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
        self.bytes[GUARD_BYTES : self.end] = raw.to(self.bytes.device)

    def values(self, like):
        """As float64; `like` is an array of the same shape and type."""
        raw = self.bytes[GUARD_BYTES : self.end].cpu().numpy()
        return load(raw.view(like.dtype).reshape(like.shape), self.element)

    def is_guarded(self):
        return bool(
            (self.bytes[:GUARD_BYTES] == GUARD).all() and (self.bytes[self.end :] == GUARD).all()
        )


def buffer_of(argument):
    return argument.buffer if isinstance(argument, Descriptor) else argument


def passed(case, tensors):
    """What a caller writes behind kernel[grid], by name."""
    arguments = dict(case.constants)
    for name, argument in case.arguments.items():
        if isinstance(argument, Scalar):
            arguments[name] = argument.value
        elif isinstance(argument, Descriptor):
            arguments[name] = TensorDescriptor.from_tensor(tensors[name], list(argument.block))
        else:
            arguments[name] = tensors[name]
    return arguments


def memories(case, device):
    """({name: Memory}, {name: array of what it holds at first})."""
    made, arrays = {}, {}
    for name, argument in case.arguments.items():
        if not isinstance(argument, Scalar):
            buffer = buffer_of(argument)
            arrays[name] = stored(name, buffer)
            made[name] = Memory(buffer.shape, buffer.element, device)
    return made, arrays


def random_tensors(case, device, seed):
    """{name: tensor} made on the device, for problems too large to check by numpy."""
    generator = torch.Generator(device=device).manual_seed(seed)
    tensors = {}
    for name, argument in case.arguments.items():
        if isinstance(argument, Scalar):
            continue
        buffer = buffer_of(argument)
        dtype = DTYPES[buffer.element]
        if isinstance(buffer.fill, np.ndarray):
            tensor = torch.from_numpy(buffer.fill.copy()).to(device=device, dtype=dtype)
        elif buffer.fill == "normal":
            tensor = torch.randn(buffer.shape, generator=generator, device=device).to(dtype)
        elif buffer.fill == "small":  # integers of 8 bits
            tensor = torch.randint(-128, 128, buffer.shape, generator=generator, device=device).to(dtype)
        elif buffer.fill == "bits":
            tensor = torch.randint(-(2**31), 2**31, buffer.shape, generator=generator, device=device).to(dtype)
        elif buffer.fill in ("zeros", "poison"):
            tensor = torch.zeros(buffer.shape, device=device).to(dtype)
        else:
            raise ValueError("no fill %r for a benchmark" % (buffer.fill,))
        tensors[name] = tensor
    return tensors


def bytes_of(case):
    """Of all memory of the case."""
    return sum(
        int(np.prod(buffer_of(argument).shape)) * DTYPES[buffer_of(argument).element].itemsize
        for argument in case.arguments.values()
        if isinstance(argument, (Buffer, Descriptor))
    )
