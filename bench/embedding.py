#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of rows that memory names, on one GPU, in one run: embedding bags beside
PyTorch's EmbeddingBag, sparse matrices times dense ones beside cuSPARSE and
index_select with index_add, products of rows where a matrix has elements ("sampled")
beside cuSPARSE and two index_selects, and messages along edges beside both compositions. "cut" is heddle where rows are too long for one warp
each, as heddle.sparse decides it: parts of rows, then their sums.

    python3 bench/compile.py embedding
    python3 bench/embedding.py --kernel-dir build/kernels --json embedding.json

The figure is GB/s of what a launch names: rows, indices, values, offsets, results. Rows
that a cache holds count, so that it may exceed what memory gives, whose speed the case
"read" measures. Operands are N(0,1) and several sets of them take turns; a graph holds a
launch for each set. Every result is compared with float64 before it is timed. Matrices
have the sizes, degrees and nearness of published ones, from a seed. Exit code: 0 all
timed, 1 a result was wrong, 2 a system or case could not be run, 3 bad input.
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

SYSTEMS = ("heddle", "cut", "torch", "cusparse", "index_add", "gather", "sum")
BASELINES = ("cut", "cusparse", "torch", "index_add", "gather", "sum")
TYPES = ("f32", "f16", "bf16")
EPSILON = {"f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
KINDS = ("bags", "products", "sampled", "messages")
SAMPLED = 512
BAGS = 16384
# mode, type, columns, indices a bag, ragged, rows of the table, how rows are drawn
BAG_CASES = [
    ("sum", kind, columns, 40, False, 1000000, "uniform")
    for kind in TYPES
    for columns in (64, 128, 256)
] + [
    ("sum", "f16", 128, 40, True, 1000000, "uniform"),
    ("sum", "f32", 128, 40, True, 1000000, "uniform"),
    ("sum", "f16", 128, 40, False, 1000000, "skewed"),
    ("sum", "f32", 128, 40, False, 1000000, "skewed"),
    ("sum", "f16", 128, 40, False, 10000000, "uniform"),
    ("mean", "f16", 128, 40, True, 1000000, "uniform"),
    ("max", "f32", 128, 40, True, 1000000, "uniform"),
    ("weighted", "f16", 128, 40, True, 1000000, "uniform"),
    ("weighted", "f32", 128, 40, True, 1000000, "uniform"),
]
# rows, mean and largest degree, whether degrees are alike, share of rows that columns
# stay away from the diagonal (0: anywhere)
MATRICES = {
    "circuit": (170998, 5.6, 353, False, 0.02),
    "cage": (130228, 15.6, 33, True, 0.05),
    "duct": (67173, 57, 60, True, 0.02),
    "filter": (106437, 25, 50, True, 0.01),
    "mail": (36692, 10, 1383, False, 0),
    "shop": (400727, 8, 10, True, 0),
}
PRODUCT_CASES = [
    (name, kind, columns)
    for name in MATRICES
    for kind in ("f32", "f16")
    for columns in (64, 128)
]


SAMPLED_CASES = PRODUCT_CASES
MESSAGE_CASES = PRODUCT_CASES


def torch_type(kind):
    import torch

    return {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}[kind]


def offsets_of(sizes):
    import torch

    zero = torch.zeros(1, dtype=torch.int64, device=DEVICE)
    return torch.cat([zero, sizes.long().cumsum(0)]).int()


def skewed_sizes(rows, mean, most, uniform):
    """Many small numbers and few large ones, by a power law with that mean."""
    import torch

    low, high = 1.05, 6.0
    for _ in range(50):
        exponent = (low + high) / 2
        sizes = uniform.clamp_min(1e-9).pow(-1 / (exponent - 1)).clamp_max(most).floor()
        low, high = (exponent, high) if sizes.mean().item() > mean else (low, exponent)
    return sizes.to(torch.int64)


def draw_matrix(name, seed):
    """(offsets, columns) of a matrix, columns ascending and without repeats."""
    import torch

    rows, mean, most, alike, spread = MATRICES[name]
    generator = torch.Generator(device=DEVICE).manual_seed(seed)
    uniform = torch.rand(rows, generator=generator, device=DEVICE)
    if alike:
        width = min(mean - 1, most - mean)
        sizes = (mean - width + 2 * width * uniform).round().long()
    else:
        sizes = skewed_sizes(rows, mean, most, uniform)
    row = torch.repeat_interleave(torch.arange(rows, device=DEVICE), sizes)
    if spread:
        away = torch.randn(row.numel(), generator=generator, device=DEVICE) * spread * rows
        column = (row + away.long()).remainder(rows)
    else:
        column = torch.randint(rows, (row.numel(),), generator=generator, device=DEVICE)
    places = torch.unique(row * rows + column)
    row, column = places // rows, places % rows
    return offsets_of(torch.bincount(row, minlength=rows)), column.int()


class Rows:
    """What all cases are: results, each the sum of rows of a table, times a weight or
    not; with a float64 reference on some results."""

    def __init__(self, mode, kind, table_rows, columns, offsets, indices, seed, most_sets=64):
        import torch

        self.mode, self.kind, self.columns = mode, kind, columns
        self.offsets, self.indices = offsets, indices
        dtype = torch_type(kind)
        generator = torch.Generator(device=DEVICE).manual_seed(seed)
        results = offsets.numel() - 1
        width = torch.finfo(dtype).bits // 8
        count = min(protocol.buffer_sets(width * columns * (table_rows + results)), most_sets)

        def normal(*shape):
            made = torch.empty(shape, dtype=dtype, device=DEVICE)
            for part in made.split(1 << 20):
                part.copy_(torch.randn(part.shape, generator=generator, device=DEVICE))
            return made

        self.weights = normal(indices.numel()) if mode == "weighted" else None
        self.sets = [
            (normal(table_rows, columns), torch.empty((results, columns), dtype=dtype, device=DEVICE))
            for _ in range(count)
        ]
        self.sample = torch.randperm(results, generator=generator, device=DEVICE)[:SAMPLED]
        self.bytes = width * columns * (indices.numel() + results) + 4 * (
            indices.numel() + offsets.numel()
        )
        if self.weights is not None:
            self.bytes += width * indices.numel()
        self.refer()

    def refer(self):
        import torch

        table = self.sets[0][0]
        wanted, magnitude = [], []
        for result in self.sample.tolist():
            begin, end = self.offsets[result].item(), self.offsets[result + 1].item()
            rows = table[self.indices[begin:end].long()].double()
            if self.weights is not None:
                rows = rows * self.weights[begin:end].double()[:, None]
            if self.mode == "max":
                wanted.append(rows.amax(0) if end > begin else torch.zeros_like(table[0]).double())
                magnitude.append(wanted[-1].abs())
                continue
            divisor = max(end - begin, 1) if self.mode == "mean" else 1
            wanted.append(rows.sum(0) / divisor)
            magnitude.append(rows.abs().sum(0) / divisor)
        self.wanted = torch.stack(wanted)
        # Below the least normal number, steps are of one size.
        least = torch.finfo(self.sets[0][1].dtype).tiny
        self.magnitude = torch.stack(magnitude).clamp_min(least)

    def error_of(self, launch):
        """The largest error over the sum of magnitudes, in units of the type's epsilon;
        infinite if an element was not written."""
        out = self.sets[0][1]
        if not harness.writes_all(launch, out):
            return float("inf")
        error = (out[self.sample].double() - self.wanted).abs() / self.magnitude
        return error.max().item() / EPSILON[self.kind]

    def heddle(self, options):
        kernel = harness.heddle_kernel(
            options, "bag_%s_%s_%d" % (self.mode, self.kind, self.columns)
        )
        weights = [] if self.weights is None else [self.weights]
        values = [(table, self.indices, *weights, self.offsets, out) for table, out in self.sets]
        launches = [lambda one=one: kernel(*one) for one in values]
        return launches, harness.describe_kernel(kernel, values[0]), []


class Bags(Rows):
    def torch(self):
        import torch.nn.functional as functional

        mode = "sum" if self.mode == "weighted" else self.mode
        def launch(table, out):
            return harness.returning(
                lambda: functional.embedding_bag(
                    self.indices, table, self.offsets, mode=mode,
                    per_sample_weights=self.weights, include_last_offset=True,
                ),
                out,
            )  # fmt: skip

        return [launch(*one) for one in self.sets], {"call": "torch embedding_bag"}, []


class Product(Rows):
    def matrix(self):
        import torch

        shape = (self.offsets.numel() - 1, self.sets[0][0].shape[0])
        return torch.sparse_csr_tensor(self.offsets, self.indices, self.weights, shape)

    def decide(self, options):
        """Whether rows are cut for warps, as heddle.sparse decides it, by facts of the GPU."""
        from heddle import _sparse_gpu, _sparse_rows

        kernel = harness.heddle_kernel(options, "parts_%s_%d" % (self.kind, self.columns))
        self.taken = _sparse_gpu.Matrix(self.matrix(), "A")
        warps = _sparse_gpu.warps_at_once(kernel, DEVICE)
        self.decision = self.taken.decide(_sparse_rows.tiles_of(self.columns), warps)
        return self.decision

    def cut(self, options):
        import torch

        kernels = [
            harness.heddle_kernel(options, "%s_%s_%d" % (name, self.kind, self.columns))
            for name in ("parts", "join")
        ]
        begins, targets, ends, rows = self.taken.cut(self.decision.limit)
        later = begins.numel() - 1 - self.taken.rows + rows.numel()
        rest = torch.empty((later, self.columns), device=DEVICE)

        def launch(table, out):
            def compute():
                kernels[0](begins, targets, self.indices, self.weights, table, out, rest)
                kernels[1](ends, rows, rest, out)

            return compute

        note = {"call": "parts, join", "parts": begins.numel() - 1, "rows_cut": rows.numel()}
        return [launch(*one) for one in self.sets], note, []

    def cusparse(self):
        import torch

        matrix = self.matrix()

        def launch(table, out):
            return lambda: torch.addmm(out, matrix, table, beta=0, out=out)

        return [launch(*one) for one in self.sets], {"call": "torch.addmm, beta = 0"}, []

    def torch(self):
        import torch

        matrix = self.matrix()

        def launch(table, out):
            return harness.returning(lambda: torch.sparse.mm(matrix, table), out)

        return [launch(*one) for one in self.sets], {"call": "torch.sparse.mm"}, []

    def index_add(self):
        import torch

        sizes = self.offsets[1:] - self.offsets[:-1]
        row = torch.repeat_interleave(torch.arange(sizes.numel(), device=DEVICE), sizes)

        def launch(table, out):
            def compute():
                messages = table.index_select(0, self.indices) * self.weights[:, None]
                out.zero_().index_add_(0, row, messages)

            return compute

        return [launch(*one) for one in self.sets], {"call": "index_select, index_add_"}, []


class Sampled:
    """Products of rows of two tables where a matrix has elements."""

    def __init__(self, kind, columns, offsets, indices, seed):
        import torch

        self.kind, self.columns = kind, columns
        self.offsets, self.indices = offsets, indices
        rows = offsets.numel() - 1
        dtype = torch_type(kind)
        width = torch.finfo(dtype).bits // 8
        generator = torch.Generator(device=DEVICE).manual_seed(seed)
        count = min(protocol.buffer_sets(2 * width * columns * rows), 64)

        def normal():
            return torch.randn((rows, columns), generator=generator, device=DEVICE).to(dtype)

        self.sets = [
            (normal(), normal(), torch.empty(indices.numel(), dtype=dtype, device=DEVICE))
            for _ in range(count)
        ]
        sizes = offsets[1:] - offsets[:-1]
        self.row = torch.repeat_interleave(torch.arange(rows, device=DEVICE), sizes)
        self.bytes = width * (columns * (rows + indices.numel()) + indices.numel())
        self.bytes += 4 * (indices.numel() + offsets.numel())
        places = torch.randint(indices.numel(), (1 << 16,), generator=generator, device=DEVICE)
        left, right, _ = self.sets[0]
        terms = left[self.row[places]].double() * right[indices[places].long()].double()
        self.sample, self.wanted = places, terms.sum(1)
        self.magnitude = terms.abs().sum(1).clamp_min(torch.finfo(dtype).tiny)

    def error_of(self, launch):
        out = self.sets[0][2]
        if not harness.writes_all(launch, out):
            return float("inf")
        error = (out[self.sample].double() - self.wanted).abs() / self.magnitude
        return error.max().item() / EPSILON[self.kind]

    def heddle(self, options):
        kernel = harness.heddle_kernel(options, "sddmm_%s_%d" % (self.kind, self.columns))
        values = [(left, right, self.offsets, self.indices, out) for left, right, out in self.sets]
        launches = [lambda one=one: kernel(*one) for one in values]
        return launches, harness.describe_kernel(kernel, values[0]), []

    def cusparse(self):
        import torch

        shape = (self.offsets.numel() - 1,) * 2

        def launch(left, right, out):
            # Zeros: CPUs' kernel reads them for beta = 0, too. The result is in their place.
            values = torch.zeros_like(out)
            matrix, turned = torch.sparse_csr_tensor(self.offsets, self.indices, values, shape), right.t()

            def compute():
                return torch.sparse.sampled_addmm(matrix, left, turned, beta=0, out=matrix).values()

            return harness.returning(compute, out)

        return [launch(*one) for one in self.sets], {"call": "sampled_addmm, beta = 0"}, []

    def gather(self):
        import torch

        def launch(left, right, out):
            def compute():
                products = left.index_select(0, self.row) * right.index_select(0, self.indices)
                torch.sum(products, 1, out=out)

            return compute

        return [launch(*one) for one in self.sets], {"call": "two index_selects, sum"}, []


class Messages:
    """Messages along edges: a node's row is the sum of its neighbours' rows of y, each
    times the sigmoid of its product with the node's row of x and a weight of the edge."""

    def __init__(self, kind, columns, offsets, indices, seed):
        import torch

        self.kind, self.columns = kind, columns
        self.offsets, self.indices = offsets, indices
        nodes, dtype = offsets.numel() - 1, torch_type(kind)
        width = torch.finfo(dtype).bits // 8
        generator = torch.Generator(device=DEVICE).manual_seed(seed)
        self.edges = torch.randn(indices.numel(), generator=generator, device=DEVICE)
        count = min(protocol.buffer_sets((2 * width + 4) * columns * nodes), 64)

        def normal():
            # Scores of about 1, where the sigmoid is no constant.
            drawn = torch.randn((nodes, columns), generator=generator, device=DEVICE)
            return (drawn / columns**0.25).to(dtype)

        self.sets = [
            (normal(), normal(), torch.empty((nodes, columns), device=DEVICE)) for _ in range(count)
        ]
        self.row = torch.repeat_interleave(
            torch.arange(nodes, device=DEVICE), offsets[1:] - offsets[:-1]
        )
        self.bytes = columns * (width * (nodes + indices.numel()) + 4 * nodes)
        self.bytes += 4 * (2 * indices.numel() + offsets.numel())
        self.sample = torch.randperm(nodes, generator=generator, device=DEVICE)[:SAMPLED]
        wanted, magnitude = [], []
        x, y, _ = self.sets[0]
        for node in self.sample.tolist():
            part = slice(offsets[node].item(), offsets[node + 1].item())
            rows = y[indices[part].long()].double()
            weight = torch.sigmoid(rows @ x[node].double()) * self.edges[part].double()
            wanted.append(weight @ rows)
            magnitude.append(weight.abs() @ rows.abs())
        self.wanted = torch.stack(wanted)
        self.magnitude = torch.stack(magnitude).clamp_min(torch.finfo(torch.float32).tiny)

    def error_of(self, launch):
        out = self.sets[0][2]
        if not harness.writes_all(launch, out):
            return float("inf")
        error = (out[self.sample].double() - self.wanted).abs() / self.magnitude
        return error.max().item() / EPSILON["f32"]

    def heddle(self, options):
        kernel = harness.heddle_kernel(options, "messages_%s_%d" % (self.kind, self.columns))
        values = [(x, y, self.indices, self.edges, self.offsets, out) for x, y, out in self.sets]
        launches = [lambda one=one: kernel(*one) for one in values]
        return launches, harness.describe_kernel(kernel, values[0]), []

    def cusparse(self):
        import torch

        shape = (self.offsets.numel() - 1,) * 2
        zeros = torch.zeros_like(self.edges)

        def launch(x, y, out):
            scores = torch.sparse_csr_tensor(self.offsets, self.indices, zeros, shape)
            turned = y.t()

            def compute():
                found = torch.sparse.sampled_addmm(scores, x, turned, beta=0, out=scores)
                weights = torch.sigmoid(found.values()).mul_(self.edges)
                matrix = torch.sparse_csr_tensor(
                    self.offsets, self.indices, weights, shape, check_invariants=False
                )
                return torch.addmm(out, matrix, y, beta=0, out=out)

            return compute

        return [launch(*one) for one in self.sets], {"call": "sampled_addmm, sigmoid, addmm"}, []

    def gather(self):
        import torch

        def launch(x, y, out):
            def compute():
                rows = y.index_select(0, self.indices).float()
                scores = (x.index_select(0, self.row).float() * rows).sum(1)
                weights = torch.sigmoid(scores) * self.edges
                out.zero_().index_add_(0, self.row, rows * weights[:, None])

            return compute

        return [launch(*one) for one in self.sets], {"call": "index_select, index_add_"}, []


class Read:
    """What memory gives: the sum of all elements of an array beyond the caches."""

    def __init__(self):
        import torch

        self.array = torch.randn(1 << 28, device=DEVICE)
        self.out = torch.empty((), device=DEVICE)
        self.sets = [(self.array, self.out)]
        self.bytes = 4 << 28
        self.wanted = self.array.double().sum()
        self.magnitude = self.array.abs().double().sum()

    def error_of(self, launch):
        launch()
        return ((self.out.double() - self.wanted).abs() / self.magnitude).item() / EPSILON["f32"]

    def sum(self):
        import torch

        return [lambda: torch.sum(self.array, 0, out=self.out)], {"call": "torch.sum"}, []


def make_bags(mode, kind, columns, length, ragged, table_rows, draw, seed):
    import torch

    generator = torch.Generator(device=DEVICE).manual_seed(seed + 1)
    if ragged:
        sizes = torch.randint(2 * length + 1, (BAGS,), generator=generator, device=DEVICE)
    else:
        sizes = torch.full((BAGS,), length, device=DEVICE)
    offsets = offsets_of(sizes)
    uniform = torch.rand(int(offsets[-1]), generator=generator, device=DEVICE, dtype=torch.float64)
    if draw == "skewed":  # by its logarithm
        drawn = (uniform * math.log(table_rows)).exp() - 1
    else:
        drawn = uniform * table_rows
    indices = drawn.long().clamp_(0, table_rows - 1).int()
    return Bags(mode, kind, table_rows, columns, offsets, indices, seed, most_sets=4)


def run_case(options, parameters):
    import torch

    what, *rest = parameters
    if what == "read":
        case, name, allowed = Read(), "read", 64.0
    elif what == "bags":
        case = make_bags(*rest, options.seed)
        name = "bags %s %s D=%d L=%d%s of %d rows, %s" % (
            *rest[:4], " ragged" if rest[4] else "", *rest[5:])  # fmt: skip
        # A sum of f32 is off by half an epsilon a term at most; a result is rounded once.
        allowed = 16.0 if rest[1] == "f32" else 1.5
    elif what == "messages":
        matrix, kind, columns = rest
        offsets, indices = draw_matrix(matrix, options.seed)
        case = Messages(kind, columns, offsets, indices, options.seed)
        name = "messages along %d edges of %s, rows of %d, %s" % (
            indices.numel(), matrix, columns, kind)  # fmt: skip
        # A score's rounding moves the weight of each term alike, whatever the terms' signs.
        allowed = 32.0
    elif what == "sampled":
        matrix, kind, columns = rest
        offsets, indices = draw_matrix(matrix, options.seed)
        case = Sampled(kind, columns, offsets, indices, options.seed)
        name = "products of rows of %d where %s has its %d elements, %s" % (
            columns, matrix, indices.numel(), kind)  # fmt: skip
        allowed = 16.0 if kind == "f32" else 1.5
    else:
        matrix, kind, columns = rest
        offsets, indices = draw_matrix(matrix, options.seed)
        case = Product("weighted", kind, offsets.numel() - 1, columns, offsets, indices, options.seed)
        name = "%s (%d elements) times %d columns, %s" % (matrix, indices.numel(), columns, kind)
        allowed = 16.0 if kind == "f32" else 1.5
    makers = {
        system: (lambda system=system: getattr(case, system)())
        for system in SYSTEMS
        if hasattr(case, system) and system not in ("heddle", "cut")
    }
    decision = case.decide(options) if hasattr(case, "cut") and "cut" in options.systems else None
    if decision and decision.limit:
        makers["cut"] = lambda: case.cut(options)
    if hasattr(case, "heddle"):
        makers["heddle"] = lambda: case.heddle(options)
    chosen = [system for system in options.systems if system in makers]
    systems, notes = harness.prepare(chosen, makers, case.error_of)
    # Peers add in the type of the rows where they like; only heddle is held to more.
    for system in list(systems):
        limit = allowed if system in ("heddle", "cut") else 4096.0
        if not notes[system]["error"] <= limit:
            notes[system]["wrong"] = "error of %.3g, allowed %.3g" % (notes[system]["error"], limit)
            del systems[system]

    def graph(one):
        return harness.Graph(lambda: [launch() for launch in one.launches], len(one.launches))

    systems = {system: graph(one) for system, one in systems.items()}
    result = {"name": name, "parameters": parameters, "buffer_sets": len(case.sets), "systems": notes}
    if decision:
        result["decision"] = decision.because
    result.update(
        harness.time_systems(options, systems, notes, case.bytes * 1e-9, "gbps", BASELINES)
    )
    del case, systems, makers
    torch.cuda.empty_cache()
    return result


def summary(results):
    """Geometric means of the ratios, for each kind of case, type and baseline."""
    ratios = {}
    for result in results:
        what, *rest = result["parameters"]
        for one in result["comparisons"]:
            if one["system"] == "heddle":
                ratios.setdefault((what, rest[1], one["baseline"]), []).append(one["ratio"])
    return "\n".join(
        "geometric mean, %s %s, heddle / %s: %.3f over %d, least %.3f"
        % (*key, math.exp(sum(map(math.log, found)) / len(found)), len(found), min(found))
        for key, found in sorted(ratios.items())
    )


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    harness.add_options(parser, SYSTEMS)
    parser.add_argument("--only", choices=KINDS, help="one kind of case")
    parser.add_argument("--few", action="store_true", help="one type and width of each")
    options = parser.parse_args(arguments)
    wrong = harness.check_options(options, SYSTEMS)
    if wrong:
        harness.bad_input(wrong)
    bags = [("bags", *case) for case in BAG_CASES]
    products = [("product", *case) for case in PRODUCT_CASES]
    sampled = [("sampled", *case) for case in SAMPLED_CASES]
    messages = [("messages", *case) for case in MESSAGE_CASES]
    if options.few:
        bags, products, sampled, messages = bags[4:5], products[:4], sampled[:4], messages[:4]
    options.cases = [("read",)]
    for kind, cases in zip(KINDS, (bags, products, sampled, messages)):
        options.cases += cases if options.only in (None, kind) else []
    return options


def main(arguments=None):
    options = parse_options(arguments)
    if not harness.start(options):
        return 2
    return harness.run_cases(options, options.cases, run_case, "gbps", "GB/s", summary)


if __name__ == "__main__":
    sys.exit(main())
