#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples with a product in a loop, by several schedules, on one GPU, in one run.

    python3 bench/compile.py --schedule exact --out build/kernels
    python3 bench/compile.py --schedule heuristic --out build/heuristic
    python3 bench/examples.py --variant heuristic=build/heuristic --json examples.json

Every kernel is held to float64 first, by the checks of test/gpu/programs_correctness.py,
then all are timed on the same operands; the last line names the kernel that loses
most. Exit code: 0 all timed, 1 a result was wrong, 2 a kernel is missing, 3 bad input.
"""

import argparse
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
for folder in ("python", os.path.join("test", "gpu")):
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), folder))

import harness  # noqa: E402
import protocol  # noqa: E402
from harness import DEVICE  # noqa: E402

SYSTEMS = ("heddle",)
PRODUCT = [(8192, 8192, 1024)]
ATTENTION = [(16, 4096, 4096)]
# Its reference keeps every score in float64.
BACKWARD = [(8, 2048, 2048)]


def gemm(make, layout):
    import program_cases

    m, n, k = PRODUCT[0]
    a = make.normal(m, k) if layout[0] == "n" else make.normal(k, m).t()
    b = make.normal(k, n) if layout[1] == "n" else make.normal(n, k).t()
    return program_cases.Case(
        "gemm_%s_f16_f16" % layout, "%dx%dx%d" % PRODUCT[0], {"a": a, "b": b},
        {"c": ((m, n), a.dtype, None)}, {"c": a.double() @ b.double()},
        {"c": (a.float() @ b.float()).half()},
    )  # fmt: skip


def attention_cases():
    for depth in (64, 96, 128, 256):
        for causal in (False, True):
            yield "attention%s_d%d" % ("_causal" if causal else "", depth), dict(depth=depth, causal=causal)
    yield "attention_gqa_d128", {"depth": 128, "causal": True, "group": 4}
    yield "attention_window_d128", {"depth": 128, "causal": True, "window": 1024}


def cases():
    """{kernel: its case, of a maker of operands}"""
    import program_cases as programs

    def first(family, **given):
        return lambda make: next(family(make, **given))

    found = {"gemm_%s_f16_f16" % layout: lambda make, layout=layout: gemm(make, layout)
             for layout in ("nt", "nn", "tn", "tt")}  # fmt: skip
    for family in (programs.dual_gemm, programs.gemm_reduction, programs.gemm_bias_gelu):
        found[family.__name__] = first(family, shapes=PRODUCT)
    found["gemm_softmax"] = first(programs.gemm_softmax, shapes=[(65536, 128, 1024)])
    for kernel, given in attention_cases():
        found[kernel] = first(programs.attention, shapes=ATTENTION, **given)
    for tile in ("", "_bn128"):
        kernel = "attention_backward_d64" + tile
        found[kernel] = first(programs.attention_backward, depth=64, shapes=BACKWARD, tile=tile)
    return found


class Problem:
    """A case, checked as the tests do, and sets of its operands that rotate."""

    def __init__(self, case):
        import torch

        self.case = case
        operands = [*case.inputs.values(), *(self.output(name) for name in case.outputs)]
        size = sum(one.numel() * one.element_size() for one in operands if isinstance(one, torch.Tensor))
        self.sets = [self.arguments() for _ in range(protocol.buffer_sets(size))]

    def output(self, name):
        import torch

        shape, dtype, before = self.case.outputs[name]
        return torch.empty(shape, dtype=dtype, device=DEVICE) if before is None else before.clone()

    def arguments(self):
        import torch

        copied = {name: one.clone() if isinstance(one, torch.Tensor) else one
                  for name, one in self.case.inputs.items()}  # fmt: skip
        return dict(copied, **{name: self.output(name) for name in self.case.outputs})


def launches(options, problem):
    import torch
    from program_checks import Checker

    kernel = harness.heddle_kernel(options, problem.case.kernel)
    checker = Checker({problem.case.kernel: kernel}, torch.device(DEVICE), 1)
    checker.check(problem.case)
    names = [argument["name"] for argument in kernel.arguments]
    values = [[one[name] for name in names] for one in problem.sets]
    made = [kernel.bind(*one) for one in values]
    return made, dict(harness.describe_kernel(kernel, values[0]), failed=checker.failed), []


def run_case(options, kernel):
    import program_cases
    import torch

    problem = Problem(cases()[kernel](program_cases.Maker(torch.device(DEVICE), options.seed)))
    makers = {"heddle": lambda: launches(options, problem)}
    makers.update(harness.variant_makers(options, launches, problem))
    systems, notes = harness.prepare(options.systems, makers, lambda launch: launch() or 0)
    for note in notes.values():
        note["error"] = float("inf") if note.get("description", {}).get("failed") else 0.0
    harness.drop_wrong(systems, notes, 0)
    result = {"name": "%s, %s" % (kernel, problem.case.name), "systems": notes}
    result.update(harness.time_systems(options, systems, notes, 1e-3, "per_ms", ()))
    del problem, systems, makers
    torch.cuda.empty_cache()
    return result


def summary(results):
    """The mean of heddle's speed over each variant's, and the least."""
    found = [(one["ratio"], result["name"], one["baseline"]) for result in results for one in result["comparisons"]]
    if not found:
        return "nothing was compared"
    mean = math.exp(sum(math.log(ratio) for ratio, *_ in found) / len(found))
    return "speed over %d comparisons: geometric mean %.3f, least %.3f (%s, %s)" % (len(found), mean, *min(found))


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="all unless some are named")
    harness.add_options(parser, SYSTEMS)
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, SYSTEMS)
    if wrong:
        harness.bad_input(wrong)
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    known = cases()
    unknown = set(options.kernels) - set(known)
    if unknown:
        harness.bad_input("no kernel %s; there are %s" % (", ".join(sorted(unknown)), ", ".join(known)))
    return harness.run_cases(options, options.kernels or known, run_case, "per_ms", "launches/ms", summary)


if __name__ == "__main__":
    sys.exit(main())
