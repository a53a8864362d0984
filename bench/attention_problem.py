# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What attention means to the benchmark and the GPU test.

Tensors are [batch * heads, length, depth]. O = softmax(scale Q K^T) V; causal means
that query i sees key j if j <= i + keys - queries, so that the last query sees every
key. A query that sees none gives 0.
"""

import math

import torch


def sees(queries, keys, causal, device):
    """[queries, keys]: who sees whom."""
    everything = torch.ones((queries, keys), dtype=torch.bool, device=device)
    return everything.tril(keys - queries) if causal else everything


def exact_attention(q, k, v, scale, mask):
    """In float64."""
    scores = (q.double() @ k.double().transpose(1, 2)) * scale
    scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    return weights @ v.double()


def math_attention(q, k, v, scale, mask):
    """PyTorch's matmul and softmax, each rounding to the operands' type, as attention is
    written by hand. (SDPBackend.MATH computes half precision in f32.)"""
    scores = ((q @ k.transpose(1, 2)) * scale).masked_fill(~mask, -math.inf)
    # Queries without keys come out as NaN.
    weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
    return weights @ v


def flops(heads, queries, keys, depth, causal):
    """Of the two products; half of them where only the triangle is needed."""
    full = 4.0 * heads * queries * keys * depth
    return full / 2 if causal else full
