#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of tasks with their mappings, beside the systems of the other benchmarks, on one GPU.

    python3 bench/task.py --json task.json           compiles, then times: needs a GPU and PyTorch
    python3 bench/task.py --dry                      compiles, and says what the model predicts

Kernels of examples/task are compiled under the names that bench/gemm.py and bench/attention.py time,
a folder for each mapping; those scripts time them in one run beside heddle's own kernels, cuBLAS,
cuDNN and Triton, by bench/protocol.py. The report holds theirs. Exit code: that of the worst.
"""

import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
MAPPINGS = os.path.join("examples", "task", "mappings")

# Name of the variant, kernel as the other scripts call it, program, mapping beside the program's own.
GEMM = [("tasks", "gemm_nt_f16_f16", "gemm", None)]
ATTENTION = [
    ("auto", "attention_d128", "attention", None),
    ("fa2", "attention_d128", "attention", "attention_fa2"),
    ("fa3", "attention_d128", "attention", "attention_fa3"),
]
# Sizes of a dry run.
HEADS, LENGTH, DEPTH = 16, 4096, 128
SIZES = {
    "gemm": ["a=4096x4096", "b=4096x4096", "c=4096x4096"],
    "attention": [f"{view}={HEADS}x{LENGTH}x{DEPTH}" for view in "qkvo"],
}
SCALARS = {"gemm": [], "attention": ["scale=0.0883883"]}


def heddle(options, command, program, mapping, *arguments):
    line = [options.heddle, command, os.path.join("examples", "task", program + ".mlir"), *arguments]
    if mapping:
        line.append("--mapping=" + os.path.join(MAPPINGS, mapping + ".mlir"))
    return subprocess.run(line, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)


def compile_all(options):
    """True if every kernel compiled."""
    fine = True
    for variant, kernel, program, mapping in GEMM + ATTENTION:
        folder = os.path.join(options.out, variant)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, kernel + ".ptx")
        done = heddle(options, "compile", program, mapping, "-o", path)
        fine &= done.returncode == 0
        print(f"{variant}: {path}" if done.returncode == 0 else f"{variant}: not compiled")
    return fine


def predict_all(options):
    """True if the model has a time for every mapping."""
    fine = True
    for variant, _, program, mapping in GEMM + ATTENTION:
        sizes = [text for view in SIZES[program] for text in ("--view", view)]
        sizes += [text for scalar in SCALARS[program] for text in ("--scalar", scalar)]
        done = heddle(options, "predict", program, mapping, *sizes)
        fine &= done.returncode == 0
        print(f"{variant}: {' '.join(done.stdout.split())}")
    return fine


def time_group(options, script, variants, arguments):
    """(exit code, report) of another benchmark with these variants."""
    report = os.path.join(options.out, script + ".json")
    line = [sys.executable, os.path.join(HERE, script + ".py"), "--json", report,
            "--kernel-dir", options.kernel_dir, *arguments]
    for variant, _, _, _ in variants:
        line += ["--variant", f"{variant}={os.path.join(options.out, variant)}"]
    code = subprocess.run(line, cwd=ROOT, check=False).returncode
    if not os.path.exists(report):
        return code, None
    with open(report, encoding="utf-8") as stream:
        return code, json.load(stream)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "task-kernels"))
    parser.add_argument("--kernel-dir", default=os.path.join(ROOT, "build", "kernels"),
                        help="heddle's own kernels, of bench/compile.py gemm attention")
    parser.add_argument("--preset", default="spine", help="shapes of the GEMM, as bench/gemm.py has it")
    parser.add_argument("--lengths", default="512,1024,2048,4096,8192,16384")
    parser.add_argument("--json", help="write every round here")
    parser.add_argument("--dry", action="store_true", help="compile and predict; time nothing")
    options = parser.parse_args()
    if not compile_all(options):
        return 2
    if options.dry:
        return 0 if predict_all(options) else 2
    reports, worst = {}, 0
    for script, variants, arguments in (
        ("gemm", GEMM, ["--preset", options.preset]),
        ("attention", ATTENTION, ["--depths", str(DEPTH), "--lengths", options.lengths, "--causal", "never"]),
    ):
        code, reports[script] = time_group(options, script, variants, arguments)
        worst = max(worst, code)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump(reports, stream, indent=1)
    return worst


if __name__ == "__main__":
    sys.exit(main())
