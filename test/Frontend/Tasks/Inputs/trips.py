#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""trips.py EXAMPLES: each program of tasks by the trip counts at which a pipeline may go wrong.

0, 1, D - 1, D and D + 1 iterations of a ring with D slots, as its mapping says or `heddle explain` prints,
the last one ragged, and ragged extents beside. Every run has to agree with the oracle on the emulator.
Of sums in turns and in clusters the last instance of each piece has so many iterations, behind one with all of its part.
Prints what does not; exit status 1 if anything does not.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

M, N = 72, 136
PART = 512  # of split_k_gemm
WAYS = {
    "turns": '"split_k" = "turnstile"',
    "clusters": '"split_k" = "cluster"\n  task.pin "cluster" = 4',
}


def product(k):
    return [f"a={M}x{k}", f"b={k}x{N}", f"c={M}x{N}"]


def attention(keys):
    return [f"q=1x{M}x128", f"k=1x{keys}x128", f"v=1x{keys}x128", f"o=1x{M}x128"]


SCALE = ["--scalar", "scale=0.0883883"]
# Program, elements of an iteration, views of so many elements, further options.
PROGRAMS = [
    ("gemm", 64, product, []),
    ("dual_gemm", 64, lambda k: [f"a={M}x{k}", f"b1={k}x{N}", f"b2={k}x{N}", f"c={M}x{N}"], []),
    ("batched_gemm", 64, lambda k: ["=2x".join(view.split("=")) for view in product(k)], []),
    ("gemm_reduction", 64, lambda k: [*product(k), f"y={M}"], []),
    ("gemm_softmax", 64, lambda k: [f"a={M}x{k}", f"b={k}x100", f"c={M}x100"], []),
    ("split_k_gemm", 64, product, []),
    ("split_k_gemm in turns", 64, lambda k: product(PART + k), ["--order=random"]),
    ("split_k_gemm in clusters", 64, lambda k: product(PART + k), ["--order=random"]),
    ("grouped_gemm", 64, lambda k: [f"a={M}x{k}", f"b=2x{k}x{N}", f"c={M}x{N}", "groups=1xi32"],
     ["--values", "groups=1"]),
    ("attention", 128, attention, SCALE),
    ("attention_causal", 128, attention, SCALE),
]


def heddle(*arguments):
    return subprocess.run(["heddle", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)


def text_of(name, folder):
    """The file of a program, whose sums are in turns or in clusters where its name says so."""
    example, _, way = name.partition(" in ")
    program = pathlib.Path(sys.argv[1], "task", f"{example}.mlir")
    if not way:
        return program
    edited = pathlib.Path(folder, "sums.mlir")
    edited.write_text(program.read_text().replace('"split_k" = "atomics"', WAYS[way]))
    return edited


def test(folder):
    wrong = 0
    for name, step, views, options in PROGRAMS:
        program = text_of(name, folder)
        said = heddle("explain", program).stdout
        # Of several rings those that the loop fills are the deepest.
        depth = max(int(slots) for slots in re.findall(r"^  ring \S+: (\d+) slots?$", said, re.M))
        for trips in sorted({0, 1, depth - 1, depth, depth + 1}):
            extent = step * trips - (8 if trips > depth else 0)
            sizes = [text for view in views(extent) for text in ("--view", view)]
            done = heddle("run", program, "--device=emulator", *sizes, *options)
            if done.returncode:
                wrong += 1
                print(f"{name}, {trips} iterations of a ring of {depth}: {' '.join(sizes)}\n{done.stdout}")
        print(f"{name}: {depth} slots")
    return int(wrong > 0)


def main():
    with tempfile.TemporaryDirectory() as folder:
        return test(folder)


if __name__ == "__main__":
    sys.exit(main())
