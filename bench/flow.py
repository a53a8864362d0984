#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flow.py [--figures] [--json FILE] [--resume JOURNAL] [--heddle PATH] [--only FIGURE] [--small] [--sam FOLDER]

Einsums as streams on machines/fabric-ideal.json: cycles beside those of SAM's Python simulator
(SAM, ASPLOS 2023) for the graphs of its suite, the matrix product in every order of its indices, the figures of FuseFlow
(ASPLOS 2026; flow_figures.py), and how many tokens a second the simulator handles. All results are
compared with the oracle of einsums. Graphs are Zachary's karate club and R-MAT graphs from a seed, with
the published sizes or, where a name says so, a part of them. --figures prints tables, the last one with what
each figure took; --resume keeps what was run in JOURNAL, so that a run that is stopped goes on; --small leaves
out what takes more than seconds; --sam runs SAM's simulator, too, from a checkout.
"""

import argparse
import itertools
import json
import pathlib
import re
import resource
import sys
import tempfile
import time

import flow_figures
import flow_runs
import sam_graphs
import sam_reference

ROOT = pathlib.Path(__file__).resolve().parent.parent
INPUTS = ROOT / "test/Sparse/Inputs"
KARATE = INPUTS / "karate-club.txt"
# Of SAM's simulator for the product in the order k, i, j where queues refuse beyond two elements: they hold three.
SHORT_QUEUES = 2460


def simulate(runs, heddle, program, *options):
    """What `heddle simulate` prints, and the seconds that it took."""
    return runs.run([heddle, "simulate", str(program), "--order=timed", "--max-steps=20000000000", *options])


def number(pattern, text):
    return int(re.search(pattern, text, re.M)[1])


def run_graph(runs, heddle, folder, sam, graph, published, options=(), columns=sam_graphs.COLUMNS):
    elements, sizes = sam_graphs.operands(graph, columns)
    path = pathlib.Path(folder) / f"{graph}.mlir"
    path.write_text(sam_graphs.program(graph), encoding="utf-8")
    text, seconds = simulate(runs, heddle, path, "--speed", *options, *sam_graphs.options(elements, sizes, folder))
    row = {"graph": graph, "published": published, "cycles": number(r"^(\d+) cycles", text),
           "tokens": number(r"(\d+) tokens", text), "seconds": seconds,
           "simulated_seconds": float(re.search(r"run in (\S+) s", text)[1])}
    if published:
        row["difference"] = row["cycles"] / published - 1
    if sam and not options:
        row["sam_cycles"], row["sam_seconds"], _ = sam.run(graph, elements, columns)
    return row


def conformance(runs, heddle, folder, sam):
    """The 32 graphs of SAM's suite, and one with short queues; beside its simulator, if there is one."""
    for graph, (_, _, published) in sam_graphs.GRAPHS.items():
        yield run_graph(runs, heddle, folder, sam, graph, published)
    yield run_graph(runs, heddle, folder, None, "matmul_kij", SHORT_QUEUES, ["--slots=3"])


def speed(runs, heddle, folder, sam):
    """Seconds of one core for a graph that is long enough for the better machine code."""
    row = run_graph(runs, heddle, folder, sam, "mat_sddmm", None, columns=64 * sam_graphs.COLUMNS)
    row["tokens_a_second"] = row["tokens"] / row["simulated_seconds"]
    row["cycles_a_second"] = row["cycles"] / row["simulated_seconds"]
    if sam:
        row["times_sam"] = row["cycles_a_second"] / (row["sam_cycles"] / row["sam_seconds"])
    yield row


def product(order):
    """X = B C whose operands and result are stored so that only this order is possible."""
    def layout(indices):
        levels = sorted(indices, key=order.index)
        dims = ", ".join(indices)
        return f"#sparse_tensor.encoding<{{ map = ({dims}) -> ({', '.join(f'{i} : compressed' for i in levels)}) }}>"
    b, c, x = (f"tensor<?x?xf64, {layout(indices)}>" for indices in ("ik", "kj", "ij"))
    return (f"einsum.program @product(%B: {b}, %C: {c}) {{\n"
            f"  %X = einsum.statement (i, j) += %B(i, k) * %C(k, j) : {b}, {c} -> {x}\n"
            f"  einsum.return %X : {x}\n}}\n")


def orders(runs, heddle, folder):
    for order in itertools.permutations("ijk"):
        path = pathlib.Path(folder) / f"product-{''.join(order)}.mlir"
        path.write_text(product(order), encoding="utf-8")
        views = []
        for operand in "BC":
            views += ["--view", f"{operand}=34x34", "--elements", f"{operand}={KARATE}"]
        text, _ = simulate(runs, heddle, path, *views)
        yield {"order": ", ".join(order), "cycles": number(r"^(\d+) cycles", text),
               "tokens": number(r"(\d+) tokens", text)}


def show(row):
    print("  ".join(f"{value:>12.3f}" if isinstance(value, float) else f"{value!s:>12}" for value in row.values()),
          flush=True)


# The part of each published graph that is run: 1 is all of it, 4 a quarter.
DIVISORS = (("Cora", 4), ("Cora_ML", 8), ("DBLP", 32), ("Collab", 512), ("MAG", 4096))


def figures(runs, given, folder, sam):
    """Each figure by name, not yet run."""
    machine, small = f"--machine={given.machine}", given.small
    bench = flow_figures.Bench(
        lambda program, *options: simulate(runs, given.heddle, program, machine, *options),
        lambda program, *options: runs.run([given.heddle, "explain", str(program), machine, *options]), folder, number)
    divisors = () if small else DIVISORS
    return {"conformance": lambda: conformance(runs, given.heddle, folder, sam),
            "speed": lambda: speed(runs, given.heddle, folder, sam),
            "orders": lambda: orders(runs, given.heddle, folder),
            "granularity": lambda: flow_figures.granularity(bench, divisors),
            "operations": lambda: flow_figures.operations(bench, divisors, 32 if small else 96),
            "factored": lambda: flow_figures.factored(bench, divisors),
            "sparsity": lambda: flow_figures.sparsity(bench, 40 if small else 100, 32),
            "parallel": lambda: flow_figures.parallel(bench, *((64, 16, 4) if small else (256, 32, 64))),
            "fifteen": lambda: flow_figures.fifteen_orders(bench), "order_counts": flow_figures.order_counts,
            "products": lambda: flow_figures.products(bench, divisors)}


def worst_over_best(rows):
    cycles = [row["cycles"] for row in rows]
    return max(cycles) / min(cycles)


def run_figure(name, rows, runs, is_shown):
    """Its rows, and what they took."""
    start, own, found = time.monotonic(), time.process_time(), []
    # Rows as they come, so that a run that is stopped has told something.
    for row in rows():
        if is_shown and not found:
            print(f"{name}: {', '.join(row)}")
        found.append(row)
        if is_shown:
            show(row)
    if is_shown and name in ("orders", "fifteen"):
        print(f"worst order over best: {worst_over_best(found):.1f}")
    spent = runs.take_spent()
    return found, {"figure": name, "commands": spent.commands, "seconds": time.monotonic() - start,
                   "processor": spent.processor + time.process_time() - own, "megabytes": spent.megabytes}


def sum_spent(rows):
    total = {"figure": "all", **{key: sum(row[key] for row in rows) for key in ("commands", "seconds", "processor")}}
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return total | {"megabytes": own + max(row["megabytes"] for row in rows)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--resume", type=pathlib.Path, metavar="JOURNAL")
    parser.add_argument("--heddle", default=str(ROOT / "build/bin/heddle"))
    parser.add_argument("--machine", default="fabric-ideal", help="for FuseFlow's figures")
    parser.add_argument("--only", action="append", help="a figure; several times for several")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--sam", type=pathlib.Path)
    given = parser.parse_args()
    runs, results, spent = flow_runs.Runs(given.resume), {}, []
    is_shown = given.figures or not given.json
    try:
        sam = sam_reference.Sam(given.sam) if given.sam else None
        with tempfile.TemporaryDirectory() as folder:
            for name, rows in figures(runs, given, folder, sam).items():
                if given.only and name not in given.only:
                    continue
                results[name], took = run_figure(name, rows, runs, is_shown)
                spent.append(took)
    except flow_runs.Failure as failure:
        print(failure)
        return 1
    spent.append(sum_spent(spent))
    if is_shown:
        print(f"spent: {', '.join(spent[0])}")
        for row in spent:
            show(row)
    if given.json:
        given.json.write_text(json.dumps(results | {"machine": given.machine, "spent": spent}, indent=1) + "\n",
                              encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
