# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random products over windows: the emulated kernel against the oracle, bit by bit.

`random_windows.py COUNT SEED [--program NAME] [--device gpu]` draws images, windows, channels,
strides, dilations and rims, of rows and of columns where the program has both, and runs the
example of that name (`forward` without one) with small integers. Every other problem is one
that TMA can load: runs of pixels in `forward` and `groups`, boxes with steps in `patches`, rows
that overlap in `rows`, spans in `unfold`, `unfold_pairs`, `unfold_rows` and `unfold_shared`, filters alone in `columns`. Threads
copy the others. The last line says how many problems took which variant; of 20 or more, each kind
must have been taken by some, and of 40 or more by at least 20.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "python"))

from heddle import _conv_programs as programs  # noqa: E402

PROGRAMS = ("forward", "patches", "columns", "rows", "im2win", "groups", "unfold", "unfold_pairs", "unfold_rows",
            "unfold_shared")
UNFOLDED = ("unfold", "unfold_pairs", "unfold_rows", "unfold_shared")
# Whose rows have a stride, dilation and rim of their own, and whose rims have two ends.
APART = ("forward", "groups", *UNFOLDED)
POINTER = ("rows", *UNFOLDED)  # the image is an address with four numbers
MOST_STEPS = 60  # of all tiles; they take about a second


def pair(rng, program, choices):
    """A number of rows and one of columns."""
    one, other = rng.choice(choices), rng.choice(choices)
    return (one, other) if program in APART else (other, other)


def draw(rng, program, by_tma):
    """A layer, its images, rows and columns, that takes about a second."""
    while True:
        window = rng.randint(1, 5), rng.randint(1, 5)
        stride = pair(rng, program, (1, 1, 2, 2, 3, 4, 8, 9))
        dilation = pair(rng, program, (1, 1, 1, 2, 3))
        low = pair(rng, program, (0, 0, 1, 2, 3, 7))
        high = pair(rng, program, (0, 0, 1, 2, 3, 7)) if program in APART else low
        shape = rng.randint(1, 3), rng.randint(1, 40), rng.randint(1, 40)
        channels, outputs = (8 * rng.randint(1, 8) if by_tma else rng.randint(1, 70) for _ in range(2))
        if program == "columns":
            window = window[0], window[0]
        if program == "rows":
            stride, dilation = (rng.choice((1, 2, 3)), stride[1]), (dilation[0], 1)
        if program in UNFOLDED:
            channels, dilation = rng.randint(1, 15), (dilation[0], 1)
        if program == "unfold_shared":  # whose windows are of one kind along rows
            channels, outputs = rng.randint(1, 6), min(outputs, 64)
            window, stride, dilation = (7, window[1]), (2, stride[1]), (1, 1)
        if program in POINTER and (program == "rows" or rng.randint(0, 1)):
            low, high = (low[0] * (program != "rows"), 0), (high[0] * (program != "rows"), 0)
        layer = programs.Layer(channels, outputs, window, stride, dilation, low, high)
        if program in UNFOLDED and programs.why_not_unfolded(layer, shape, "f16"):
            continue
        p, q = programs.out_extents(layer, shape[1:])
        if p <= 0 or q <= 0:
            continue
        tiles = shape[0] * (p * -(-q // 64) if program in ("patches", *UNFOLDED) else -(-p * q // 64))
        steps = window[0] * (1 if program in UNFOLDED else window[1] * -(-channels // 64))
        if tiles * -(-outputs // 64) * steps <= MOST_STEPS:
            return layer, shape, (p, q)


def rims_and_steps(layer, program):
    """The settings of strides, dilations and rims that the program has."""
    every = {
        "stride": layer.stride[1], "strideH": layer.stride[0], "dilation": layer.dilation[1],
        "dilationH": layer.dilation[0], "pad": layer.low[1], "padH": layer.low[0], "end": layer.high[1],
        "endH": layer.high[0],
    }  # fmt: skip
    if program == "im2win":  # which has rows of windows alone
        every.update(stride=layer.stride[0], dilation=layer.dilation[0])
    return {name: value for name, value in every.items() if "\n#%s = " % name in programs.text_of(program)}


def command(layer, shape, extents, program, seed, device):
    """The command line that runs a problem."""
    (images, rows, columns), (p, q) = shape, extents
    channels, outputs, window = layer.channels, layer.outputs, layer.window
    place, y, extra = f"{window[0]}x{window[1]}x{channels}", f"{images * p * q}x{outputs}", []
    views = ["--view", f"x={images}x{rows}x{columns}x{channels}"]
    settings = {"BM": 64, "BN": 64, **rims_and_steps(layer, program)}
    if program == "patches":
        y = f"{images}x{p}x{q}x{outputs}"
    if program == "columns":
        place = str(window[0] ** 2 * channels)
        settings["window"] = window[0]
    if program in POINTER:
        place = f"{window[0]}x{window[1] * channels}"
        views = ["--view", f"x={images * rows * columns * channels}"]
        for name, number in zip("images h w c".split(), (*shape, channels)):
            views += ["--scalar", f"{name}={number}"]
    if program == "rows":
        views += ["--scalar", f"window={window[1]}"]
    if program in UNFOLDED:
        y = f"{images}x{p}x{q}x{outputs}"
        settings = programs.smallest(programs.unfold_by(program, 64, layer, shape, "f16")).settings
    if program == "im2win":
        # A run of any length that all of a window's column fits.
        run = window[0] * channels + seed % 9
        views += ["--view", f"e={images}x{p}x{columns + layer.low[1] + layer.high[1]}x{run}",
                  "--scalar", f"r={window[0]}"]
        settings = {"BW": 16, "BR": 32, **rims_and_steps(layer, program)}
    if program == "groups":
        # A group begins at a multiple of BK.
        groups, settings["BK"] = 1 + seed % 3, 16 << seed // 3 % 2
        whole = (groups - 1) * -(-channels // settings["BK"]) * settings["BK"] + channels
        views = ["--view", f"x={images}x{rows}x{columns}x{whole}"]
        place, y = f"{groups}x{place}", f"{groups}x{y}"
    if program != "im2win":
        views += ["--view", f"f={place}x{outputs}", "--view", f"y={y}"]
    for name, value in programs.typed(program, settings).items():
        extra += ["--set", f"{name}={value}"]
    if device == "emulator":
        extra += ["--order=" + ("adversarial" if seed % 2 else "fair"), "--sms", str(1 + seed % 3)]
    return ["heddle", "run", programs.path_of(program), f"--device={device}", "--ints", *views, *extra, f"--seed={seed}"]


def main():
    """Runs the problems; 1 if one is wrong or a kind was not taken often enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--program", default="forward", choices=PROGRAMS)
    parser.add_argument("--device", choices=["emulator", "gpu"], default="emulator")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    taken, kinds = collections.Counter(), collections.Counter()
    for number in range(options.count):
        problem = draw(rng, options.program, by_tma=number % 2 == 0)
        arguments = command(*problem, options.program, options.seed + number, options.device)
        done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        variant = re.search(r"variant (\w+)", done.stdout)
        if done.returncode or not variant or "; right" not in done.stdout:
            print(" ".join(arguments), done.stdout, sep="\n")
            return 1
        taken[variant[1]] += 1
        kinds["threads" if variant[1].endswith("_general") else "TMA"] += 1
    print(", ".join(f"{count} by {variant}" for variant, count in sorted(taken.items())))
    if options.program == "im2win":  # one process, whose threads copy in each variant
        return 0
    least = 20 if options.count >= 40 else options.count // 20
    missing = [kind for kind in ("TMA", "threads") if kinds[kind] < least]
    if missing:
        print(f"taken less than {least} times:", ", ".join(missing))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
