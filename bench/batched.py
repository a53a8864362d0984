#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a batch: heddle beside cuBLAS (torch.bmm), on one GPU, in one run.

    python3 bench/task.py --only batched --prepare
    python3 bench/batched.py --kernel-dir build/task-kernels/tasks --json batched.json

C[z] = A[z] B[z], all row-major, f16. Operands are N(0,1); each system is checked against
float64 on sampled rows of two matrices before it is timed by bench/protocol.py. Exit code:
0 all timed, 1 a result was wrong, 2 a system or shape could not be run, 3 bad input.
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))

import harness  # noqa: E402
import protocol  # noqa: E402
from harness import DEVICE  # noqa: E402

# Batch, M, N, K.
SHAPES = [(8, 2048, 2048, 2048), (16, 1024, 1024, 1024), (8, 4096, 4096, 1024), (64, 512, 512, 2048)]
SYSTEMS = ("heddle", "cublas")
KERNEL = "batched_gemm"
SAMPLED_ROWS = 64
F16_EPS = 2.0**-10
# Without a peer's error; with one, twice that.
ALLOWED_EPS = 1.0


class Problem:
    """The operands of one shape, and a float64 reference on some rows."""

    def __init__(self, shape, seed):
        import torch

        self.shape = shape
        batch, m, n, k = shape
        count = protocol.buffer_sets(2 * batch * (m * k + n * k + m * n))
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(*extents):
            return torch.randn(extents, generator=generator, device=DEVICE).half()

        self.sets = [
            (normal(batch, m, k), normal(batch, k, n), torch.empty((batch, m, n), dtype=torch.float16, device=DEVICE))
            for _ in range(count)
        ]
        self.rows = torch.randperm(m, generator=generator, device=DEVICE)[:SAMPLED_ROWS]
        self.picked = sorted({0, batch - 1})
        a, b, _ = self.sets[0]
        a, b = a[self.picked][:, self.rows].double(), b[self.picked].double()
        self.reference, self.magnitude = a @ b, a.abs() @ b.abs()

    def error_eps(self, launch):
        c = self.sets[0][2]
        if not harness.writes_all(launch, c):
            return float("inf")
        error = (c[self.picked][:, self.rows].double() - self.reference).abs() / self.magnitude
        return error.max().item() / F16_EPS

    def flops(self):
        batch, m, n, k = self.shape
        return 2.0 * batch * m * n * k


def heddle_launches(options, case):
    kernel = harness.heddle_kernel(options, KERNEL)
    launches = [kernel.bind(*one) for one in case.sets]
    return launches, harness.describe_kernel(kernel, case.sets[0]), []


def cublas_launches(case):
    import torch

    launches = [lambda a=a, b=b, c=c: torch.bmm(a, b, out=c) for a, b, c in case.sets]
    return launches, {"call": "torch.bmm"}, []


def run_case(options, shape):
    import torch

    case = Problem(shape, options.seed)
    makers = {
        "heddle": lambda: heddle_launches(options, case),
        "cublas": lambda: cublas_launches(case),
    }
    makers.update(harness.variant_makers(options, heddle_launches, case))
    systems, notes = harness.prepare(options.systems, makers, case.error_eps)
    peer = notes.get("cublas", {}).get("error")
    harness.drop_wrong(systems, notes, ALLOWED_EPS if peer is None else max(ALLOWED_EPS, 2 * peer))
    result = {
        "name": "%d x %dx%dx%d" % shape,
        "shape": shape,
        "buffer_sets": len(case.sets),
        "systems": notes,
    }
    work = case.flops() * 1e-12
    result.update(harness.time_systems(options, systems, notes, work, "tflops", ("cublas",)))
    del case, systems, makers
    torch.cuda.empty_cache()
    return result


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, SYSTEMS)
    if wrong:
        harness.bad_input(wrong)
    if not harness.start(options):
        return 2
    return harness.run_cases(options, SHAPES, run_case, "tflops", "TFLOP/s")


if __name__ == "__main__":
    sys.exit(main())
