#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention backward: heddle beside cuDNN and FlashAttention-2 (PyTorch's SDPA), on one
GPU, in one run.

    python3 bench/compile.py backward
    python3 bench/attention_backward.py --kernel-dir build/kernels --json backward.json

fp16, batch * length = 16384, heads * depth = 2048; 10 B H S^2 D flops, what the five
products take. A launch is all that the gradients need: the row sums delta, dQ, dK and dV
in fp16, and, where dQ is added up in f32 ("whole"), clearing and converting it. Every
system starts from the forward pass' output and logarithms of sums. "heddle" is
examples/attention_backward_{rows,keys,queries}.mlir, three kernels that give the same
bits each time; "whole" is attention_backward.mlir with the row sums. Where
FlashAttention-3 is installed (the folder hopper of its repository), "fa3" of --systems
times it too, and "fa3_fixed" its form that gives the same bits each time.

Errors are Frobenius norms over those of the gradients, the largest of dQ, dK and dV, on
sampled heads against float64; allowed is twice that of PyTorch's matmul and softmax in
fp16. Exit code: 0 all timed, 1 a result was wrong, 2 a system or case could not be run,
3 bad input.
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

SYSTEMS = ("heddle", "whole", "cudnn", "flash")
INSTALLED = ("fa3", "fa3_fixed")
BASELINES = ("cudnn", "flash", "fa3", "fa3_fixed")
NAMES = ("dq", "dk", "dv")
SAMPLED_HEADS = 2
ALLOWED = 2.0


def gradients(attention, dtype, operands, d_o, scale):
    import torch
    from attention_problem import sees

    leaves = [x.to(dtype).requires_grad_() for x in operands]
    mask = sees(leaves[0].shape[1], leaves[1].shape[1], False, DEVICE)
    result = attention(*leaves, scale, mask)
    return torch.autograd.grad(result, leaves, d_o.to(result.dtype))


class Problem:
    """The operands of one point, what its forward pass gives, and float64 gradients of
    some heads."""

    def __init__(self, point, seed):
        import torch
        from attention_problem import exact_attention, math_attention

        self.point, self.scale = point, 1 / math.sqrt(point.depth)
        self.heads = point.batch * point.heads
        shape = (self.heads, point.length, point.depth)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)

        def normal():
            return torch.randn(shape, generator=generator, device=DEVICE).half()

        self.sets = []
        for _ in range(protocol.buffer_sets(8 * 2 * math.prod(shape))):
            one = dict(q=normal(), k=normal(), v=normal(), d_o=normal())
            one["o"], one["lse"] = self.forward(one)
            one.update({name: torch.empty_like(one["q"]) for name in NAMES})
            self.sets.append(one)
        self.picked = torch.randperm(self.heads, generator=generator, device=DEVICE)[:SAMPLED_HEADS]
        first = self.sets[0]
        self.references, peers = {}, {}
        for head in self.picked.tolist():
            operands = [first[name][head : head + 1] for name in "qkv"]
            given = first["d_o"][head : head + 1]
            exact = gradients(exact_attention, torch.float64, operands, given, self.scale)
            peer = gradients(math_attention, torch.float16, operands, given, self.scale)
            self.references[head], peers[head] = exact, peer
            torch.cuda.empty_cache()
        self.allowed = ALLOWED * self.error(lambda name, head: peers[head][NAMES.index(name)][0])

    def split_heads(self, tensor):
        """[batch, heads, length, depth], as PyTorch wants it."""
        return tensor.view(self.point.batch, -1, self.point.length, self.point.depth)

    def forward(self, one):
        """O, and the logarithms of the sums in f32."""
        import torch

        q, k, v = (self.split_heads(one[name]) for name in "qkv")
        o, lse, *_ = torch.ops.aten._scaled_dot_product_flash_attention(q, k, v, scale=self.scale)
        return o.reshape(one["q"].shape).contiguous(), lse.reshape(self.heads, -1).contiguous()

    def error(self, found):
        worst = 0.0
        for head, exact in self.references.items():
            for name, reference in zip(NAMES, exact):
                difference = found(name, head).double() - reference[0]
                worst = max(worst, (difference.norm() / reference.norm()).item())
        return worst

    def error_of(self, launch):
        import torch

        first = self.sets[0]
        for name in NAMES:
            first[name].fill_(float("nan"))
        launch()
        torch.cuda.synchronize()
        if any(torch.isnan(first[name]).any().item() for name in NAMES):
            return float("inf")
        return self.error(lambda name, head: first[name][head])

    def teraflops(self):
        return 10.0 * self.heads * self.point.length**2 * self.point.depth * 1e-12


def bound(kernel, one, scalars):
    """A launch with the arguments that the kernel's names ask for."""
    return kernel.bind(*[scalars.get(name, one.get(name)) for name in (a["name"] for a in kernel.arguments)])


def launches_of(options, case, names, dtype):
    """Of these kernels one after the other; where dQ is in f32, with what that takes."""
    import torch

    kernels = [harness.heddle_kernel(options, "attention_backward_%s_d%d" % (name, case.point.depth)) for name in names]
    # What no launch leaves to the next: one for all sets.
    delta = torch.empty((case.heads, case.point.length), device=DEVICE)
    sums = torch.empty(case.sets[0]["q"].shape, device=DEVICE) if dtype == "f32" else None

    def launch_of(one):
        given = dict(one, delta=delta, dq=one["dq"] if sums is None else sums)
        made = [bound(kernel, given, {"scale": case.scale}) for kernel in kernels]
        result = one["dq"]

        def launch():
            if sums is not None:
                sums.zero_()
            for each in made:
                each()
            if sums is not None:
                result.copy_(sums)

        return launch

    given = dict(case.sets[0], delta=delta, dq=case.sets[0]["dq"] if sums is None else sums, scale=case.scale)
    described = [harness.describe_kernel(k, [given[a["name"]] for a in k.arguments]) for k in kernels]
    return [launch_of(one) for one in case.sets], {"kernels": described}, []


def heddle_launches(options, case):
    return launches_of(options, case, ("rows", "keys", "queries"), "f16")


def whole_launches(options, case):
    return launches_of(options, case, ("rows", "whole"), "f32")


def autograd_launches(case, attention, description):
    """The backward pass alone of `attention`, a function of [batch, heads, length, depth],
    whose forward pass each set has run once."""
    import torch

    def launch_of(one):
        leaves = [case.split_heads(one[name]).detach().requires_grad_() for name in "qkv"]
        o = attention(*leaves)
        d_o, checked = case.split_heads(one["d_o"]), []

        def launch():
            found = torch.autograd.grad(o, leaves, d_o, retain_graph=True)
            if not checked:
                checked.append(True)
                for name, value in zip(NAMES, found):
                    one[name].copy_(value.reshape(one[name].shape))

        return launch

    return [launch_of(one) for one in case.sets], description, []


def sdpa_launches(case, backend):
    import torch.nn.functional as functional
    from torch.nn.attention import sdpa_kernel

    def attention(q, k, v):
        with sdpa_kernel(backend):
            return functional.scaled_dot_product_attention(q, k, v, scale=case.scale)

    return autograd_launches(case, attention, {"call": str(backend)})


def fa3_launches(case, deterministic):
    from flash_attn_interface import flash_attn_func

    def attention(q, k, v):
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))  # its axes: batch, length, heads, depth
        return flash_attn_func(q, k, v, softmax_scale=case.scale, deterministic=deterministic).transpose(1, 2)

    description = {"call": "flash_attn_interface.flash_attn_func, deterministic=%s" % deterministic}
    return autograd_launches(case, attention, description)


def run_case(options, point):
    import torch
    from torch.nn.attention import SDPBackend

    case = Problem(point, options.seed)
    makers = {
        "heddle": lambda: heddle_launches(options, case),
        "whole": lambda: whole_launches(options, case),
        "cudnn": lambda: sdpa_launches(case, SDPBackend.CUDNN_ATTENTION),
        "flash": lambda: sdpa_launches(case, SDPBackend.FLASH_ATTENTION),
        "fa3": lambda: fa3_launches(case, False),
        "fa3_fixed": lambda: fa3_launches(case, True),
    }
    makers.update(harness.variant_makers(options, heddle_launches, case))
    systems, notes = harness.prepare(options.systems, makers, case.error_of)
    harness.drop_wrong(systems, notes, case.allowed)
    result = {
        "name": point.name,
        "depth": point.depth,
        "length": point.length,
        "batch": point.batch,
        "heads": point.heads,
        "buffer_sets": len(case.sets),
        "allowed_error": case.allowed,
        "systems": notes,
    }
    result.update(harness.time_systems(options, systems, notes, case.teraflops(), "tflops", BASELINES))
    del case, systems, makers
    torch.cuda.empty_cache()
    return result


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.add_argument("--depths", default="128,64")
    parser.add_argument("--lengths", default=",".join(map(str, points.LENGTHS)))
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, SYSTEMS + INSTALLED)
    try:
        depths = [int(text) for text in options.depths.split(",")]
        lengths = [int(text) for text in options.lengths.split(",")]
    except ValueError as error:
        harness.bad_input(str(error))
    options.cases = [points.Point(depth, length) for depth in depths for length in lengths]
    wrong = next(filter(None, [wrong, *(point.wrong() for point in options.cases)]), None)
    if wrong:
        harness.bad_input(wrong)
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    return harness.run_cases(options, options.cases, run_case, "tflops", "TFLOP/s")


if __name__ == "__main__":
    sys.exit(main())
