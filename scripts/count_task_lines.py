#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lines of code of the programs of tasks, beside tile text and Triton, as the table of docs/tasks.md.

    python3 scripts/count_task_lines.py             prints the table
    python3 scripts/count_task_lines.py --update    writes it into the page
    python3 scripts/count_task_lines.py --check     exit status 1 if the page has another one

A line of code is one that is neither empty nor a comment. C++ is counted with its mapping, and of Triton
the kernels, without what tunes and launches them.
"""

import ast
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tasks.md"
BEGIN, END = "<!-- lines of code -->\n", "<!-- end -->\n"
# Program, tile text, file and functions of Triton, and how the code compares with the tile text's.
PROGRAMS = [
    ("gemm", "examples/gemm.mlir", "bench/triton_gemm.py", ("tile_position", "gemm_tma")),
    ("dual_gemm", "examples/dual_gemm.mlir", "bench/triton_fused.py", ("dual_gemm",)),
    ("batched_gemm", "test/Frontend/Tasks/Inputs/batched.mlir", None, ()),
    ("gemm_reduction", "examples/gemm_reduction.mlir", "bench/triton_fused.py", ("gemm_reduction",)),
    ("gemm_softmax", "examples/gemm_softmax.mlir", None, ()),
    ("split_k_gemm", "test/Frontend/Tasks/Inputs/split_k.mlir", "test/triton/corpus/matmul.py", ("matmul_split_k",)),
    ("grouped_gemm", "test/Frontend/Tasks/Inputs/grouped.mlir", "test/triton/corpus/matmul.py", ("matmul_grouped",)),
    ("attention", "examples/attention.mlir", "bench/triton_attention.py", ("walk_keys", "attention_forward")),
    ("attention_causal", "examples/attention_causal.mlir", "bench/triton_attention.py",
     ("walk_keys", "attention_forward")),
]


def count(path):
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    return sum(1 for line in lines if line.strip() and not line.strip().startswith("//"))


def count_functions(path, names):
    """Of a Python file, with decorators, without comments."""
    text = (ROOT / path).read_text(encoding="utf-8")
    lines, counted = text.splitlines(), 0
    found = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    for name in names:
        node = found[name]
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        body = lines[first - 1 : node.end_lineno]
        counted += sum(1 for line in body if line.strip() and not line.strip().startswith("#"))
    return counted


def table():
    rows = ["| program | C++ with mapping | tile text | Triton | tile text with the same code |\n",
            "|---|--:|--:|--:|---|\n"]
    for name, tile, triton, functions in PROGRAMS:
        cells = [f"`examples/task/{name}`", str(count(f"examples/task/{name}.cpp")), str(count(tile)),
                 str(count_functions(triton, functions)) if triton else "", f"`{tile}`"]
        rows.append(f"| {' | '.join(cells)} |\n".replace("|  |", "| |"))
    return "".join(rows)


def main():
    page = PAGE.read_text(encoding="utf-8")
    head, found, rest = page.partition(BEGIN)
    _, ended, tail = rest.partition(END)
    if not found or not ended:
        print(f"{PAGE}: there is no place for the table, between '{BEGIN.strip()}' and '{END.strip()}'")
        return 1
    made = head + BEGIN + table() + END + tail
    if "--update" in sys.argv[1:]:
        PAGE.write_text(made, encoding="utf-8")
    elif "--check" not in sys.argv[1:]:
        print(table(), end="")
    elif made != page:
        print(f"{PAGE}: the lines of code have changed; scripts/count_task_lines.py --update writes them")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
