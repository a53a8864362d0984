# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as operators of PyTorch, which torch.compile leaves as they are.

    op = heddle.torch.custom_op("mine::product", compiled,
                                outputs={"c": lambda a, b: a.new_empty(len(a), len(b))})
    c = op(a, b)

    y = heddle.torch.conv2d(x, weight, padding=1)   # as torch.nn.functional.conv2d

    heddle.torch.enable()                           # torch.compile's kernels, too
"""

import torch

from ._conv_arguments import conv2d

_SCALARS = {"f16": "float", "bf16": "float", "f32": "float", "f64": "float"}


def _schema(arguments, outputs):
    parts = []
    for index, one in enumerate(arguments):
        if one["name"] in outputs:
            continue
        if one["kind"] == "scalar":
            type_name = _SCALARS.get(one["element"], "SymInt")
        else:
            type_name = "Tensor(a%d!)" % index if one.get("written") else "Tensor"
        parts.append("%s %s" % (type_name, one["name"]))
    results = ["Tensor"] * len(outputs)
    return "(%s) -> %s" % (
        ", ".join(parts),
        results[0] if len(results) == 1 else "(%s)" % ", ".join(results),
    )


def custom_op(name, compiled, outputs=None, grid=None):
    """A torch.library operator that launches a heddle.Compiled: on the GPU for CUDA
    tensors, on the emulator for the host's.

    `outputs` says of arguments that are only written how to allocate them: a
    function of the operator's arguments that returns an empty tensor, which also
    serves as the fake implementation. Other arguments that the kernel writes are
    mutated. A Triton kernel takes `grid`, a function of the operator's arguments.
    """
    outputs = outputs or {}
    arguments = [one for one in compiled.arguments if not one["name"].startswith("grid_")]
    names = [one["name"] for one in arguments]
    for output in outputs:
        if output not in names:
            raise TypeError("kernel '%s' has no argument '%s'" % (compiled.name, output))
    if (grid is None) != (len(arguments) == len(compiled.arguments)):
        raise TypeError(
            "kernel '%s' %s a grid" % (compiled.name, "needs" if grid is None else "has not")
        )
    mutated = [
        one["name"] for one in arguments if one.get("written") and one["name"] not in outputs
    ]

    def allocate(values):
        made = [outputs[name](*values) for name in names if name in outputs]
        return made[0] if len(made) == 1 else tuple(made) if made else None

    def launch(*values):
        made = allocate(values)
        results = iter(made if isinstance(made, tuple) else (made,))
        given = iter(values)
        every = [next(results) if name in outputs else next(given) for name in names]
        compiled.run(*every, grid=grid(*values) if grid else None)
        return made

    op = torch.library.custom_op(
        name, launch, mutates_args=mutated, schema=_schema(arguments, outputs)
    )
    op.register_fake(lambda *values: allocate(values))
    return op


def enable():
    """The Triton kernels that torch.compile makes from here on (Inductor's own, its templates' for
    products and FlexAttention, and the user's) are heddle's where that is faster: each gets heddle's
    as further candidates, and Inductor's timing of candidates, in a kernel's first launch, chooses.
    A kernel with one candidate before is timed for that. Where there is no Triton, or the GPU is not
    of compute capability 9.0, nothing changes."""
    from . import _inductor

    _inductor.enable()


def disable():
    """Kernels that torch.compile makes from here on are Triton's again."""
    from . import _inductor

    _inductor.disable()


def kernels():
    """(name, "heddle", "triton" or None, reason) of each kernel of torch.compile since enable():
    None before its first launch; the reason why heddle declined it, else empty."""
    from . import _inductor

    return _inductor.kernels()


def declined():
    """(call, reason, calls) of what PyTorch computed in heddle's place."""
    from . import _conv_ops

    return [(name, reason, calls) for (name, reason), calls in _conv_ops.declined.items()]
