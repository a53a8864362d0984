# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs whose texts edits.py edits, each with a launch of some milliseconds, and what the
compiler makes of them. Between them they have each way to load, to store and to multiply."""

import pathlib
import re
import subprocess
import sys

import edit_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ("manifest", "problem", "certificate", "space", "record")
JUDGES = {"tile": "program", "sched": "program", "aref": "processes", "hopper": "processes", "nvvm": "lower",
          "mapping": "mapping", "manifest": "manifest", "problem": "problem", "certificate": "certificate",
          "task": "task", "einsum": "einsum", "flow": "flow", "space": "space", "record": "record"}
RUNGS = ("tile", "sched", "aref", "hopper", "nvvm")

# With functions whose last bit is nobody's: their inputs are no whole numbers.
INEXACT = ("gemm_bias_gelu", "attention_causal", "softmax")
# NAME: file, settings, launch.
DENSE = {
    "gemm": ("examples/gemm.mlir", "BM=64 BN=64", "--view a=72x136 --view b=136x64 --view c=72x64"),
    "gemm_bias_gelu": ("examples/gemm_bias_gelu.mlir", "BM=64 BN=64",
                       "--view a=64x128 --view b=128x64 --view bias=64 --view c=64x64"),
    "gemm_int8": ("examples/gemm_int8.mlir", "BM=64 BN=64",
                  "--view a=64x128 --view b=128x64 --view scale=1x64 --view c=64x64"),
    "attention_causal": ("examples/attention_causal.mlir", "BM=64 BN=64 D=64",
                         "--view q=1x72x64 --view k=1x72x64 --view v=1x72x64 --view o=1x72x64 --scalar scale=0.125"),
    "softmax": ("examples/softmax.mlir", "", "--view x=9x100 --view y=9x100"),
    "transpose": ("examples/transpose.mlir", "", "--view x=40x72 --view y=72x40"),
    "column_sum": ("examples/column_sum.mlir", "", "--view x=70x64 --view y=64"),
    "histogram": ("examples/histogram_atomic.mlir", "",
                  "--view x=700xi32 --view counts=16 --scalar bins=16"),
    "gather_rows": ("examples/gather_rows.mlir", "",
                    "--view x=20x64 --view from=1xi32 --view to=1xi32 --view y=30x64 --scalar x_rows=20 "
                    "--scalar y_rows=30 --scalar columns=64"),
    "unfold_rows": ("examples/conv/unfold_rows.mlir", "span=tensor<512x!in>",
                    "--view x=768 --scalar images=1 --scalar h=16 --scalar w=16 --scalar c=3 --view f=3x9x64 "
                    "--view y=1x16x16x64"),
    "forward": ("examples/conv/forward.mlir", "BM=64 BN=64", "--view x=1x7x9x64 --view f=3x3x64x64 --view y=63x64"),
    "looks": ("test/EndToEnd/Inputs/rows-to-memory.mlir", "",
              "--view a=192x80 --view b=80x64 --view first=4xi32 --values first=0,60,60,124 --view c=20000 "
              "--scalar rows=3 --scalar width=64 --scalar stride=72 --scalar skip=0"),
    "sums_first": ("test/EndToEnd/Inputs/sums-first.mlir", "", "--view a=130x192 --view b=192x128 --view c=130x128"),
    "pool": ("test/EndToEnd/Inputs/pooling.mlir", "", "--view x=1x7x9x64 --view y=1x4x5x64"),
    "guarded": ("test/EndToEnd/guarded-replica.mlir", "",
                "--view a=128x96 --view b=96x128 --view c=200x128 --scalar down=-5"),
}
TASKS = {
    "task_gemm": ("examples/task/gemm.mlir", "--view a=256x64 --view b=64x256 --view c=256x256"),
}
SPARSE = {
    "spmv": ("examples/sparse/spmv.mlir", "--view A=30x40 --view x=40"),
    "spmm": ("examples/sparse/spmm.mlir", "--view A=30x40 --view B=40x64"),
}
TUNED = {"tuner": ("test/error/Inputs/tuner-space.json", "test/Tools/Inputs/tuner_program.py")}


class Case:
    """A program, its launch, and texts of each kind."""

    def __init__(self, name, path, settings, launch, tools, folder):
        self.name, self.texts = name, {}
        self.launch = launch.split() + ([] if name in INEXACT else ["--ints"])
        # What commands take that fill no arguments.
        self.arguments = re.sub(r"--values \S+", "", launch).split()
        self.settings = [word for setting in settings.split() for word in ("--set", setting)]
        self.tools, self.folder = tools, folder
        self.path = ROOT / path

    def heddle(self, *words):
        """What a command prints, or None."""
        done = subprocess.run([str(self.tools / "heddle"), *map(str, words)], capture_output=True, text=True,
                              check=False)
        return done.stdout if done.returncode == 0 else None

    def make_dense(self):
        for rung in RUNGS:
            text = self.heddle("compile", self.path, *self.settings, f"--emit={rung}", "-o", "-")
            if text:
                self.texts[rung] = edit_text.without_locations(text)
        self.written = self.folder / f"{self.name}.written.mlir"
        self.written.write_text(self.texts["tile"])
        mapping = self.heddle("compile", self.written, "--emit=mapping", "-o", "-")
        if mapping and "{" in mapping:
            self.texts["mapping"] = mapping
        self.ptx, certificates = self.folder / f"{self.name}.own.ptx", self.folder / f"{self.name}.own"
        certificates.mkdir()
        if self.heddle("compile", self.written, "-o", self.ptx, f"--certificates={certificates}") is not None:
            self.texts["manifest"] = self.ptx.with_suffix(".json").read_text()
        for file in sorted(certificates.iterdir()):
            self.texts["certificate"] = file.read_text()
        problem = self.folder / f"{self.name}.own.problem.json"
        if self.heddle("explain", self.written, f"--problem={problem}") is not None and problem.exists():
            self.texts["problem"] = problem.read_text()

    def make_task(self):
        self.texts["task"] = edit_text.without_locations(self.path.read_text())
        self.written = self.folder / f"{self.name}.written.mlir"
        self.written.write_text(self.texts["task"])
        self.texts["mapping"] = self.heddle("compile", self.path, "--emit=mapping", "-o", "-")

    def make_sparse(self):
        self.texts["einsum"] = edit_text.without_locations(
            self.heddle("compile", self.path, "--emit=einsum", "-o", "-"))
        flow = self.heddle("compile", self.path, "--emit=flow", "-o", "-")
        if flow:
            self.texts["flow"] = edit_text.without_locations(flow)

    def make_tuned(self):
        """A space, and what a search in it wrote down; the launch is the program that measures."""
        record = self.folder / f"{self.name}.own.jsonl"
        self.heddle("tune", self.path, "--budget=8", f"--record={record}",
                    f"--command={sys.executable} {ROOT / self.launch[0]}")
        self.texts = {"space": self.path.read_text(), "record": record.read_text()}


def make(tools, folder, only):
    """The cases, as far as they are asked for."""
    listed = [(name, path, settings, launch, Case.make_dense) for name, (path, settings, launch) in DENSE.items()]
    listed += [(name, path, "", launch, Case.make_task) for name, (path, launch) in TASKS.items()]
    listed += [(name, path, "", launch, Case.make_sparse) for name, (path, launch) in SPARSE.items()]
    listed += [(name, path, "", launch, Case.make_tuned) for name, (path, launch) in TUNED.items()]
    for name, path, settings, launch, make_texts in listed:
        if not only or name in only:
            case = Case(name, path, settings, launch, tools, folder)
            make_texts(case)
            case.texts = {kind: text for kind, text in case.texts.items() if text and text.strip()}
            yield case
