#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GEMM: heddle beside cuBLAS (torch.matmul) and Triton, on one GPU, in one run.

    python3 bench/gemm.py --kernel-dir build/kernels --preset spine --json gemm.json

Every system multiplies the same N(0,1) operands, is checked against float64 on
sampled rows before it is timed, and is timed by bench/protocol.py. The report
gives the median speed of each and the median ratio with its 95 % interval.
Exit code: 0 all timed, 1 a result was wrong, 2 a system or shape could not be
run, 3 bad input.
"""

import argparse
import functools
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))

import gemm_problem as problem  # noqa: E402
import harness  # noqa: E402
import protocol  # noqa: E402
from harness import DEVICE  # noqa: E402



def drawn(count, seed=28):
    """Shapes at random, the same in every run: M and N from 16 to 2048, K from 128 to
    16384, by their logarithm, in multiples of 8."""
    generator = random.Random(seed)

    def extent(least, most):
        return 8 * round(2 ** generator.uniform(least, most))

    return [(extent(1, 8), extent(1, 8), extent(4, 11)) for _ in range(count)]


PRESETS = {
    "spine": [(4096, 4096, 4096), (8192, 8192, 8192), (4095, 4095, 4095)]
    + [(8192, 8192, 2**i) for i in (8, 9, 10, 11, 12, 14)],
    "square": [(n, n, n) for n in (1024, 2048, 4096, 8192, 16384)],
    # Fewer tiles of 128 x 256 than multiprocessors, or hardly more.
    "small": [(n, n, n) for n in (512, 1000, 1024, 1536, 2048)]
    + [(m, 8192, 8192) for m in (1, 8, 16, 32, 64, 128, 256)]
    + [(512, 4096, 4096), (1, 4096, 4096), (17, 14336, 4096)]
    + [(256, 256, 65536), (256, 256, 131072)]
    + drawn(12),
    "quick": [(4096, 4096, 4096)],
}
SAMPLED_ROWS = 64
# The tensor core truncates f32 sums: some eps at large K. A wrong result has thousands.
SANE_EPS = 64
SYSTEMS = ("heddle", "cublas", "triton")


class Problem:
    """The operands of one shape, and a float64 reference on some rows."""

    def __init__(self, layout, in_type, out_type, m, n, k, seed):
        import torch

        self.layout, self.in_type, self.out_type = layout, in_type, out_type
        self.m, self.n, self.k = m, n, k
        in_dtype, out_dtype = problem.torch_type(in_type), problem.torch_type(out_type)
        shape_a, shape_b = problem.stored_shapes(layout, m, n, k)
        out_bytes = 4 if out_type == "f32" else 2
        count = protocol.buffer_sets(2 * (m * k + n * k) + out_bytes * m * n)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(shape):
            return torch.randn(shape, generator=generator, device=DEVICE).to(in_dtype)

        self.sets = [
            (
                normal(shape_a),
                normal(shape_b),
                torch.empty((m, n), dtype=out_dtype, device=DEVICE),
            )
            for _ in range(count)
        ]
        rows = min(SAMPLED_ROWS, m)
        self.rows = torch.randperm(m, generator=generator, device=DEVICE)[:rows]
        a, b, _ = self.sets[0]
        a = problem.logical(a, layout[0])[self.rows].double()
        b = problem.logical(b, layout[1]).double()
        self.reference = a @ b
        self.magnitude = (a.abs() @ b.abs()).clamp_min(1e-300)

    def error_eps(self, launch):
        """The largest error on the sampled rows over |A|*|B|, in units of the
        output type's epsilon; infinite if an element was not written."""
        c = self.sets[0][2]
        if not harness.writes_all(launch, c):
            return float("inf")
        error = (c[self.rows].double() - self.reference).abs() / self.magnitude
        return error.max().item() / problem.EPSILON[self.out_type]

    def flops(self):
        return 2.0 * self.m * self.n * self.k


@functools.cache
def loaded(path):
    """A kernel, which serves all shapes."""
    import heddle.runtime

    return heddle.runtime.Kernel(path)


def heddle_launches(options, case):
    path = problem.kernel_path(options.kernel_dir, case.layout, case.in_type, case.out_type)
    if path is None:
        raise RuntimeError(
            "no kernel gemm_%s_%s_%s.ptx in %s"
            % (case.layout, case.in_type, case.out_type, options.kernel_dir)
        )
    kernel = loaded(path)
    # A graph captures what is launched in its own stream.
    make = problem.call if options.graph else problem.bind
    launches = [make(kernel, *one) for one in case.sets]
    views = [problem.kernel_view(x, arg) for x, arg in zip(case.sets[0], kernel.arguments)]
    description = {"file": os.path.basename(path)}
    description.update(harness.describe_kernel(kernel, views))
    return launches, description, []


def cublas_launches(case):
    import torch

    def launch(one):
        a = problem.logical(one[0], case.layout[0])
        b = problem.logical(one[1], case.layout[1])
        if one[2].dtype == a.dtype:
            return lambda: torch.matmul(a, b, out=one[2])
        return lambda: torch.mm(a, b, out_dtype=one[2].dtype, out=one[2])

    return [launch(one) for one in case.sets], {"call": "torch.matmul"}, []


def triton_launches(case):
    import torch

    import triton_gemm

    programs = torch.cuda.get_device_properties(0).multi_processor_count
    return triton_gemm.launches(case.layout, case.sets, case.m, case.n, case.k, programs)


def prepare(options, case):
    """Builds and checks every system. Returns {name: Timed} and what happened."""
    makers = {
        "heddle": lambda: heddle_launches(options, case),
        "cublas": lambda: cublas_launches(case),
        "triton": lambda: triton_launches(case),
    }
    makers.update(harness.variant_makers(options, heddle_launches, case))
    systems, notes = harness.prepare(options.systems, makers, case.error_eps)
    # Within twice cuBLAS's error; without cuBLAS one epsilon of |A|*|B| must do.
    peer = notes.get("cublas", {}).get("error")
    harness.drop_wrong(systems, notes, 2 * peer if peer is not None and peer < SANE_EPS else 1.0)
    return systems, notes


def run_shape(options, shape):
    import torch

    m, n, k = shape
    case = Problem(options.layout, options.dtype, options.out_dtype, m, n, k, options.seed)
    systems, notes = prepare(options, case)
    result = {
        "name": "%dx%dx%d %s %s->%s" % (*shape, options.layout, options.dtype, options.out_dtype),
        "shape": shape,
        "layout": options.layout,
        "in": options.dtype,
        "out": options.out_dtype,
        "buffer_sets": len(case.sets),
        "buffer_bytes": sum(x.numel() * x.element_size() for one in case.sets for x in one),
        "systems": notes,
    }
    if options.graph:
        systems = {
            name: harness.Graph(harness.all_of(one.launches), len(one.launches))
            for name, one in systems.items()
        }
    work = case.flops() * 1e-12
    result.update(
        harness.time_systems(options, systems, notes, work, "tflops", ("cublas", "triton"))
    )
    del case, systems
    torch.cuda.empty_cache()
    return result


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.add_argument("--shape", action="append", default=[], metavar="MxNxK")
    parser.add_argument("--preset", action="append", default=[], choices=sorted(PRESETS))
    parser.add_argument("--dtype", default="f16")
    parser.add_argument("--out-dtype", help="default: the input's")
    parser.add_argument(
        "--graph",
        action="store_true",
        help="launch by CUDA graphs, so that what the host does for small kernels does not count",
    )
    parser.add_argument("--layout", default="nt", choices=problem.LAYOUTS)
    options = parser.parse_args(arguments)
    try:
        options.dtype = problem.type_name(options.dtype)
        options.out_dtype = problem.type_name(options.out_dtype or options.dtype)
        options.shapes = [problem.parse_shape(text) for text in options.shape]
    except ValueError as error:
        harness.bad_input(str(error))
    for preset in options.preset:
        options.shapes += PRESETS[preset]
    options.shapes = options.shapes or PRESETS["quick"]
    wrong = harness.check_options(options, SYSTEMS)
    if wrong or options.dtype == "f32":
        harness.bad_input(wrong or "inputs are f16 or bf16")
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    return harness.run_cases(options, options.shapes, run_shape, "tflops", "TFLOP/s")


if __name__ == "__main__":
    sys.exit(main())
