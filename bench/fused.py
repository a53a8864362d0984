#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fused products: heddle beside Triton kernels that compute the same in one kernel.

    python3 bench/compile.py other && python3 bench/fused.py --json fused.json

C = (A B1ᵀ) silu(A B2ᵀ) and C = A Bᵀ with the sums of A's rows, B stored as [N, K].
Operands are N(0,1), the second ones scaled so that the gate stays in its range;
each system is checked against float64 on sampled rows before it is timed by
bench/protocol.py. The system "gemm", which is not among those of a run unless it is
named, is heddle's plain product with as many products: the same M and N, and for
the gated one twice the K. Exit code: 0 all timed, 1 a result was wrong, 2 a system or
shape could not be run, 3 bad input.
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))

import gemm  # noqa: E402
import harness  # noqa: E402
import protocol  # noqa: E402
from harness import DEVICE  # noqa: E402

SHAPES = [(8192, 8192, k) for k in (1024, 4096)]
SYSTEMS = ("heddle", "triton")
PLAIN = "gemm"
# Products of each program, which is what flops are counted from.
PROGRAMS = {"dual_gemm": 2, "gemm_reduction": 1}
SAMPLED_ROWS = 64
F16_EPS = 2.0**-10
ALLOWED_EPS = 1.0


class Problem:
    """The operands of one program and shape, and a float64 reference on some rows."""

    def __init__(self, program, shape, seed):
        import torch

        self.program, self.shape = program, shape
        m, n, k = shape
        products = PROGRAMS[program]
        count = protocol.buffer_sets(2 * (m * k + products * n * k + m * n))
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(*extents, scale=1.0):
            made = torch.randn(extents, generator=generator, device=DEVICE)
            return (made * scale).half()

        def one_set():
            c = torch.empty((m, n), dtype=torch.float16, device=DEVICE)
            weights = [normal(n, k, scale=k**-0.5) for _ in range(products)]
            if program == "dual_gemm":
                return normal(m, k), *weights, c
            return normal(m, k), *weights, c, torch.empty(m, device=DEVICE)

        self.sets = [one_set() for _ in range(count)]
        self.rows = torch.randperm(m, generator=generator, device=DEVICE)[:SAMPLED_ROWS]

    def outputs(self):
        return self.sets[0][1 + PROGRAMS[self.program] :]

    def references(self):
        """(value, what rounding errors are proportional to) of each output."""
        import torch

        a = self.sets[0][0][self.rows].double()
        weights = [b.double().t() for b in self.sets[0][1 : 1 + PROGRAMS[self.program]]]
        if self.program == "dual_gemm":
            up, gate = (a @ b for b in weights)
            magnitude = a.abs() @ weights[0].abs() + a.abs() @ weights[1].abs()
            return [(up * gate * torch.sigmoid(gate), magnitude)]
        magnitude = a.abs() @ weights[0].abs()
        return [(a @ weights[0], magnitude), (a.sum(1), a.abs().sum(1))]

    def error_eps(self, launch):
        import torch

        for output in self.outputs():
            output.fill_(float("nan"))
        launch()
        torch.cuda.synchronize()
        worst = 0.0
        for output, (value, magnitude) in zip(self.outputs(), self.references()):
            if torch.isnan(output).any().item():
                return float("inf")
            error = (output[self.rows].double() - value).abs() / magnitude
            worst = max(worst, error.max().item() / F16_EPS)
        return worst

    def flops(self):
        m, n, k = self.shape
        return 2.0 * m * n * k * PROGRAMS[self.program]


def heddle_launches(options, case):
    kernel = harness.heddle_kernel(options, case.program)
    weights = PROGRAMS[case.program]

    def views(one):
        return [x.t() if 1 <= i <= weights else x for i, x in enumerate(one)]

    launches = [kernel.bind(*views(one)) for one in case.sets]
    return launches, harness.describe_kernel(kernel, views(case.sets[0])), []


def triton_launches(case):
    import torch

    import triton_fused

    programs = torch.cuda.get_device_properties(0).multi_processor_count

    def why_wrong(launch):
        error = case.error_eps(launch)
        if error <= ALLOWED_EPS:
            return None
        return "wrong: error of %.3g, allowed %g" % (error, ALLOWED_EPS)

    return triton_fused.launches(case.program, case.sets, programs, why_wrong)


def run_case(options, case_of):
    import torch

    program, shape = case_of
    case = Problem(program, shape, options.seed)
    makers = {
        "heddle": lambda: heddle_launches(options, case),
        "triton": lambda: triton_launches(case),
    }
    makers.update(harness.variant_makers(options, heddle_launches, case))
    names = [name for name in options.systems if name != PLAIN]
    systems, notes = harness.prepare(names, makers, case.error_eps)
    if PLAIN in options.systems:
        m, n, k = shape
        plain = gemm.Problem("nt", "f16", "f16", m, n, k * PROGRAMS[program], options.seed)
        bound = argparse.Namespace(**vars(options), graph=False)
        maker = {PLAIN: lambda: gemm.heddle_launches(bound, plain)}
        more, note = harness.prepare([PLAIN], maker, plain.error_eps)
        systems, notes = systems | more, notes | note
    harness.drop_wrong(systems, notes, ALLOWED_EPS)
    result = {
        "name": "%s %dx%dx%d" % (program, *shape),
        "program": program,
        "shape": shape,
        "buffer_sets": len(case.sets),
        "systems": notes,
    }
    work = case.flops() * 1e-12
    result.update(harness.time_systems(options, systems, notes, work, "tflops", ("triton", PLAIN)))
    del case, systems
    torch.cuda.empty_cache()
    return result


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    options = parser.parse_args(arguments)
    problem = harness.check_options(options, (*SYSTEMS, PLAIN))
    if problem:
        harness.bad_input(problem)
    if not harness.start(options):
        return 2
    cases = [(program, shape) for program in PROGRAMS for shape in SHAPES]
    return harness.run_cases(options, cases, run_case, "tflops", "TFLOP/s")


if __name__ == "__main__":
    sys.exit(main())
