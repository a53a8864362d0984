#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GEMM and attention from Triton's source and from heddle's own text, at one tile, on
one GPU, in one run.

    PYTHONPATH=installed python3 bench/same_tile.py --json same_tile.json

heddle compiles all three: `heddle` is the kernel of test/triton/corpus behind
kernel[grid], `own` a program that computes the same with the same tile of powers of
two, `free` that program with another tile, which need not be powers of two. All run on
the same tensors and are compared with each other first, within the tolerance of the
case. Exit code: 0 all timed, 1 a result was wrong, 2 a system or case could not be run,
3 bad input.
"""

import dataclasses
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "test", "triton"))

import harness  # noqa: E402
import triton_kernels  # noqa: E402

SYSTEMS = ("heddle", "own", "free")
ROOT = os.path.dirname(HERE)
LENGTH = 4096
GEMM = {"m": 8192, "n": 8192, "k": 4096, "tile": {"BM": 128, "BN": 256, "BK": 64}}


def gemm_operands(tensors, arguments):
    a, b, c = (tensors[name] for name in sorted(tensors))
    return a, b.T, c


def attention_operands(tensors, arguments):
    rows = arguments["seq_len"]
    matrices = [tensors[name] for name in ("q_desc", "k_desc", "v_desc", "out_desc")]
    return *(one.view(-1, rows, one.shape[1]) for one in matrices), arguments["sm_scale"]


def attention_lse_operands(tensors, arguments):
    *views, scale = attention_operands(tensors, arguments)
    return *views, tensors["lse_ptr"].view(-1, arguments["seq_len"]), scale


@dataclasses.dataclass(frozen=True)
class Own:
    """A program, its settings, and its operands of a case's tensors and arguments."""

    program: str
    settings: dict
    operands: object


@dataclasses.dataclass(frozen=True)
class Pair:
    """A case of the corpus, and programs that compute the same: one with its tile, one
    with another tile, which does without the logarithms of attention."""

    case: str
    sizes: dict
    own: Own
    free: Own


def gemm_pair(case, **sizes):
    free = {"BM": 256, "BN": 192, "BK": 32}
    own = [Own("examples/gemm.mlir", tile, gemm_operands) for tile in (GEMM["tile"], free)]
    return Pair(case, dict(GEMM, **sizes), *own)


def attention_pair(case, depth, bm, bn):
    sizes = {"heads": 8192 // depth, "seq_len": LENGTH, "head_dim": depth, "bm": 128, "bn": 128}
    own = Own("bench/programs/%s_lse.mlir" % case, {"BM": 128, "BN": 128, "D": depth}, attention_lse_operands)
    free = Own("examples/%s.mlir" % case, {"BM": bm, "BN": bn, "D": depth}, attention_operands)
    return Pair(case, sizes, own, free)


PAIRS = {
    "matmul_descriptors": gemm_pair("matmul_descriptors"),
    "matmul_persistent": gemm_pair("matmul_persistent", programs=132),
    "attention, D = 128": attention_pair("attention", 128, 128, 144),
    "attention_causal, D = 128": attention_pair("attention_causal", 128, 128, 144),
    "attention, D = 64": attention_pair("attention", 64, 192, 160),
    "attention_causal, D = 64": attention_pair("attention_causal", 64, 192, 160),
}


class Problem(triton_kernels.Problem):
    def __init__(self, pair, seed):
        super().__init__(pair.case, seed, pair.sizes)
        self.pair = pair

    def operands(self, own):
        return [own.operands(*one) for one in zip(self.tensors, self.arguments)]

    def error_of(self, launch):
        """Of the result, over its largest magnitude, against the first system's."""
        import torch

        (name,) = (name for name in self.tensors[0] if name in ("c_desc", "c_ptr", "out_desc"))
        result = self.tensors[0][name].fill_(float("nan"))
        launch()
        torch.cuda.synchronize()
        found = result.float()
        if torch.isnan(found).any().item():
            return float("inf")
        if self.first is None:
            self.first = found
        return ((found - self.first).abs().max() / self.first.abs().max()).item()


def own_launches(problem, own):
    import heddle

    settings = {name: str(value) for name, value in own.settings.items()}
    kernel = heddle.compile(os.path.join(ROOT, own.program), settings=settings).kernel
    values = problem.operands(own)
    return [kernel.bind(*one) for one in values], harness.describe_kernel(kernel, values[0]), []


def run_case(options, name):
    import torch

    problem = Problem(PAIRS[name], options.seed)
    makers = {
        "heddle": lambda: triton_kernels.heddle_launches(options, problem),
        "own": lambda: own_launches(problem, problem.pair.own),
        "free": lambda: own_launches(problem, problem.pair.free),
    }
    systems, notes = harness.prepare(options.systems, makers, problem.error_of)
    harness.drop_wrong(systems, notes, 2 * problem.case.tolerance)
    free = "x".join(str(value) for axis, value in problem.pair.free.settings.items() if axis != "D")
    result = {"name": name, "same": problem.sizes, "free": free, "systems": notes}
    result.update(harness.time_systems(options, systems, notes, 1e-3, "per_ms", ("own", "free")))
    del problem, systems, makers
    torch.cuda.empty_cache()
    return result


def main(arguments=None):
    options = triton_kernels.parse_options(arguments, __doc__, SYSTEMS, PAIRS, noun="case")
    if not harness.start(options):
        return 2
    return harness.run_cases(options, options.names or PAIRS, run_case, "per_ms", "launches/ms")


if __name__ == "__main__":
    sys.exit(main())
