# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random products over windows: the emulated kernel against the oracle, bit by bit.

`random_windows.py COUNT SEED [--program NAME] [--device gpu]` draws images, windows, channels,
strides, dilations and low ends, and runs the example of that name (`forward` without one) with
small integers. In half of the problems channels are a multiple of 8, so that TMA can load them:
runs of pixels in `forward` and `groups`, boxes with steps in `patches`, rows that overlap in `rows`. The last line says how many problems took which
variant; of 20 or more, each variant must have been taken by some.
"""

import argparse
import collections
import os
import random
import re
import subprocess
import sys

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "conv")


def out_extent(extent, window, stride, dilation, pad):
    """Windows that fit, as the program counts them; never negative."""
    return max(extent + 2 * pad - dilation * (window - 1) - 1 + stride, 0) // stride


def draw(rng, program):
    """One problem whose emulation takes about a second at most."""
    while True:
        window = rng.randint(1, 5), rng.randint(1, 5)
        if program == "columns":
            window = window[0], window[0]
        if program == "rows":
            dilation, pad = 1, 0
        stride, dilation = rng.choice([1, 1, 2, 2, 3, 4, 8, 9]), rng.choice([1, 1, 1, 2, 3])
        pad = rng.choice([0, 0, 1, 2, 3, 7])
        images, rows, columns = rng.randint(1, 3), rng.randint(1, 40), rng.randint(1, 40)
        if rng.randint(0, 1):
            channels, outputs = 8 * rng.randint(1, 8), 8 * rng.randint(1, 8)
        else:
            channels, outputs = rng.randint(1, 70), rng.randint(1, 70)
        p = out_extent(rows, window[0], stride, dilation, pad)
        q = out_extent(columns, window[1], stride, dilation, pad)
        steps = window[0] * window[1] * (1 + (channels - 1) // 64)
        tiles = images * p * (1 + q // 64) if program == "patches" else images * p * q // 64 + 1
        tiles *= 1 + (outputs - 1) // 64
        if 0 < tiles * steps <= 60:
            return dict(images=images, rows=rows, columns=columns, channels=channels,
                        outputs=outputs, window=window, stride=stride, dilation=dilation,
                        pad=pad, p=p, q=q)


def command(problem, program, seed, device):
    """The command line that runs a problem."""
    d = problem
    place = f"{d['window'][0]}x{d['window'][1]}x{d['channels']}"
    extra = []
    views = ["--view", f"x={d['images']}x{d['rows']}x{d['columns']}x{d['channels']}"]
    dilation = ["--set", f"dilation={d['dilation']} : i64"]
    sizes = ["--set", "BM=64", "--set", "BN=64"]
    pad = ["--set", f"pad={d['pad']} : index"]
    if program == "columns":
        place = str(d["window"][0] ** 2 * d["channels"])
        extra = ["--set", f"window={d['window'][0]} : index"]
    if program == "rows":
        place = f"{d['window'][0]}x{d['window'][1] * d['channels']}"
        elements = d["images"] * d["rows"] * d["columns"] * d["channels"]
        views = ["--view", f"x={elements}", "--scalar", f"window={d['window'][1]}"]
        for name, number in zip("images h w c".split(), "images rows columns channels".split()):
            views += ["--scalar", f"{name}={d[number]}"]
        dilation = pad = []
    if program == "im2win":
        # A run of any length that all of a window's column fits.
        run = d["window"][0] * d["channels"] + seed % 9
        views += ["--view", f"e={d['images']}x{d['p']}x{d['columns'] + 2 * d['pad']}x{run}",
                  "--scalar", f"r={d['window'][0]}"]
        sizes = ["--set", "BW=16", "--set", "BR=32"]
    y = (f"{d['images']}x{d['p']}x{d['q']}x{d['outputs']}" if program == "patches"
         else f"{d['images'] * d['p'] * d['q']}x{d['outputs']}")
    if device == "emulator":
        extra += ["--order=" + ("adversarial" if seed % 2 else "fair"), "--sms", str(1 + seed % 3)]
    if program == "groups":
        # A group begins at a multiple of BK.
        groups, depth = 1 + seed % 3, 16 << seed // 3 % 2
        channels = (groups - 1) * -(-d["channels"] // depth) * depth + d["channels"]
        views = ["--view", f"x={d['images']}x{d['rows']}x{d['columns']}x{channels}"]
        place, y = f"{groups}x{place}", f"{groups}x{y}"
        sizes += ["--set", f"BK={depth}"]
    if program != "im2win":
        views += ["--view", f"f={place}x{d['outputs']}", "--view", f"y={y}"]
    return ["heddle", "run", os.path.join(EXAMPLES, program + ".mlir"), f"--device={device}",
            "--ints", *views, *extra, *sizes, "--set", f"stride={d['stride']} : i64", *dilation, *pad,
            f"--seed={seed}"]


def main():
    """Runs the problems; 1 if one is wrong or a variant was never taken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--program", default="forward",
                        choices=["forward", "patches", "columns", "rows", "im2win", "groups"])
    parser.add_argument("--device", choices=["emulator", "gpu"], default="emulator")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    taken = collections.Counter()
    for number in range(options.count):
        problem = draw(rng, options.program)
        arguments = command(problem, options.program, options.seed + number,
                            options.device)
        done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True)
        variant = re.search(r"variant (\w+)", done.stdout)
        if done.returncode or not variant or "; right" not in done.stdout:
            print(" ".join(arguments), done.stdout, sep="\n")
            return 1
        taken[variant[1]] += 1
    print(", ".join(f"{count} by {variant}" for variant, count in sorted(taken.items())))
    if options.program == "im2win":  # one process, whose threads copy in each variant
        return 0
    missing = [kind for kind in ("TMA", "threads")
               if not any(variant.endswith("_general") == (kind == "threads") for variant in taken)]
    if missing and options.count >= 20:
        print("never taken:", ", ".join(missing))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
