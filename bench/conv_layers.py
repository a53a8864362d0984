# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers that bench/conv.py times, and which kernel each takes. bench/compile.py compiles
these kernels; nothing here needs a GPU or a package. What does not depend on measured tiles is
heddle's own (python/heddle/_conv_programs.py)."""

import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python"))

from heddle import _conv_programs as programs  # noqa: E402
from heddle._conv_programs import SMALLER, WINDOW_COLUMNS, phases_of  # noqa: E402, F401

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


# What is multiplied: f16; f32 as TF32; f32 with all bits, by threads.
TYPES = ("f16", "tf32", "f32")
# How a kernel has its windows: as runs of pixels, as rows of memory that overlap (no rim), as
# columns that threads copy element by element, by im2win and then rows, or unfolded in shared memory.
WAYS = ("runs", "rows", "columns", "im2win", "unfold")

# BM, BN and BK of each way, the fastest of those measured on an H100 with 128 images.
RUNS = {
    "4": (256, 64, 32), "4'": (256, 64, 64), "5": (128, 256, 32), "6": (128, 256, 64),
    "8": (256, 128, 64), "9": (192, 64, 64), "10": (256, 128, 64), "11": (128, 128, 64),
    "12": (128, 128, 64),
}  # fmt: skip
ROWS = {**RUNS, "5": (128, 256, 64)}
FEW = {"1": (256, 96, 64), "2": (256, 96, 64), "3": (256, 64, 64), "7": (256, 64, 64)}
COLUMNS_AT_ONCE = {"1": 128, "2": 128, "3": 128, "7": 256}  # of im2win
# Threads copy these tiles of rows, so they are small.
COLUMNS = {"1": (128, 96, 64), "2": (128, 96, 64), "3": (128, 64, 64), "7": (128, 64, 64)}


def out_extent(layer, pad):
    """Rows and columns of the output."""
    return programs.places_of(layer.extent, layer.window, layer.stride, 1, 2 * pad)


# BM, BN and BK of gradients, the fastest of those measured on an H100 with 128 images; of images
# by their channels.
DATA = {64: (256, 64, 128), 96: (192, 96, 64)}
WIDE_DATA = (192, 128, 64)
# Layers whose image's gradient is taken by blocks, and how many strides a block has each way.
BLOCKS = {
    "1": ((256, 48, 32), 1), "2": ((256, 48, 32), 1), "3": ((256, 48, 64), 2), "4": ((256, 128, 64), 1),
    "4'": ((128, 256, 64), 1), "7": ((256, 48, 64), 4),
}  # fmt: skip
# Of filters, whose tile holds window columns and channels as one axis.
WEIGHT = {
    "1": (256, 96, 64), "2": (256, 96, 64), "3": (192, 64, 64), "4": (256, 64, 64), "4'": (256, 64, 64),
    "5": (256, 128, 64), "6": (128, 256, 64), "7": (64, 64, 64), "8": (192, 128, 64), "9": (192, 64, 64),
    "10": (192, 128, 64), "11": (128, 256, 64), "12": (192, 128, 64),
}  # fmt: skip
WEIGHT_COLUMNS = 128
GRADIENTS = ("data", "weight")


def tile_settings(sizes):
    return ["%s=%d" % one for one in zip(("BM", "BN", "BK"), sizes)]


def block_of(name):
    """Strides and pixels of a block each way, and the places of E that it meets."""
    layer, step = LAYERS[name], BLOCKS[name][1]
    return step, step * layer.stride, (layer.window - 1) // layer.stride + step


def block_kernels_of(name, pad):
    layer, sizes = LAYERS[name], BLOCKS[name][0]
    step, block, _ = block_of(name)
    axes = [one + axis for axis in "HW" for one in ("stride", "step", "block")]
    values = dict(stride=layer.stride, step=step, block=block)
    arrange = ["%s=%d : %s" % (axis, values[axis[:-1]], "i64" if axis.startswith("stride") else "index") for axis in axes]
    settings = ["%s=%d : i64" % (axis, values[axis[:-1]]) for axis in axes if not axis.startswith("stride")]
    return [
        ("conv_blocks_%d_%d" % (layer.stride, step), "block_filters", arrange, []),
        ("conv_data_blocks_%d_%d_%d_%d_%d_%d" % (*sizes, layer.stride, step, pad), "data_gradient_blocks",
         tile_settings(sizes) + settings + ["pad=%d : index" % pad], []),
    ]  # fmt: skip


def data_kernels_of(name, pad):
    """As kernels_of, of the image's gradient."""
    if name in BLOCKS:
        return block_kernels_of(name, pad)
    sizes = DATA.get(LAYERS[name].channels, WIDE_DATA)
    others = [one for one in SMALLER if one[1] <= sizes[1] and one != sizes[:2]]
    others = ["BM=%d,BN=%d%s" % (*one, form) for form in ("", ",parts=auto") for one in others]
    settings = tile_settings(sizes) + ["pad=%d : index" % pad]
    return [("conv_data_%d_%d_%d_%d" % (*sizes, pad), "data_gradient", settings, others)]


def has_whole_rows(name, pad):
    """Whether windows of a row have no rim in what the filters' gradient reads."""
    return not pad or has_few_channels(name)


def weight_tile_of(name, pad):
    """BM, BN and BK of the filters' gradient."""
    layer = LAYERS[name]
    if has_whole_rows(name, pad):
        return WEIGHT[name]
    return 64 if layer.channels <= 96 else 128, min(WEIGHT_COLUMNS, layer.outputs), 64


def weight_kernels_of(name, pad):
    """As kernels_of, of the filters' gradient; of few channels behind im2win. The product's last
    but one has f32 parts, the last is for one part, and rounds it."""
    layer, sizes = LAYERS[name], weight_tile_of(name, pad)
    few = has_few_channels(name)
    settings = tile_settings(sizes) + [f"stride={layer.stride} : i64"] + ["strideH=1 : i64"] * few
    kernel = "conv_weight_%d_%d_%d_%d%s" % (*sizes, layer.stride, "_runs" * few)
    program = "weight_gradient_rows"
    if not has_whole_rows(name, pad):
        program, kernel = "weight_gradient_row", kernel + "_%d" % pad
        settings.append(f"pad={pad} : index")
    first = kernels_of(name, pad, "im2win")[:1] if few else []
    return first + [
        ("conv_sum_parts", "sum_parts", [], []),
        (kernel, program, settings, []),
        (kernel + "_f16", program, settings + ["out=f16"], []),
    ]


def parts_of(name, images, pad, workers):
    """How many parts the pixels are summed in."""
    layer, (bm, bn, bk) = LAYERS[name], weight_tile_of(name, pad)
    few = has_few_channels(name)
    rows, channels = (1, run_of(layer)) if few else (layer.window, layer.channels)
    tiles, products = rows * -(-layer.outputs // bn), 1
    if has_whole_rows(name, pad):
        tiles *= -(-layer.window * channels // bm)
    else:
        tiles *= -(-layer.window // WINDOW_COLUMNS) * -(-channels // bm)
        products = WINDOW_COLUMNS
    pixels, elements = images * out_extent(layer, pad) ** 2, rows * layer.window * channels * layer.outputs
    return programs.fewest_cycles(tiles, (bm, bn, bk), products, pixels, elements, workers)


def gradient_kernels_of(name, pad, gradient):
    return (data_kernels_of if gradient == "data" else weight_kernels_of)(name, pad)


def run_of(layer):
    return programs.run_of(layer.window, layer.channels)


def _geometry(name, pad=0):
    """The layer as heddle.torch.conv2d has it."""
    layer = LAYERS[name]
    square = [(one, one) for one in (layer.window, layer.stride, 1, pad, pad)]
    return programs.Layer(layer.channels, layer.outputs, *square)


def has_few_channels(name):
    """Whether gradients take the image as im2win writes it."""
    return programs.has_few_channels(_geometry(name))


def way_of(name, pad=0, kind="f16"):
    """The fastest way of those measured."""
    if not has_few_channels(name):
        return "runs"
    return "unfold" if kind == "f16" and unfolded(name, pad) else "im2win"


def unfolded(name, pad):
    """The program that unfolds windows, as heddle.torch.conv2d takes it for one image; None if it takes another."""
    geometry, shape = _geometry(name, pad), (1, LAYERS[name].extent, LAYERS[name].extent)
    if not has_few_channels(name) or programs.why_not_unfolded(geometry, shape, "f16"):
        return None
    return programs.unfold_program(geometry, shape, "f16")


def tile_of(name, way, kind):
    """BM, BN and BK; None if the way cannot be taken. Of f32 a step has half as many elements, and threads
    multiply smaller tiles."""
    tiles = {"runs": RUNS, "rows": ROWS, "columns": COLUMNS, "im2win": FEW}
    sizes = tiles[way].get(name)
    if not sizes or kind == "f16":
        return sizes
    rows, columns, _ = sizes if kind == "tf32" else [min(size, 128) for size in sizes]
    return None if way == "columns" else (rows, columns, 32)


def of_f32(kernel, program, settings, others, kind):
    """A kernel of f16 with other elements, and filters that lie along the sum. TF32 is a word on the product."""
    order = {"forward": programs.CHANNELS_INNERMOST, "rows": programs.RUNS_INNERMOST}.get(program, {})
    settings = settings + ["in=f32"] + ["out=f32"] * bool(order) + ["%s=%s" % one for one in order.items()]
    if kind == "tf32" and order:
        program = programs.source_of(programs.Program(program, {"in": programs.TF32}))
    return "%s_%s" % (kernel, kind), program, settings, others


def unfold_kernel(program):
    """As one of kernels_of."""
    numbers = [str(value) for setting, value in program.settings.items() if setting not in ("in", "out", "span")]
    settings = ["%s=%s" % one for one in programs.typed(program.name, program.settings).items()]
    return "conv_%s_%s" % (program.name, "_".join(numbers)), program.name, settings, []


def kernels_of(name, pad, way=None, kind="f16"):
    """[(kernel, program or its text, settings, other tiles)] of a layer, in the order of their launches;
    layers with equal settings share a kernel. None if the way cannot be taken."""
    layer, way = LAYERS[name], way or way_of(name, pad, kind)
    if way == "unfold":
        made = unfolded(name, pad) if kind == "f16" else None
        return made and [unfold_kernel(made)]
    tiles = tile_of(name, way, kind)
    if not tiles or (way == "rows" and pad):
        return None
    tile = ["%s=%d" % one for one in zip(("BM", "BN", "BK"), tiles)]
    stride, rim = f"stride={layer.stride} : i64", f"pad={pad} : index"
    block = max(16, 1 << (run_of(layer) - 1).bit_length())  # a whole run
    launches = {
        "runs": [("forward", tile + [stride, rim])],
        "rows": [("rows", tile + [stride])],
        "columns": [("columns", tile + [stride, rim, f"window={layer.window} : index"])],
        "im2win": [
            ("im2win", ["BW=%d" % COLUMNS_AT_ONCE.get(name, 0), "BR=%d" % block, stride, rim]),
            ("rows", tile + [stride, "strideH=1 : i64"]),
        ],
    }[way]

    def named(program, settings):
        numbers = [setting.partition("=")[2].split(" ")[0] for setting in settings]
        kernel = "conv_%s_%s" % (program, "_".join(numbers))
        if program != "forward":
            return kernel, program, settings, []
        others = [one for one in SMALLER if one[1] <= tiles[1]]
        divided = ["BM=%d,BN=%d,parts=auto" % one for one in others]
        others = ["BM=%d,BN=%d" % one for one in others if one != tiles[:2]] + divided
        return kernel, program, settings, others

    made = [named(*one) for one in launches]
    return made if kind == "f16" else [of_f32(*one, kind) for one in made]
