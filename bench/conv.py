#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products over windows of images: heddle beside cuDNN through PyTorch, on one GPU, in one run.

    python3 bench/compile.py conv
    python3 bench/conv.py --kernel-dir build/kernels --json conv.json
    python3 bench/conv.py --systems runs,rows,columns,im2win,unfold,torch
    python3 bench/compile.py conv_f32 && python3 bench/conv.py --type tf32

Twelve layers that papers on im2win time, and a variant of the fourth: fp16, or f32 as TF32 or
with all bits, images x rows x columns x channels, no rim, 128 images. cuDNN searches for its
algorithm (benchmark = True). Launches of a system are captured in a graph over all of its
buffers, so that nothing of the host is timed; rounds are interleaved (bench/protocol.py).
Filters are laid out for each system before; nothing else is outside of the time: im2win's first
kernel is within. `heddle` is the way that conv_layers.py takes for a layer, and each way is a
system of its own. Results are checked against float64 on sampled pixels first, and the error
printed; f32 operands have f16's bits, so that TF32 loses none and errors are those of sums. The
figure is TFLOP/s of true products. Exit code: 0 all timed, 1 a result was wrong, 2 a system or
case could not be run, 3 bad input.
"""

import argparse
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))

import harness  # noqa: E402
import protocol  # noqa: E402
from conv_layers import LAYERS, TYPES, WAYS, kernels_of, out_extent, run_of, way_of  # noqa: E402
from harness import DEVICE  # noqa: E402

SYSTEMS = ("heddle", "torch") + WAYS
BASELINES = ("torch",)
SAMPLED_PIXELS = 512
# Of the largest error that rounding the exact result to f16 makes; sums in f32 of any type are
# better than that.
ALLOWED = {"f16": 2.0, "tf32": 1.0, "f32": 0.1}


class Problem:
    """The operands of one layer, and a float64 reference on some pixels."""

    def __init__(self, name, images, pad, kind, seed):
        import torch

        self.layer_name = name
        self.layer, self.images, self.pad, self.kind = LAYERS[name], images, pad, kind
        self.dtype = torch.float16 if kind == "f16" else torch.float32
        self.name = "layer %s, N=%d, pad %d%s" % (name, images, pad, "" if kind == "f16" else ", " + kind)
        layer = self.layer
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(*shape):
            return torch.randn(shape, generator=generator, device=DEVICE).half().to(self.dtype)

        self.out = out_extent(layer, pad)
        self.pixels = images * self.out * self.out
        bytes_a_set = self.dtype.itemsize * (images * layer.extent**2 * layer.channels + self.pixels * layer.outputs)
        self.sets = []
        for _ in range(protocol.buffer_sets(bytes_a_set)):
            x = normal(images, layer.extent, layer.extent, layer.channels)
            y = torch.empty((self.pixels, layer.outputs), dtype=self.dtype, device=DEVICE)
            self.sets.append((x, y))
        window = layer.window
        self.filters = normal(window, window, layer.channels, layer.outputs)
        self.weight = self.filters.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
        self.sample = torch.randperm(self.pixels, generator=generator, device=DEVICE)[:SAMPLED_PIXELS]
        self.reference = self.exact()
        rounded = (self.reference.half().double() - self.reference).abs().max().item()
        self.allowed = ALLOWED[kind] * rounded

    def exact(self):
        """The sampled pixels of the first set in float64."""
        import torch

        layer, x = self.layer, self.sets[0][0]
        if self.pad:
            x = torch.nn.functional.pad(x, (0, 0, self.pad, self.pad, self.pad, self.pad))
        image, rest = self.sample // self.out**2, self.sample % self.out**2
        row, column = rest // self.out * layer.stride, rest % self.out * layer.stride
        places = torch.arange(layer.window, device=DEVICE)
        rows, columns = row[:, None] + places, column[:, None] + places
        windows = x[image[:, None, None], rows[:, :, None], columns[:, None, :]]
        return windows.double().flatten(1) @ self.filters.double().flatten(0, 2)

    def error_of(self, launch):
        """The largest error on the sampled pixels; infinite if anything was not written."""
        y = self.sets[0][1]
        if not harness.writes_all(launch, y):
            return float("inf")
        return (y[self.sample].double() - self.reference).abs().max().item()

    def teraflops(self):
        layer = self.layer
        return 2e-12 * self.pixels * layer.outputs * layer.channels * layer.window**2


def rows_arguments(case, rows, width, run):
    """What `rows` takes beside image and result."""
    return (case.images, rows, width, run, case.layer.window)


def im2win_filters(case):
    """One window row, whose runs are columns of the window with zeros behind them."""
    import torch

    layer, run = case.layer, run_of(case.layer)
    filters = torch.zeros((1, layer.window, run, layer.outputs), dtype=case.dtype, device=DEVICE)
    columns = case.filters.transpose(0, 1)  # window column, window row, channel, output
    filters[0, :, : layer.window * layer.channels] = columns.flatten(1, 2)
    return filters.flatten(1, 2)


def laid_out(case, filters):
    """Of f32 along the sum: outputs are the slowest axis in memory."""
    return filters if case.kind == "f16" else filters.movedim(-1, 0).contiguous().movedim(0, -1)


def heddle_system(options, case, way=None):
    import torch

    way = way or way_of(case.layer_name, case.pad, case.kind)
    programs = kernels_of(case.layer_name, case.pad, way, case.kind)
    if programs is None:
        raise RuntimeError("this layer is not timed as %s" % way)
    kernels = [harness.heddle_kernel(options, name) for name, *_ in programs]
    layer, extra = case.layer, 0
    if way == "im2win":
        width, run = layer.extent + 2 * case.pad, run_of(layer)
        windows = torch.empty((case.images, case.out, width, run), dtype=case.dtype, device=DEVICE)
        filters, extra = laid_out(case, im2win_filters(case)), windows.nbytes
        sizes = rows_arguments(case, case.out, width, run)

        def calls(x, y):
            return [(x, windows, layer.window), (windows, *sizes, filters, y)]
    elif way == "rows":
        filters = laid_out(case, case.filters.flatten(1, 2))
        sizes = rows_arguments(case, layer.extent, layer.extent, layer.channels)

        def calls(x, y):
            return [(x, *sizes, filters, y)]
    elif way == "unfold":
        # A window row is one run of columns and channels.
        filters = case.filters.flatten(1, 2)
        sizes = (case.images, layer.extent, layer.extent, layer.channels)
        shape = (case.images, case.out, case.out, layer.outputs)

        def calls(x, y):
            return [(x, *sizes, filters, y.view(shape))]
    else:
        filters = case.filters.flatten(0, 2) if way == "columns" else laid_out(case, case.filters)

        def calls(x, y):
            return [(x, filters, y)]

    def launch(x, y):
        pairs = list(zip(kernels, calls(x, y)))
        return lambda: [kernel(*values) for kernel, values in pairs]

    launches = [launch(*one) for one in case.sets]
    description = harness.describe_kernel(kernels[-1], calls(*case.sets[0])[-1])
    description.update({"way": way, "extra_bytes": extra})
    return launches, description, []


def torch_system(case):
    import torch

    layer = case.layer

    def launch(x):
        return lambda: torch.nn.functional.conv2d(
            x.permute(0, 3, 1, 2), case.weight, stride=layer.stride, padding=case.pad
        )

    def checked(x, y):
        def run():
            y.copy_(launch(x)().permute(0, 2, 3, 1).reshape(y.shape))

        return run

    launch(case.sets[0][0])()  # searches for an algorithm, which takes memory for each
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    launch(case.sets[0][0])()
    torch.cuda.synchronize()
    # The result is cuDNN's own tensor; what else it took is its workspace.
    result = case.dtype.itemsize * case.pixels * layer.outputs
    extra = torch.cuda.max_memory_allocated() - before - result
    description = {"call": "torch.conv2d", "extra_bytes": max(0, extra)}
    launches = [launch(x) for x, _ in case.sets]
    return [checked(*case.sets[0])] + launches, description, []


def run_case(options, parameters):
    import torch

    case = Problem(*parameters, options.seed)
    makers = {
        "heddle": lambda: heddle_system(options, case),
        "torch": lambda: torch_system(case),
    }
    makers.update({way: lambda way=way: heddle_system(options, case, way) for way in WAYS})
    makers.update(harness.variant_makers(options, heddle_system, case))
    systems, notes = harness.prepare(options.systems, makers, case.error_of)
    harness.drop_wrong(systems, notes, case.allowed)
    for name in list(systems):
        launches = systems[name].launches
        if name == "torch":  # the first one copies its result to where it is checked
            launches = launches[1:]
        systems[name] = harness.Graph(lambda launches=launches: [one() for one in launches], len(launches))
    result = {
        "name": case.name,
        "shape": list(case.layer) + [case.images, case.pad],
        "buffer_sets": len(case.sets),
        "allowed_error": case.allowed,
        "systems": notes,
    }
    result.update(
        harness.time_systems(options, systems, notes, case.teraflops(), "tflops", BASELINES)
    )
    del case, systems, makers
    torch.cuda.empty_cache()
    return result


def summary(results):
    """The geometric mean of heddle's speed over cuDNN's."""
    ratios = [one["ratio"] for result in results for one in result["comparisons"]
              if one["baseline"] == "torch"]  # fmt: skip
    if not ratios:
        return "no layer was timed on both systems"
    mean = math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))
    return "geometric mean over %d layers: %.3f of cuDNN's speed" % (len(ratios), mean)


def parse_layers(parser, arguments, systems):
    """The options of `parser`, and which layers of how many images; of conv_gradients.py too."""
    parser.add_argument("--layer", action="append", default=[], choices=list(LAYERS))
    parser.add_argument("--images", type=int, default=128)
    parser.add_argument("--pad", type=int, default=0, choices=(0, 1))
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, systems)
    if options.images < 1:
        wrong = "a batch has at least one image"
    if wrong:
        harness.bad_input(wrong)
    options.layer = options.layer or list(LAYERS)
    return options


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.set_defaults(systems="heddle,torch")
    parser.add_argument("--type", default="f16", choices=TYPES)
    options = parse_layers(parser, arguments, SYSTEMS)
    options.cases = [(name, options.images, options.pad, options.type) for name in options.layer]
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    import torch

    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = options.type == "tf32"
    return harness.run_cases(options, options.cases, run_case, "tflops", "TFLOP/s", summary)


if __name__ == "__main__":
    sys.exit(main())
