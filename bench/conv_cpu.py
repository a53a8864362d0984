#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products over windows of images on the CPU: heddle's four programs beside PyTorch and numpy.

    python3 bench/conv_cpu.py --json conv_cpu.json
    python3 bench/conv_cpu.py --layer 9 --images 1 --threads 1 --systems implicit,im2win,torch
    python3 bench/conv_cpu.py --systems im2win,im2win-no-vectors,im2win-no-micro-kernel

The twelve layers of conv_layers.py in FP32, images x rows x columns x channels, without a rim.
heddle's programs are compiled ahead of time (`heddle compile --emit=library`), linked by the C
compiler at hand and called through ctypes; threads take shares of the instances. Peers: PyTorch
(oneDNN), and numpy's product of an im2col matrix, which numpy writes by strided copies. Filters
are laid out for each system before; every other step is within the time. Results are checked
against float64 on sampled pixels first. Rounds are interleaved (bench/protocol.py); since other
programs only slow loops down, GFLOP/s are of the best round, and ratios are the protocol's. Bytes
are those of arrays beside image, filters and result, as allocated; of PyTorch they are not known.
WAY-no-vectors and WAY-no-micro-kernel are compiled for a machine of the same figures with vectors
of one element, and with registers for one sum.
Exit code: 0 all timed, 1 a result was wrong, 2 a system or case could not be run, 3 bad input.
"""

import argparse
import concurrent.futures
import copy
import ctypes
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import protocol  # noqa: E402
from conv_layers import LAYERS, out_extent, run_of  # noqa: E402

ROOT = pathlib.Path(HERE).parent
PROGRAMS = ROOT / "examples"
WAYS = ("direct", "implicit", "im2col", "im2win")
PEERS = ("torch", "numpy")
# What is left out, and what says so in the machine's description: vectors of one float; registers for
# one sum and its operands, the fewest that are accepted.
ABLATIONS = {"vectors": ("vector_bytes", 4), "micro-kernel": ("vector_registers", 4)}
ABLATED = tuple("%s-no-%s" % (way, ablation) for way in WAYS for ablation in ABLATIONS)
HEDDLE = WAYS + ABLATED
# Of the largest element: 2^-15, less one product in 2^15 left out.
ALLOWED = 2.0**-15
SAMPLED_PIXELS = 256
F32 = ["in=f32", "out=f32"]


class Kernel:
    """A compiled program as a function of arrays and numbers."""

    def __init__(self, options, program, name, settings):
        key = hashlib.sha256(" ".join([program, options.machine, *settings]).encode()).hexdigest()[:16]
        stem = options.folder / ("%s_%s" % (name, key))
        flags = [part for setting in settings for part in ("--set", setting)]
        subprocess.run(
            [options.heddle, "compile", str(PROGRAMS / program), *flags, "--emit=library",
             "--machine=" + options.machine, "-o", str(stem)], check=True)  # fmt: skip
        subprocess.run(["cc", "-shared", "-o", str(stem) + ".so", str(stem) + ".o", "-lm"], check=True)
        library = ctypes.CDLL(str(stem) + ".so")
        self.run, self.shape = library[name + "_run"], library[name + "_shape"]
        self.run.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
        self.run.restype = self.shape.restype = None

    def bind(self, pool, threads, *arguments):
        """A call of it, with its memory allocated before."""
        import numpy

        words = []
        for argument in arguments:
            if isinstance(argument, tuple):  # only an address
                words.append(argument[0].ctypes.data)
            elif isinstance(argument, int):
                words.append(argument)
            else:
                strides = [stride // argument.itemsize for stride in argument.strides]
                words += [argument.ctypes.data, *argument.shape, *strides]
        slots = (ctypes.c_int64 * len(words))(*words)
        shape = (ctypes.c_int64 * 5)()
        self.shape(slots, shape)
        if shape[4]:
            raise RuntimeError(ctypes.cast(shape[4], ctypes.c_char_p).value.decode())
        instances, tiles = shape[0], [numpy.empty(shape[3] + 64, numpy.uint8) for _ in range(threads)]
        places = [-(-memory.ctypes.data // 64) * 64 for memory in tiles]

        def share(part):
            self.run(slots, instances * part // threads, instances * (part + 1) // threads, None, places[part])

        def call(keep=(words, tiles, arguments)):
            if threads == 1:
                share(0)
            else:
                others = [pool.submit(share, part) for part in range(1, threads)]
                share(0)
                for other in others:
                    other.result()

        return call, sum(memory.nbytes for memory in tiles)


class Problem:
    """The operands of one layer, and a float64 reference on some pixels."""

    def __init__(self, name, images, seed):
        import numpy

        self.layer, self.images = LAYERS[name], images
        self.name = "layer %s, N=%d" % (name, images)
        layer, generator = self.layer, numpy.random.default_rng(seed)
        self.out = out_extent(layer, 0)
        self.pixels = images * self.out**2

        def normal(*shape):
            return generator.standard_normal(shape, dtype=numpy.float32)

        self.x = normal(images, layer.extent, layer.extent, layer.channels)
        self.filters = normal(layer.window, layer.window, layer.channels, layer.outputs)
        self.y = numpy.empty((self.pixels, layer.outputs), numpy.float32)
        self.sample = generator.permutation(self.pixels)[:SAMPLED_PIXELS]
        image, rest = self.sample // self.out**2, self.sample % self.out**2
        places = numpy.arange(layer.window)
        rows = (rest // self.out * layer.stride)[:, None] + places
        columns = (rest % self.out * layer.stride)[:, None] + places
        windows = self.x[image[:, None, None], rows[:, :, None], columns[:, None, :]]
        windows = windows.reshape(len(self.sample), -1).astype(numpy.float64)
        flat = self.filters.reshape(-1, layer.outputs).astype(numpy.float64)
        self.reference = windows @ flat
        self.scale = numpy.abs(windows) @ numpy.abs(flat)

    def error(self):
        """The largest error on the sampled pixels, in units of the largest that is allowed."""
        import numpy

        found = self.y[self.sample].astype(numpy.float64)
        if not numpy.isfinite(self.y).all():
            return float("inf")
        return float((numpy.abs(found - self.reference) / (ALLOWED * self.scale)).max())

    def gigaflop(self):
        layer = self.layer
        return 2e-9 * self.pixels * layer.outputs * layer.channels * layer.window**2


def tiles_for(options, case, depth):
    """BM and BN that divide the work among the threads without much waste, and BK."""
    outputs = case.layer.outputs
    width = min(256, -(-outputs // 16) * 16)
    height = 128 if -(-case.pixels // 128) >= 2 * options.threads else 64
    return ["BM=%d" % height, "BN=%d" % width, "BK=%d" % (128 if depth > 64 else 64 if depth > 32 else 32)]


def without(options, ablation):
    """The options with a machine that lacks something."""
    name, value = ABLATIONS[ablation]
    machine = json.loads((ROOT / "machines" / (options.machine + ".json")).read_text(encoding="utf-8"))
    machine[name]["value"] = value
    path = options.folder / ("%s-no-%s.json" % (options.machine, ablation))
    path.write_text(json.dumps(machine), encoding="utf-8")
    options = copy.copy(options)
    options.machine = str(path)
    return options


def heddle_system(options, pool, case, system):
    """(call, bytes beside the operands, bytes of tiles)"""
    import numpy

    way, _, ablation = system.partition("-no-")
    if ablation:
        options = without(options, ablation)
    layer, threads = case.layer, options.threads
    stride = "stride=%d : i64" % layer.stride

    def kernel(program, name, settings):
        return Kernel(options, program, name, settings)

    if way in ("direct", "implicit"):
        rim = [stride, "pad=0 : index"]
        tiles = tiles_for(options, case, layer.channels)
        if way == "direct":
            made = kernel("conv/direct.mlir", "direct", F32 + rim + ["BM=8", "BN=64"])
        else:
            made = kernel("conv/forward.mlir", "windows", F32 + rim + tiles)
        call, room = made.bind(pool, threads, case.x, case.filters, case.y)
        return call, 0, room
    if way == "im2col":
        depth = layer.window**2 * layer.channels
        matrix = numpy.empty((case.pixels, depth), numpy.float32)
        filters = case.filters.reshape(depth, layer.outputs)
        settings = ["in=f32", stride, "pad=0 : index", "window=%d : index" % layer.window, "BM=16"]
        first, room = kernel("conv/im2col.mlir", "im2col", settings).bind(pool, threads, case.x, matrix)
        product = kernel("gemm.mlir", "gemm", F32 + ["b_order=#tile.order<1, 0>"] + tiles_for(options, case, depth))
        second, more = product.bind(pool, threads, matrix, filters, case.y)
        return lambda: (first(), second()), matrix.nbytes, room + more
    run = run_of(layer)
    windows = numpy.empty((case.images, case.out, layer.extent, run), numpy.float32)
    filters = numpy.zeros((1, layer.window, run, layer.outputs), numpy.float32)
    filters[0, :, : layer.window * layer.channels] = case.filters.transpose(1, 0, 2, 3).reshape(
        layer.window, -1, layer.outputs)  # fmt: skip
    filters = numpy.ascontiguousarray(filters.reshape(1, -1, layer.outputs))
    settings = ["in=f32", stride, "pad=0 : index", "BW=16", "BR=%d" % (32 if run <= 32 else 64)]
    first, room = kernel("conv/im2win.mlir", "im2win", settings).bind(
        pool, threads, case.x, windows, layer.window)  # fmt: skip
    product = kernel("conv/rows.mlir", "rows",
                     F32 + [stride, "strideH=1 : i64"] + tiles_for(options, case, run * layer.window))  # fmt: skip
    second, more = product.bind(
        pool, threads, (windows,), case.images, case.out, layer.extent, run, layer.window, filters, case.y)  # fmt: skip
    return lambda: (first(), second()), windows.nbytes, room + more


def torch_system(options, case):
    import torch

    torch.set_num_threads(options.threads)
    torch.backends.mkldnn.enabled = True
    layer = case.layer
    x = torch.from_numpy(case.x).permute(0, 3, 1, 2)
    weight = torch.from_numpy(case.filters).permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
    y = torch.from_numpy(case.y)

    def call():
        with torch.no_grad():
            return torch.nn.functional.conv2d(x, weight, stride=layer.stride)

    y.copy_(call().permute(0, 2, 3, 1).reshape(y.shape))
    return call, None, None


def numpy_system(case):
    import numpy

    layer = case.layer
    depth = layer.window**2 * layer.channels
    matrix = numpy.empty((case.pixels, depth), numpy.float32)
    filters = case.filters.reshape(depth, layer.outputs)
    views = numpy.lib.stride_tricks.sliding_window_view(case.x, (layer.window, layer.window), axis=(1, 2))
    views = views[:, :: layer.stride, :: layer.stride].transpose(0, 1, 2, 4, 5, 3)
    whole = matrix.reshape(views.shape)

    def call():
        numpy.copyto(whole, views)
        numpy.dot(matrix, filters, out=case.y)

    return call, matrix.nbytes, None


class Timed:
    def __init__(self, call):
        self.call, self.least = call, float("inf")

    def run(self, launches):
        total = 0.0
        for _ in range(launches):
            begin = time.perf_counter()
            self.call()
            one = 1e3 * (time.perf_counter() - begin)
            self.least = min(self.least, one)
            total += one
        return total


def run_case(options, pool, name):
    case = Problem(name, options.images, options.seed)
    result = {"name": case.name, "shape": list(case.layer) + [options.images], "threads": options.threads, "systems": {}}
    systems, wrong = {}, False
    for system in options.systems:
        case.y.fill(float("nan"))
        try:
            if system == "torch":
                call, extra, room = torch_system(options, case)
            elif system == "numpy":
                call, extra, room = numpy_system(case)
            else:
                call, extra, room = heddle_system(options, pool, case, system)
        except (RuntimeError, ImportError, subprocess.CalledProcessError) as reason:
            result["systems"][system] = {"refused": str(reason)}
            continue
        if system != "torch":  # whose result was copied
            call()
        error = case.error()
        note = {"error": error, "extra_bytes": extra, "tile_bytes": room}
        if system in HEDDLE:  # a second run gives the same bits
            before = case.y.copy()
            call()
            note["same_bits"] = before.tobytes() == case.y.tobytes()
        wrong |= not error <= 1 or note.get("same_bits") is False
        result["systems"][system] = note
        systems[system] = Timed(call)
    rounds = protocol.measure(systems, max(options.rounds, protocol.MIN_ROUNDS), options.round_ms, options.warm_up_s)
    best = None
    for system, timed in systems.items():
        note = result["systems"][system]
        note["least_ms"] = timed.least
        note["gflops"] = case.gigaflop() / timed.least * 1e3
        if system in WAYS and (best is None or timed.least < systems[best].least):
            best = system
    result["best"] = best
    result["comparisons"] = [
        protocol.compare(rounds, system, other)
        for system in systems if system in HEDDLE for other in systems if other in PEERS
    ]  # fmt: skip
    cells = ["%s %.1f" % (system, result["systems"][system].get("gflops", 0)) for system in options.systems]
    print("%s, %d threads, GFLOP/s: %s%s" % (case.name, options.threads, ", ".join(cells), "; WRONG" if wrong else ""), flush=True)
    return result, wrong


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="write all figures there")
    parser.add_argument("--layer", action="append", default=[], choices=list(LAYERS))
    parser.add_argument("--images", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--systems", default=",".join(WAYS + PEERS))
    parser.add_argument("--machine", default="cpu-epyc", help="whose figures the plan follows")
    parser.add_argument("--heddle", default=str(ROOT / "build" / "bin" / "heddle"))
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "conv_cpu")
    parser.add_argument("--rounds", type=int, default=protocol.MIN_ROUNDS)
    parser.add_argument("--round-ms", type=float, default=protocol.ROUND_MS)
    parser.add_argument("--warm-up-s", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    options.systems = options.systems.split(",")
    unknown = [system for system in options.systems if system not in HEDDLE + PEERS]
    if unknown or options.images < 1 or options.threads < 1:
        print("systems are %s; images and threads at least 1" % ", ".join(HEDDLE + PEERS), file=sys.stderr)
        sys.exit(3)
    return options


def main(arguments=None):
    options = parse_options(arguments)
    # Before numpy starts its threads.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(options.threads)
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("numpy is not there; nothing was timed", file=sys.stderr)
        return 2
    options.folder.mkdir(parents=True, exist_ok=True)
    results, wrong, refused = [], False, False
    with concurrent.futures.ThreadPoolExecutor(max(options.threads - 1, 1)) as pool:
        for name in options.layer or [name for name in LAYERS if name != "4'"]:
            result, is_wrong = run_case(options, pool, name)
            results.append(result)
            wrong |= is_wrong
            refused |= any("refused" in note for note in result["systems"].values())
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"cases": results}, indent=1) + "\n", encoding="utf-8")
    return 1 if wrong else 2 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
