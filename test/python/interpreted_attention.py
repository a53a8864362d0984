# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs bench/triton_attention.py in Triton's interpreter, on the CPU, and prints the
largest error of each case; test_attention_bench.py starts it. The interpreter is chosen
when Triton is imported, so it has a process of its own."""

import math
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "bench"))
os.environ["TRITON_INTERPRET"] = "1"

import torch
import triton_attention
from attention_problem import exact_attention, sees

# heads of queries, of keys, length, depth, causal, window
CASES = (
    (2, 2, 128, 96, False, None),
    (2, 2, 128, 64, True, None),
    (4, 2, 128, 64, True, None),
    *((1, 1, 256, 64, True, window) for window in (1, 20, 64, 65, 100, 192, 300)),
)

for heads, shared, length, depth, causal, window in CASES:
    torch.manual_seed(0)
    q, k, v = (torch.randn(n, length, depth).half() for n in (heads, shared, shared))
    scale = 1 / math.sqrt(depth)
    expected = exact_attention(q, k, v, scale, sees(length, length, causal, "cpu", window))
    for bm, bn in ((64, 64), (128, 64), (64, 128)):
        o = torch.full_like(q, math.nan)
        config = (bm, bn, 2, 4, False)
        triton_attention.attention_launch(q, k, v, o, scale, causal, window, config)()
        error = (o.double() - expected).abs().max().item()
        print(heads, shared, length, depth, causal, window, bm, bn, error)
