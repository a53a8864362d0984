#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flow.py [--figures] [--json FILE] [--heddle PATH] [--nodes N]

Einsums as streams on machines/fabric-ideal.json: cycles beside those of SAM's Python simulator
(SAM, ASPLOS 2023), the matrix product in every order of its indices, two graph layers divided
into regions in every way (FuseFlow, ASPLOS 2026, finds a region a layer best), and how many
tokens a second the simulator handles. All results are compared with the oracle of einsums.
Graphs are Zachary's karate club and R-MAT graphs from a seed. --figures prints tables.
"""

import argparse
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
INPUTS = ROOT / "test/Sparse/Inputs"
KARATE = INPUTS / "karate-club.txt"
# Cycles of SAM's simulator, all levels compressed; "queues of 2" hold three elements.
SAM = (("product k, i, j", "kij", 2114, ["C"], []), ("product, queues of 2", "kij", 2460, ["C"], ["--slots=3"]),
       ("sum", "sum", 199, ["C"], []), ("copy", "copy", 194, [], []), ("sampled product, 256", "sddmm", 40140, [], []))


class Failure(Exception):
    pass


def simulate(heddle, program, *options):
    """What `heddle simulate` prints, and the seconds that it took."""
    command = [heddle, "simulate", str(program), "--order=timed", "--max-steps=20000000000", *options]
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise Failure(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout, time.monotonic() - start


def number(pattern, text):
    return int(re.search(pattern, text, re.M)[1])


def conformance(heddle):
    for name, program, published, more, options in SAM:
        views = ["--view", "B=34x34", "--elements", f"B={KARATE}"]
        for operand in more:
            views += ["--view", f"{operand}=34x34", "--elements", f"{operand}={KARATE}"]
        if program == "sddmm":
            views += ["--view", "C=34x256", "--view", "D=34x256"]
        text, seconds = simulate(heddle, INPUTS / f"{program}.mlir", *views, *options)
        cycles = number(r"^(\d+) cycles", text)
        yield {"program": name, "published": published, "cycles": cycles, "difference": cycles / published - 1,
               "tokens": number(r"(\d+) tokens", text), "seconds": seconds}


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


def orders(heddle, folder):
    for order in itertools.permutations("ijk"):
        path = pathlib.Path(folder) / f"product-{''.join(order)}.mlir"
        path.write_text(product(order), encoding="utf-8")
        views = []
        for operand in "BC":
            views += ["--view", f"{operand}=34x34", "--elements", f"{operand}={KARATE}"]
        text, _ = simulate(heddle, path, *views)
        yield {"order": ", ".join(order), "cycles": number(r"^(\d+) cycles", text),
               "tokens": number(r"(\d+) tokens", text)}


def rmat(nodes, edges, seed):
    """Directed edges of a power-law graph, both ways."""
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
    return sorted(found)


def granularity(heddle, folder, nodes):
    # Cora has 2708 nodes, 10 556 directed edges, 1433 features at 1.27 %, 7 classes.
    graphs = [("karate club", 34, KARATE, 24, 0.3)]
    if nodes:
        path = pathlib.Path(folder) / "graph.txt"
        edges = rmat(nodes, 10556 * nodes // 2708, 7)
        path.write_text("".join(f"{a} {b} 1\n" for a, b in edges), encoding="utf-8")
        graphs.append((f"as Cora, {nodes} nodes, seed 7", nodes, path, 1433 * nodes // 2708, 0.05))
    for name, count, path, features, density in graphs:
        text, seconds = simulate(
            heddle, ROOT / "examples/sparse/graph_layers.mlir", "--regions=all", "--elements", f"A={path}",
            "--view", f"A={count}x{count}", "--view", f"X={count}x{features}", "--density", f"X={density}",
            "--view", f"V={features}x16", "--pattern", "V=full", "--view", "W=16x7", "--pattern", "W=full")
        for line in text.splitlines()[1:]:
            cycles, operations, words, tokens, regions = line.split(maxsplit=4)
            yield {"graph": name, "regions": regions, "cycles": int(cycles), "operations": int(operations),
                   "words": int(words), "tokens": int(tokens), "seconds_of_all": seconds}


def table(rows):
    for row in rows:
        print("  ".join(f"{value:>12.3f}" if isinstance(value, float) else f"{value!s:>12}" for value in row.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--heddle", default=str(ROOT / "build/bin/heddle"))
    parser.add_argument("--nodes", type=int, default=96, help="of the generated graph; 0 leaves it out")
    given = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory() as folder:
            results = {"conformance": list(conformance(given.heddle)),
                       "orders": list(orders(given.heddle, folder)),
                       "granularity": list(granularity(given.heddle, folder, given.nodes))}
    except Failure as failure:
        print(failure)
        return 1
    largest = max(results["conformance"], key=lambda row: row["tokens"])
    results["tokens_a_second"] = largest["tokens"] / largest["seconds"]
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    if given.figures or not given.json:
        for name in ("conformance", "orders", "granularity"):
            print(f"{name}: {', '.join(results[name][0])}")
            table(results[name])
        cycles = [row["cycles"] for row in results["orders"]]
        print(f"worst order over best: {max(cycles) / min(cycles):.1f}")
        print(f"{results['tokens_a_second']:.0f} tokens a second, oracle and processes together")
    return 0


if __name__ == "__main__":
    sys.exit(main())
