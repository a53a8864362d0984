#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways to add up the parts of a long K, on one GPU.

    python3 bench/split_k.py --prepare                      compiles; needs no GPU
    python3 bench/split_k.py --measure --json split_k.json  times what was compiled; needs no compiler

C = A B of N(0,1) numbers in f16, with sums and C in f32. Blocks that share a tile of C add to it by
atomics (atomics), in turns (turnstile), after four have added up in a cluster (cluster), or leave
their parts to a second step (steps). The first three add to what is there, so their launch zeroes C
before; all launches are of CUDA graphs. Every system is checked against float64 on sampled rows, and
turnstile and steps for equal bits in launches behind one another. Exit code: 0 all timed, 1 a result was wrong, 2 a system or shape could not be run, 3 bad
input.
"""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(ROOT, "python"))

import harness  # noqa: E402
import protocol  # noqa: E402
from gemm_problem import parse_shape  # noqa: E402
from harness import DEVICE  # noqa: E402

SYSTEMS = ("atomics", "turnstile", "cluster", "steps", "cublas")
WAYS = SYSTEMS[:4]  # of heddle
SUMS = {"cluster": '"cluster"\n  task.pin "cluster" = 4'}
# Shapes, and tiles of C and parts of K that give each of 132 multiprocessors one block, or nearly. Of the
# last one more blocks wait than fit at a time.
CASES = [
    ((256, 256, 65536), {"U": 128, "V": 128, "PART": 2048, "W": 64}),
    ((16, 4096, 14336), {"U": 64, "V": 128, "PART": 3584, "W": 64}),
    ((256, 256, 65536), {"U": 128, "V": 128, "PART": 512, "W": 64}),
]
# Of |A| |B|; the tensor core truncates, so a long sum has some of f16's epsilons.
ALLOWED_ERROR = 2.0**-10
SAMPLED_ROWS = 64


def kernel_name(shape, tiles):
    return "split_k_%dx%dx%d_by_%d" % (*shape, tiles["PART"])


def tuned(text, tiles, way):
    """The example with these tiles and this line about sums."""
    lines = []
    for line in text.splitlines():
        for name, value in tiles.items():
            if f'task.tune "{name}" =' in line:
                line = f'    task.tune "{name}" = {value}'
                if name == "W":  # four slots leave room for staging what TMA adds
                    line = '    task.pin "pipeline" = 4\n' + line
        lines.append(line.replace('"split_k" = "atomics"', '"split_k" = ' + SUMS.get(way, f'"{way}"')))
    return "\n".join(lines) + "\n"


def compile_all(options):
    with open(os.path.join(ROOT, "examples", "task", "split_k_gemm.mlir"), encoding="utf-8") as stream:
        program = stream.read()
    code = 0
    for way in WAYS:
        folder = os.path.join(options.kernel_dir, way)
        os.makedirs(folder, exist_ok=True)
        for shape, tiles in CASES:
            source = os.path.join(folder, kernel_name(shape, tiles) + ".mlir")
            line = [options.heddle, "compile", source, "-o", source[:-5] + ".ptx"]
            if way == "steps":
                line[2] = os.path.join(ROOT, "examples", "gemm.mlir")
                line += ["--set=out=f32", "--set=b_order=#tile.order<1, 0>", "--set=BM=%d" % tiles["U"]]
                line += ["--set=BN=%d" % tiles["V"], "--set=BK=%d" % tiles["W"]]
                line.append("--or-tile=BM=%d,BN=%d,parts=auto" % (tiles["U"], tiles["V"]))
            else:
                with open(source, "w", encoding="utf-8") as stream:
                    stream.write(tuned(program, tiles, way))
            done = subprocess.run(line, stderr=subprocess.PIPE, text=True, check=False)
            print(f"{way}: {line[4] if done.returncode == 0 else done.stderr}")
            code = code or (2 if done.returncode else 0)
    return code


class Problem:
    """The operands of one shape, in sets that rotate, and a float64 reference on some rows."""

    def __init__(self, shape, seed):
        import torch

        m, n, k = self.shape = shape
        count = protocol.buffer_sets(2 * (m * k + k * n) + 4 * m * n)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(*extents):
            return torch.randn(extents, generator=generator, device=DEVICE).half()

        def result():
            return torch.empty((m, n), dtype=torch.float32, device=DEVICE)

        self.sets = [(normal(m, k), normal(k, n), result()) for _ in range(count)]
        self.rows = torch.randperm(m, generator=generator, device=DEVICE)[:SAMPLED_ROWS]
        a, b, _ = self.sets[0]
        a = a[self.rows].double()
        self.reference = a @ b.double()
        self.magnitude = a.abs() @ b.abs().double()

    def error_of(self, launch):
        """Infinite if an element was not written."""
        c = self.sets[0][2]
        if not harness.writes_all(launch, c):
            return float("inf")
        return ((c[self.rows].double() - self.reference).abs() / self.magnitude).max().item()

    def different_results(self, launch, times=20):
        """How many results launches behind one another have, by their bits."""
        import torch

        found = set()
        for _ in range(times):
            launch()
            torch.cuda.synchronize()
            found.add(self.sets[0][2].cpu().numpy().tobytes())
        return len(found)


def heddle_launches(options, case, tiles, way):
    folder = argparse.Namespace(kernel_dir=os.path.join(options.kernel_dir, way))
    kernel = harness.heddle_kernel(folder, kernel_name(case.shape, tiles))

    def launch(one):
        def run():
            if way != "steps":
                one[2].zero_()
            kernel(*one)

        return run

    return [launch(one) for one in case.sets], harness.describe_kernel(kernel, case.sets[0]), []


def cublas_launches(case):
    import torch

    def product(one):
        return lambda: torch.mm(one[0], one[1], out_dtype=torch.float32, out=one[2])

    return [product(one) for one in case.sets], {"call": "torch.mm"}, []


def run_case(options, which):
    import torch

    shape, tiles = which
    case = Problem(shape, options.seed)
    makers = {way: lambda way=way: heddle_launches(options, case, tiles, way) for way in WAYS}
    makers["cublas"] = lambda: cublas_launches(case)
    systems, notes = harness.prepare(options.systems, makers, case.error_of)
    harness.drop_wrong(systems, notes, ALLOWED_ERROR)
    for name in list(systems):
        notes[name]["results"] = case.different_results(systems[name].launches[0])
        print("%s: %d different results of 20 launches" % (name, notes[name]["results"]))
        if name in ("turnstile", "steps") and notes[name]["results"] > 1:
            notes[name]["wrong"] = "launches behind one another have other bits"
            del systems[name]
    name = "%dx%dx%d, parts of %d" % (*shape, tiles["PART"])
    result = {"name": name, "shape": shape, "tiles": tiles, "systems": notes}

    systems = {name: harness.Graph(harness.all_of(one.launches), len(one.launches)) for name, one in systems.items()}
    m, n, k = shape
    result.update(harness.time_systems(options, systems, notes, 2.0 * m * n * k * 1e-12, "tflops", ()))
    pairs = [("turnstile", "atomics"), ("cluster", "atomics"), ("turnstile", "steps"), ("atomics", "steps")]
    for name, baseline in [*pairs, ("steps", "cublas")]:
        if name in systems and baseline in systems:
            result["comparisons"].append(protocol.compare(result["rounds"], name, baseline))
    del case, systems
    torch.cuda.empty_cache()
    return result


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.set_defaults(kernel_dir=os.path.join(ROOT, "build", "kernels", "split_k"))
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--shape", action="append", default=[], metavar="MxNxK", help="of those that are compiled")
    options = parser.parse_args(arguments)
    try:
        shapes = [parse_shape(text) for text in options.shape]
    except ValueError as error:
        harness.bad_input(str(error))
    known = {shape for shape, _ in CASES}
    wrong = harness.check_options(options, SYSTEMS)
    if wrong or set(shapes) - known:
        harness.bad_input(wrong or "shapes are " + ", ".join("%dx%dx%d" % shape for shape in sorted(known)))
    options.cases = [case for case in CASES if not shapes or case[0] in shapes]
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if options.prepare or not options.measure:
        code = compile_all(options)
        if code or options.prepare:
            return code
    if not harness.start(options):
        return 2
    return harness.run_cases(options, options.cases, run_case, "tflops", "TFLOP/s")


if __name__ == "__main__":
    sys.exit(main())
