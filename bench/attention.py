#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward: heddle beside cuDNN (PyTorch's SDPA) and Triton, on one GPU, in
one run.

    python3 bench/compile.py attention
    python3 bench/attention.py --kernel-dir build/kernels --json attention.json
    python3 bench/attention.py --preset family --json family.json

fp16, batch * length = 16384, heads * depth = 2048, as in the FlashAttention papers. The
family is grouped queries, windows, and heads of 96 and 256 (attention_points.py). SDPA
has no window; FlexAttention stands in for it there. Where FlashAttention-3 is installed
(the folder hopper of its repository), "fa3" of --systems times it too.
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

import attention_points as points  # noqa: E402
import harness  # noqa: E402
import protocol  # noqa: E402
from harness import DEVICE  # noqa: E402

SYSTEMS = ("heddle", "cudnn", "flash", "flex", "triton")
INSTALLED = ("fa3",)
BASELINES = ("cudnn", "fa3", "flex", "triton")
# Who computes attention without a window, and with one.
EVERYTHING = {"cudnn", "flash", "fa3"}
WINDOWED = {"flex"}
SAMPLED_HEADS = 4
SAMPLED_QUERIES = 64
ALLOWED = 1.5


class Problem:
    """The operands of one point, and a float64 reference on some queries."""

    def __init__(self, point, seed):
        import torch
        from attention_problem import exact_attention, math_attention, sees

        self.point, self.scale = point, 1 / math.sqrt(point.depth)
        rows = point.batch * point.heads
        shape = (rows, point.length, point.depth)
        shared = (rows // point.group, point.length, point.depth)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal(shape):
            return torch.randn(shape, generator=generator, device=DEVICE).half()

        count = protocol.buffer_sets(2 * 2 * (math.prod(shape) + math.prod(shared)))
        self.sets = [
            (normal(shape), normal(shared), normal(shared), torch.empty_like(normal(shape)))
            for _ in range(count)
        ]
        # Some queries of some heads, the last query among them.
        picked = torch.randperm(rows, generator=generator, device=DEVICE)
        self.picked = picked[:SAMPLED_HEADS].sort().values
        rows = torch.randperm(point.length, generator=generator, device=DEVICE)[: SAMPLED_QUERIES - 1]
        self.rows = torch.cat([rows, torch.tensor([point.length - 1], device=DEVICE)]).unique()
        q, k, v, _ = self.sets[0]
        source = self.picked // point.group
        operands = (q[self.picked][:, self.rows], k[source], v[source])
        mask = sees(point.length, point.length, point.causal, DEVICE, point.window)[self.rows]
        self.reference = exact_attention(*operands, self.scale, mask)
        peer = math_attention(*operands, self.scale, mask)
        self.allowed = ALLOWED * (peer.double() - self.reference).abs().max().item()

    def error_of(self, launch):
        """The largest error on the sampled queries; infinite if anything was not
        written."""
        o = self.sets[0][3]
        if not harness.writes_all(launch, o):
            return float("inf")
        return (o[self.picked][:, self.rows].double() - self.reference).abs().max().item()

    def teraflops(self):
        from attention_problem import flops

        point = self.point
        heads, length = point.batch * point.heads, point.length
        return flops(heads, length, length, point.depth, point.causal, point.window) * 1e-12

    def split_heads(self, tensor):
        """[batch, heads, length, depth], as PyTorch wants it."""
        return tensor.view(self.point.batch, -1, self.point.length, self.point.depth)


def heddle_launches(options, case):
    kernel = harness.heddle_kernel(options, case.point.kernel)
    scalars = (case.scale, case.point.window) if case.point.window else (case.scale,)
    values = [one + scalars for one in case.sets]
    launches = [kernel.bind(*one) for one in values]
    return launches, harness.describe_kernel(kernel, values[0]), []


def torch_launches(case, attention, description):
    """Of `attention`, a function of four axes."""

    def launch(q, k, v, o):
        operands = [case.split_heads(x) for x in (q, k, v)]
        return harness.returning(lambda: attention(*operands), o)

    return [launch(*one) for one in case.sets], description, []


def sdpa_launches(case, backend):
    import torch.nn.functional as functional
    from torch.nn.attention import sdpa_kernel

    shared = {"enable_gqa": True} if case.point.group > 1 else {}

    def attention(q, k, v):
        with sdpa_kernel(backend):
            return functional.scaled_dot_product_attention(
                q, k, v, is_causal=case.point.causal, scale=case.scale, **shared
            )

    return torch_launches(case, attention, {"call": str(backend)})


def fa3_launches(case):
    from flash_attn_interface import flash_attn_func

    def attention(q, k, v):
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))  # its axes: batch, length, heads, depth
        return flash_attn_func(q, k, v, softmax_scale=case.scale, causal=case.point.causal).transpose(1, 2)

    return torch_launches(case, attention, {"call": "flash_attn_interface.flash_attn_func"})


def flex_launches(case):
    import torch
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    window, length = case.point.window, case.point.length

    def in_window(batch, head, query, key):
        return (key <= query) & (key > query - window)

    mask = create_block_mask(in_window, None, None, length, length, device=DEVICE)
    compiled = torch.compile(flex_attention, dynamic=False)

    def attention(q, k, v):
        return compiled(q, k, v, block_mask=mask, scale=case.scale)

    return torch_launches(case, attention, {"call": "flex_attention, compiled"})


def triton_launches(case):
    import triton_attention

    point = case.point
    return triton_attention.launches(case.sets, case.scale, point.causal, point.window)


def systems_for(point, names):
    """Those of `names` that can compute it."""
    return [name for name in names if name not in (EVERYTHING if point.window else WINDOWED)]


def run_case(options, point):
    import torch
    from torch.nn.attention import SDPBackend

    case = Problem(point, options.seed)
    makers = {
        "heddle": lambda: heddle_launches(options, case),
        "cudnn": lambda: sdpa_launches(case, SDPBackend.CUDNN_ATTENTION),
        "flash": lambda: sdpa_launches(case, SDPBackend.FLASH_ATTENTION),
        "fa3": lambda: fa3_launches(case),
        "flex": lambda: flex_launches(case),
        "triton": lambda: triton_launches(case),
    }
    makers.update(harness.variant_makers(options, heddle_launches, case))
    names = systems_for(point, options.systems)
    systems, notes = harness.prepare(names, makers, case.error_of)
    harness.drop_wrong(systems, notes, case.allowed)
    result = {
        "name": point.name,
        **({"kind": point.kind} if point.kind else {}),
        "depth": point.depth,
        "length": point.length,
        "causal": point.causal,
        "group": point.group,
        "window": point.window,
        "batch": point.batch,
        "heads": point.heads,
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
    parser.add_argument(
        "--preset", help="points to time, some of %s; takes the place of those below" % ", ".join(points.PRESETS)
    )
    parser.add_argument("--depths", default="128,64")
    parser.add_argument("--lengths", default=",".join(map(str, points.LENGTHS)))
    parser.add_argument("--causal", default="both", choices=("both", "only", "never"))
    parser.add_argument("--group", type=int, default=1, help="heads of queries that share one of keys")
    parser.add_argument("--window", type=int, help="how many keys a query sees")
    parser.add_argument("--failures", metavar="FILE", help="Triton's configurations that do not compile, from a run before")
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, SYSTEMS + INSTALLED)
    presets = options.preset.split(",") if options.preset else []
    unknown = [name for name in presets if name not in points.PRESETS]
    if unknown:
        harness.bad_input("no preset %s; there are %s" % (unknown[0], ", ".join(points.PRESETS)))
    try:
        depths = [int(text) for text in options.depths.split(",")]
        lengths = [int(text) for text in options.lengths.split(",")]
    except ValueError as error:
        harness.bad_input(str(error))
    causal = {"both": (False, True), "only": (True,), "never": (False,)}[options.causal]
    options.cases = [point for name in presets for point in points.PRESETS[name]] or [
        points.Point(depth, length, c, options.group, options.window)
        for depth in depths
        for c in causal
        for length in lengths
    ]
    wrong = next(filter(None, [wrong, *(point.wrong() for point in options.cases)]), None)
    if wrong:
        harness.bad_input(wrong)
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    if options.failures and "triton" in options.systems:
        import triton_tuning

        triton_tuning.remember(options.failures)
    return harness.run_cases(options, options.cases, run_case, "tflops", "TFLOP/s")


if __name__ == "__main__":
    sys.exit(main())
