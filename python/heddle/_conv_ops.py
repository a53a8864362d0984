# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions as operators of PyTorch's graphs: torch.ops.heddle.conv2d, conv2d_image and
conv2d_filters, the last two being its gradients.

Each is linear in two tensors, and its gradients are the other two, so that gradients have gradients.
Arguments have been checked (torch.py). What heddle has no kernel for is computed by PyTorch's own
operator; a remark says so once for each reason, and `declined` counts.
"""

import collections
import functools
import logging

import torch

from . import _conv_torch
from ._conv_programs import places_of
from ._conv_torch import Declined

_log = logging.getLogger("heddle.torch")
declined = collections.Counter()  # (operator, reason) -> how often PyTorch computed it
# Rims are above, below, left and right; results lie in memory as channels_last or contiguous.
_GEOMETRY = "SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups, bool channels_last"


def _operator(name, tensors):
    schema = f"({tensors}, {_GEOMETRY}) -> Tensor"
    return torch.library.custom_op("heddle::" + name, mutates_args=(), schema=schema)


def result_shape(image, weight, stride, padding, dilation):
    """Images, outputs, rows and columns."""
    rims = padding[0] + padding[1], padding[2] + padding[3]
    extents = [places_of(*one) for one in zip(image[2:], weight[2:], stride, dilation, rims)]
    return [image[0], weight[0], *extents]


def _format(channels_last):
    return torch.channels_last if channels_last else torch.contiguous_format


def _compute(name, shape, operands, geometry, run, peer):
    """run(layer) for the layer of filters of a shape; zeros where nothing is added up; peer() where
    heddle has no kernel."""
    stride, padding, dilation, groups, channels_last = geometry
    weight, result = shape
    like = operands[0]
    if 0 in result or not all(operand.numel() for operand in operands):
        return _laid_out(torch.zeros(result, dtype=like.dtype, device=like.device), channels_last)
    try:
        found = run(_conv_torch.layer_of(weight, like.dtype, stride, padding, dilation, groups))
    except Declined as reason:
        text = str(reason)
        if not declined[name, text]:
            _log.warning("%s is computed by PyTorch: %s", name, text)
        declined[name, text] += 1
        found = peer()
    return _laid_out(found, channels_last)


def _laid_out(value, channels_last):
    """With the strides that an empty tensor of this format has, and no view."""
    made = functools.partial(torch.empty, value.shape, dtype=value.dtype, memory_format=_format(channels_last))
    if value.stride() == made(device="meta").stride() and not value._is_view():
        return value
    return made(device=value.device).copy_(value)


def _padded(image, padding):
    """For PyTorch's operators, which have one rim for both ends: (image, rim)."""
    top, bottom, left, right = padding
    if top == bottom and left == right:
        return image, (top, left)
    return torch.nn.functional.pad(image, (left, right, top, bottom)), (0, 0)


def _peer_gradient(upstream, image, weight, geometry, of_image):
    stride, padding, dilation, groups, _ = geometry
    padded, rim = _padded(image, padding)
    found = torch.ops.aten.convolution_backward(
        upstream, padded, weight, None, stride, rim, dilation, False, [0, 0], groups, [of_image, not of_image, False])
    if not of_image:
        return found[1]
    if padded is image:
        return found[0]
    top, _, left, _ = padding
    return found[0][:, :, top : top + image.shape[2], left : left + image.shape[3]]


# --- Operators ---------------------------------------------------------------


@_operator("conv2d", "Tensor image, Tensor weight")
def conv2d(image, weight, *geometry):
    def peer():
        stride, padding, dilation, groups, _ = geometry
        padded, rim = _padded(image, padding)
        return torch.ops.aten.convolution(padded, weight, None, stride, rim, dilation, False, [0, 0], groups)

    shapes = weight.shape, result_shape(image.shape, weight.shape, *geometry[:3])
    return _compute("conv2d", shapes, (image, weight), geometry,
                    lambda layer: _conv_torch.forward(layer, image, weight), peer)


@conv2d.register_fake
def _(image, weight, *geometry):
    shape = result_shape(image.shape, weight.shape, *geometry[:3])
    return torch.empty(shape, dtype=image.dtype, device=image.device, memory_format=_format(geometry[-1]))


@_operator("conv2d_image", "Tensor upstream, Tensor weight, SymInt[] shape")
def conv2d_image(upstream, weight, shape, *geometry):
    """The gradient of an image of a shape, from the result's and the filters."""

    def peer():
        image = upstream.new_empty(shape)
        return _peer_gradient(upstream, image, weight, geometry, True)

    return _compute("conv2d's gradient of the image", (weight.shape, shape), (upstream, weight), geometry,
                    lambda layer: _conv_torch.gradient_of_image(layer, upstream, weight, shape[2:]), peer)


@conv2d_image.register_fake
def _(upstream, weight, shape, *geometry):
    return torch.empty(shape, dtype=upstream.dtype, device=upstream.device, memory_format=_format(geometry[-1]))


@_operator("conv2d_filters", "Tensor image, Tensor upstream, SymInt[] shape")
def conv2d_filters(image, upstream, shape, *geometry):
    """The gradient of filters of a shape, from the image and the result's."""

    def peer():
        return _peer_gradient(upstream, image, upstream.new_empty(shape), geometry, False)

    return _compute("conv2d's gradient of the filters", (shape, shape), (image, upstream), geometry,
                    lambda layer: _conv_torch.gradient_of_filters(layer, image, upstream), peer)


@conv2d_filters.register_fake
def _(image, upstream, shape, *geometry):
    return torch.empty(shape, dtype=image.dtype, device=image.device, memory_format=_format(geometry[-1]))


# --- Gradients ---------------------------------------------------------------


def _save(ctx, inputs, output):
    first, second, *ctx.rest = inputs
    ctx.shapes = first.shape, second.shape
    # Each gradient is made of one tensor and the upstream one.
    needs = ctx.needs_input_grad
    ctx.save_for_backward(first if needs[1] else None, second if needs[0] else None)


def _with_gradients(operator, first_gradient, second_gradient):
    """Gradients of the operator's two tensors: functions of (upstream, the other tensor, shape, rest)."""

    def backward(ctx, upstream):
        (first, second), (one, two) = ctx.saved_tensors, ctx.shapes
        return (
            first_gradient(upstream, second, one, ctx.rest) if ctx.needs_input_grad[0] else None,
            second_gradient(upstream, first, two, ctx.rest) if ctx.needs_input_grad[1] else None,
            *[None] * len(ctx.rest),
        )

    operator.register_autograd(backward, setup_context=_save)


_with_gradients(
    conv2d,
    lambda upstream, weight, shape, rest: conv2d_image(upstream, weight, shape, *rest),
    lambda upstream, image, shape, rest: conv2d_filters(image, upstream, shape, *rest),
)
_with_gradients(
    conv2d_image,
    lambda upstream, weight, shape, rest: conv2d(upstream, weight, *rest[1:]),
    lambda upstream, errors, shape, rest: conv2d_filters(upstream, errors, shape, *rest[1:]),
)
_with_gradients(
    conv2d_filters,
    lambda upstream, errors, shape, rest: conv2d_image(errors, upstream, shape, *rest[1:]),
    lambda upstream, image, shape, rest: conv2d(image, upstream, *rest[1:]),
)
