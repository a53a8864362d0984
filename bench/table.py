#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the raw results of a benchmark as a Markdown table.

    python3 bench/table.py bench/results/h200-gemm.json
    python3 bench/table.py --update README.md docs/performance.md docs/lab/*.md

With --update, each file's tables between `<!-- table FILE -->` and
`<!-- end -->` are made anew from FILE; --check only says whether they are current.
`<!-- table FILE "TEXT" "TEXT" -->` keeps the rows that contain one of the texts.
"""

import argparse
import json
import os
import re
import sys

import protocol

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARKED = re.compile(r'(<!-- table (\S+)((?: "[^"]*")*) -->\n).*?(<!-- end -->)', re.DOTALL)


def cells(result, unit, speeds, baselines):
    """Speeds of the systems, then heddle's ratio to each baseline with its range."""
    found = [result["systems"].get(name, {}).get(unit) for name in speeds]
    ratios = {c["baseline"]: c for c in result["comparisons"] if c["system"] == "heddle"}
    found = ["-" if speed is None else "%.0f" % speed for speed in found]
    for name in baselines:
        ratio = ratios.get(name)
        found.append("-" if ratio is None else "%.3f [%.3f, %.3f]" % (ratio["ratio"], ratio["low"], ratio["high"]))
    return found


def gemm_row(result):
    case = ["%d x %d x %d" % tuple(result["shape"]), result["layout"], "%s, %s" % (result["in"], result["out"])]
    return case + cells(result, "tflops", ("heddle", "cublas", "triton"), ("cublas", "triton"))


def attention_case(result):
    return ["%d" % result["depth"], "yes" if result["causal"] else "no", "%d" % result["length"]]


def attention_row(result):
    return attention_case(result) + cells(result, "tflops", ("heddle", "cudnn", "triton"), ("cudnn", "triton"))


def family_row(result):
    return [result["kind"]] + attention_case(result) + cells(
        result, "tflops", ("heddle", "cudnn", "flex", "triton"), ("cudnn", "flex", "triton")
    )


def backward_row(result):
    """Three kernels ("heddle") and one ("whole"), with the largest error of all systems."""
    errors = ["%.2g" % (note["error"] * 1e4) for note in result["systems"].values() if "error" in note]
    one = protocol.compare(result["rounds"], "whole", "cudnn")
    return ["%d" % result["depth"], "%d" % result["length"]] + cells(
        result, "tflops", ("heddle", "whole", "cudnn", "flash"), ("cudnn",)
    ) + ["%.3f [%.3f, %.3f]" % (one["ratio"], one["low"], one["high"]), max(errors, key=float)]


def rowwise_row(result):
    return [result["name"]] + cells(result, "gbps", ("heddle", "torch", "copy"), ("copy", "torch"))


def fused_row(result):
    return [result["program"], "%d x %d x %d" % tuple(result["shape"])] + cells(
        result, "tflops", ("heddle", "triton"), ("triton",)
    )


def kernel_row(result):
    """Time over Triton's, as issue and users count: less is better."""
    sizes = ", ".join("%s %s" % pair for pair in result["sizes"].items())
    found = [result["systems"].get(name, {}).get("per_ms") for name in ("heddle", "triton")]
    ratios = ["%.3f" % (1 / c["ratio"]) for c in result["comparisons"] if c["system"] == "heddle"]
    return [result["name"], sizes] + ["-" if one is None else "%.3g" % one for one in found] + (ratios or ["-"])


def same_row(result):
    """Of one tile from two texts, and of other tiles."""
    speeds = [result["systems"].get(name, {}).get("per_ms") for name in ("heddle", "own", "free")]
    ratios = cells(result, "per_ms", (), ("own", "free"))
    return [result["name"]] + ["-" if one is None else "%.3f" % one for one in speeds] + [result["free"]] + ratios


def examples_row(result):
    """By exact schedules over the same by others."""
    kernel, _, sizes = result["name"].partition(", ")
    return [kernel, sizes] + cells(result, "per_ms", (), ("frozen", "heuristic", "default"))


def sums_row(result):
    """Speeds and errors; ratios where errors are alike. The other form is fast or exact."""
    systems = result["systems"]
    found = ["%d x %d x %d" % tuple(result["shape"]), {"fp8": "e4m3, f16", "f32": "f16, f32"}[result["sums"]]]
    other = next((name for name in ("heddle_fast", "heddle_exact") if name in systems), "")
    for name in ("heddle", "cublas", other, "cublas_fast"):
        note = systems.get(name, {})
        found.append("%.0f (%.1e)" % (note["tflops"], note["error"]) if "tflops" in note else "-")
    forms = ["%.3f" % c["ratio"] for c in result["comparisons"] if c["system"] == other]
    return found + cells(result, "tflops", (), ("cublas",)) + (forms or ["-"])


# By a key that this kind of result, its systems or heddle's part of it has and later ones do not:
# its row, the head, and the rule below it.
KINDS = {
    "sums": (
        sums_row,
        ["M x N x K", "in, out", "heddle (error)", "cuBLAS", "heddle's other form", "cuBLAS, fast",
         "heddle / cuBLAS", "other form / as exact"],
        "|---|---|--:|--:|--:|--:|---|---|",
    ),
    "sizes": (
        kernel_row,
        ["kernel", "sizes", "heddle, launches/ms", "Triton, launches/ms", "time, heddle / Triton"],
        "|---|---|--:|--:|--:|",
    ),
    "same": (
        same_row,
        ["kernel", "Triton's source, launches/ms", "heddle's text", "another tile", "which", "source / text",
         "source / another tile"],
        "|---|--:|--:|--:|---|---|---|",
    ),
    "gbps": (
        rowwise_row,
        ["program", "heddle", "PyTorch", "copy", "heddle / copy", "heddle / PyTorch"],
        "|---|--:|--:|--:|---|---|",
    ),
    "program": (
        fused_row,
        ["program", "M x N x K", "heddle", "Triton", "heddle / Triton"],
        "|---|---|--:|--:|---|",
    ),
    "shape": (
        gemm_row,
        ["M x N x K", "layout", "in, out", "heddle", "cuBLAS", "Triton", "heddle / cuBLAS", "heddle / Triton"],
        "|---|---|---|--:|--:|--:|---|---|",
    ),
    "kind": (
        family_row,
        ["attention", "D", "causal", "S", "heddle", "cuDNN", "Flex", "Triton", "heddle / cuDNN", "heddle / Flex",
         "heddle / Triton"],
        "|---|--:|---|--:|--:|--:|--:|--:|---|---|---|",
    ),
    "whole": (
        backward_row,
        ["D", "S", "three kernels", "one kernel", "cuDNN", "FlashAttention-2", "three / cuDNN", "one / cuDNN",
         "error, 1e-4"],
        "|--:|--:|--:|--:|--:|--:|---|---|--:|",
    ),
    "depth": (
        attention_row,
        ["D", "causal", "S", "heddle", "cuDNN", "Triton", "heddle / cuDNN", "heddle / Triton"],
        "|--:|---|--:|--:|--:|--:|---|---|",
    ),
    "per_ms": (
        examples_row,
        ["kernel", "sizes", "exact / frozen", "exact / heuristic", "exact / default"],
        "|---|---|---|---|---|",
    ),
}


def table(path, texts=()):
    """All rows, or those that contain one of `texts`, each of which some row must contain."""
    with open(os.path.join(ROOT, path)) as file:
        results = json.load(file)["results"]
    systems = results[0]["systems"]
    row, head, rule = next(
        kind for key, kind in KINDS.items() if key in results[0] or key in systems or key in systems["heddle"]
    )
    lines = ["| " + " | ".join(head) + " |", rule]
    rows = ["| " + " | ".join(row(result)) + " |" for result in results]
    for text in texts:
        if not any(text in one for one in rows):
            raise ValueError(f"{path}: no row contains {text!r}")
    rows = [one for one in rows if not texts or any(text in one for text in texts)]
    return "\n".join(lines + rows) + "\n"


def refresh(text):
    def replace(found):
        return found[1] + table(found[2], re.findall('"([^"]*)"', found[3])) + found[4]

    return MARKED.sub(replace, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stale = 0
    for path in options.files:
        if not options.update and not options.check:
            print(table(path), end="")
            continue
        with open(path) as file:
            old = file.read()
        new = refresh(old)
        stale += new != old
        if options.check and new != old:
            print(f"{path}: a table differs from its raw results; run bench/table.py --update {path}")
        if options.update:
            with open(path, "w") as file:
                file.write(new)
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
