# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of PyTorch's tensors and their gradients: the launches of a layer's programs.

Images, filters and gradients go in as PyTorch has them (images x channels x rows x columns, outputs x
channels x rows x columns); new tensors of these axes come out, which lie in memory as the programs
write them, with channels innermost. A launch goes to the runtime on PyTorch's current stream, or for
tensors of the host to the emulator. What heddle has no kernel for is Declined, with the reason.
"""

import contextlib
import functools
import itertools
import logging
import math

import torch

from . import _conv_programs as programs
from . import compiler

ELEMENTS = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: programs.TF32}
MOST_KEPT = 4096  # layers, each with its kernels
_log = logging.getLogger("heddle.torch")


class Declined(NotImplementedError):
    """Why there is no kernel."""


def _may_be_tf32():
    """Whether PyTorch's own convolution may multiply float32 without its low bits."""
    settings = torch.backends.cudnn
    return settings.conv.fp32_precision == "tf32" if hasattr(settings, "conv") else settings.allow_tf32


def layer_of(shape, dtype, stride, padding, dilation, groups):
    """The layer of filters of this shape. `padding` is the rim above, below, left and right."""
    if dtype not in ELEMENTS:
        raise Declined(f"elements are {dtype}; heddle multiplies images of float16, bfloat16, and float32 as TF32")
    if dtype is torch.float32 and not _may_be_tf32():
        raise Declined("elements are float32, which heddle multiplies as TF32 only, and "
                       "torch.backends.cudnn.conv.fp32_precision does not allow that")
    outputs, channels, *window = shape
    top, bottom, left, right = padding
    layer = programs.Layer(channels, outputs // groups, tuple(window), tuple(stride), tuple(dilation), (top, left),
                           (bottom, right), groups)  # fmt: skip
    if not programs.begins_at_tiles(layer):
        raise Declined(f"there are {groups} groups of {channels} channels, and a tile has 16: those of other groups in it "
                       "would be multiplied by zeros, which is slow, and makes NaNs of their infinities")
    return layer


@functools.lru_cache(maxsize=MOST_KEPT)
def _compiled(program, settings, or_tile, is_on_host):
    """The kernel of a program, or why there is none."""
    program = programs.Program(program, dict(settings), tuple(dict(one) for one in or_tile))
    if is_on_host:
        program = programs.smallest(program)
    try:
        return compiler.compile(
            programs.source_of(program), settings=programs.typed(program.name, program.settings),
            or_tile=list(program.or_tile), path=programs.path_of(program.name))  # fmt: skip
    except compiler.CompileError as error:
        if error.internal:
            raise
        return Declined(error.messages.strip())


def _launches(made, device):
    """Of each program, a function that launches it there. Compiled when it is first called."""

    def launch(program, *values):
        kernel = _compiled(program.name, tuple(program.settings.items()),
                           tuple(tuple(one.items()) for one in program.or_tile), device.type == "cpu")
        if isinstance(kernel, Declined):
            raise kernel
        kernel.run(*values)

    return [functools.partial(launch, program) for program in made]


def _on(device):
    """The device is the current one, whose stream a launch goes to."""
    return torch.cuda.device(device) if device.type == "cuda" else contextlib.nullcontext()


def _workers(device):
    """How many instances run at once; the emulator has one after the other."""
    return torch.cuda.get_device_properties(device).multi_processor_count if device.type == "cuda" else 1


def _packed(value):
    """The elements in order, copied if they are not; axes of one element have strides like others."""
    return value.contiguous().flatten().view(value.shape)


def _innermost_channels(value):
    """Images x rows x columns x channels."""
    return _packed(value.permute(0, 2, 3, 1))


def _empty_images(like, shape):
    """A tensor of images x channels x rows x columns, which is no view, so that it may be written in
    place; and the same with channels innermost."""
    made = torch.empty(shape, dtype=like.dtype, device=like.device, memory_format=torch.channels_last)
    return made, _innermost_channels(made)


def _filters(weight):
    """Window rows x window columns x channels x outputs, where they lie if that is as channels_last."""
    return _innermost_channels(weight).permute(1, 2, 3, 0)


def _filters_of_gradient(weight):
    """The same for the image's gradient, whose sum is over outputs: of f32 those are innermost."""
    return _packed(weight.permute(2, 3, 1, 0)) if weight.dtype is torch.float32 else _filters(weight)


def _runs_of_filters(weight, run):
    """What meets the columns of im2win: for each column of the window its rows and channels, with zeros
    behind them. Outputs are the slowest axis in memory."""
    outputs, channels, rows, columns = weight.shape
    filters = weight.new_zeros((outputs, columns, run))
    filters[..., : rows * channels] = weight.permute(0, 3, 2, 1).reshape(outputs, columns, rows * channels)
    return filters.view(1, outputs, columns * run).transpose(1, 2)


def _write_runs(layer, launch, x, extents):
    """im2win's array, and what the programs that read it are told of it."""
    images, rows, columns = x.shape[0], extents[0], programs.windows_columns(layer, extents[1])
    run = programs.run_of(layer.window[0], layer.channels)
    windows = x.new_empty((images, rows, columns, run))
    launch(x, windows, layer.window[0])
    return windows, (images, rows, columns, run, layer.window[1])


@functools.lru_cache(maxsize=MOST_KEPT)
def _say_why_not_unfolded(reason):
    _log.info("windows are written to memory first: %s", reason)


def forward(layer, image, weight):
    """The result without bias."""
    if layer.groups > 1:
        return _forward_of_groups(layer, image, weight)
    x = _innermost_channels(image)
    shape, element = tuple(x.shape[:3]), ELEMENTS[x.dtype]
    extents = programs.out_extents(layer, shape[1:])
    result, y = _empty_images(x, (x.shape[0], layer.outputs, *extents))
    made = programs.forward_programs(layer, shape, element)
    launches = _launches(made, x.device)
    with _on(x.device):
        if programs.is_unfolded(made[0]):
            launches[0](x, *x.shape, _packed(weight.permute(2, 3, 1, 0)).flatten(1, 2), y)
        elif programs.has_few_channels(layer):
            _say_why_not_unfolded(programs.why_not_unfolded(layer, shape, element))
            windows, sizes = _write_runs(layer, launches[0], x, extents)
            launches[1](windows, *sizes, _runs_of_filters(weight, sizes[3]), y.flatten(0, 2))
        else:
            launches[0](x, _filters(weight), y.flatten(0, 2))
    return result


def _filters_by_groups(layer, weight):
    """Groups x window rows x window columns x channels x outputs, of which channels are innermost."""
    filters = _innermost_channels(weight.contiguous(memory_format=torch.channels_last))
    return filters.view(layer.groups, layer.outputs, *layer.window, layer.channels).permute(0, 2, 3, 4, 1)


def _forward_of_groups(layer, image, weight):
    x = _innermost_channels(image)
    extents = programs.out_extents(layer, x.shape[1:3])
    result, y = _empty_images(x, (x.shape[0], layer.groups * layer.outputs, *extents))
    (launch,) = _launches(programs.group_programs(layer, ELEMENTS[x.dtype]), x.device)
    with _on(x.device):
        by_groups = y.flatten(0, 2).unflatten(1, (layer.groups, layer.outputs)).transpose(0, 1)
        launch(x, _filters_by_groups(layer, weight), by_groups)
    return result


def _image_of_groups(layer, upstream, weight):
    """The image's gradient: the result of turned filters."""
    turned = programs.turned(layer)
    if not turned:
        raise Declined(f"a layer in groups has a program for it with a stride of 1 and outputs that fill tiles of 16; "
                       f"it has a stride of {layer.stride[0]} x {layer.stride[1]}, and each group {layer.outputs} outputs")
    filters = weight.reshape(layer.groups, layer.outputs, layer.channels, *layer.window)
    return _forward_of_groups(turned, upstream, filters.transpose(1, 2).flatten(0, 1).flip(2, 3))


def gradient_of_image(layer, upstream, weight, extents):
    """For an image of so many rows and columns, from the gradient of the result."""
    if layer.groups > 1:
        return _image_of_groups(layer, upstream, weight)
    e = _innermost_channels(upstream)
    result, d = _empty_images(e, (e.shape[0], layer.channels, *extents))
    way = programs.data_way(layer)
    launches = _launches(programs.data_programs(layer, ELEMENTS[e.dtype]), e.device)
    with _on(e.device):
        if way == "data_gradient":
            launches[0](e, _filters_of_gradient(weight), d.flatten(0, 2))
        elif way == "data_gradient_blocks":
            _, blocks, places = programs.blocks_of(layer)
            filters = e.new_empty((*places, math.prod(blocks) * layer.channels, layer.outputs))
            launches[0](_packed(weight.permute(2, 3, 1, 0)), filters)
            launches[1](e, filters, d)
        else:
            f = _filters_of_gradient(weight)
            each = [programs.phases_of(*one)
                    for one in zip(extents, layer.window, layer.stride, layer.dilation, layer.low)]
            for (h, row, low_r), (w, column, low_s) in itertools.product(*each):
                phase = d[:, h :: layer.stride[0], w :: layer.stride[1]]
                launches[0](e, f, phase, row, column, low_r, low_s)
    return result


def gradient_of_filters(layer, image, upstream):
    """From an image and the gradient of the result."""
    if image.dtype is torch.float32:
        raise Declined("elements are float32; the tensor core reads TF32 along a sum only, and that of the filters' "
                       "gradient is over pixels")
    if layer.groups > 1:
        raise Declined(f"the layer has {layer.groups} groups, and heddle would launch a kernel for each")
    x, e = _innermost_channels(image), _innermost_channels(upstream)
    extents, window = e.shape[1:3], layer.window
    e = e.flatten(0, 2)
    few, is_whole = programs.has_few_channels(layer), programs.has_whole_rows(layer)
    rows, length = programs.weight_rows(layer)
    length *= 1 if is_whole else window[1]
    count = programs.parts_of(layer, len(e), _workers(e.device))
    result = x.new_empty((rows * length, layer.outputs))
    sums = x.new_empty((count, *result.shape), dtype=torch.float32) if count > 1 else result.unsqueeze(0)
    *first, multiply, rounded, add = _launches(programs.weight_programs(layer, ELEMENTS[x.dtype]), x.device)
    if count == 1:
        multiply = rounded
    with _on(x.device):
        if is_whole:
            sizes = *x.shape, window[1]
            if few:
                x, sizes = _write_runs(layer, first[0], x, extents)
            multiply(x, *sizes, e, sums.view(count, rows, length, layer.outputs))
        else:
            multiply(x, e, sums.view(count, *window, layer.channels, layer.outputs))
        if count > 1:
            add(sums, result)
    if few:
        runs = result.view(window[1], -1, layer.outputs)[:, : window[0] * layer.channels]
        return runs.reshape(window[1], window[0], layer.channels, layer.outputs).permute(3, 2, 1, 0)
    return result.view(*window, layer.channels, layer.outputs).permute(3, 2, 0, 1)
