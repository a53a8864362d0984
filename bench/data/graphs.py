# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse operands for bench/flow.py, from seeds: graphs with the published numbers of nodes, directed
edges and features, at full size or divided; adjacencies in three patterns; block masks of attention.
Each is a list of (row, column)."""

import math
import random

# Nodes, directed edges, features, the share of features that are not zero. Shares other than Cora's
# are those of FuseFlow's table 1 (ASPLOS 2026) or, of dense features, 1.
PUBLISHED = {"Cora": (2708, 10556, 1433, 0.0127), "Cora_ML": (2995, 16316, 2879, 0.0175),
             "DBLP": (17716, 105734, 1639, 0.0032), "Collab": (235868, 2570930, 128, 1.0),
             "MAG": (1939743, 21111007, 128, 1.0)}


def rmat(nodes, edges, seed):
    """Directed edges of a power-law graph, both ways. The recipe puts the nodes of most edges first, where a stage
    that sums over neighbours would let the next one wait; so nodes are numbered at random, as Graph500 does."""
    rng = random.Random(seed)
    found = set()
    bits = max(1, (nodes - 1).bit_length())
    while len(found) < edges:
        ends = [0, 0]
        for _ in range(bits):
            corner = rng.choices(range(4), (0.57, 0.19, 0.19, 0.05))[0]
            ends = [ends[0] * 2 + corner // 2, ends[1] * 2 + corner % 2]
        if max(ends) < nodes and ends[0] != ends[1]:
            found |= {tuple(ends), tuple(ends[::-1])}
    names = list(range(nodes))
    rng.shuffle(names)
    return sorted((names[a], names[b]) for a, b in found)


def published(name, divisor):
    """Nodes, edges, features and their share of one graph, with nodes and edges divided, and features
    if there are more than 128."""
    nodes, edges, features, share = PUBLISHED[name]
    graph = rmat(nodes // divisor, edges // divisor, 7)
    return nodes // divisor, graph, features if features <= 128 else max(32, features // divisor), share


def adjacency(nodes, sparsity, pattern, seed):
    """A square pattern, with (1 - sparsity) of its elements."""
    rng = random.Random(seed)
    count = round(nodes * nodes * (1 - sparsity))
    if pattern == "uniform":
        return sorted(divmod(at, nodes) for at in rng.sample(range(nodes * nodes), count))
    if pattern == "block diagonal":
        width = max(1, round(count / nodes))
        return sorted((i, j) for i in range(nodes) for j in range(i - i % width, min(nodes, i - i % width + width)))
    # Power law: the share of a row or column falls with the square root of its number.
    weights = [1 / math.sqrt(i + 1) for i in range(nodes)]
    found = set()
    while len(found) < count:
        found.update(zip(rng.choices(range(nodes), weights, k=count), rng.choices(range(nodes), weights, k=count)))
    return sorted(rng.sample(sorted(found), count))


def bigbird(length, block, seed):
    """The elements of FuseFlow's mask: the diagonal and its neighbours, two global rows and columns,
    and two random blocks a row."""
    rng = random.Random(seed)
    count = length // block
    blocks = {(i, j) for i in range(count) for j in range(count) if abs(i - j) <= 1 or i < 2 or j < 2}
    blocks |= {(i, rng.randrange(count)) for i in range(count) for _ in range(2)}
    return sorted((i * block + a, j * block + b) for i, j in blocks for a in range(block) for b in range(block))
