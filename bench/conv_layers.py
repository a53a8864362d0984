# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers that bench/conv.py times, and which kernel each takes. bench/compile.py compiles
these kernels; nothing here needs a GPU or a package."""

import collections

Layer = collections.namedtuple("Layer", "channels extent outputs window stride")

LAYERS = {
    "1": Layer(3, 227, 96, 11, 4),
    "2": Layer(3, 231, 96, 11, 4),
    "3": Layer(3, 227, 64, 7, 2),
    "4": Layer(32, 224, 64, 7, 2),
    "4'": Layer(64, 224, 64, 7, 2),
    "5": Layer(96, 24, 256, 5, 1),
    "6": Layer(256, 12, 512, 3, 1),
    "7": Layer(3, 224, 64, 3, 1),
    "8": Layer(64, 112, 128, 3, 1),
    "9": Layer(64, 56, 64, 3, 1),
    "10": Layer(128, 28, 128, 3, 1),
    "11": Layer(256, 14, 256, 3, 1),
    "12": Layer(512, 7, 512, 3, 1),
}


# BM, BN and BK: those that `heddle explain examples/conv/forward.mlir --tiles` ranks first for
# 128 images and ptxas does not spill; the longest BK of several. Layers of three channels, whose
# tiles threads copy, take what keeps a tile of rows small.
TILES = {
    "1": (128, 96, 64), "2": (128, 96, 64), "3": (128, 64, 64), "7": (128, 64, 64),
    "4": (256, 64, 32), "4'": (256, 64, 64), "5": (128, 128, 32), "6": (128, 256, 64),
    "8": (128, 128, 64), "9": (192, 64, 64), "10": (128, 128, 64), "11": (128, 128, 64),
    "12": (128, 112, 32),
}  # fmt: skip


def out_extent(layer, pad):
    """Rows and columns of the output."""
    return (layer.extent + 2 * pad - layer.window) // layer.stride + 1


def settings_of(name, pad):
    """(program, settings): few channels are one axis with the window's places."""
    layer = LAYERS[name]
    settings = ["%s=%d" % one for one in zip(("BM", "BN", "BK"), TILES[name])]
    settings += [f"stride={layer.stride} : i64", f"pad={pad} : index"]
    if layer.channels < 16:
        return "columns", settings + [f"window={layer.window} : index"]
    return "forward", settings


def kernel_of(name, pad):
    """The name of a layer's kernel; layers with equal settings share one."""
    program, settings = settings_of(name, pad)
    numbers = [setting.partition("=")[2].split(" ")[0] for setting in settings]
    return "conv_%s_%s" % (program, "_".join(numbers))
