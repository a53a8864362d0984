# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.torch.conv2d: the arguments of torch.nn.functional.conv2d, checked and made uniform.

Tensors, and numbers, pairs or words go in. torch.ops.heddle.conv2d gets 4-D tensors of one type, pairs, a
rim of four numbers and the format of the result. torch.compile traces all of it.
"""

import torch

from . import _conv_ops


def _pair(value, name, least):
    """Of rows and of columns."""
    pair = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
    pair = pair * 2 if len(pair) == 1 else pair
    if len(pair) != 2 or not all(isinstance(one, (int, torch.SymInt)) and not isinstance(one, bool) for one in pair):
        raise TypeError(f"{name} is {value!r}; it is a whole number, or one for rows and one for columns")
    if min(pair) < least:
        raise ValueError(f"{name} is {value!r}, and it is at least {least}")
    return pair


def _rim(padding, window, stride, dilation):
    """Above, below, left and right."""
    if padding == "valid":
        return 0, 0, 0, 0
    if padding != "same":
        if isinstance(padding, str):
            raise ValueError(f"padding is {padding!r}; a word is 'valid' or 'same'")
        rows, columns = _pair(padding, "padding", 0)
        return rows, rows, columns, columns
    if stride != (1, 1):
        raise ValueError(f"padding='same' is for a stride of 1, and the stride is {stride}")
    spans = [one * (places - 1) for one, places in zip(dilation, window)]
    # The end has the odd one, as torch.nn.functional.conv2d has it.
    return spans[0] // 2, spans[0] - spans[0] // 2, spans[1] // 2, spans[1] - spans[1] // 2


def _check_tensors(input, weight, bias, groups):
    for value, name in ((input, "input"), (weight, "weight"), (bias, "bias")):
        if value is None and name == "bias":
            continue
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"{name} is no tensor, but of type {type(value).__name__}")
        if value.layout is not torch.strided:
            raise TypeError(f"{name} is stored as {value.layout}; pass to_dense() of it")
        if value.device != input.device:
            raise TypeError(f"{name} is on {value.device} and input on {input.device}; move all to one device by .to()")
        if value.dtype != input.dtype:
            raise TypeError(f"{name} has elements of {value.dtype} and input of {input.dtype}")
    if weight.dim() != 4:
        raise ValueError(f"weight has {weight.dim()} axes; filters are outputs x channels x rows x columns")
    if input.dim() not in (3, 4):
        raise ValueError(f"input has {input.dim()} axes; it is images x channels x rows x columns, or one image")
    if 0 in weight.shape[2:]:
        raise ValueError(f"weight has windows of {weight.shape[2]} x {weight.shape[3]} places; there is at least one")
    if weight.shape[0] % groups:
        raise ValueError(f"weight has {weight.shape[0]} outputs, which {groups} groups do not divide")
    channels = input.shape[-3]
    if channels != weight.shape[1] * groups:
        of = f" in each of {groups} groups" if groups > 1 else ""
        raise ValueError(f"input has {channels} channels, and weight is for {weight.shape[1]}{of}")
    if bias is not None and tuple(bias.shape) != (weight.shape[0],):
        raise ValueError(f"bias has the shape {tuple(bias.shape)}; there is one number for each of the "
                         f"{weight.shape[0]} outputs")


def _is_channels_last(value):
    """Whether its strides rise from channels to columns, rows and images, as PyTorch asks it; contiguous
    if it could be either."""
    sizes, strides, least = value.shape, value.stride(), 0
    if strides[1] == 0:
        return False
    for axis in (1, 3, 2, 0):
        if sizes[axis] == 0 or strides[axis] < least or (axis == 0 and least == strides[1]):
            return False
        least = strides[axis] * max(sizes[axis], 1)
    return True


def _cast(value, kind):
    """As autocast does it for torch.nn.functional.conv2d."""
    is_cast = value is not None and value.is_floating_point() and value.dtype is not torch.float64
    return value.to(kind) if is_cast else value


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """The convolution that torch.nn.functional.conv2d computes, with its arguments, by heddle's kernels.

    input: images x channels x rows x columns, or one image without the first axis. weight: outputs x
        (channels / groups) x rows x columns of a window. bias: one number for each output.
    stride, dilation: a number, or one for rows and one for columns, at least 1. padding: the same, at
        least 0, or 'valid' (none) or 'same' (as many rows and columns as the input has, for a stride of 1;
        an odd one is at the end).

    float16 and bfloat16 are multiplied by heddle, and added in float32, on an H100 or H200, and float32 as
    TF32 where torch.backends.cudnn.conv.fp32_precision allows that, but for gradients of weight; tensors of
    the host by the emulator, for tests. Other types, groups whose channels are no multiple of 16, and the
    gradients of groups but the image's for a stride of 1 are PyTorch's: a remark of the logger "heddle.torch"
    says so, once for each reason, and declined() counts. The result lies in memory as channels_last if
    input or weight does, else as contiguous, which takes a copy of input and result. Weights are copied in
    each call where they do not lie as channels_last, or channels are fewer than 16.
    bias is added by PyTorch.

    Gradients of input and weight are heddle's kernels, too, and have gradients; bias's is a sum of
    PyTorch's. It is one operator of a graph of torch.compile, and under autocast operands are cast as
    those of PyTorch's convolution.

    ValueError: shapes or numbers that do not fit each other, with the shapes. TypeError: operands of
    different types or devices, or no tensors. docs/convolution.md shows the programs.
    """
    if isinstance(input, torch.Tensor) and torch.is_autocast_enabled(input.device.type):
        kind = torch.get_autocast_dtype(input.device.type)
        input, weight, bias = (_cast(value, kind) for value in (input, weight, bias))
    if not isinstance(groups, int) or groups < 1:
        raise ValueError(f"groups is {groups!r}; it is a whole number of at least 1")
    _check_tensors(input, weight, bias, groups)
    stride, dilation = _pair(stride, "stride", 1), _pair(dilation, "dilation", 1)
    rim = _rim(padding, weight.shape[2:], stride, dilation)
    images = input if input.dim() == 4 else input.unsqueeze(0)
    rows, columns = _conv_ops.result_shape(images.shape, weight.shape, stride, rim, dilation)[2:]
    if rows < 1 or columns < 1:
        spans = [one * (places - 1) + 1 for one, places in zip(dilation, weight.shape[2:])]
        raise ValueError(f"a window spans {spans[0]} x {spans[1]} places, and input with its padding has "
                         f"{images.shape[2] + rim[0] + rim[1]} x {images.shape[3] + rim[2] + rim[3]}")
    channels_last = _is_channels_last(images) or _is_channels_last(weight)
    result = _conv_ops.conv2d(images, weight, stride, rim, dilation, groups, channels_last)
    if bias is not None:
        result = result.add_(bias.view(-1, 1, 1))
    return result if input.dim() == 4 else result.squeeze(0)
