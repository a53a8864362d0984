#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products whose sums need two levels: heddle beside cuBLAS at equal accuracy, on one GPU.

    python3 bench/compile.py sums && python3 bench/sums.py --preset fp8 --preset f32 --json sums.json

C = A Bᵀ of N(0,1) numbers. fp8: e4m3 operands with scales of 1 and an f16 result, where
heddle adds up every 128 products in f32 and heddle_fast leaves the sum to the tensor core;
cublas and cublas_fast are torch._scaled_mm without and with use_fast_accum. f32: f16
operands and an f32 result, where heddle and cublas (torch.mm) leave the sum to the tensor
core and heddle_exact adds up every 64 products. The error is the relative one in the Frobenius norm against float64, on
sampled rows. A ratio of two systems is given where heddle's error is at most --equal
times the other's. Exit code: 0 all timed, 1 a result was wrong, 2 a system or shape
could not be run, 3 bad input.
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))

import harness  # noqa: E402
import protocol  # noqa: E402
from gemm_problem import parse_shape  # noqa: E402
from harness import DEVICE  # noqa: E402

PRESETS = {
    "fp8": [("fp8", (8192, 8192, 2**i)) for i in (8, 9, 10, 11, 12, 13, 14)],
    "f32": [("f32", (n, n, n)) for n in (4096, 8192)],
    "quick": [("fp8", (8192, 8192, k)) for k in (1024, 4096)],
}
SYSTEMS = ("heddle", "heddle_fast", "heddle_exact", "cublas", "cublas_fast")
# Of one kind only.
ONLY = {"heddle_fast": "fp8", "cublas_fast": "fp8", "heddle_exact": "f32"}
SAMPLED_ROWS = 256
# A result that is right but for the sum's precision is far below.
ALLOWED_ERROR = 0.02


class Problem:
    """The operands of one shape, in sets that rotate, and a float64 reference on some rows."""

    def __init__(self, kind, shape, seed):
        import torch

        self.kind, self.shape = kind, shape
        self.operand, self.out = {
            "fp8": (torch.float8_e4m3fn, torch.float16),
            "f32": (torch.float16, torch.float32),
        }[kind]
        m, n, k = shape
        size = self.operand.itemsize
        count = protocol.buffer_sets(size * (m * k + n * k) + self.out.itemsize * m * n)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(extents):
            return torch.randn(extents, generator=generator, device=DEVICE).to(self.operand)

        def one_set():
            return normal((m, k)), normal((n, k)), torch.empty((m, n), dtype=self.out, device=DEVICE)

        self.sets = [one_set() for _ in range(count)]
        self.rows = torch.randperm(m, generator=generator, device=DEVICE)[:SAMPLED_ROWS]
        a, b, _ = self.sets[0]
        # PyTorch takes rows by their numbers from wider types only.
        self.reference = a.half()[self.rows].double() @ b.half().double().t()

    def error_of(self, launch):
        """Infinite if an element was not written."""
        c = self.sets[0][2]
        if not harness.writes_all(launch, c):
            return float("inf")
        wrong = (c[self.rows].double() - self.reference).norm() / self.reference.norm()
        return wrong.item()


def heddle_launches(options, case, suffix=""):
    kernel = harness.heddle_kernel(options, "sums_%s%s" % (case.kind, suffix))
    views = lambda one: (one[0], one[1].t(), one[2])
    launches = [kernel.bind(*views(one)) for one in case.sets]
    return launches, harness.describe_kernel(kernel, views(case.sets[0])), []


def cublas_launches(case, is_fast):
    import torch

    if case.kind == "f32":

        def product(one):
            return lambda: torch.mm(one[0], one[1].t(), out_dtype=case.out, out=one[2])

        return [product(one) for one in case.sets], {"call": "torch.mm"}, []
    scale = torch.ones((), device=DEVICE)

    def scaled(one):
        return lambda: torch._scaled_mm(
            one[0], one[1].t(), scale_a=scale, scale_b=scale, out_dtype=case.out,
            use_fast_accum=is_fast, out=one[2],
        )  # fmt: skip

    return [scaled(one) for one in case.sets], {"call": "torch._scaled_mm"}, []


def systems_of(options, kind):
    return [name for name in options.systems if ONLY.get(name, kind) == kind]


def drop_unequal(result, equal):
    """Ratios are of systems that compute alike; the others are named."""
    notes, kept = result["systems"], []
    for one in result["comparisons"]:
        mine, other = (notes[one[side]]["error"] for side in ("system", "baseline"))
        if mine <= equal * other:
            kept.append(one)
        else:
            one["errors"] = [mine, other]
            result.setdefault("unequal", []).append(one)
    result["comparisons"] = kept


def run_case(options, case):
    import torch

    kind, shape = case
    problem = Problem(kind, shape, options.seed)
    makers = {
        "heddle": lambda: heddle_launches(options, problem),
        "heddle_fast": lambda: heddle_launches(options, problem, "_fast"),
        "heddle_exact": lambda: heddle_launches(options, problem, "_exact"),
        "cublas": lambda: cublas_launches(problem, False),
        "cublas_fast": lambda: cublas_launches(problem, True),
    }
    makers.update(harness.variant_makers(options, heddle_launches, problem))
    names = systems_of(options, kind)
    systems, notes = harness.prepare(names, makers, problem.error_of)
    harness.drop_wrong(systems, notes, ALLOWED_ERROR)
    result = {
        "name": "%s %dx%dx%d" % (kind, *shape),
        "sums": kind,
        "shape": shape,
        "buffer_sets": len(problem.sets),
        "systems": notes,
    }
    m, n, k = shape
    work = 2.0 * m * n * k * 1e-12
    baselines = ("cublas", "cublas_fast")
    result.update(harness.time_systems(options, systems, notes, work, "tflops", baselines))
    for mine, peer in (("heddle_fast", "cublas_fast"), ("heddle_exact", "cublas")):
        if mine in systems and peer in systems:
            result["comparisons"].append(protocol.compare(result["rounds"], mine, peer))
    drop_unequal(result, options.equal)
    del problem, systems
    torch.cuda.empty_cache()
    return result


def summary(results):
    """The geometric mean over cuBLAS, of shapes at which errors are alike."""
    lines = []
    for kind in ("fp8", "f32"):
        ratios = [
            one["ratio"]
            for result in results
            for one in result["comparisons"]
            if result["sums"] == kind and (one["system"], one["baseline"]) == ("heddle", "cublas")
        ]
        if ratios:
            mean = 1.0
            for ratio in ratios:
                mean *= ratio ** (1 / len(ratios))
            lines.append(
                "%s: %.3f of cuBLAS in the geometric mean of %d shapes, %.3f at the least"
                % (kind, mean, len(ratios), min(ratios))
            )
    return "\n".join(lines)


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.add_argument("--preset", action="append", default=[], choices=sorted(PRESETS))
    parser.add_argument("--shape", action="append", default=[], metavar="MxNxK", help="of fp8")
    parser.add_argument(
        "--equal", type=float, default=1.1, help="the errors' largest ratio at which speeds are compared"
    )
    options = parser.parse_args(arguments)
    try:
        options.cases = [("fp8", parse_shape(text)) for text in options.shape]
    except ValueError as error:
        harness.bad_input(str(error))
    for preset in options.preset:
        options.cases += PRESETS[preset]
    options.cases = options.cases or PRESETS["quick"]
    wrong = harness.check_options(options, SYSTEMS)
    if wrong:
        harness.bad_input(wrong)
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    return harness.run_cases(options, options.cases, run_case, "tflops", "TFLOP/s", summary)


if __name__ == "__main__":
    sys.exit(main())
