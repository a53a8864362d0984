# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Triton side of bench/attention.py: an online softmax over TMA descriptors.

The usual kernel: a program a block of queries; keys up to the diagonal without a
mask, then those on it with one, and before both those where a window begins; 2^x with
the scale folded in; fp32 sums. Heads whose depth is no power of two take the next one,
filled with zeros. Tuned over tile sizes, stages and warps, each with and without
Triton's warp specialisation. Lengths must be multiples of the tiles, as the benchmark's
are.
"""

import itertools

import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor
from triton_tuning import tune

LOG2_E = 1.4426950408889634

TILES = [(64, 64, 4), (64, 128, 4), (128, 64, 4), (128, 64, 8), (128, 128, 8)]
DEEP_TILES = [(64, 32, 4), (64, 64, 4), (64, 64, 8), (128, 32, 8), (128, 64, 8)]


def configs(depth):
    """(BM, BN, stages, warps, warp specialisation)"""
    return [
        (bm, bn, stages, warps, specialised)
        for specialised in (False, True)
        for (bm, bn, warps), stages in itertools.product(DEEP_TILES if depth > 128 else TILES, [2, 3, 4])
    ]


@triton.jit
def walk_keys(
    acc, total, largest, q, k_desc, v_desc, base, begin, end, row, window, scale_log2,
    BM: tl.constexpr, BN: tl.constexpr, MASKED: tl.constexpr, WINDOWED: tl.constexpr,
    SPECIALISED: tl.constexpr,
):  # fmt: skip
    for key in tl.range(begin, end, BN, warp_specialize=SPECIALISED):
        k = k_desc.load([base + key, 0])
        scores = tl.dot(q, k.T)
        if MASKED:
            ahead = (row + tl.arange(0, BM)[:, None]) - (key + tl.arange(0, BN)[None, :])
            seen = ahead >= 0
            if WINDOWED:
                seen = seen & (ahead < window)
            scores = tl.where(seen, scores, float("-inf"))
        next_largest = tl.maximum(largest, tl.max(scores, 1) * scale_log2)
        weights = tl.math.exp2(scores * scale_log2 - next_largest[:, None])
        shrink = tl.math.exp2(largest - next_largest)
        total = total * shrink + tl.sum(weights, 1)
        acc = acc * shrink[:, None]
        v = v_desc.load([base + key, 0])
        acc = tl.dot(weights.to(v.dtype), v, acc)
        largest = next_largest
    return acc, total, largest


@triton.jit
def attention_forward(
    q_desc, k_desc, v_desc, o_desc, length, group, window, scale_log2,
    DEPTH: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
    CAUSAL: tl.constexpr, WINDOWED: tl.constexpr, SPECIALISED: tl.constexpr,
):  # fmt: skip
    block = tl.program_id(0)
    if CAUSAL:  # the longest first
        block = tl.num_programs(0) - 1 - block
    base = tl.program_id(1) * length
    source = tl.program_id(1) // group * length
    row = block * BM
    q = q_desc.load([base + row, 0])
    acc = tl.zeros((BM, DEPTH), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    # Finite: where a window begins, a row may see no key of the first tile.
    largest = tl.full((BM,), -1e30, dtype=tl.float32)
    begin = 0
    free = length
    if CAUSAL:
        free = row // BN * BN
    if WINDOWED:
        # From `full` on, and before the diagonal, every row sees every key.
        first = tl.maximum(row + 1 - window, 0) // BN * BN
        begin = tl.minimum(tl.cdiv(tl.maximum(row + BM - window, 0), BN) * BN, free)
        acc, total, largest = walk_keys(
            acc, total, largest, q, k_desc, v_desc, source, first, begin, row, window, scale_log2,
            BM, BN, True, True, SPECIALISED,
        )  # fmt: skip
    acc, total, largest = walk_keys(
        acc, total, largest, q, k_desc, v_desc, source, begin, free, row, window, scale_log2,
        BM, BN, False, WINDOWED, SPECIALISED,
    )  # fmt: skip
    if CAUSAL:
        acc, total, largest = walk_keys(
            acc, total, largest, q, k_desc, v_desc, source, free, row + BM, row, window, scale_log2,
            BM, BN, True, WINDOWED, SPECIALISED,
        )  # fmt: skip
    o_desc.store([base + row, 0], (acc / total[:, None]).to(tl.float16))


def descriptor(tensor, rows):
    """Of all heads' rows, one below the other."""
    flat = tensor.view(-1, tensor.shape[-1])
    box = [rows, triton.next_power_of_2(flat.shape[1])]
    return TensorDescriptor(flat, list(flat.shape), list(flat.stride()), box)


def attention_launch(q, k, v, o, scale, causal, window, config):
    bm, bn, stages, warps, specialised = config
    heads, length, depth = q.shape
    descriptors = [descriptor(q, bm), descriptor(k, bn), descriptor(v, bn), descriptor(o, bm)]
    grid = (triton.cdiv(length, bm), heads)
    group = heads // k.shape[0]

    def launch():
        attention_forward[grid](
            *descriptors, length, group, window or length, scale * LOG2_E,
            DEPTH=triton.next_power_of_2(depth), BM=bm, BN=bn, CAUSAL=causal,
            WINDOWED=window is not None, SPECIALISED=specialised, num_stages=stages, num_warps=warps,
        )  # fmt: skip

    return launch


def launches(sets, scale, causal, window=None):
    """(one launch function per set (q, k, v, o), description, failures). Fewer heads of
    keys than of queries are shared by neighbours."""
    best, failures = tune(
        lambda config: attention_launch(*sets[0], scale, causal, window, config),
        configs(sets[0][0].shape[-1]),
        "attention depth %d%s%s" % (sets[0][0].shape[-1], " causal" * causal, " window" * (window is not None)),
    )
    if best is None:
        reasons = sorted({failure["error"] for failure in failures})
        raise RuntimeError("no Triton configuration works: " + "; ".join(reasons))
    names = ("BM", "BN", "stages", "warps", "warp specialisation")
    description = {"config": dict(zip(names, best))}
    return [attention_launch(*one, scale, causal, window, best) for one in sets], description, failures
