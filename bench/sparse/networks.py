# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The networks that bench/sparse/models.py times: random weights of published shapes.

Each is plain PyTorch, as its users write it: `forward` over torch.sparse, `dense` the same with
all elements stored. `fused` is the forward pass with its sparse statements given to
heddle.sparse.program, biases and functions among them. Nothing but `fused` knows of heddle.
"""

import math

import torch
import torch.nn.functional as F

GRAPHS = {  # nodes, directed edges, features, hidden, classes
    "Cora": (2708, 10556, 1433, 16, 7),
    "CiteSeer": (3327, 9104, 3703, 16, 6),
    "PubMed": (19717, 88648, 500, 16, 3),
    "arxiv": (169343, 2315598, 128, 256, 40),
}
# Layers of the encoder; the decoder mirrors it.
AUTOENCODERS = {"784-1024-512": (784, 1024, 512), "2048-1024": (2048, 1024), "4096-2048": (4096, 2048)}
SPARSITIES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
BATCH = 256
LENGTHS = (512, 1024, 2048, 4096)
WIDTH, HEADS, INNER, WINDOW = 256, 8, 1024, 64


def _normal(generator, *shape, scale=1.0):
    return torch.randn(shape, generator=generator) * scale


def power_law(nodes, edges, generator, parts=(0.57, 0.19, 0.19, 0.05)):
    """A symmetric graph without loops of exactly as many directed edges: each bit of an edge's
    ends is drawn by `parts`. Gives sorted codes row * nodes + column."""
    found = torch.empty(0, dtype=torch.int64)
    chances = torch.tensor(parts)
    while 2 * found.numel() < edges:
        ends = torch.zeros((2, edges), dtype=torch.int64)
        for _ in range((nodes - 1).bit_length()):
            choice = torch.multinomial(chances, edges, replacement=True, generator=generator)
            ends = 2 * ends + torch.stack((choice // 2, choice % 2))
        ends = ends[:, (ends < nodes).all(0) & (ends[0] != ends[1])]
        drawn = torch.minimum(ends[0], ends[1]) * nodes + torch.maximum(ends[0], ends[1])
        found = torch.cat([found, drawn]).unique()
    kept = found[torch.randperm(found.numel(), generator=generator)[:edges // 2]]
    # Numbers of nodes say nothing about degrees in the published graphs.
    names = torch.randperm(nodes, generator=generator)
    first, second = names[kept // nodes], names[kept % nodes]
    return torch.cat([first * nodes + second, second * nodes + first]).sort().values


def normalised(nodes, edges, generator):
    """D^-1/2 (A + 1) D^-1/2 as CSR."""
    loops = torch.arange(nodes) * (nodes + 1)
    codes = torch.cat([power_law(nodes, edges, generator), loops]).sort().values
    rows, columns = codes // nodes, codes % nodes
    degree = torch.bincount(rows, minlength=nodes).float()
    values = degree[rows].rsqrt() * degree[columns].rsqrt()
    return by_rows(rows, columns, values, nodes)


def by_rows(rows, columns, values, extent):
    positions = torch._convert_indices_from_coo_to_csr(rows, extent)
    return torch.sparse_csr_tensor(positions, columns.to(positions.dtype), values, (extent, extent))


class GCN(torch.nn.Module):
    """Two layers of a graph network on one graph."""

    sparse_is = "graph"

    def __init__(self, name, generator):
        super().__init__()
        nodes, edges, features, hidden, classes = GRAPHS[name]
        self.register_buffer("graph", normalised(nodes, edges, generator))
        self.nonzeros = self.graph.values().numel()
        self.first = torch.nn.Parameter(_normal(generator, features, hidden, scale=features**-0.5))
        self.first_bias = torch.nn.Parameter(_normal(generator, hidden))
        self.second = torch.nn.Parameter(_normal(generator, hidden, classes, scale=hidden**-0.5))
        self.second_bias = torch.nn.Parameter(_normal(generator, classes))
        self.inputs = (_normal(generator, nodes, features),)
        self.is_dense_small = nodes <= 8000

    def forward(self, x):
        hidden = torch.relu(torch.sparse.mm(self.graph, x @ self.first) + self.first_bias)
        return F.log_softmax(torch.sparse.mm(self.graph, hidden @ self.second) + self.second_bias, 1)

    def dense(self, x):
        graph = self.whole
        hidden = torch.relu(graph @ (x @ self.first) + self.first_bias)
        return F.log_softmax(graph @ (hidden @ self.second) + self.second_bias, 1)

    def prepare_dense(self):
        self.whole = self.graph.to_dense()

    def prepare_fused(self, program):
        self.layer = program("H(i, f) += A(i, j) * T(j, f) + b(f) then relu")
        self.last = program("Z(i, f) += A(i, j) * T(j, f) + b(f)")

    def fused(self, x):
        hidden = self.layer(A=self.graph, T=x @ self.first, b=self.first_bias)
        return F.log_softmax(self.last(A=self.graph, T=hidden @ self.second, b=self.second_bias), 1)


class Autoencoder(torch.nn.Module):
    """Weights pruned by magnitude, over columns of a batch."""

    def __init__(self, name, sparsity, generator):
        super().__init__()
        widths = AUTOENCODERS[name]
        widths = (*widths, *widths[-2::-1])
        self.layers = len(widths) - 1
        self.nonzeros = 0
        for place, (before, after) in enumerate(zip(widths, widths[1:])):
            weight = _normal(generator, after, before, scale=before**-0.5)
            least = weight.abs().flatten().kthvalue(max(1, int(sparsity * weight.numel()))).values
            weight = torch.where(weight.abs() > least, weight, 0).to_sparse_csr()
            self.nonzeros += weight.values().numel()
            self.register_parameter(f"weight{place}", torch.nn.Parameter(weight))
            self.register_parameter(f"bias{place}", torch.nn.Parameter(_normal(generator, after, 1, scale=0.1)))
        self.inputs = (_normal(generator, widths[0], BATCH),)
        self.is_dense_small = True

    def _chain(self, x, multiply):
        for place in range(self.layers):
            x = multiply(place, x) + getattr(self, f"bias{place}")
            x = torch.relu(x) if place + 1 < self.layers else torch.sigmoid(x)
        return x

    def forward(self, x):
        return self._chain(x, lambda place, x: torch.sparse.mm(getattr(self, f"weight{place}"), x))

    def dense(self, x):
        return self._chain(x, lambda place, x: self.whole[place] @ x)

    def prepare_dense(self):
        self.whole = [getattr(self, f"weight{place}").detach().to_dense().requires_grad_() for place in range(self.layers)]

    def prepare_fused(self, program):
        self.programs = [
            program(f"Y(o, n) += W(o, p) * X(p, n) + b(o) then {'relu' if place + 1 < self.layers else 'sigmoid'}")
            for place in range(self.layers)]

    def fused(self, x):
        for place, run in enumerate(self.programs):
            x = run(W=getattr(self, f"weight{place}"), X=x, b=getattr(self, f"bias{place}").view(-1))
        return x


def longformer_mask(length, window=WINDOW):
    """CSR: keys within `window` of the query, and the first token with all."""
    place = torch.arange(length)
    there = (place[:, None] - place[None, :]).abs() <= window
    there[0, :] = there[:, 0] = True
    rows, columns = there.nonzero(as_tuple=True)
    return by_rows(rows, columns, torch.ones(rows.numel()), length)


class Longformer(torch.nn.Module):
    """A transformer block with attention where the mask has elements."""

    def __init__(self, length, generator):
        super().__init__()
        self.register_buffer("mask", longformer_mask(length))
        self.nonzeros = self.mask.values().numel()
        self.register_buffer("rows", torch.repeat_interleave(torch.arange(length), self.mask.crow_indices().diff()))
        self.norms = torch.nn.ModuleList([torch.nn.LayerNorm(WIDTH) for _ in range(2)])
        self.projections = torch.nn.ModuleList([torch.nn.Linear(WIDTH, WIDTH) for _ in range(4)])
        self.inner = torch.nn.Sequential(
            torch.nn.Linear(WIDTH, INNER), torch.nn.GELU(), torch.nn.Linear(INNER, WIDTH))
        for parameter in self.parameters():
            if parameter.dim() == 2:
                parameter.data = _normal(generator, *parameter.shape, scale=parameter.shape[1]**-0.5)
        self.scale = 1 / math.sqrt(WIDTH // HEADS)
        self.inputs = (_normal(generator, length, WIDTH),)
        self.is_dense_small = True

    def _block(self, x, attend):
        queries, keys, values = (project(self.norms[0](x)).view(-1, HEADS, WIDTH // HEADS).transpose(0, 1)
                                 for project in self.projections[:3])
        x = x + self.projections[3](attend(queries, keys, values).transpose(0, 1).reshape(-1, WIDTH))
        return x + self.inner(self.norms[1](x))

    def _softmax(self, values):
        """Of each row's stored elements."""
        length = self.mask.shape[0]
        most = values.new_full((length,), -math.inf).scatter_reduce(0, self.rows, values.detach(), "amax")
        weights = torch.exp(values - most[self.rows])
        return weights / values.new_zeros(length).index_add(0, self.rows, weights)[self.rows]

    def _over_values(self, weights, values):
        found = torch.sparse_csr_tensor(self.mask.crow_indices(), self.mask.col_indices(), weights, self.mask.shape)
        return torch.sparse.mm(found, values)

    def forward(self, x):
        """Scores by gathered rows, as PyTorch takes gradients of."""
        columns = self.mask.col_indices()

        def attend(queries, keys, values):
            return torch.stack([
                self._over_values(self._softmax((q[self.rows] * k[columns]).sum(1) * self.scale), v)
                for q, k, v in zip(queries, keys, values)])

        return self._block(x, attend)

    def sampled(self, x):
        """Scores by sampled_addmm."""
        def attend(queries, keys, values):
            return torch.stack([
                self._over_values(self._softmax(torch.sparse.sampled_addmm(
                    self.mask, q, k.t(), beta=0.0, alpha=self.scale).values()), v)
                for q, k, v in zip(queries, keys, values)])

        return self._block(x, attend)

    def dense(self, x):
        return self._block(x, lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=self.whole))

    def prepare_dense(self):
        self.whole = self.mask.to_dense() != 0

    def prepare_fused(self, program):
        self.attention = program(f"""
            S(i, j) += {self.scale} * Q(i, d) * K(j, d) where M(i, j)
            m(i) += S(i, j) over "max-plus"
            E(i, j) += S(i, j) - m(i) where S(i, j) then exp
            d(i) += E(i, j)
            O(i, c) += E(i, j) * reciprocal(d(i)) * V(j, c)""")

    def fused(self, x):
        return self._block(x, lambda queries, keys, values: torch.stack(
            [self.attention(M=self.mask, Q=q, K=k, V=v) for q, k, v in zip(queries, keys, values)]))
