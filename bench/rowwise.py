#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax and layer norm of each row: heddle beside PyTorch and a copy, on one GPU,
in one run.

    python3 bench/compile.py rowwise
    python3 bench/rowwise.py --kernel-dir build/kernels --json rowwise.json

These programs are limited by memory, so the yardstick is a copy of the same matrix,
timed in the same rounds; the figure is GB/s of what must be read and written once.
Results are checked against float64 on sampled rows first. Exit code: 0 all timed, 1 a
result was wrong, 2 a system or case could not be run, 3 bad input.
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

SYSTEMS = ("heddle", "torch", "copy")
BASELINES = ("copy", "torch")
PROGRAMS = ("softmax", "layer_norm")
SHAPES = ((32768, 4096),)
SAMPLED_ROWS = 256
ALLOWED = 1.5
EPS = 1e-5


class Problem:
    """The operands of one case, and a float64 reference on some rows."""

    def __init__(self, program, rows, columns, seed):
        import torch

        self.program, self.rows, self.columns = program, rows, columns
        self.name = "%s %dx%d" % (program, rows, columns)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(*shape):
            return torch.randn(shape, generator=generator, device=DEVICE).half()

        count = protocol.buffer_sets(2 * 2 * rows * columns)
        self.sets = [(normal(rows, columns), torch.empty((rows, columns), dtype=torch.float16, device=DEVICE))
                     for _ in range(count)]  # fmt: skip
        self.weight, self.bias = normal(columns), normal(columns)
        self.mean = torch.empty(rows, dtype=torch.float32, device=DEVICE)
        self.rstd = torch.empty_like(self.mean)
        self.sample = torch.randperm(rows, generator=generator, device=DEVICE)[:SAMPLED_ROWS]
        x = self.sets[0][0][self.sample]
        wide = [value.double() for value in (x, self.weight, self.bias)]
        self.reference = self.compute(*wide)
        peer = self.compute(x, self.weight, self.bias)
        self.allowed = ALLOWED * (peer.double() - self.reference).abs().max().item()

    def compute(self, x, weight, bias):
        import torch.nn.functional as functional

        if self.program == "softmax":
            return functional.softmax(x, dim=1)
        return functional.layer_norm(x, (self.columns,), weight, bias, EPS)

    def arguments(self, x, y):
        if self.program == "softmax":
            return (x, y)
        return (x, self.weight, self.bias, y, self.mean, self.rstd, EPS)

    def error_of(self, launch):
        """The largest error on the sampled rows; infinite if anything was not written."""
        y = self.sets[0][1]
        if not harness.writes_all(launch, y):
            return float("inf")
        return (y[self.sample].double() - self.reference).abs().max().item()

    def gigabytes(self):
        return 2 * 2 * self.rows * self.columns * 1e-9


def heddle_launches(options, case):
    kernel = harness.heddle_kernel(options, "%s_%d" % (case.program, case.columns))
    values = [case.arguments(*one) for one in case.sets]
    return [kernel.bind(*one) for one in values], harness.describe_kernel(kernel, values[0]), []


def torch_launches(case):
    def launch(x, y):
        return harness.returning(lambda: case.compute(x, case.weight, case.bias), y)

    return [launch(*one) for one in case.sets], {"call": "torch." + case.program}, []


def copy_launches(case):
    return [lambda x=x, y=y: y.copy_(x) for x, y in case.sets], {"call": "torch.Tensor.copy_"}, []


def run_case(options, parameters):
    import torch

    case = Problem(*parameters, options.seed)
    makers = {
        "heddle": lambda: heddle_launches(options, case),
        "torch": lambda: torch_launches(case),
        "copy": lambda: copy_launches(case),
    }
    makers.update(harness.variant_makers(options, heddle_launches, case))
    systems, notes = harness.prepare(options.systems, makers, case.error_of)
    if "copy" in systems:  # computes nothing, so nothing is wrong with it
        notes["copy"]["error"] = 0.0
    harness.drop_wrong(systems, notes, case.allowed)
    result = {
        "name": case.name,
        "program": case.program,
        "shape": [case.rows, case.columns],
        "buffer_sets": len(case.sets),
        "allowed_error": case.allowed,
        "systems": notes,
    }
    result.update(
        harness.time_systems(options, systems, notes, case.gigabytes(), "gbps", BASELINES)
    )
    del case, systems, makers
    torch.cuda.empty_cache()
    return result


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.add_argument("--program", action="append", default=[], choices=PROGRAMS)
    parser.add_argument("--shape", action="append", default=[], metavar="ROWSxCOLUMNS")
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, SYSTEMS)
    try:
        shapes = [tuple(int(part) for part in text.split("x")) for text in options.shape]
    except ValueError:
        shapes = [()]
    if any(len(shape) != 2 for shape in shapes):
        wrong = "a shape is ROWSxCOLUMNS, such as 32768x4096"
    if wrong:
        harness.bad_input(wrong)
    options.cases = [
        (program, *shape) for program in options.program or PROGRAMS for shape in shapes or SHAPES
    ]
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    return harness.run_cases(options, options.cases, run_case, "gbps", "GB/s")


if __name__ == "__main__":
    sys.exit(main())
