#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sam_graphs.py [OPTION...]

The 32 graphs of the Sparse Abstract Machine's suite (bench/sam_graphs.py): each is right, and takes within 2 % of the
cycles of its simulator. OPTIONs are handed on to `heddle simulate`. Prints one line, or each graph that fails.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "bench"))
import sam_graphs  # noqa: E402


def run(graph, folder, rest):
    elements, sizes = sam_graphs.operands(graph)
    path = pathlib.Path(folder) / f"{graph}.mlir"
    path.write_text(sam_graphs.program(graph), encoding="utf-8")
    done = subprocess.run(["heddle", "simulate", str(path), "--order=timed", "--engine=compiled",
                           "--max-steps=100000000", *rest,
                           *sam_graphs.options(elements, sizes, folder)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    cycles = re.search(r"^(\d+) cycles", done.stdout, re.M)
    if done.returncode or not cycles or "right" not in done.stdout:
        return None, done.stdout
    return int(cycles[1]), ""


def main():
    failures, worst = [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        for graph, (_, _, published) in sam_graphs.GRAPHS.items():
            cycles, text = run(graph, folder, sys.argv[1:])
            if cycles is None:
                failures.append(f"{graph}: {text}")
            else:
                difference = abs(cycles / published - 1)
                worst = max(worst, difference)
                if difference > 0.02:
                    failures.append(f"{graph}: {cycles} cycles, and SAM takes {published}")
    print("\n".join(failures) if failures else
          f"{len(sam_graphs.GRAPHS)} graphs right, all within {worst:.2%} of SAM's cycles")
    return len(failures) > 0


if __name__ == "__main__":
    sys.exit(main())
