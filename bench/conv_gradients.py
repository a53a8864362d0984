#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of products over windows: heddle beside cuDNN through PyTorch, on one GPU, in one run.

    python3 bench/compile.py conv
    python3 bench/conv_gradients.py --kernel-dir build/kernels --json gradients.json
    python3 bench/conv_gradients.py --gradient weight --layer 8 --pad 1

The layers of bench/conv.py, of each the gradient of the image and that of the filters: fp16,
images x rows x columns x channels. cuDNN (aten's convolution_backward with the one gradient
asked for) searches for its algorithm, benchmark = True. Launches of a system are captured in a
graph over all of its buffers; rounds are interleaved (bench/protocol.py). All launches of a gradient are
timed: filters laid out by blocks, im2win for few channels, and the sum of parts. The filters' gradient
of few channels has im2win's layout. Results are checked
against float64 on sampled places first, and the error printed. The figure is TFLOP/s of true
products. Exit code: 0 all timed, 1 a result was wrong, 2 a system or case could not be run, 3
bad input.
"""

import argparse
import itertools
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))

import harness  # noqa: E402
import protocol  # noqa: E402
from conv import parse_layers  # noqa: E402
from conv_layers import (  # noqa: E402
    BLOCKS,
    GRADIENTS,
    LAYERS,
    block_of,
    gradient_kernels_of,
    has_few_channels,
    has_whole_rows,
    out_extent,
    parts_of,
    run_of,
)
from harness import DEVICE  # noqa: E402

SYSTEMS = ("heddle", "torch")
BASELINES = ("torch",)
SAMPLED = 512  # pixels of an image's gradient
SAMPLED_PLACES = 8  # window places and channels of a filters' gradient
# Of the largest error that rounding the exact result to f16 makes.
ALLOWED = 2.0
# cuDNN may add parts of sums that it has rounded; its error is printed.
ALLOWED_TO_PEERS = 8.0


class Problem:
    """The operands of one layer's gradient, and a float64 reference of some of it."""

    def __init__(self, name, images, pad, gradient, seed):
        import torch

        self.layer_name, self.layer = name, LAYERS[name]
        self.images, self.pad, self.gradient = images, pad, gradient
        self.name = "layer %s, N=%d, pad %d, %s" % (name, images, pad, gradient)
        layer = self.layer
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(*shape):
            return torch.randn(shape, generator=generator, device=DEVICE).half()

        self.out = out_extent(layer, pad)
        self.pixels = images * self.out**2
        window = layer.window
        self.filters = normal(window, window, layer.channels, layer.outputs)
        self.weight = self.filters.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
        bytes_a_set = 2 * (images * layer.extent**2 * layer.channels + self.pixels * layer.outputs)
        self.sets = []
        for _ in range(protocol.buffer_sets(bytes_a_set)):
            e = normal(images, self.out, self.out, layer.outputs)
            x = normal(images, layer.extent, layer.extent, layer.channels)
            self.sets.append((x, e, torch.empty_like(x if gradient == "data" else self.filters)))
        exact = self.exact_data if gradient == "data" else self.exact_weight
        self.sample, self.reference = exact(generator)
        rounded = (self.reference.half().double() - self.reference).abs().max().item()
        self.allowed = ALLOWED * rounded

    def exact_data(self, generator):
        """Rows of the first set's gradient, of pixels that are drawn."""
        import torch

        layer, e = self.layer, self.sets[0][1]
        pixels = self.images * layer.extent**2
        sample = torch.randperm(pixels, generator=generator, device=DEVICE)[:SAMPLED]
        image, rest = sample // layer.extent**2, sample % layer.extent**2
        places = torch.arange(layer.window, device=DEVICE)

        def meet(pixel):
            """The window that has a pixel at each place, and whether there is one."""
            away = pixel[:, None] + self.pad - places
            window = away.div(layer.stride, rounding_mode="floor")
            return window.clamp(0, self.out - 1), (
                (away % layer.stride == 0) & (window >= 0) & (window < self.out)
            )

        row, is_row = meet(rest // layer.extent)
        column, is_column = meet(rest % layer.extent)
        errors = e[image[:, None, None], row[:, :, None], column[:, None, :]].double()
        errors *= (is_row[:, :, None] & is_column[:, None, :])[..., None]
        return sample, torch.einsum("mrsk,rsck->mc", errors, self.filters.double())

    def exact_weight(self, generator):
        """Rows of the first set's gradient, of window places and channels that are drawn."""
        import torch

        layer, (x, e, _) = self.layer, self.sets[0]
        rows = layer.window**2 * layer.channels
        sample = torch.randperm(rows, generator=generator, device=DEVICE)[:SAMPLED_PLACES]
        if self.pad:
            x = torch.nn.functional.pad(x, (0, 0, self.pad, self.pad, self.pad, self.pad))
        reach = layer.stride * (self.out - 1) + 1
        results = []
        for place in sample.tolist():
            r, s = place // layer.channels // layer.window, place // layer.channels % layer.window
            met = x[:, r : r + reach : layer.stride, s : s + reach : layer.stride, place % layer.channels]
            results.append(sum((one.double().flatten() @ errors.double().flatten(0, 1)) for one, errors in zip(met, e)))
        return sample, torch.stack(results)

    def error_of(self, launch):
        """The largest error where it is known; infinite if anything was not written."""
        result = self.sets[0][2]
        if not harness.writes_all(launch, result):
            return float("inf")
        rows = result.flatten(0, 2)[self.sample]
        return (rows.double() - self.reference).abs().max().item()

    def teraflops(self):
        layer = self.layer
        return 2e-12 * self.pixels * layer.outputs * layer.channels * layer.window**2


def data_calls(case, kernels):
    """What launches of a set are, [(kernel, values)], and what they take beside operands."""
    import torch

    layer = case.layer
    if case.layer_name not in BLOCKS:
        return lambda x, e, d: [(kernels[0], (e, case.filters, d.flatten(0, 2)))], 0
    _, block, places = block_of(case.layer_name)
    shape = places, places, block**2 * layer.channels, layer.outputs
    filters = torch.empty(shape, dtype=torch.float16, device=DEVICE)

    def calls(x, e, d):
        return [(kernels[0], (case.filters, filters)), (kernels[1], (e, filters, d))]

    return calls, filters.nbytes


def weight_calls(case, kernels):
    """The same of the filters' gradient, and how what few channels leave becomes the gradient's
    layout, which is not timed."""
    import torch

    layer, name = case.layer, case.layer_name
    workers = torch.cuda.get_device_properties(DEVICE).multi_processor_count
    count = parts_of(name, case.images, case.pad, workers)
    few = has_few_channels(name)
    rows, channels = (1, run_of(layer)) if few else (layer.window, layer.channels)
    add, multiply, rounded = kernels[-3:]
    shape = count, rows, layer.window, channels, layer.outputs
    parts = torch.empty(shape if count > 1 else 0, dtype=torch.float32, device=DEVICE)
    width, extra = layer.extent + 2 * case.pad, parts.nbytes
    if few:
        windows = torch.empty((case.images, case.out, width, channels), dtype=torch.float16, device=DEVICE)
        runs = torch.empty((layer.window * channels, layer.outputs), dtype=torch.float16, device=DEVICE)
        extra += windows.nbytes + runs.nbytes

    def calls(x, e, d):
        result = runs if few else d.flatten(0, 2)
        read = windows if few else x
        wanted = parts if count > 1 else result.view(shape)
        if has_whole_rows(name, case.pad):
            sizes = read.shape[1], read.shape[2], channels, layer.window
            values = (read, case.images, *sizes, e.flatten(0, 2), wanted.flatten(2, 3))
        else:
            values = read, e.flatten(0, 2), wanted
        launches = [(kernels[0], (x, windows, layer.window))] if few else []
        launches.append((multiply if count > 1 else rounded, values))
        if count > 1:
            launches.append((add, (parts.flatten(1, 3), result)))
        return launches

    def copy():
        if few:
            used = runs.view(layer.window, channels, layer.outputs)[:, : layer.window * layer.channels]
            places = used.reshape(layer.window, layer.window, layer.channels, layer.outputs)
            case.sets[0][2].copy_(places.transpose(0, 1))

    return calls, extra, copy


def heddle_system(options, case):
    programs = gradient_kernels_of(case.layer_name, case.pad, case.gradient)
    kernels = [harness.heddle_kernel(options, name) for name, *_ in programs]
    if case.gradient == "data":
        calls, extra = data_calls(case, kernels)

        def finish():
            pass
    else:
        calls, extra, finish = weight_calls(case, kernels)

    def launch(one):
        pairs = calls(*one)
        return lambda: [kernel(*values) for kernel, values in pairs]

    launches = [launch(one) for one in case.sets]

    def checked():
        launches[0]()
        finish()

    products = kernels[-1:] if case.gradient == "data" else kernels[-2:]
    described = next(call for call in calls(*case.sets[0]) if call[0] in products)
    description = harness.describe_kernel(*described)
    description["extra_bytes"] = extra
    return [checked] + launches, description, []


def torch_system(case):
    import torch

    layer, is_data = case.layer, case.gradient == "data"

    def compute(x, e):
        return torch.ops.aten.convolution_backward(
            e.permute(0, 3, 1, 2), x.permute(0, 3, 1, 2), case.weight, None, [layer.stride] * 2, [case.pad] * 2,
            [1, 1], False, [0, 0], 1, [is_data, not is_data, False],
        )[0 if is_data else 1]  # fmt: skip

    def checked():
        x, e, result = case.sets[0]
        result.copy_(compute(x, e).permute((0, 2, 3, 1) if is_data else (2, 3, 1, 0)))

    def launch(x, e, _):
        return lambda: compute(x, e)

    checked()  # searches for an algorithm, which takes memory for each
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    result = compute(*case.sets[0][:2])
    torch.cuda.synchronize()
    extra = torch.cuda.max_memory_allocated() - before - result.nbytes
    del result
    description = {"call": "aten.convolution_backward", "extra_bytes": max(0, extra)}
    return [checked] + [launch(*one) for one in case.sets], description, []


def run_case(options, parameters):
    import torch

    case = Problem(*parameters, options.seed)
    makers = {
        "heddle": lambda: heddle_system(options, case),
        "torch": lambda: torch_system(case),
    }
    makers.update(harness.variant_makers(options, heddle_system, case))
    systems, notes = harness.prepare(options.systems, makers, case.error_of)
    for name in list(systems):
        kept, allowed = {name: systems[name]}, case.allowed
        if name in BASELINES:
            allowed *= ALLOWED_TO_PEERS / ALLOWED
        harness.drop_wrong(kept, notes, allowed)
        if not kept:
            del systems[name]
    for name in list(systems):
        launches = systems[name].launches[1:]  # the first one brings its result to where it is checked
        systems[name] = harness.Graph(lambda launches=launches: [one() for one in launches], len(launches))
    result = {
        "name": case.name,
        "shape": list(case.layer) + [case.images, case.pad, case.gradient],
        "buffer_sets": len(case.sets),
        "allowed_error": case.allowed,
        "systems": notes,
    }
    result.update(harness.time_systems(options, systems, notes, case.teraflops(), "tflops", BASELINES))
    del case, systems, makers
    torch.cuda.empty_cache()
    return result


def summary(results):
    """The geometric mean of heddle's speed over cuDNN's, and its least, of each gradient."""
    lines = []
    for gradient in GRADIENTS:
        ratios = [one["ratio"] for result in results if result["shape"][-1] == gradient
                  for one in result["comparisons"] if one["baseline"] == "torch"]  # fmt: skip
        if ratios:
            mean = math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))
            lines.append(
                "%s: geometric mean over %d layers: %.3f of cuDNN's speed, the least %.3f"
                % (gradient, len(ratios), mean, min(ratios))
            )
    return "\n".join(lines) or "no gradient was timed on both systems"


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.add_argument("--gradient", action="append", default=[], choices=GRADIENTS)
    options = parse_layers(parser, arguments, SYSTEMS)
    each = itertools.product(options.layer, options.gradient or GRADIENTS)
    options.cases = [(name, options.images, options.pad, gradient) for name, gradient in each]
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    import torch

    torch.backends.cudnn.benchmark = True
    return harness.run_cases(options, options.cases, run_case, "tflops", "TFLOP/s", summary)


if __name__ == "__main__":
    sys.exit(main())
