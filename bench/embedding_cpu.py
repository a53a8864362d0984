#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Embeddings on the CPU: heddle beside PyTorch.

    python3 bench/embedding_cpu.py [--json FILE] [--only WORD] [--rounds N] [--workers N] [--small]

Bags (sums, means, maxima, weights, `padding_idx`; f32, f16, bf16; tables of 8 MB, which cores
share a cache for, and of 256 MB; three localities) beside PyTorch's `embedding_bag`, and
FBGEMM's operator if its package is there. Sparse products with the sizes of ogbn-arxiv and a
road network beside `torch.sparse` CSR, `embedding_bag` used as one, `index_add` and SciPy if it is
there. Messages along edges beside the same composed of torch.sparse's operators.

Results are compared with float64 before anything is timed, by bench/sparse/rounds.py. A line has
the median times in ms, and each system's time over heddle's with a 95 % interval. One worker is
timed by the processor's time, several by the time that passes, which needs a quiet machine.
"""

import argparse
import json
import os
import pathlib
import random
import sys
import warnings

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
# The data in front: bench/embedding.py has the same name.
sys.path[:0] = [os.path.join(ROOT, folder) for folder in (os.path.join("bench", "data"), os.path.join("bench", "sparse"), "bench", "python")]

try:
    import torch
except ImportError:
    sys.exit("bench/embedding_cpu.py needs PyTorch, which is not installed")

import embedding as data  # noqa: E402
import heddle  # noqa: E402
import heddle.sparse  # noqa: E402
import networks  # noqa: E402
import protocol  # noqa: E402
import rounds as timing  # noqa: E402

warnings.filterwarnings("ignore", message="Sparse", category=UserWarning)
F = torch.nn.functional
BAGS, MEAN = 2048, 40
MB = 1 << 20
ERRORS = {torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 2e-2}  # of the largest element
LOCALITIES = {"low": None, "medium": data.MEDIUM, "high": data.HIGH}


class Bags:
    """One bag operator on one table."""

    def __init__(self, width, dtype, megabytes, mode="sum", locality="low", weighted=False, padding=None, index="i32"):
        kind = str(dtype).rpartition(".")[2]
        self.name = f"bags {mode} {kind} D={width} {megabytes} MB {locality} {index}" + (
            " weighted" if weighted else "") + (" padding" if padding is not None else "")
        rng = random.Random(self.name)
        rows = megabytes * MB // (width * dtype.itemsize)
        offsets = data.offsets_of([rng.randint(0, 2 * MEAN) for _ in range(BAGS)])
        integers = torch.int32 if index == "i32" else torch.int64
        self.indices = torch.tensor(data.draw_rows(offsets[-1], LOCALITIES[locality], rows, rng), dtype=integers)
        self.offsets = torch.tensor(offsets[:-1], dtype=integers)
        generator = torch.Generator().manual_seed(1)
        self.table = torch.randn(rows, width, generator=generator).to(dtype)
        self.weights = torch.randn(offsets[-1], generator=generator).to(dtype) if weighted else None
        self.mode, self.padding, self.dtype = mode, padding, dtype
        self.bytes = (offsets[-1] + BAGS) * width * dtype.itemsize + offsets[-1] * self.indices.itemsize
        compiled = heddle.sparse.compile(self.torch)
        self.given = (self.table, self.indices, self.offsets, *([self.weights] if weighted else []))
        self.systems = {"torch": lambda: self.torch(*self.given), "heddle": lambda: compiled(*self.given)}
        operator = fbgemm_operator()
        if operator and mode in ("sum", "mean") and padding is None and dtype in (torch.float32, torch.float16):
            self.systems["fbgemm"] = operator(self, rows)

    def torch(self, table, indices, offsets, weights=None):
        return F.embedding_bag(indices, table, offsets, mode=self.mode, per_sample_weights=weights,
                               padding_idx=self.padding)

    def wanted(self):
        used, place = self.indices.unique(return_inverse=True)  # float64 of the rows that occur alone
        padding = None
        if self.padding is not None and bool((used == self.padding).any()):
            padding = int((used == self.padding).nonzero()[0])
        return F.embedding_bag(place, self.table[used.long()].double(), self.offsets.long(), mode=self.mode,
                               per_sample_weights=None if self.weights is None else self.weights.double(),
                               padding_idx=padding)


def fbgemm_operator():
    """A function of a case and its rows that gives FBGEMM's table-batched operator; None if it is not there."""
    try:
        from fbgemm_gpu.split_embedding_configs import SparseType
        from fbgemm_gpu.split_table_batched_embeddings_ops_common import EmbeddingLocation, PoolingMode
        from fbgemm_gpu.split_table_batched_embeddings_ops_training import (
            ComputeDevice, SplitTableBatchedEmbeddingBagsCodegen)
    except ImportError:
        return None

    def make(case, rows):
        precision = SparseType.FP16 if case.dtype is torch.float16 else SparseType.FP32
        batch = SplitTableBatchedEmbeddingBagsCodegen(
            [(rows, case.table.shape[1], EmbeddingLocation.HOST, ComputeDevice.CPU)], weights_precision=precision,
            output_dtype=precision, pooling_mode=PoolingMode.SUM if case.mode == "sum" else PoolingMode.MEAN)
        batch.split_embedding_weights()[0].copy_(case.table)
        offsets = torch.cat([case.offsets.long(), torch.tensor([case.indices.numel()])])
        return lambda: batch(case.indices.long(), offsets, case.weights)

    return make


class Product:
    """A CSR matrix times a dense one."""

    def __init__(self, name, width):
        self.name, self.dtype = f"product {name} F={width}", torch.float32
        generator = torch.Generator().manual_seed(2)
        self.matrix = graph(name, generator)
        self.x = torch.randn(self.matrix.shape[1], width, generator=generator)
        rows, columns, values = self.matrix.crow_indices(), self.matrix.col_indices(), self.matrix.values()
        self.bytes = columns.numel() * (width + 2) * 4 + self.matrix.shape[0] * width * 4
        targets = torch.repeat_interleave(torch.arange(self.matrix.shape[0]), rows.diff().long())
        sources = columns.long()
        self.systems = {
            "torch": lambda: torch.sparse.mm(self.matrix, self.x),
            "heddle": lambda: heddle.sparse.matmul(self.matrix, self.x),
            "embedding_bag": lambda: F.embedding_bag(columns, self.x, rows, mode="sum", per_sample_weights=values,
                                                     include_last_offset=True),
            "index_add": lambda: torch.zeros_like(self.x).index_add(0, targets, self.x[sources] * values[:, None]),
        }
        try:
            import scipy.sparse
        except ImportError:
            return
        theirs = scipy.sparse.csr_array((values.numpy(), columns.numpy(), rows.numpy()), tuple(self.matrix.shape))
        dense = self.x.numpy()
        self.systems["scipy"] = lambda: theirs @ dense

    def wanted(self):
        wide = torch.sparse_csr_tensor(self.matrix.crow_indices(), self.matrix.col_indices(), self.matrix.values().double(),
                                       self.matrix.shape)
        return torch.sparse.mm(wide, self.x.double())


class Messages:
    """Sigmoid of both ends' product, times the edge, times the other end's row, added up."""

    def __init__(self, name, width):
        self.name, self.dtype = f"messages {name} F={width}", torch.float32
        generator = torch.Generator().manual_seed(3)
        self.matrix = graph(name, generator)
        self.x = torch.randn(self.matrix.shape[0], width, generator=generator) * width**-0.5
        self.bytes = self.matrix.values().numel() * (2 * width + 2) * 4
        ours = heddle.sparse.program("""
            S(i, j) += X(i, e) * Y(j, e) where A(i, j) then sigmoid
            W(i, j) += S(i, j) * A(i, j)
            O(i, e) += W(i, j) * Y(j, e)""")
        self.systems = {"torch": lambda: self.torch(self.matrix, self.x),
                        "heddle": lambda: ours(A=self.matrix, X=self.x, Y=self.x)}

    @staticmethod
    def torch(matrix, x):
        scores = torch.sparse.sampled_addmm(matrix, x, x.t(), beta=0.0)
        weights = torch.sparse_csr_tensor(scores.crow_indices(), scores.col_indices(),
                                          scores.values().sigmoid() * matrix.values(), matrix.shape)
        return torch.sparse.mm(weights, x)

    def wanted(self):
        rows = self.matrix.crow_indices()
        targets = torch.repeat_interleave(torch.arange(self.matrix.shape[0]), rows.diff().long())
        found = torch.zeros(*self.x.shape, dtype=torch.float64)
        sources, values = self.matrix.col_indices().long(), self.matrix.values().double()
        for first in range(0, sources.numel(), 1 << 18):
            part = slice(first, first + (1 << 18))
            theirs = self.x[sources[part]].double()
            weights = (self.x[targets[part]].double() * theirs).sum(1).sigmoid() * values[part]
            found.index_add_(0, targets[part], theirs * weights[:, None])
        return found


def graph(name, generator):
    """A matrix of edges: with the degrees of a published graph, or a grid."""
    if name != "road":
        nodes, edges = networks.GRAPHS[name][:2]
        made = networks.normalised(nodes, edges, generator)
        return torch.sparse_csr_tensor(made.crow_indices().int(), made.col_indices().int(), made.values(), made.shape)
    side = 512
    nodes = side * side
    places = torch.arange(nodes)
    ends = torch.cat([torch.stack([places[places % side < side - 1], places[places % side < side - 1] + 1]),
                      torch.stack([places[:-side], places[side:]])], 1)
    moved = torch.rand(ends.shape[1], generator=generator) < 0.02
    ends[1, moved] = torch.randint(0, nodes, (int(moved.sum()),), generator=generator)
    codes = torch.cat([ends[0] * nodes + ends[1], ends[1] * nodes + ends[0]]).unique()
    return networks.by_rows(codes // nodes, (codes % nodes).int(), torch.rand(codes.numel(), generator=generator), nodes)


def cases(is_small):
    """Functions that make a case, one after the other: tables are large."""
    half, brain = torch.float16, torch.bfloat16
    widths = (32, 128) if is_small else (32, 64, 128, 256)
    for megabytes in (8,) if is_small else (8, 256):
        for dtype in (torch.float32, half, brain):
            for width in widths:
                yield lambda dtype=dtype, width=width, size=megabytes: Bags(width, dtype, size)
    large = 8 if is_small else 256
    for options in ({"locality": "medium"}, {"locality": "high"}, {"mode": "mean"}, {"mode": "max"}, {"weighted": True},
                    {"padding": 0}, {"index": "i64"}):
        for dtype in (torch.float32, half):
            yield lambda options=options, dtype=dtype: Bags(128, dtype, large, **options)
    for name, width in (("PubMed", 64),) if is_small else (("PubMed", 64), ("road", 64), ("arxiv", 128)):
        yield lambda name=name, width=width: Product(name, width)
        yield lambda name=name, width=width: Messages(name, width)


def check(case):
    """Each system's error against float64, of the largest element; ends at one that is too large."""
    wanted = case.wanted()
    most = max(float(wanted.abs().max()), 1e-30)
    errors = {}
    for name, system in case.systems.items():
        found = system()
        found = found if isinstance(found, torch.Tensor) else torch.from_numpy(found)
        errors[name] = float((found.double() - wanted).abs().max()) / most
        # Another system's error is its own affair, and is reported.
        if name == "heddle" and not errors[name] < ERRORS[case.dtype]:
            sys.exit(f"{case.name}: heddle's error against float64 is {errors[name]:.3g} of the largest element")
    return errors


def run(case, rounds, clock):
    errors = check(case)
    entries = timing.measure(case.systems, "heddle", rounds, None, clock)
    ms = timing.medians(entries)
    over = {name: protocol.compare(entries, "heddle", name) for name in case.systems if name != "heddle"}
    return {"case": case.name, "ms": ms, "errors": errors, "over_heddle": over,
            "gb_per_s": case.bytes / ms["heddle"] / 1e6, "a_a": protocol.compare(entries, "heddle again", "heddle")}


def describe(row):
    times = ", ".join(f"{name} {ms:.3f}" for name, ms in row["ms"].items() if not name.endswith("again"))
    ratios = ", ".join(f"{name} / heddle {found['ratio']:.2f} [{found['low']:.2f}, {found['high']:.2f}]"
                       for name, found in row["over_heddle"].items())
    return f"{times} ms; {row['gb_per_s']:.1f} GB/s; {ratios}; A/A [{row['a_a']['low']:.2f}, {row['a_a']['high']:.2f}]"


def summarise(rows):
    """The geometric mean of each system's time over heddle's, for each kind of case."""
    found = {}
    for row in rows:
        for name, over in row["over_heddle"].items():
            found.setdefault(f"{row['case'].partition(' ')[0]}, {name} / heddle", []).append(over["ratio"])
    return {name: protocol.spread(ratios) for name, ratios in found.items()}


def write(file, state, workers, rows):
    """All rows so far: a run that is ended leaves what it has."""
    file.write_text(json.dumps({"state": state, "load": os.getloadavg(), "workers": workers, "rows": rows,
                                "means": summarise(rows)}, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--only", default="", help="only cases whose name has this text")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--small", action="store_true", help="smaller tables and graphs alone")
    parser.add_argument("--library", default=os.path.join(ROOT, "build", "lib", "libheddle.so"))
    given = parser.parse_args()
    heddle.use_compiler(given.library)
    torch.set_num_threads(given.workers)
    clock, clock_is = timing.clock_for(given.workers)
    state = f"PyTorch {torch.__version__}, {given.workers} threads; {clock_is}; {timing.load(given.workers)}"
    print(state, flush=True)
    rows = []
    with torch.no_grad():
        for make in cases(given.small):
            case = make()
            if given.only in case.name:
                rows.append(run(case, given.rounds, clock))
                print(f"{case.name}: {describe(rows[-1])}", flush=True)
                if given.json:
                    write(given.json, state, given.workers, rows)
    if not rows:
        sys.exit(f"no case has '{given.only}' in its name")
    for name, found in summarise(rows).items():
        print(f"{name} {found['geomean']:.2f} in the geometric mean of {found['cases']}, {found['least']:.2f} to {found['most']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
