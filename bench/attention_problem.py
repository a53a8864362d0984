# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What attention means to the benchmark and the GPU test.

Tensors are [batch * heads, length, depth]. O = softmax(scale Q K^T) V; causal means
that query i sees key j if j <= i + keys - queries, so that the last query sees every
key; through a window it sees the last `window` of those. A query that sees none gives
0. K and V may have fewer heads; then as many neighbouring heads of Q share each.
"""

import math

import torch


def sees(queries, keys, causal, device, window=None):
    """[queries, keys]: who sees whom."""
    everything = torch.ones((queries, keys), dtype=torch.bool, device=device)
    if not causal:
        return everything
    seen = everything.tril(keys - queries)
    return seen if window is None else seen.triu(keys - queries - window + 1)


def of_each_head(shared, heads):
    """Keys or values of `heads` heads."""
    return shared.repeat_interleave(heads // shared.shape[0], dim=0) if heads else shared


def exact_attention(q, k, v, scale, mask):
    """In float64."""
    k, v = of_each_head(k, len(q)), of_each_head(v, len(q))
    scores = (q.double() @ k.double().transpose(1, 2)) * scale
    scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    return weights @ v.double()


def math_attention(q, k, v, scale, mask):
    """PyTorch's matmul and softmax, each rounding to the operands' type, as attention is
    written by hand. (SDPBackend.MATH computes half precision in f32.)"""
    k, v = of_each_head(k, len(q)), of_each_head(v, len(q))
    scores = ((q @ k.transpose(1, 2)) * scale).masked_fill(~mask, -math.inf)
    # Queries without keys come out as NaN.
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    return weights @ v


def flops(heads, queries, keys, depth, causal, window=None):
    """Of the two products; half of them where only the triangle is needed, and those of
    the pairs in the window where there is one."""
    if window is not None:
        window = min(window, keys)
        return 4.0 * heads * depth * (queries * window - window * (window - 1) // 2)
    full = 4.0 * heads * queries * keys * depth
    return full / 2 if causal else full
