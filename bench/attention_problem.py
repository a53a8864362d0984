# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What attention means to the benchmark and the GPU test.

Tensors are [batch * heads, length, depth]. O = softmax(scale Q K^T) V; causal means
that query i sees key j if j <= i + keys - queries, so that the last query sees every
key. A query that sees none gives 0.
"""

import math

import torch
import torch.nn.functional as functional
from torch.nn.attention import SDPBackend, sdpa_kernel


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
    """PyTorch's composition of matmul and softmax in the operands' type."""
    with sdpa_kernel(SDPBackend.MATH):
        result = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale)
    # Queries without keys come out as NaN.
    return result.masked_fill(~mask.any(dim=1)[:, None], 0)


def flops(heads, queries, keys, depth, causal):
    """Of the two products; half of them where only the triangle is needed."""
    full = 4.0 * heads * queries * keys * depth
    return full / 2 if causal else full
