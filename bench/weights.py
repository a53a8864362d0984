#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of 8 bits: heddle beside cuBLAS on weights of 16 bits and Triton, on one GPU.

    python3 bench/compile.py weights && python3 bench/weights.py --json weights.json

C = A (W s)ᵀ, A of f16, W of 8-bit integers stored as [N, K], a scale s of f16 for each
row of W and each 128 of K. The weights fit 4 bits, so that heddle_4 computes the same
with two of them in a byte (examples/gemm_int4.mlir). Triton's kernel has the text of heddle's program. cuBLAS and
heddle's f16 product get W s in f16, made beforehand, so they read twice the bytes. Each
system is checked against float64 on sampled rows before it is timed by
bench/protocol.py. Exit code: 0 all timed, 1 a result was wrong, 2 a system or shape
could not be run, 3 bad input.
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "test", "triton"))

import harness  # noqa: E402
import protocol  # noqa: E402
from harness import DEVICE  # noqa: E402

SHAPES = [(4096, 4096, 4096), (8192, 8192, 4096), (16, 4096, 4096), (16, 8192, 8192)]
SYSTEMS = ("heddle", "heddle_4", "heddle_f16", "cublas", "triton", "triton_text")
GROUP = 128
FEW_ROWS = 16
SAMPLED_ROWS = 64
F16_EPS = 2.0**-10
ALLOWED_EPS = 1.0


class Problem:
    """The operands of one shape, in sets that rotate, and a float64 reference on some rows."""

    def __init__(self, shape, seed):
        import torch

        self.shape = m, n, k = shape
        count = protocol.buffer_sets(2 * m * k + n * k + 2 * m * n)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def one_set():
            a = torch.randn((m, k), generator=generator, device=DEVICE).half()
            w = torch.randint(-8, 8, (n, k), generator=generator, device=DEVICE, dtype=torch.int8)
            scale = (torch.rand((k // GROUP, n), generator=generator, device=DEVICE) + 0.5) / 8
            return a, w, scale.half(), torch.empty((m, n), dtype=torch.float16, device=DEVICE)

        self.sets = [one_set() for _ in range(count)]
        self.rows = torch.randperm(m, generator=generator, device=DEVICE)[:SAMPLED_ROWS]
        self.wide = {}

    def widened(self, index):
        """W s in f16, as a kernel rounds it."""
        if index not in self.wide:
            _, w, scale, _ = self.sets[index]
            self.wide[index] = w.half() * scale.t().repeat_interleave(GROUP, dim=1)
        return self.wide[index]

    def error_eps(self, launch):
        c = self.sets[0][3]
        if not harness.writes_all(launch, c):
            return float("inf")
        a = self.sets[0][0][self.rows].double()
        w = self.widened(0).double().t()
        error = (c[self.rows].double() - a @ w).abs() / (a.abs() @ w.abs())
        return error.max().item() / F16_EPS


def heddle_launches(options, case):
    name = "weights_few" if case.shape[0] <= FEW_ROWS else "weights"
    kernel = harness.heddle_kernel(options, name)
    views = lambda one: (one[0], one[1].t(), one[2], one[3])
    launches = [kernel.bind(*views(one)) for one in case.sets]
    return launches, harness.describe_kernel(kernel, views(case.sets[0])), []


def packed(w):
    """Two weights a byte, 64 of K apart, 8 more than they are."""
    import torch

    n, k = w.shape
    halves = (w + 8).reshape(n, k // GROUP, 2, GROUP // 2)
    return (halves[:, :, 0] | halves[:, :, 1] << 4).reshape(n, k // 2).to(torch.int8)


def four_bit_launches(options, case):
    name = "weights_4_few" if case.shape[0] <= FEW_ROWS else "weights_4"
    kernel = harness.heddle_kernel(options, name)
    weights = [packed(one[1]) for one in case.sets]
    views = lambda index: (
        case.sets[index][0], weights[index].t(), case.sets[index][2], case.sets[index][3],
    )  # fmt: skip
    launches = [kernel.bind(*views(index)) for index in range(len(case.sets))]
    return launches, harness.describe_kernel(kernel, views(0)), []


def f16_launches(options, case):
    kernel = harness.heddle_kernel(options, "gemm_nt_f16_f16")
    views = lambda index: (case.sets[index][0], case.widened(index).t(), case.sets[index][3])
    launches = [kernel.bind(*views(index)) for index in range(len(case.sets))]
    return launches, harness.describe_kernel(kernel, views(0)), []


def cublas_launches(case):
    import torch

    def launch(index):
        a, _, _, c = case.sets[index]
        w = case.widened(index).t()
        return lambda: torch.matmul(a, w, out=c)

    return [launch(index) for index in range(len(case.sets))], {"call": "torch.matmul"}, []


def triton_launches(case):
    import triton_weights

    return triton_weights.launches(case.sets)


def text_launches(case):
    """Triton's text by heddle, behind kernel[grid](...)."""
    import heddle.triton
    import triton
    import triton_weights

    config = (16, 32, 128, 4, 4) if case.shape[0] <= FEW_ROWS else (128, 128, 64, 4, 8)
    kernel = heddle.triton.kernel(triton.jit(triton_weights.product.fn))
    heddle.triton.forget_declined()
    launches = [triton_weights.launch_of(kernel, one, config) for one in case.sets]
    launches[0]()
    if heddle.triton.declined():
        raise RuntimeError("left to Triton: %s" % list(heddle.triton.declined().values())[0])
    (compiled,) = heddle.triton.compiled(kernel)
    description = {"config": config, "outcome": compiled.outcome}
    description["resources"] = compiled.kernel.resources(0)
    return launches, description, []


def run_shape(options, shape):
    import torch

    case = Problem(shape, options.seed)
    makers = {
        "heddle": lambda: heddle_launches(options, case),
        "heddle_4": lambda: four_bit_launches(options, case),
        "heddle_f16": lambda: f16_launches(options, case),
        "cublas": lambda: cublas_launches(case),
        "triton": lambda: triton_launches(case),
        "triton_text": lambda: text_launches(case),
    }
    makers.update(harness.variant_makers(options, heddle_launches, case))
    systems, notes = harness.prepare(options.systems, makers, case.error_eps)
    harness.drop_wrong(systems, notes, ALLOWED_EPS)
    m, n, k = shape
    result = {"name": "%dx%dx%d f16 x i8" % shape, "shape": shape, "sets": len(case.sets)}
    result["weight_bytes"] = n * k
    result["systems"] = notes
    baselines = ("heddle_4", "heddle_f16", "cublas", "triton", "triton_text")
    result.update(
        harness.time_systems(options, systems, notes, 2e-12 * m * n * k, "tflops", baselines)
    )
    del case, systems
    torch.cuda.empty_cache()
    return result


def parse_shape(text):
    parts = text.lower().split("x")
    if len(parts) != 3 or not all(part.isdigit() for part in parts) or int(parts[2]) % GROUP:
        harness.bad_input("'%s' is no shape; write MxNxK with K a multiple of %d" % (text, GROUP))
    return tuple(int(part) for part in parts)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.add_argument("--shape", action="append", default=[], metavar="MxNxK")
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, SYSTEMS)
    if wrong:
        harness.bad_input(wrong)
    shapes = [parse_shape(text) for text in options.shape] or SHAPES
    if not harness.start(options):
        return 2
    return harness.run_cases(options, shapes, run_shape, "tflops", "TFLOP/s")


if __name__ == "__main__":
    sys.exit(main())
