# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which programs of examples/conv compute a convolution and its gradients, and with which numbers.

A layer goes in; out come the programs of its launches, each with its settings and its tiles, and what
a launch is told: phases, blocks, runs, parts. heddle.torch.conv2d and bench/conv_layers.py take them
from here. Pairs are (of rows, of columns). Nothing here needs a package or a GPU; docs/convolution.md
says what the programs do.
"""

import collections
import functools
import math
import pathlib
import re

from . import _files

HERE = pathlib.Path(__file__).resolve().parent

# Channels and outputs are those of one group. The rim has `low` rows in front of the image and `high`
# behind it.
Layer = collections.namedtuple("Layer", "channels outputs window stride dilation low high groups", defaults=(1,))
# A program of a layer: its settings, and what a launch may take instead.
Program = collections.namedtuple("Program", "name settings or_tile", defaults=((),))

# Filters lie in memory as outputs x window rows x window columns x channels.
CHANNELS_INNERMOST = {"f_order": "#tile.order<2, 1, 0, 3>"}
# Of f32 the tensor core multiplies TF32, and reads operands along the sum only: there runs of filters
# lie as window rows x outputs x (columns and channels), and those of the image's gradient as rows x
# columns x channels x outputs, as the programs have them.
TF32 = "f32"
RUNS_INNERMOST = {"f_order": "#tile.order<1, 2, 0>"}
FEW_CHANNELS = 16  # below, a tile of channels would be half empty at least
# Of windows that are unfolded from a span: elements of a run at most, which are BK, and of a span, as
# many as were measured to be fast, and as there may be; a span is a multiple of those of one copy.
MOST_RUN, FAST_SPAN, MOST_SPAN, SPAN_STEP = 128, 1024, 2048, 256
LINE = 8  # elements of 16 bytes, at multiples of which TMA begins
MOST_FLAT = 2**31  # elements of an array that is one row, whose places have 32 bits
WINDOW_COLUMNS = 3  # of an instance of weight_gradient_row
BLOCK = 4  # pixels of a block each way, where channels are few
# What a launch may take in place of the widest tile, by the machine's model: few images have few
# rows. Each of them with sums in parts, too, which share out the reduction.
SMALLER = ((64, 64), (128, 64), (128, 128))
MOST_COLUMNS = 256  # of a tile
GROUPS_INNERMOST = {"f_order": "#tile.order<3, 2, 1, 4, 0>"}  # channels; of filters with groups in front


def _find_folder():
    """The programs of the package or, of a checkout, those in examples/."""
    packed = HERE / "programs" / "conv"
    return packed if packed.exists() else HERE.parents[1] / "examples" / "conv"


@functools.lru_cache(maxsize=None)
def text_of(name):
    return _files.read_text(_find_folder() / (name + ".mlir"))


def path_of(name):
    return str(_find_folder() / (name + ".mlir"))


def source_of(program):
    """The text of a program with its element, whose products are TF32 if that is f32."""
    text = text_of(program.name)
    if program.settings.get("in") != TF32:
        return text
    return re.sub(r"(= tile\.dot %\w+, %\w+, %\w+)", r"\1 {tf32}", text)


@functools.lru_cache(maxsize=None)
def _type_of(name, alias):
    """The type of the number that an alias of a program stands for, as ` : i64`; empty for others."""
    found = re.search(r"^#%s = ([^\n]*)$" % alias, text_of(name), re.MULTILINE)
    if not found:
        return ""
    number, _, kind = found[1].partition(" : ")
    return " : " + kind if kind else _type_of(name, number[1:]) if number.startswith("#") else ""


def typed(name, settings):
    """Settings of a program, with the types that its aliases have."""
    return {alias: "%s%s" % (value, _type_of(name, alias)) for alias, value in settings.items()}


# --- Sizes -------------------------------------------------------------------


def places_of(extent, window, stride, dilation, rim):
    """How many windows fit along an axis with its rim; 0 or less where none does."""
    return (extent + rim - dilation * (window - 1) - 1) // stride + 1


def out_extents(layer, extents):
    """Rows and columns of the result."""
    rims = (low + high for low, high in zip(layer.low, layer.high))
    return tuple(places_of(*one) for one in zip(extents, layer.window, layer.stride, layer.dilation, rims))


def run_of(window_rows, channels):
    """Elements of a run of im2win: window rows x channels, and zeros to a multiple of 8."""
    return -(-window_rows * channels // 8) * 8


def has_few_channels(layer):
    """Whether channels are few, or no rows that TMA takes, and the columns of a window lie side by side: then
    columns and channels of a window row are one run."""
    return layer.dilation[1] == 1 and (layer.channels < FEW_CHANNELS or layer.channels % LINE != 0)


def windows_columns(layer, columns_out):
    """Columns of what im2win writes: those that windows have, with the rim."""
    return (columns_out - 1) * layer.stride[1] + layer.window[1]


# --- Tiles -------------------------------------------------------------------


def _up(number, step):
    return -(-number // step) * step


def _columns_tile(columns, most):
    """BN: all columns, or as many as a tile may have."""
    return min(_up(columns, 16), most)


def _depth_tile(depth, element):
    """BK: the last step is more than half full, and a row of a slot has at most 128 bytes."""
    return 32 if 0 < depth % 64 <= 32 or element == TF32 else 64


def _tile(bm, bn, bk):
    return {"BM": bm, "BN": bn, "BK": bk}


def _with_smaller(name, tile, settings, forms=({}, {"parts": "auto"})):
    """The program with the tiles that a launch may take instead of its own."""
    others = [one for one in SMALLER if one[1] <= tile["BN"] and one != (tile["BM"], tile["BN"])]
    or_tile = [{"BM": bm, "BN": bn, **form} for form in forms for bm, bn in others]
    return Program(name, {**tile, **settings}, tuple(or_tile))


def smallest(program):
    """The program with a small tile of its own and no other: for the emulator, which runs tiles one
    after the other."""
    sizes = ("BM", "BN", "BW") if is_unfolded(program) else ("BM", "BN", "BK", "BW")
    settings = {name: min(value, 64) if name in sizes else value
                for name, value in program.settings.items()}
    return Program(program.name, settings)


def _elements(name, element):
    """What a program's operands and results are made of."""
    return {alias: element for alias in ("in", "out") if "\n!%s = " % alias in text_of(name)}


# --- The result --------------------------------------------------------------


def _rims(layer):
    return {"pad": layer.low[1], "padH": layer.low[0], "end": layer.high[1], "endH": layer.high[0]}


def _steps(layer):
    return {"stride": layer.stride[1], "strideH": layer.stride[0],
            "dilation": layer.dilation[1], "dilationH": layer.dilation[0]}


def _im2win(layer, element):
    run = run_of(layer.window[0], layer.channels)
    block = min(64, max(16, 1 << (run - 1).bit_length()))  # a whole run, where a tile may be so long
    settings = {"BW": 128, "BR": block, "stride": layer.stride[0], "dilation": layer.dilation[0],
                "pad": layer.low[1], "padH": layer.low[0]}
    return Program("im2win", {**settings, "in": element})


def forward_programs(layer, shape, element):
    """Of the result for so many images, rows and columns: unfold, im2win and rows, or forward."""
    few = has_few_channels(layer)
    bn = _columns_tile(layer.outputs, 128 if few else MOST_COLUMNS)
    bm = 256 if bn <= 128 else 128
    if few and not why_not_unfolded(layer, shape, element):
        return [unfold_program(layer, shape, element)]
    if few:
        settings = {"stride": layer.stride[1], "strideH": 1, **_elements("rows", element), **RUNS_INNERMOST}
        return [_im2win(layer, element), Program("rows", {**_tile(bm, bn, 32 if element == TF32 else 64), **settings})]
    settings = {**_steps(layer), **_rims(layer), **_elements("forward", element), **CHANNELS_INNERMOST}
    return [_with_smaller("forward", _tile(bm, bn, _depth_tile(layer.channels, element)), settings)]


# --- Windows unfolded from a span --------------------------------------------


def is_unfolded(program):
    """Whether the product reads windows out of a span of the image."""
    return program.name.startswith("unfold")


def _run(layer):
    """Elements of a window row, and from one window to the next."""
    return layer.window[1] * layer.channels, layer.stride[1] * layer.channels


def _span(layer, rows):
    """Elements that hold so many windows, wherever the first begins in a line."""
    size, step = _run(layer)
    return _up((rows - 1) * step + size + LINE - 1, SPAN_STEP)


def _is_flat(layer, shape):
    """Whether the array is one row, since TMA does not find the begins of images' rows."""
    return shape[2] * layer.channels % LINE != 0


def why_not_unfolded(layer, shape, element):
    """What unfold's programs do not take of a layer of few channels, with images of this shape; empty if they
    take it."""
    (size, step), row = _run(layer), shape[2] * layer.channels
    if element == TF32:
        return "elements are f32, and the programs are for f16 and bf16"
    if size > MOST_RUN:
        return f"a window row has {size} elements, and a tile that is unfolded at most {MOST_RUN}"
    if _span(layer, 64) > MOST_SPAN:
        return f"64 windows that begin {step} elements apart span more than {MOST_SPAN} elements"
    if _is_flat(layer, shape) and (layer.low[1] or layer.high[1]):
        return f"a row of the image has {row} elements, no multiple of {LINE}, and a rim on its sides"
    if _is_flat(layer, shape) and shape[0] * shape[1] * row >= MOST_FLAT:
        return f"a row of the image has {row} elements, no multiple of {LINE}, and all images {MOST_FLAT} or more"
    return ""


def _unfold_form(layer, columns):
    """The program that unfolds windows and its BM, of those measured on an H200 (docs/convolution.md)."""
    size, _ = _run(layer)
    bn, bk = _columns_tile(layer.outputs, 128), _up(size, 16)
    rows, stride, dilation = layer.window[0], layer.stride[0], layer.dilation[0]
    # Two rows of the result whose windows share spans; results and spans of both fit two blocks.
    if (rows, stride, dilation) == (7, 2, 1) and bn <= 64 and bk <= 32 and _span(layer, 64) <= 512:
        return "unfold_shared", 64
    heights = [bm for bm in (256, 128) if _span(layer, bm) <= FAST_SPAN] + [64]
    bm = min(heights, key=lambda height: _up(columns, height))
    # Three window rows an iteration, two processes: a window of three rows has one iteration.
    if rows == 3 and bm >= 128:
        return "unfold_rows", 128
    # Two rows an instance where filters are most of what it loads: of those measured, 4.5 times the span's
    # elements gain by it and twice as many lose.
    has_pairs = bm == 64 and rows > 1 and bk * bn > 3 * _span(layer, bm)
    return "unfold_pairs" if has_pairs else "unfold", bm


def unfold_by(name, bm, layer, shape, element):
    """The layer by one of unfold's programs."""
    size, step = _run(layer)
    bn, bk, span = _columns_tile(layer.outputs, 128), _up(size, 16), _span(layer, bm)
    settings = {"step": step, "size": size, "span": f"tensor<{span}x!in>",
                "flat": "true" if _is_flat(layer, shape) else "false",
                "stride": layer.stride[1], "strideH": layer.stride[0], "dilationH": layer.dilation[0],
                "pad": layer.low[1], "padH": layer.low[0]}  # fmt: skip
    settings = {alias: value for alias, value in settings.items()
                if alias == "span" or "\n#%s = " % alias in text_of(name)}
    return Program(name, {**_tile(bm, bn, bk), **settings, **_elements(name, element)})


def unfold_program(layer, shape, element):
    """Of the result, in one launch."""
    name, bm = _unfold_form(layer, out_extents(layer, shape[1:])[1])
    return unfold_by(name, bm, layer, shape, element)


# --- Groups ------------------------------------------------------------------


def begins_at_tiles(layer):
    """Whether each group begins at a whole tile of channels."""
    return layer.groups == 1 or layer.channels % 16 == 0


def turned(layer):
    """The layer in groups that computes the image's gradient from the result's; None if no program does."""
    spans = [dilation * (window - 1) for window, dilation in zip(layer.window, layer.dilation)]
    low, high = ([span - rim for span, rim in zip(spans, rims)] for rims in (layer.low, layer.high))
    gradient = layer._replace(channels=layer.outputs, outputs=layer.channels, low=tuple(low), high=tuple(high))
    return gradient if layer.stride == (1, 1) and begins_at_tiles(gradient) else None


def group_programs(layer, element):
    """Of the result of a layer in several groups, which begin at whole tiles."""
    bn = _columns_tile(layer.outputs, MOST_COLUMNS)
    most = 32 if element == TF32 else 64
    bk = next(size for size in (64, 32, 16) if size <= most and layer.channels % size == 0)
    settings = {**_steps(layer), **_rims(layer), **_elements("groups", element), **GROUPS_INNERMOST}
    # Sums are not divided where an operand begins elsewhere than the loop over channels.
    return [_with_smaller("groups", _tile(256 if bn <= 128 else 128, bn, bk), settings, forms=({},))]


# --- The gradient of the image -----------------------------------------------


def data_way(layer):
    """The program of the image's gradient: in one launch, by blocks of pixels, or by phases."""
    if layer.dilation == (1, 1) and (layer.stride != (1, 1) or layer.channels < FEW_CHANNELS):
        return "data_gradient_blocks"
    return "data_gradient" if layer.stride == (1, 1) else "data_gradient_phase"


def data_programs(layer, element):
    """Of the image's gradient: block_filters and data_gradient_blocks, data_gradient, or
    data_gradient_phase."""
    way, columns = data_way(layer), layer.channels
    elements = _elements(way, element)
    if way == "data_gradient_blocks":
        steps, blocks, _ = blocks_of(layer)
        columns *= math.prod(blocks)
        bn = _columns_tile(columns, MOST_COLUMNS)
        tile = _tile(256 if bn <= 128 else 128, bn, _depth_tile(layer.outputs, element))
        sizes = {"stepH": steps[0], "stepW": steps[1], "blockH": blocks[0], "blockW": blocks[1]}
        strides = {"strideH": layer.stride[0], "strideW": layer.stride[1]}
        rims = {"pad": layer.low[1], "padH": layer.low[0]}
        return [Program("block_filters", {**sizes, **strides, "in": element}),
                Program(way, {**tile, **sizes, **rims, **elements})]
    if element != TF32:
        elements.update(CHANNELS_INNERMOST)
    bn = _columns_tile(columns, 128)
    tile = _tile(256 if bn <= 64 else 192, bn, _depth_tile(layer.outputs, element))
    if way == "data_gradient":
        dilations = {"dilation": layer.dilation[1], "dilationH": layer.dilation[0]}
        return [_with_smaller(way, tile, {**dilations, **_rims(layer), **elements})]
    (step_h, apart_h), (step_w, apart_w) = map(_apart, layer.stride, layer.dilation)
    settings = {"stepH": step_h, "step": step_w, "dilationH": apart_h, "dilation": apart_w}
    return [Program(way, {**tile, **settings, **elements})]


def blocks_of(layer):
    """Strides of a block each way, its pixels, and the places of the result's gradient that it meets."""
    few = layer.channels < FEW_CHANNELS
    steps = tuple(max(1, BLOCK // stride) if few else 1 for stride in layer.stride)
    blocks = tuple(step * stride for step, stride in zip(steps, layer.stride))
    places = tuple((window - 1) // stride + step for window, stride, step in zip(layer.window, layer.stride, steps))
    return steps, blocks, places


def _apart(stride, dilation):
    """By how many its window rows differ that a phase has, and by how many rows what they meet."""
    common = math.gcd(stride, dilation)
    return stride // common, dilation // common


def phases_of(extent, window, stride, dilation, pad):
    """[(first pixel, first window row, low)] of each phase of a gradient's rows, as
    examples/conv/data_gradient_phase.mlir takes them. Pixels that no window meets are a phase
    whose first window row lies behind the last."""
    phases = []
    for first in range(min(stride, extent)):
        rows = [r for r in range(stride // math.gcd(stride, dilation)) if (first + pad - r * dilation) % stride == 0]
        row = rows[0] if rows else window
        phases.append((first, row, (first + pad - row * dilation) // stride if rows else 0))
    return phases


# --- The gradient of the filters ---------------------------------------------


def has_whole_rows(layer):
    """Whether windows of a row have no rim or dilation in what the filters' gradient reads."""
    return has_few_channels(layer) or (layer.dilation[1] == 1 and layer.low[1] == layer.high[1] == 0)


def weight_rows(layer):
    """Window rows of the filters' gradient, and what is one axis of its products."""
    if has_few_channels(layer):
        return 1, layer.window[1] * run_of(layer.window[0], layer.channels)
    return layer.window[0], layer.window[1] * layer.channels if has_whole_rows(layer) else layer.channels


def weight_tile(layer):
    _, rows = weight_rows(layer)
    bn = _columns_tile(layer.outputs, 128)
    if not has_whole_rows(layer):
        return 64 if layer.channels <= 96 else 128, bn, 64
    return min((192, 256, 128, 64), key=lambda bm: _up(rows, bm)), bn, 64


def weight_programs(layer, element):
    """Of the filters' gradient: im2win where channels are few; the product that leaves parts, and the
    one that rounds a single part to elements; and what adds parts."""
    tile = _tile(*weight_tile(layer))
    few = has_few_channels(layer)
    if has_whole_rows(layer):
        steps = {"stride": layer.stride[1], "strideH": 1 if few else layer.stride[0],
                 "dilationH": 1 if few else layer.dilation[0]}
        name, settings = "weight_gradient_rows", {**tile, **steps}
    else:
        name, settings = "weight_gradient_row", {**tile, **_steps(layer), **_rims(layer)}
    first = [_im2win(layer, element)] if few else []
    parts, rounded = ({**settings, "in": element, "out": out} for out in ("f32", element))
    return first + [Program(name, parts), Program(name, rounded), Program("sum_parts", {"out": element})]


def parts_of(layer, pixels, workers):
    """How many parts the pixels are summed in."""
    (bm, bn, bk), (rows, length) = weight_tile(layer), weight_rows(layer)
    tiles, products = rows * -(-layer.outputs // bn) * -(-length // bm), 1
    if not has_whole_rows(layer):
        tiles *= -(-layer.window[1] // WINDOW_COLUMNS)
        length *= layer.window[1]
        products = WINDOW_COLUMNS
    return fewest_cycles(tiles, (bm, bn, bk), products, pixels, rows * length * layer.outputs, workers)


def fewest_cycles(tiles, tile, products, pixels, elements, workers):
    """As many parts as make the waves of tiles, with what adding the parts of so many elements takes from
    memory, shortest. In cycles, and as docs/rationale/tiles.md counts them."""
    steps = -(-pixels // tile[2])
    step = products * math.prod(tile) // 2048
    added = elements * 8 / 2040

    def cycles(parts):
        return -(-tiles * parts // workers) * (-(-steps // parts) * step + 3000) + (parts > 1) * parts * added

    return min(range(1, max(2, min(steps // 4, 4 * workers) + 1)), key=cycles)
