#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward: heddle beside cuDNN (PyTorch's SDPA) and Triton, on one GPU, in
one run.

    python3 bench/compile.py attention
    python3 bench/attention.py --kernel-dir build/kernels --json attention.json

fp16, batch * length = 16384, heads * depth = 2048, as in the FlashAttention papers.
Every system gets the same N(0,1) operands, is checked on sampled queries before it is
timed (its error may be 1.5 times that of PyTorch's matmul and softmax in fp16), and is
timed by bench/protocol.py. Exit code: 0 all timed, 1 a result was wrong, 2 a system or
case could not be run, 3 bad input.
"""

import argparse
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))

import harness  # noqa: E402
import protocol  # noqa: E402
from harness import DEVICE  # noqa: E402

TOKENS = 16384
WIDTH = 2048
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)
SYSTEMS = ("heddle", "cudnn", "flash", "triton")
BASELINES = ("cudnn", "triton")
SAMPLED_HEADS = 4
SAMPLED_QUERIES = 64
ALLOWED = 1.5


class Problem:
    """The operands of one case, and a float64 reference on some queries."""

    def __init__(self, depth, length, causal, seed):
        import torch
        from attention_problem import exact_attention, math_attention, sees

        self.depth, self.length, self.causal = depth, length, causal
        self.batch, self.heads = TOKENS // length, WIDTH // depth
        self.scale = 1 / math.sqrt(depth)
        self.name = "depth %d, length %d%s" % (depth, length, ", causal" if causal else "")
        shape = (self.batch * self.heads, length, depth)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal():
            return torch.randn(shape, generator=generator, device=DEVICE).half()

        count = protocol.buffer_sets(4 * 2 * math.prod(shape))
        self.sets = [(normal(), normal(), normal(), torch.empty_like(normal())) for _ in range(count)]
        # Some queries of some heads, the last query among them.
        picked = torch.randperm(shape[0], generator=generator, device=DEVICE)
        self.picked = picked[:SAMPLED_HEADS].sort().values
        rows = torch.randperm(length, generator=generator, device=DEVICE)[: SAMPLED_QUERIES - 1]
        self.rows = torch.cat([rows, torch.tensor([length - 1], device=DEVICE)]).unique()
        q, k, v, _ = self.sets[0]
        operands = (q[self.picked][:, self.rows], k[self.picked], v[self.picked])
        mask = sees(length, length, causal, DEVICE)[self.rows]
        self.reference = exact_attention(*operands, self.scale, mask)
        peer = math_attention(*operands, self.scale, mask)
        self.allowed = ALLOWED * (peer.double() - self.reference).abs().max().item()

    def error_of(self, launch):
        """The largest error on the sampled queries; infinite if anything was not
        written."""
        import torch

        o = self.sets[0][3]
        o.fill_(float("nan"))
        launch()
        torch.cuda.synchronize()
        if torch.isnan(o).any().item():
            return float("inf")
        return (o[self.picked][:, self.rows].double() - self.reference).abs().max().item()

    def teraflops(self):
        from attention_problem import flops

        heads = self.batch * self.heads
        return flops(heads, self.length, self.length, self.depth, self.causal) * 1e-12


def heddle_launches(options, case):
    program = "attention_causal" if case.causal else "attention"
    kernel = harness.heddle_kernel(options, "%s_d%d" % (program, case.depth))
    values = [one + (case.scale,) for one in case.sets]
    launches = [kernel.bind(*one) for one in values]
    return launches, harness.describe_kernel(kernel, values[0]), []


def sdpa_launches(case, backend):
    import torch.nn.functional as functional
    from torch.nn.attention import sdpa_kernel

    shape = (case.batch, case.heads, case.length, case.depth)

    def launch(q, k, v, o):
        operands = [x.view(shape) for x in (q, k, v)]

        def compute():
            with sdpa_kernel(backend):
                return functional.scaled_dot_product_attention(
                    *operands, is_causal=case.causal, scale=case.scale
                )

        return harness.returning(compute, o)

    return [launch(*one) for one in case.sets], {"call": str(backend)}, []


def triton_launches(case):
    import triton_attention

    return triton_attention.launches(case.sets, case.scale, case.causal)


def run_case(options, parameters):
    import torch
    from torch.nn.attention import SDPBackend

    case = Problem(*parameters, options.seed)
    makers = {
        "heddle": lambda: heddle_launches(options, case),
        "cudnn": lambda: sdpa_launches(case, SDPBackend.CUDNN_ATTENTION),
        "flash": lambda: sdpa_launches(case, SDPBackend.FLASH_ATTENTION),
        "triton": lambda: triton_launches(case),
    }
    makers.update(harness.variant_makers(options, heddle_launches, case))
    systems, notes = harness.prepare(options.systems, makers, case.error_of)
    harness.drop_wrong(systems, notes, case.allowed)
    result = {
        "name": case.name,
        "depth": case.depth,
        "length": case.length,
        "causal": case.causal,
        "batch": case.batch,
        "heads": case.heads,
        "buffer_sets": len(case.sets),
        "allowed_error": case.allowed,
        "systems": notes,
    }
    result.update(
        harness.time_systems(options, systems, notes, case.teraflops(), "tflops", BASELINES)
    )
    del case, systems, makers
    torch.cuda.empty_cache()
    return result


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.add_argument("--depths", default="128,64")
    parser.add_argument("--lengths", default=",".join(map(str, LENGTHS)))
    parser.add_argument("--causal", default="both", choices=("both", "only", "never"))
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, SYSTEMS)
    try:
        depths = [int(text) for text in options.depths.split(",")]
        lengths = [int(text) for text in options.lengths.split(",")]
    except ValueError as error:
        harness.bad_input(str(error))
    if any(TOKENS % length or length % 128 for length in lengths):
        wrong = "lengths are multiples of 128 that divide %d" % TOKENS
    if wrong:
        harness.bad_input(wrong)
    causal = {"both": (False, True), "only": (True,), "never": (False,)}[options.causal]
    options.cases = [(d, length, c) for d in depths for c in causal for length in lengths]
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    return harness.run_cases(options, options.cases, run_case, "tflops", "TFLOP/s")


if __name__ == "__main__":
    sys.exit(main())
