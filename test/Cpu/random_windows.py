#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""random_windows.py [COUNT [SEED]]: random products over windows, on the CPU, beside the oracle.

Strides, rims, dilations, channels of 1 to 70, element types and tiles are random, images small;
each problem goes through `forward`, `columns` or `im2win` of examples/conv, or a product of
matrices of random orders. Half of them have integers, whose results must be equal bit for bit.
`heddle run` compares one worker's bits with two workers', and launches twice.
"""

import random
import subprocess
import sys
import pathlib

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def windows(rng):
    """(image, window, outputs' rows and columns, settings)"""
    while True:
        image = [rng.randint(1, 3), rng.randint(1, 13), rng.randint(1, 13), rng.randint(1, 70)]
        window = [rng.randint(1, 5), rng.randint(1, 5)]
        stride, dilation, pad = rng.randint(1, 4), rng.randint(1, 3), rng.randint(0, 3)
        out = [(image[1 + i] + 2 * pad - dilation * (window[i] - 1) - 1) // stride + 1 for i in (0, 1)]
        if min(out) > 0:
            settings = ["stride=%d : i64" % stride, "dilation=%d : i64" % dilation, "pad=%d : index" % pad]
            return image, window, out, settings


def by(extents):
    return "x".join(map(str, extents))


def types(rng):
    return rng.choice([["in=f32", "out=f32"], ["in=f16", "out=f16"], ["in=bf16", "out=f32"]])


def tiles(rng):
    return ["BM=%d" % rng.choice((64, 128, 192)), "BN=%d" % rng.choice((16, 48, 64, 80)), "BK=%d" % rng.choice((32, 64))]


def forward(rng):
    image, window, out, settings = windows(rng)
    outputs = rng.randint(1, 70)
    views = {"x": image, "f": window + [image[3], outputs], "y": [image[0] * out[0] * out[1], outputs]}
    return "conv/forward.mlir", settings + types(rng) + tiles(rng), views, []


def columns(rng):
    image, window, out, settings = windows(rng)
    side = window[0]
    image[1:3] = [max(extent, 3 * side) for extent in image[1:3]]
    numbers = [int(one.split("=")[1].split()[0]) for one in settings]
    out = [(extent + 2 * numbers[2] - numbers[1] * (side - 1) - 1) // numbers[0] + 1 for extent in image[1:3]]
    image[3], outputs = rng.randint(1, 20), rng.randint(1, 40)
    views = {"x": image, "f": [side * side * image[3], outputs], "y": [image[0] * out[0] * out[1], outputs]}
    return "conv/columns.mlir", settings + ["window=%d : index" % side] + types(rng) + tiles(rng), views, []


def im2win(rng):
    image, window, out, settings = windows(rng)
    run = -(-window[0] * image[3] // 8) * 8
    pad = int(settings[2].split("=")[1].split()[0])
    views = {"x": image, "e": [image[0], out[0], image[2] + 2 * pad, run]}
    return "conv/im2win.mlir", settings + types(rng)[:1] + ["BW=16", "BR=64"], views, ["r=%d" % window[0]]


def product(rng):
    extent = lambda: rng.choice((1, 15, 16, 17, 63, 64, 65, 127, 129, rng.randint(1, 200)))  # noqa: E731
    m, n, k = extent(), extent(), rng.choice((0, 1, 31, 32, 33, 64, 65, 100))
    order = lambda: rng.choice(("#tile.order<0, 1>", "#tile.order<1, 0>"))  # noqa: E731
    settings = ["a_order=" + order(), "b_order=" + order()] + types(rng) + tiles(rng)
    return "gemm.mlir", settings, {"a": [m, k], "b": [k, n], "c": [m, n]}, []


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    failed = 0
    for number in range(count):
        rng = random.Random(seed * 1000003 + number)
        program, settings, views, scalars = rng.choice((forward, forward, columns, im2win, product))(rng)
        command = ["heddle", "run", str(EXAMPLES / program), "--device=cpu", "--seed=%d" % number]
        for setting in settings:
            command += ["--set", setting]
        for name, extents in views.items():
            command += ["--view", "%s=%s" % (name, by(extents))]
        for scalar in scalars:
            command += ["--scalar", scalar]
        if number % 2:
            command.append("--ints")
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        if done.returncode or "right" not in done.stdout:
            failed += 1
            print("problem %d of seed %d: %s\n%s" % (number, seed, " ".join("'%s'" % part for part in command), done.stdout))
    print("%d problems, %d wrong" % (count, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
