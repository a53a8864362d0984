#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the raw results of the benchmarks as SVG.

    python3 bench/plot.py            # writes docs/*-speed.svg
    python3 bench/plot.py --check    # status 1 if one is not what its results say

A picture lies on a card of its own, light or dark as the reader prefers. Systems are
told apart by colour, marker and their names at the ends of their lines.
"""

import argparse
import dataclasses
import json
import math
import os
import sys
from xml.sax.saxutils import escape

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# System -> its name, class of colour (Okabe and Ito's, for any eyes) and marker.
SYSTEMS = {
    "heddle": ("heddle", "first", "circle"),
    "cublas": ("cuBLAS", "second", "square"),
    "cudnn": ("cuDNN", "second", "square"),
    "triton": ("Triton", "third", "triangle"),
}

STYLE = """
text { font-family: sans-serif; font-size: 11px; }
.title { font-size: 15px; font-weight: bold; }
.panel { font-size: 12px; font-weight: bold; }
.name { font-size: 12px; font-weight: bold; }
.middle { text-anchor: middle; }
.end { text-anchor: end; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.one { stroke-width: 1.2; stroke-dasharray: 4 3; }
.card { fill: #ffffff; stroke: #d5dae1; }
.title, .panel { fill: #1c2430; }
.quiet { fill: #5b6675; }
.grid { stroke: #e3e7ec; }
.one { stroke: #5b6675; }
.first { stroke: #0072b2; fill: #0072b2; }
.second { stroke: #d55e00; fill: #d55e00; }
.third { stroke: #00805c; fill: #00805c; }
text.first, text.second, text.third { stroke: none; }
@media (prefers-color-scheme: dark) {
  .card { fill: #161b22; stroke: #30363d; }
  .title, .panel { fill: #e6edf3; }
  .quiet { fill: #9aa5b1; }
  .grid { stroke: #2a3038; }
  .one { stroke: #9aa5b1; }
  .first { stroke: #56b4e9; fill: #56b4e9; }
  .second { stroke: #f0913e; fill: #f0913e; }
  .third { stroke: #2fc797; fill: #2fc797; }
}
.line.first, .line.second, .line.third { fill: none; }
"""

PLOT_WIDTH, PLOT_HEIGHT = 330, 210
LEFT, RIGHT, TOP, BOTTOM = 52, 82, 34, 44  # around a plot, for its texts
HEAD = 52  # above the panels
LABEL_STEP = 14  # between the names at the ends of lines


@dataclasses.dataclass
class Panel:
    """Lines over a logarithmic axis: system -> [(x, y, low, high)]; low and high are
    None without an interval."""

    title: str
    x_label: str
    lines: dict
    around_one: bool = False  # ratios: the axis need not begin at 0
    beside: list = dataclasses.field(default_factory=list)  # panels with the same axes


def number(value):
    """Coordinates as short text, the same on every machine."""
    return ("%.1f" % value).rstrip("0").rstrip(".")


def text(x, y, words, classes):
    return '<text x="%s" y="%s" class="%s">%s</text>' % (number(x), number(y), classes, escape(words))


def line(x1, y1, x2, y2, classes):
    return '<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>' % (
        number(x1), number(y1), number(x2), number(y2), classes,
    )  # fmt: skip


def marker(shape, x, y, classes):
    if shape == "circle":
        return '<circle cx="%s" cy="%s" r="3.5" class="%s"/>' % (number(x), number(y), classes)
    corners = {
        "square": ((-3.2, -3.2), (3.2, -3.2), (3.2, 3.2), (-3.2, 3.2)),
        "triangle": ((0, -4.2), (4, 3.2), (-4, 3.2)),
    }[shape]
    points = " ".join("%s,%s" % (number(x + dx), number(y + dy)) for dx, dy in corners)
    return '<polygon points="%s" class="%s"/>' % (points, classes)


def tick_step(span):
    """A round step that cuts the span into four to eight."""
    step = 10.0 ** math.floor(math.log10(span / 4))
    return next(step * factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 8)


def points_of(panel):
    """All of the panel and of those with the same axes."""
    return [
        point for one in panel.beside or [panel] for line in one.lines.values() for point in line
    ]


def y_range(panel):
    """(lowest, highest, step) of the axis."""
    values = [y for _, *ys in points_of(panel) for y in ys if y is not None]
    low, high = (min(values + [1]), max(values + [1])) if panel.around_one else (0, max(values))
    step = tick_step((high - low) or 1)
    # A little room above the highest point.
    return math.floor(low / step) * step, math.ceil(high / step + 0.1) * step, step


def spread(places, step):
    """The places, moved as little as it takes for neighbours to be `step` apart."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = [places[index] for index in order]
    for _ in range(100):
        for i in range(1, len(moved)):
            gap = step - (moved[i] - moved[i - 1])
            if gap > 1e-9:
                moved[i - 1] -= gap / 2
                moved[i] += gap / 2
    return [moved[order.index(index)] for index in range(len(places))]


def draw_panel(panel, left, top):
    """The panel's SVG, its plot's corner at (left, top)."""
    xs = sorted({x for x, *_ in points_of(panel)})
    first, last = math.log2(xs[0]), math.log2(xs[-1])
    low, high, step = y_range(panel)
    digits = max(0, -math.floor(math.log10(step)))

    def place(x, y):
        share = (math.log2(x) - first) / ((last - first) or 1)
        return left + 10 + share * (PLOT_WIDTH - 20), top + PLOT_HEIGHT * (high - y) / (high - low)

    svg = [text(left, top - 12, panel.title, "panel")]
    for index in range(round((high - low) / step) + 1):
        value = low + index * step
        y = place(xs[0], value)[1]
        svg.append(line(left, y, left + PLOT_WIDTH, y, "grid"))
        svg.append(text(left - 6, y + 4, "%.*f" % (digits, value), "quiet end"))
    for x in xs:
        svg.append(text(place(x, low)[0], top + PLOT_HEIGHT + 16, "%d" % x, "quiet middle"))
    svg.append(text(left + PLOT_WIDTH / 2, top + PLOT_HEIGHT + 34, panel.x_label, "quiet middle"))
    if panel.around_one:
        y = place(xs[0], 1)[1]
        svg.append(line(left, y, left + PLOT_WIDTH, y, "one"))
    return svg + draw_lines(panel, place)


def draw_lines(panel, place):
    svg, ends = [], []
    # heddle last, on top of the others.
    for system in sorted(panel.lines, key=lambda system: system == "heddle"):
        name, colour, shape = SYSTEMS[system]
        points = sorted(panel.lines[system])
        path = " ".join("%s,%s" % tuple(map(number, place(x, y))) for x, y, *_ in points)
        svg.append('<polyline points="%s" class="line %s"/>' % (path, colour))
        for x, y, low, high in points:
            if low is not None:
                svg.append(line(*place(x, low), *place(x, high), colour))
            svg.append(marker(shape, *place(x, y), colour))
        ends.append((*place(*points[-1][:2]), name, colour))
    heights = spread([y for _, y, _, _ in ends], LABEL_STEP)
    for height, (x, _, name, colour) in zip(heights, ends):
        svg.append(text(x + 14, height + 4, name, "name " + colour))
    return svg


def draw(title, subtitle, rows):
    """A whole picture of rows of panels."""
    cell_width, cell_height = LEFT + PLOT_WIDTH + RIGHT, TOP + PLOT_HEIGHT + BOTTOM
    width = cell_width * max(len(row) for row in rows)
    height = HEAD + cell_height * len(rows) + 4
    svg = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">'
        % (width, height, width, height),
        "<title>%s</title>" % escape(title),
        "<style>%s</style>" % STYLE,
        '<rect x="0.5" y="0.5" width="%d" height="%d" rx="6" class="card"/>' % (width - 1, height - 1),
        text(20, 26, title, "title"),
        text(20, 44, subtitle, "quiet"),
    ]
    for i, row in enumerate(rows):
        for j, panel in enumerate(row):
            svg += draw_panel(panel, j * cell_width + LEFT, HEAD + i * cell_height + TOP)
    return "\n".join(svg + ["</svg>", ""])


def speeds(results, x_of, systems):
    lines = {}
    for system in systems:
        points = [
            (x_of(result), result["systems"][system]["tflops"], None, None)
            for result in results
            if "tflops" in result["systems"].get(system, {})
        ]
        if points:
            lines[system] = points
    return lines


def ratios(results, x_of, baselines):
    """heddle to each of the others, drawn as the other's line."""
    lines = {}
    for result in results:
        for one in result["comparisons"]:
            if one["system"] == "heddle" and one["baseline"] in baselines:
                point = (x_of(result), one["ratio"], one["low"], one["high"])
                lines.setdefault(one["baseline"], []).append(point)
    return lines


def where(environment):
    return "%s, %s, N(0, 1) data, medians of %d interleaved rounds" % (
        environment["gpu"], environment["date"][:10], environment["protocol"]["rounds"],
    )  # fmt: skip


def gemm_picture(data):
    results = [r for r in data["results"] if r["shape"][:2] == [8192, 8192]]
    k_of = lambda result: result["shape"][2]
    panels = [
        Panel("TFLOP/s", "K", speeds(results, k_of, ("heddle", "cublas", "triton"))),
        Panel(
            "heddle / each, with 95 % intervals", "K",
            ratios(results, k_of, ("cublas", "triton")), around_one=True,
        ),
    ]  # fmt: skip
    one = results[0]
    title = "GEMM, M = N = 8192, %s in, %s out" % (one["in"], one["out"])
    return draw(title, where(data["environment"]), [panels])


def attention_picture(data):
    rows = []
    for depth in sorted({result["depth"] for result in data["results"]}, reverse=True):
        row = []
        for causal in (False, True):
            results = [r for r in data["results"] if (r["depth"], r["causal"]) == (depth, causal)]
            lines = speeds(results, lambda r: r["length"], ("heddle", "cudnn", "triton"))
            name = "D = %d, %s: TFLOP/s" % (depth, "causal" if causal else "not causal")
            if lines:
                row.append(Panel(name, "S", lines))
        rows.append(row)
    panels = [panel for row in rows for panel in row]
    for panel in panels:
        panel.beside = panels
    one = data["results"][0]
    title = "Attention forward, f16, B S = %d, H D = %d" % (
        one["batch"] * one["length"], one["heads"] * one["depth"],
    )  # fmt: skip
    return draw(title, where(data["environment"]), rows)


PICTURES = {
    "docs/gemm-speed.svg": ("bench/results/h200-gemm-spine.json", gemm_picture),
    "docs/attention-speed.svg": ("bench/results/h200-attention.json", attention_picture),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stale = 0
    for path, (source, picture) in PICTURES.items():
        with open(os.path.join(ROOT, source), encoding="utf-8") as file:
            new = picture(json.load(file))
        target = os.path.join(ROOT, path)
        if not options.check:
            with open(target, "w", encoding="utf-8") as file:
                file.write(new)
            continue
        if not os.path.exists(target) or open(target, encoding="utf-8").read() != new:
            print(f"{path} differs from {source}; run bench/plot.py")
            stale += 1
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
