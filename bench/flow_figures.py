# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures of FuseFlow (ASPLOS 2026) that bench/flow.py repeats, each as rows: granularity on models
and data, factored beside global iteration, the sweep over sparsity, the 15 orders of two nested
products, parallel copies, and exact numbers of orders. A row has the published number, where its text states one."""

import pathlib
import re

import flow_models
import flow_orders
from data import graphs

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples/sparse"
KARATE = ROOT / "test/Sparse/Inputs/karate-club.txt"

CSR = "#sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>"
GRAPHSAGE = f"""#csr = {CSR}
!graph = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>
!row = tensor<?xf32>
einsum.program @graphsage(%A: !graph, %X: !graph, %V: !dense, %W: !dense, %b: !row, %P: !dense, %Q: !dense, %c: !row) {{
  %N = einsum.statement (i, f) += %A(i, j) * %X(j, f) : !graph, !graph -> !graph
  %H = einsum.statement (i, g) += %X(i, f) * %V(f, g) + %N(i, f) * %W(f, g) + %b(g) then relu
    : !graph, !dense, !graph, !dense, !row -> !dense
  %M = einsum.statement (i, g) += %A(i, j) * %H(j, g) : !graph, !dense -> !graph
  %Y = einsum.statement (i, k) += %H(i, g) * %P(g, k) + %M(i, g) * %Q(g, k) + %c(k)
    : !dense, !dense, !graph, !dense, !row -> !dense
  einsum.return %Y : !dense
}}
"""
GLOBAL = f"""#csr = {CSR}
!graph = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>
einsum.program @layer(%A: !graph, %X: !graph, %V: !dense) {{
  %H = einsum.statement (i, g) += %A(i, j) * %X(j, f) * %V(f, g) : !graph, !graph, !dense -> !graph
  einsum.return %H : !graph
}}
"""
FACTORED = f"""#csr = {CSR}
!graph = tensor<?x?xf32, #csr>
!dense = tensor<?x?xf32>
einsum.program @layer(%A: !graph, %X: !graph, %V: !dense) {{
  %T = einsum.statement (i, f) += %A(i, j) * %X(j, f) : !graph, !graph -> !graph
  %H = einsum.statement (i, g) += %T(i, f) * %V(f, g) : !graph, !dense -> !graph
  einsum.return %H : !graph
}}
"""
# Regions of nothing fused, a layer each, and all.
MODELS = {"GCN": ("0,1,2,3,4,5,6,7", "0,0,1,1,1,1,1,1", "0,0,0,0,0,0,0,0"),
          "GraphSAGE": ("0,1,2,3", "0,0,1,1", "0,0,0,0"),
          "autoencoder": ("0,1", "0,1", "0,0"), "attention": ("0,1,2,3,4,5", "0,1,1,1,1,2", "0,0,0,0,0,0")}
# What the text states of the best granularity over none fused.
PUBLISHED = {("GCN", "Collab"): 2.6, ("GraphSAGE", "MAG"): 3.9, ("autoencoder", "best"): 1.94, ("attention", "best"): 2.7,
             ("GPT-3", "best"): 2.7}
FIFTEEN = ("ikjl", "iklj", "ijkl", "ijlk", "ilkj", "iljk", "jikl", "jilk", "jkil", "jlik", "jlki", "likj", "lijk",
           "ljik", "ljki")


class Bench:
    """Runs heddle on programs and operands in a folder."""

    def __init__(self, simulate, explain, folder, number):
        self.simulate, self.explain, self.folder, self.number = simulate, explain, pathlib.Path(folder), number

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def elements(self, name, pairs):
        return self.write(f"{re.sub('[^A-Za-z0-9]', '-', name)}.txt", "".join(f"{a} {b} 1\n" for a, b in pairs))

    def cycles(self, program, *options):
        text, seconds = self.simulate(program, *options)
        return {"cycles": self.number(r"^(\d+) cycles", text), "tokens": self.number(r"(\d+) tokens", text),
                "seconds": seconds}

    def kernels(self, program, *options):
        """The cycles of each kernel."""
        text, _ = self.simulate(program, *options)
        return [int(cycles) for cycles in re.findall(r"^\w+: \d+ processes, (\d+) cycles", text, re.M)]


def graph_operands(bench, name, nodes, edges, features, share):
    path = KARATE if edges is None else bench.elements(name, edges)
    dense = ["--pattern", "X=full"] if share == 1 else ["--density", f"X={share}"]
    return ["--view", f"A={nodes}x{nodes}", "--elements", f"A={path}", "--view", f"X={nodes}x{features}", *dense,
            "--view", f"V={features}x16"]


def graph_data(divisors):
    yield "karate club", 34, None, 24, 0.3
    for name, divisor in divisors:
        nodes, edges, features, share = graphs.published(name, divisor)
        yield name if divisor == 1 else f"{name}/{divisor}", nodes, edges, features, share


def model_runs(bench, divisors):
    """(model, data, program, options)."""
    sage = bench.write("graphsage.mlir", GRAPHSAGE)
    for name, *data in graph_data(divisors):
        graph = graph_operands(bench, name, *data)
        yield "GCN", name, EXAMPLES / "gcn_two_layers.mlir", graph + [
            "--view", "b=16", "--view", "W=16x7", "--view", "c=7"]
        yield "GraphSAGE", name, sage, graph + ["--view", f"W={data[2]}x16", "--view", "b=16", "--view", "P=16x7",
                                                "--view", "Q=16x7", "--view", "c=7"]
    for rows, side, hidden in ((5, 32, 64), (32, 16, 64), (32, 32, 64)):
        yield "autoencoder", f"{rows} of {side} x {side}", EXAMPLES / "autoencoder.mlir", [
            "--view", f"X={rows}x{side * side}", "--view", f"E={side * side}x{hidden}", "--view", f"b={hidden}",
            "--view", f"D={hidden}x{side * side}", "--view", f"c={side * side}", "--density", "E=0.5",
            "--density", "D=0.5"]
    for block in (16, 32, 64):
        mask = bench.elements(f"mask-{block}", graphs.bigbird(256, block, 0))
        yield "attention", f"blocks of {block}", EXAMPLES / "attention.mlir", [
            "--view", "M=256x256", "--elements", f"M={mask}", "--view", "Q=256x16", "--view", "K=256x16",
            "--view", "V=256x16"]


def chosen_regions(text):
    return re.search(r"^regions: (.*)$", text, re.M)[1]


def cycles_or_why(bench, program, regions, options):
    """The cycles, or the message of what is declined or has too many tokens."""
    try:
        return bench.cycles(program, "--regions", regions, *options)["cycles"]
    except RuntimeError as failure:
        return re.search(r"error: (.*)", str(failure))[1]


def fusion_limit(bench, program, unfused, regions, options):
    """None fused over a region each whose stages overlap wholly: no region ends before the longest of its stages."""
    stages = bench.kernels(program, "--regions", unfused, *options)
    # A kernel may have several statements, all of one region.
    region_of = dict(zip(unfused.split(","), regions.split(","), strict=True))
    longest = {}
    for region, cycles in zip(region_of.values(), stages, strict=True):
        longest[region] = max(longest.get(region, 0), cycles)
    return sum(stages) / sum(longest.values())


def published_best(model, data):
    return PUBLISHED.get((model, data.split("/")[0])) or PUBLISHED.get((model, "best"))


def found_cycles(text):
    return int(re.search(r"in all: ([\d ]+) cycles", text)[1].replace(" ", ""))


def granularity(bench, divisors):
    for model, data, program, options in model_runs(bench, divisors):
        row = {"model": model, "data": data}
        for name, regions in zip(("unfused", "partial", "full"), MODELS[model]):
            row[name] = cycles_or_why(bench, program, regions, options)
        text, seconds = bench.explain(program, "--regions=auto", *options)
        row["search"] = found_cycles(text)
        row["regions"], row["search_seconds"] = chosen_regions(text), seconds
        row["limit"] = fusion_limit(bench, program, *MODELS[model][:2], options)
        for name in ("partial", "full", "search"):
            if isinstance(row[name], int) and isinstance(row["unfused"], int):
                row[f"{name}_gain"] = row["unfused"] / row[name]
        yield row | {"published_best": published_best(model, data)}


def operation_runs(bench, divisors, length):
    """(model, data, program, options, regions), a statement an operation; weights are pruned to a half where the
    published ones are, or dense."""
    for name, *data in graph_data(divisors):
        graph = graph_operands(bench, name, *data)
        for share in (0.5, 1):
            def weights(sizes):
                kept = ["--density={}=0.5", "--pattern={}=full"][share == 1]
                return [word for weight, size in sizes.items()
                        for word in ([f"--view={weight}={size}"] if weight != "V" else []) + [kept.format(weight)]]
            known = f"{name}, weights {share:.0%}"
            yield "GCN", known, bench.write("gcn.mlir", flow_models.GCN), graph + weights(
                {"V": None, "W": "16x7"}) + ["--view=b=16", "--view=c=7"], flow_models.REGIONS["GCN"]
            yield "GraphSAGE", known, bench.write("sage.mlir", flow_models.GRAPHSAGE), graph + weights(
                {"V": None, "W": f"{data[2]}x16", "P": "16x7", "Q": "16x7"}) + [
                    "--view=b=16", "--view=c=7"], flow_models.REGIONS["GraphSAGE"]
    width = length // 2
    text, regions, options = flow_models.decoders(2, width, 4 * width)
    mask = bench.elements(f"mask-of-{length}", graphs.bigbird(length, 8, 0))
    yield "GPT-3", f"2 decoders, {length} x {width}", bench.write("decoders.mlir", text), options + [
        "--view", f"X={length}x{width}", "--view", f"mask={length}x{length}", "--elements", f"mask={mask}"], regions


def operations(bench, divisors, length):
    """Granularity where nothing fused means a kernel an operation. All of a graph network as one is slower and
    takes long, and is among the figures of granularity."""
    for model, data, program, options, regions in operation_runs(bench, divisors, length):
        row = {"model": model, "data": data}
        for name, division in zip(("unfused", "partial", "full"), regions):
            if name != "full" or model == "GPT-3":
                row[name] = bench.cycles(program, "--regions", division, *options)["cycles"]
        row["limit"] = fusion_limit(bench, program, *regions[:2], options)
        for name in ("partial", "full"):
            row[f"{name}_gain"] = row["unfused"] / row[name] if name in row else None
        yield row | {"published_best": published_best(model, data)}


def products(bench, divisors):
    """What FuseFlow does not do: A (X V) in place of (A X) V, where that takes fewer cycles."""
    for model, data, program, options in model_runs(bench, divisors):
        if model in ("GCN", "GraphSAGE"):
            unfused = sum(bench.kernels(program, "--regions", MODELS[model][0], *options))
            written, _ = bench.explain(program, "--regions=auto", *options)
            chosen, seconds = bench.explain(program, "--regions=auto", "--reassociate", *options)
            row = {"model": model, "data": data, "as_written": found_cycles(written), "chosen": found_cycles(chosen),
                   "regions": chosen_regions(chosen), "search_seconds": seconds}
            yield row | {"over_unfused": unfused / row["chosen"], "over_as_written": row["as_written"] / row["chosen"]}


def factored(bench, divisors):
    """A layer's two products as one space, or as two in one region."""
    one, two = bench.write("global.mlir", GLOBAL), bench.write("factored.mlir", FACTORED)
    for name, *data in graph_data(divisors):
        options = graph_operands(bench, name, *data)
        whole = bench.cycles(one, *options)["cycles"]
        parts = bench.cycles(two, "--regions", "0,0", *options)["cycles"]
        yield {"data": name, "global": whole, "factored": parts, "gain": whole / parts}


def sparsity(bench, nodes, features):
    for pattern in ("uniform", "power law", "block diagonal"):
        for percent in (50, 60, 70, 80, 90, 95):
            name = f"{pattern} {percent}"
            edges = graphs.adjacency(nodes, percent / 100, pattern, 7)
            options = graph_operands(bench, name, nodes, edges, features, 1.0) + [
                "--view", "b=16", "--view", "W=16x7", "--view", "c=7"]
            row = {"pattern": pattern, "sparsity": percent}
            for kind, regions in zip(("unfused", "partial", "full"), MODELS["GCN"]):
                row[kind] = cycles_or_why(bench, EXAMPLES / "gcn_two_layers.mlir", regions, options)
            yield row | {f"{kind}_gain": row["unfused"] / row[kind] for kind in ("partial", "full")
                         if isinstance(row[kind], int)}


def stored(indices, order):
    levels = sorted(indices, key=order.index)
    return (f"#sparse_tensor.encoding<{{ map = ({', '.join(indices)}) -> "
            f"({', '.join(f'{i} : compressed' for i in levels)}) }}>")


def fifteen_orders(bench):
    """D(i, l) = A(i, k) B(k, j) C(j, l) as two products in one region, and as one space; every tensor is stored as the
    order wants it, and each statement has its part of the order."""
    for order in FIFTEEN:
        a, b, c, t, d = (f"tensor<?x?xf64, {stored(indices, order)}>" for indices in ("ik", "kj", "jl", "ij", "il"))
        options = []
        for operand in "ABC":
            options += ["--view", f"{operand}=34x34", "--elements", f"{operand}={KARATE}"]

        def run(name, statements, indices):
            plan = "".join(f"  einsum.streams \"{result}\" order "
                           f"[{', '.join(f'{chr(34)}{i}{chr(34)}' for i in order if i in of)}] region 0\n"
                           for result, of in indices.items())
            return bench.cycles(bench.write(f"{name}-{order}.mlir", (
                f"einsum.program @nested(%A: {a}, %B: {b}, %C: {c}) {{\n{statements}"
                f"  einsum.return %D : {d}\n}}\neinsum.plan @nested {{\n{plan}}}\n")), *options)

        factored = run("factored", (
            f"  %T = einsum.statement (i, j) += %A(i, k) * %B(k, j) : {a}, {b} -> {t}\n"
            f"  %D = einsum.statement (i, l) += %T(i, j) * %C(j, l) : {t}, {c} -> {d}\n"), {"T": "ijk", "D": "ijl"})
        whole = run("global", (
            f"  %D = einsum.statement (i, l) += %A(i, k) * %B(k, j) * %C(j, l) : {a}, {b}, {c} -> {d}\n"), {"D": "ijkl"})
        yield {"order": order} | factored | {"global_cycles": whole["cycles"]}


def parallel(bench, length, width, most):
    """Attention as one region in several copies of a query's row, and of the keys in each."""
    for block in (16, 32, 64):
        pairs = graphs.bigbird(length, block, 0)
        mask = bench.elements(f"mask-{length}-{block}", pairs)
        options = ["--view", f"M={length}x{length}", "--elements", f"M={mask}", "--regions", "0,0,0,0,0,0"]
        for operand in "QKV":
            options += ["--view", f"{operand}={length}x{width}"]
        alone = None
        for copies in ([1 << n for n in range(7)] + [(4, 4), (16, 4)]):
            rows, keys = copies if isinstance(copies, tuple) else (copies, 1)
            if rows * keys > most:
                continue
            row = bench.cycles(EXAMPLES / "attention.mlir", "--parallel", f"i:{rows},j:{keys}", *options)
            alone = alone or row["cycles"]
            gain = alone / row["cycles"]
            yield {"block": block, "density": len(pairs) / length**2, "rows": rows, "keys": keys,
                   "cycles": row["cycles"], "gain": gain, "of_linear": gain / (rows * keys),
                   "seconds": row["seconds"]}


def order_counts():
    for name, published in (("gcn_two_layers", 6.3e7), ("graphsage", 1.1e3), ("attention", None), ("autoencoder", None)):
        text = GRAPHSAGE if name == "graphsage" else (EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8")
        graph = flow_orders.order_graph(text)
        yield {"program": name, "indices": len(graph), "orders": flow_orders.count_orders(graph),
               "published": published}
