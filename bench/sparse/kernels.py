#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse kernels on the CPU: heddle.sparse beside SciPy and torch.sparse.

    python3 bench/sparse/kernels.py [--json FILE] [--rounds N] [--workers N] [--small]

Matrices are generated from a seed: R-MAT, uniform, a band, a circuit's shape and pruned
weights. Rounds are those of bench/sparse/rounds.py.
A row gives each system's median time and the baseline's time over it, with a 95 % interval
by bootstrap over rounds. Results are compared with float64 before anything is timed. Peers
that are not installed are named as skipped; figures of a machine that others use at the same
time are provisional, and the load is printed beside them.
"""

import argparse
import json
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "bench"), str(ROOT / "bench/sparse")]

import protocol  # noqa: E402
import rounds as timing  # noqa: E402

try:
    import numpy as np
    import scipy
    import scipy.sparse as sp
except ImportError as missing:
    sys.exit(f"bench/sparse/kernels.py needs NumPy and SciPy, and {missing.name} is not installed")

import heddle  # noqa: E402
import heddle.sparse  # noqa: E402

try:
    import torch
except ImportError:
    torch = None


def rmat(rows, edges, generator, parts=(0.57, 0.19, 0.19, 0.05)):
    """A power-law graph: each bit of an edge's ends is drawn by `parts`."""
    bits = (rows - 1).bit_length()
    ends = np.zeros((2, edges), dtype=np.int64)
    for _ in range(bits):
        choice = generator.choice(4, size=edges, p=parts)
        ends = ends * 2 + np.stack((choice // 2, choice % 2))
    ends = ends[:, (ends < rows).all(axis=0)]
    return ends[0], ends[1], rows, rows


def uniform(rows, degree, generator):
    return (np.repeat(np.arange(rows), degree), generator.integers(0, rows, rows * degree), rows, rows)


def band(rows, width, generator):
    first = np.repeat(np.arange(rows), width)
    second = first + np.tile(np.arange(width) - width // 2, rows)
    inside = (second >= 0) & (second < rows)
    return first[inside], second[inside], rows, rows


def pruned(rows, density, generator):
    first, second = np.nonzero(generator.random((rows, rows)) < density)
    return first, second, rows, rows


def matrices(small, generator):
    scale = 10 if small else 1
    yield "R-MAT 100k", rmat(100000 // scale, 1100000 // scale, generator)
    yield "uniform 100k, 16 a row", uniform(100000 // scale, 16, generator)
    yield "band 67k, 57 a row", band(67173 // scale, 57, generator)
    yield "circuit 171k, 5.6 a row", rmat(170998 // scale, 1000000 // scale, generator, (0.3, 0.22, 0.22, 0.26))
    yield "pruned 2048, 95 %", pruned(2048 // (2 if small else 1), 0.05, generator)


def build(parts, dtype, generator):
    first, second, rows, columns = parts
    matrix = sp.coo_array((np.ones(len(first), dtype), (first, second)), shape=(rows, columns)).tocsr()
    matrix.sum_duplicates()
    matrix.data = generator.standard_normal(matrix.nnz).astype(dtype)
    matrix.indptr = matrix.indptr.astype(np.int32)
    matrix.indices = matrix.indices.astype(np.int32)
    return matrix


def cases(matrix, dtype, generator):
    """(name, {system: function}, the result in float64 as a function)."""
    rows, columns = matrix.shape
    wide = matrix.astype(np.float64)
    in_torch = None
    if torch:
        in_torch = torch.sparse_csr_tensor(
            torch.from_numpy(matrix.indptr), torch.from_numpy(matrix.indices),
            torch.from_numpy(matrix.data), matrix.shape)

    def spmm(width):
        right = generator.standard_normal((columns, width)).astype(dtype)
        systems = {"heddle": lambda: heddle.sparse.matmul(matrix, right, workers=WORKERS),
                   "scipy": lambda: matrix @ right}
        if torch:
            tensor = torch.from_numpy(right)
            systems["torch"] = lambda: (in_torch @ tensor).numpy()
        return systems, lambda: wide @ right.astype(np.float64)

    vector = generator.standard_normal(columns).astype(dtype)
    systems = {"heddle": lambda: heddle.sparse.matmul(matrix, vector, workers=WORKERS),
               "scipy": lambda: matrix @ vector}
    if torch:
        tensor = torch.from_numpy(vector)
        systems["torch"] = lambda: (in_torch @ tensor).numpy()
    yield "SpMV", systems, lambda: wide @ vector.astype(np.float64)
    for width in (8, 32, 64, 128):
        yield (f"SpMM {width}", *spmm(width))
    if matrix.nnz <= 1200000:
        yield ("SpGEMM", {"heddle": lambda: heddle.sparse.matmul(matrix, matrix, workers=WORKERS),
                          "scipy": lambda: matrix @ matrix,
                          "scipy sorted": lambda: in_order(matrix @ matrix)}, lambda: wide @ wide)
    for width in (32, 128):
        left = generator.standard_normal((rows, width)).astype(dtype)
        right = generator.standard_normal((columns, width)).astype(dtype)
        first = np.repeat(np.arange(rows), np.diff(matrix.indptr))

        def by_rows(left=left, right=right):
            # A dot for each element: the best of NumPy, since SciPy has no SDDMM.
            found = matrix.copy()
            found.data = matrix.data * np.einsum("ik,ik->i", left[first], right[matrix.indices])
            return found

        yield (f"SDDMM {width}",
               {"heddle": lambda left=left, right=right: heddle.sparse.einsum(
                   "ij,ik,jk->ij", matrix, left, right, workers=WORKERS),
                "numpy": by_rows}, by_rows)


def in_order(matrix):
    """SciPy leaves the rows of a product unsorted; heddle's are in order."""
    matrix.sort_indices()
    return matrix


def error(found, wanted):
    """The largest difference over the largest element."""
    if sp.issparse(found):
        found, wanted = found.astype(np.float64), wanted.astype(np.float64)
        return abs(found - wanted).max() / max(abs(wanted).max(), 1e-30)
    return np.abs(found - wanted).max() / max(np.abs(wanted).max(), 1e-30)


def main():
    global WORKERS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--dtype", choices=("float32", "float64"), default="float32")
    parser.add_argument("--small", action="store_true", help="matrices of a tenth the size")
    parser.add_argument("--library", default=str(ROOT / "build/lib/libheddle.so"))
    given = parser.parse_args()
    WORKERS = given.workers
    heddle.use_compiler(given.library)
    if torch:
        torch.set_num_threads(given.workers)
    else:
        print("torch is not installed: its column is skipped")
    clock, clock_is = timing.clock_for(given.workers)
    print(f"SciPy {scipy.__version__}, one thread; heddle with {given.workers}; {given.dtype}; {clock_is}; "
          f"{timing.load(given.workers)}")
    generator, rows = np.random.default_rng(0), []
    for title, parts in matrices(given.small, generator):
        matrix = build(parts, given.dtype, generator)
        for name, systems, wanted in cases(matrix, given.dtype, generator):
            largest = error(systems["heddle"](), wanted())
            if not largest < (1e-4 if given.dtype == "float32" else 1e-12):
                sys.exit(f"{title}, {name}: heddle's relative error is {largest:.3g}")
            baseline = next(peer for peer in systems if peer != "heddle")
            entries = timing.measure(systems, baseline, given.rounds, clock=clock)
            found = {peer: protocol.compare(entries, "heddle", peer) for peer in systems if peer != "heddle"}
            gap = protocol.compare(entries, baseline + " again", baseline)
            row = {"matrix": title, "nonzeros": int(matrix.nnz), "kernel": name, "error": float(largest),
                   "ms": timing.medians(entries),
                   "over": found, "a_a": gap}
            rows.append(row)
            print(f"{title:26} {name:10} heddle {row['ms']['heddle']:9.3f} ms; " + "; ".join(
                f"{peer} / heddle {ratio['ratio']:.2f} [{ratio['low']:.2f}, {ratio['high']:.2f}]"
                for peer, ratio in found.items()) + f"; A/A [{gap['low']:.2f}, {gap['high']:.2f}]", flush=True)
    if given.json:
        given.json.write_text(json.dumps({"load": os.getloadavg(), "workers": given.workers,
                                          "dtype": given.dtype, "rows": rows}, indent=1), encoding="utf-8")
    return 0


WORKERS = 1

if __name__ == "__main__":
    sys.exit(main())
