# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gradients of a product over windows against float64, by the emulator: random layers whose
operands are small integers, so that results are equal bit for bit. Skipped without torch.

    python3 test/python/test_window_gradients.py COUNT SEED    # more of them
"""

import collections
import itertools
import math
import os
import random
import sys
import unittest

from gpu_scripts import ROOT, no_emulation, torch

import heddle
from conv_layers import phases_of

TILES = {"BM": 64, "BN": 64}
Layer = collections.namedtuple("Layer", "images rows columns channels outputs window stride dilation pad p q parts")


def compiled(program, **settings):
    return heddle.compile(os.path.join(ROOT, "examples", "conv", program + ".mlir"), settings=settings)


def draw(rng, stride=None):
    """A layer that has an output, and whose emulation takes a second."""
    while True:
        window = rng.randint(1, 4), rng.randint(1, 4)
        dilation, pad = rng.choice([1, 1, 2, 3, 4]), rng.choice([0, 0, 1, 2, 5])
        step = stride or rng.choice([1, 1, 2, 2, 3, 4])
        extents = rng.randint(1, 16), rng.randint(1, 16)
        p, q = (
            (extent + 2 * pad - dilation * (places - 1) - 1) // step + 1 for extent, places in zip(extents, window)
        )
        if rng.randint(0, 1):
            channels, outputs = 8 * rng.randint(1, 5), 8 * rng.randint(1, 5)
        else:
            channels, outputs = rng.randint(1, 40), rng.randint(1, 70)
        images, parts = rng.randint(1, 2), rng.randint(1, 4)
        if p > 0 and q > 0 and images * p * q * window[0] * window[1] <= 2000:
            return Layer(images, *extents, channels, outputs, window, step, dilation, pad, p, q, parts)


def operands(layer, generator):
    def integers(*shape):
        return torch.randint(-2, 3, shape, generator=generator).half()

    return (
        integers(layer.images, layer.rows, layer.columns, layer.channels),
        integers(*layer.window, layer.channels, layer.outputs),
        integers(layer.images, layer.p, layer.q, layer.outputs),
    )


def exact(layer, x, f, e):
    """The gradients of image and filters by torch's autograd, in float64."""
    x, f = x.double().requires_grad_(), f.double().requires_grad_()
    y = torch.nn.functional.conv2d(
        x.permute(0, 3, 1, 2), f.permute(3, 2, 0, 1), stride=layer.stride, padding=layer.pad, dilation=layer.dilation
    )
    return torch.autograd.grad(y, (x, f), e.double().permute(0, 3, 1, 2))


def data_gradient(layer, f, e, **options):
    """By one launch, where windows lie next to each other."""
    rows = [
        places + layer.dilation * (window - 1) - 2 * layer.pad
        for places, window in zip((layer.p, layer.q), layer.window)
    ]
    d = torch.full((layer.images * rows[0] * rows[1], layer.channels), math.nan).half()
    settings = {"dilation": "%d : i64" % layer.dilation, "pad": "%d : index" % layer.pad}
    compiled("data_gradient", **TILES, **settings).run(e, f, d, **options)
    return d.view(layer.images, *rows, layer.channels)


def data_gradient_by_phases(layer, f, e, **options):
    d = torch.full((layer.images, layer.rows, layer.columns, layer.channels), math.nan).half()
    common = math.gcd(layer.stride, layer.dilation)
    settings = {"step": "%d : index" % (layer.stride // common), "dilation": "%d : i64" % (layer.dilation // common)}
    kernel = compiled("data_gradient_phase", **TILES, **settings)
    each = [
        phases_of(extent, window, layer.stride, layer.dilation, layer.pad)
        for extent, window in zip((layer.rows, layer.columns), layer.window)
    ]
    for (h, row, low_r), (w, column, low_s) in itertools.product(*each):
        phase = d[:, h :: layer.stride, w :: layer.stride]
        kernel.run(e, f, phase, row, column, low_r, low_s, **options)
    return d


def data_gradient_by_blocks(layer, steps, f, e, **options):
    """Of blocks of so many strides each way, in one launch, for windows without dilation."""
    blocks = [step * layer.stride for step in steps]
    places = [(window - 1) // layer.stride + step for window, step in zip(layer.window, steps)]
    columns = math.prod(blocks) * layer.channels

    def sizes(kind, **values):
        return {name + axis: "%d : %s" % (one, kind) for name, pair in values.items() for axis, one in zip("HW", pair)}

    g = torch.full((*places, columns, layer.outputs), math.nan).half()
    strides = sizes("i64", stride=[layer.stride] * 2)
    compiled("block_filters", **strides, **sizes("index", step=steps, block=blocks)).run(f, g, **options)
    d = torch.full((layer.images, layer.rows, layer.columns, layer.channels), math.nan).half()
    settings = sizes("i64", step=steps, block=blocks)
    compiled("data_gradient_blocks", **TILES, **settings, pad="%d : index" % layer.pad).run(e, g, d, **options)
    return d


def weight_gradient(layer, x, e, program="weight_gradient", **options):
    parts = torch.full((layer.parts, *layer.window, layer.channels, layer.outputs), math.nan)
    settings = {
        "stride": "%d : i64" % layer.stride,
        "dilation": "%d : i64" % layer.dilation,
        "pad": "%d : index" % layer.pad,
    }
    compiled(program, **TILES, **settings).run(x, e.flatten(0, 2), parts, **options)
    g = torch.full((math.prod(layer.window) * layer.channels, layer.outputs), math.nan).half()
    compiled("sum_parts").run(parts.flatten(1, 3), g, **options)
    return g.view(*layer.window, layer.channels, layer.outputs)


def weight_gradient_of_rows(layer, x, e, **options):
    """For windows without rim or dilation: columns and channels as one axis."""
    runs = layer.window[1] * layer.channels
    parts = torch.full((layer.parts, layer.window[0], runs, layer.outputs), math.nan)
    sizes = *x.shape, layer.window[1]
    kernel = compiled("weight_gradient_rows", **TILES, stride="%d : i64" % layer.stride)
    kernel.run(x.flatten(), *sizes, e.flatten(0, 2), parts, **options)
    g = torch.full((layer.window[0] * runs, layer.outputs), math.nan).half()
    compiled("sum_parts").run(parts.flatten(1, 2), g, **options)
    return g.view(*layer.window, layer.channels, layer.outputs)


def differences(layer, seed):
    """Of one layer, the names of the results that are not float64's."""
    x, f, e = operands(layer, torch.Generator().manual_seed(seed))
    options = {"order": "adversarial" if seed % 2 else "fair", "sms": 1 + seed % 3, "seed": seed}
    image, filters = (one.half() for one in exact(layer, x, f, e))
    results = {
        "weight": (weight_gradient(layer, x, e, **options), filters),
        "row": (weight_gradient(layer, x, e, "weight_gradient_row", **options), filters),
        "phases": (data_gradient_by_phases(layer, f, e, **options), image),
    }
    if layer.dilation == 1:
        results["blocks"] = data_gradient_by_blocks(layer, (1 + seed % 2, 1 + seed // 2 % 3), f, e, **options), image
    if not layer.pad and layer.dilation == 1:
        results["rows"] = weight_gradient_of_rows(layer, x, e, **options), filters
    if layer.stride == 1:
        results["data"] = data_gradient(layer, f, e, **options), image
    return [name for name, (got, wanted) in results.items() if not torch.equal(got, wanted)]


class PhasesTest(unittest.TestCase):
    def test_each_window_row_meets_its_pixels_in_one_phase(self):
        for stride, dilation, pad, window in itertools.product(range(1, 6), range(1, 6), range(4), range(1, 5)):
            extent = 13
            step, apart = stride // math.gcd(stride, dilation), dilation // math.gcd(stride, dilation)
            met = [
                (h, p, row + t * step)
                for first, row, low in phases_of(extent, window, stride, dilation, pad)
                for u, h in enumerate(range(first, extent, stride))
                for t in range(-(-max(window - row, 0) // step))
                for p in [u + low - t * apart]
            ]
            wanted = [
                (h, (h + pad - r * dilation) // stride, r)
                for h in range(extent)
                for r in range(window)
                if (h + pad - r * dilation) % stride == 0
            ]
            self.assertEqual(sorted(met), sorted(wanted))

    def test_more_phases_than_pixels(self):
        self.assertEqual([first for first, *_ in phases_of(2, 3, 4, 1, 0)], [0, 1])


@unittest.skipIf(no_emulation(), no_emulation())
class GradientTest(unittest.TestCase):
    def test_random_layers(self):
        rng = random.Random(1)
        for seed in range(9):
            layer = draw(rng, 1 + seed % 3)
            with self.subTest(layer=layer):
                self.assertEqual(differences(layer, seed), [])

    def test_overlapping_rows(self):
        rng = random.Random(3)
        for seed in range(4):
            layer = draw(rng)
            while layer.pad or layer.dilation > 1:
                layer = draw(rng)
            with self.subTest(layer=layer):
                x, f, e = operands(layer, torch.Generator().manual_seed(seed))
                _, filters = exact(layer, x, f, e)
                self.assertTrue(torch.equal(weight_gradient_of_rows(layer, x, e, sms=1 + seed), filters.half()))

    def test_blocks(self):
        rng = random.Random(4)
        for seed in range(8):
            layer = draw(rng, 1 + seed % 3)
            while layer.dilation > 1:
                layer = draw(rng, 1 + seed % 3)
            steps = rng.randint(1, 3), rng.randint(1, 3)
            with self.subTest(layer=layer, steps=steps):
                x, f, e = operands(layer, torch.Generator().manual_seed(seed))
                image, _ = exact(layer, x, f, e)
                got = data_gradient_by_blocks(layer, steps, f, e, sms=1 + seed % 3, seed=seed)
                self.assertTrue(torch.equal(got, image.half()))

    def test_wrong_results_are_seen(self):
        layer = draw(random.Random(2), 2)
        x, f, e = operands(layer, torch.Generator().manual_seed(0))
        right = weight_gradient(layer, x, e)
        shifted = weight_gradient(layer._replace(pad=layer.pad + 1), x, e)
        self.assertFalse(torch.equal(right, shifted))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        unittest.main()
    RNG = random.Random(int(sys.argv[2]))
    for NUMBER in range(int(sys.argv[1])):
        LAYER = draw(RNG)
        WRONG = differences(LAYER, int(sys.argv[2]) + NUMBER)
        if WRONG:
            sys.exit("%s: %s" % (LAYER, ", ".join(WRONG)))
    print("%s layers right" % sys.argv[1])
