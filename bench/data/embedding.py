# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Indices of embedding bags and of graphs, from seeds.

Locality follows published histograms of how often a row occurs among the look-ups of a batch
(facebookresearch/dlrm_datasets, MIT; `medium` the 2022 one, `high` an older one); `low` draws
rows at random. A histogram's bin k holds the share of look-ups whose row occurs more than
2^(k-1) and at most 2^k times; rows are drawn bin by bin and shuffled. Bins that need more
occurrences than there are look-ups take the rest, so a scaled batch has less reuse than the
original. Graphs have the mean degree of their models and a power law of the given exponent
(none: every node as many, neighbours nearby).
"""

import random

MEDIUM = (.027, .023, .040, .068, .105, .120, .099, .070, .059, .054, .040, .072, .064, .047, .021, .017, .075)
HIGH = (.069, .044, .068, .101, .122, .104, .073, .058, .052, .050, .049, .048, .048, .042, .031, .042)
WIDTHS = (32, 64, 128)
BAGS, MEAN_SIZE, ROWS = 64, 40, 1 << 15
GRAPHS = (("wiki-Talk", 2.1, 1.6), ("roadNet-CA", 2.8, None), ("com-Youtube", 5.3, 2.1), ("web-Google", 5.8, 2.6))


def draw_rows(count, histogram, rows, rng):
    """`count` rows of a table, as often as the histogram says."""
    if histogram is None:
        return [rng.randrange(rows) for _ in range(count)]
    drawn, fresh = [], iter(rng.sample(range(rows), rows))
    for k, share in enumerate(histogram):
        times = max(1, (3 << k) >> 2)
        left = min(round(share * count), count - len(drawn))
        while left > 0:
            drawn += [next(fresh)] * min(times, left)
            left -= times
    while len(drawn) < count:
        drawn.append(drawn[-1])
    rng.shuffle(drawn)
    return drawn


def offsets_of(sizes):
    offsets = [0]
    for size in sizes:
        offsets.append(offsets[-1] + size)
    return offsets


def bag_case(width, locality, histogram):
    rng = random.Random(f"{width} {locality}")
    offsets = offsets_of([rng.randint(0, 2 * MEAN_SIZE) for _ in range(BAGS)])
    return {"name": f"bags, D = {width}, locality {locality}", "program": "sum", "width": width, "rows": ROWS,
            "offsets": offsets, "indices": draw_rows(offsets[-1], histogram, ROWS, rng)}


def graph_case(name, degree, exponent, program="weighted", nodes=512):
    rng = random.Random(name)
    if exponent is None:
        sizes = [int(degree) + (rng.random() < degree % 1) for _ in range(nodes)]
        indices = [(node + rng.choice((-1, 1, -40, 40))) % ROWS for node, size in enumerate(sizes) for _ in range(size)]
    else:
        weights = [(i + 1) ** (-1 / (exponent - 1)) for i in range(nodes)]
        rng.shuffle(weights)
        sizes = [round(degree * nodes * weight / sum(weights)) for weight in weights]
        popular = [(i + 1) ** (-1 / (exponent - 1)) for i in range(ROWS)]
        indices = rng.choices(range(ROWS), popular, k=sum(sizes))
    kind = "messages" if program == "messages" else "graph"
    return {"name": f"{kind}, degrees as {name}", "program": program, "width": 128, "rows": ROWS,
            "offsets": offsets_of(sizes), "indices": indices}


def triples_case(name, entities, relations, width=128, count=1024):
    """Triples whose ends follow a power law, as those of knowledge graphs do."""
    rng = random.Random(name)
    weights = [1 / (i + 1) for i in range(entities)]
    return {"name": f"triples, {name}", "program": "triples", "width": width, "rows": entities, "relations": relations,
            "heads": rng.choices(range(entities), weights, k=count), "tails": rng.choices(range(entities), weights, k=count),
            "kinds": [rng.randrange(relations) for _ in range(count)]}


def hand_cases():
    """What is compared with programs by hand: bags, messages along edges, products, triples."""
    products = (("ogbn-arxiv", 6.9, 2.3, 512), ("ogbn-mag", 7.4, 2.3, 512), ("ogbn-products", 25.3, 2.3, 256),
                ("ogbn-proteins", 298.5, 3.0, 32))
    return [case for case in cases() if case["program"] == "sum"] + \
        [graph_case(*graph, program="messages") for graph in GRAPHS] + \
        [graph_case(name, degree, exponent, nodes=nodes) for name, degree, exponent, nodes in products] + \
        [triples_case("ogbl-biokg", 93773 // 3, 51), triples_case("ogbl-wikikg2", ROWS, 535)]


def cases():
    """Nine of bags and four of graphs."""
    return [bag_case(width, locality, histogram) for width in WIDTHS
            for locality, histogram in (("low", None), ("medium", MEDIUM), ("high", HIGH))] + \
        [graph_case(*graph) for graph in GRAPHS]


def short_cases():
    """Bags of rows of one and two vectors of the engine."""
    return [bag_case(width, "medium", MEDIUM) for width in (8, 16)]


def statistics(case):
    if case["program"] == "triples":
        return {"width": case["width"], "rows": case["rows"], "relations": case["relations"], "triples": len(case["heads"]),
                "distinct": len(set(case["heads"] + case["tails"]))}
    sizes = [b - a for a, b in zip(case["offsets"], case["offsets"][1:])]
    return {"width": case["width"], "rows": case["rows"], "bags": len(sizes), "indices": len(case["indices"]),
            "distinct": len(set(case["indices"])), "empty": sizes.count(0), "longest": max(sizes)}
