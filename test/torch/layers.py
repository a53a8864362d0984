# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of convolutions for tests: shapes and options, operands of small integers, and float64's result
and gradients."""

import collections
import warnings

import torch

from heddle import _conv_arguments, _conv_programs, _conv_torch

EAGER = torch.nn.functional.conv2d
LAST, FIRST = torch.channels_last, torch.contiguous_format
Case = collections.namedtuple("Case", "image weight options dtype formats", defaults=(torch.float16, (LAST, LAST)))


def integers(shape, dtype, seed, format=FIRST):
    drawn = torch.randint(-2, 3, shape, generator=torch.Generator().manual_seed(seed))
    return drawn.to(dtype).contiguous(memory_format=format)


def operands(case, seed=0):
    image = integers(case.image, case.dtype, seed, case.formats[0])
    return image.requires_grad_(), integers(case.weight, case.dtype, seed + 1, case.formats[1]).requires_grad_()


def exact(image, weight, options, upstream):
    """Result and gradients in float64."""
    image, weight = (value.detach().double().requires_grad_() for value in (image, weight))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = EAGER(image, weight, **options)
    return result.detach(), *torch.autograd.grad(result, (image, weight), upstream.double())


def layer_of(case):
    stride, dilation = (_conv_arguments._pair(case.options.get(name, 1), name, 1) for name in ("stride", "dilation"))
    rim = _conv_arguments._rim(case.options.get("padding", 0), case.weight[2:], stride, dilation)
    return _conv_torch.layer_of(case.weight, case.dtype, stride, rim, dilation, 1)


def result_programs(case):
    """The programs of its result."""
    shape = case.image[0], *case.image[2:]
    return _conv_programs.forward_programs(layer_of(case), shape, _conv_torch.ELEMENTS[case.dtype])
