#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of tasks with their mappings, beside the systems of the other benchmarks, on one GPU.

    python3 bench/task.py --json task.json           compiles, then times: needs a GPU and PyTorch
    python3 bench/task.py --prepare                  compiles; needs no GPU
    python3 bench/task.py --measure --json task.json times what was compiled; needs no compiler
    python3 bench/task.py --predict                  compiles, and says what the model predicts

Kernels of examples/task are compiled under the names that the other benchmarks time, a folder for
each mapping, and timed by them (gemm.py, batched.py, fused.py, attention.py) in one process each,
by bench/protocol.py. The last table holds the ratios, each the median over rounds of the ratio
within a round, beside the least that is wanted. Exit code: that of the worst benchmark.
"""

import argparse
import json
import os
import subprocess
import sys

import protocol

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
MAPPINGS = os.path.join("examples", "task", "mappings")

# By group: folder, kernel as the other scripts call it, program, mapping beside the program's own.
KERNELS = {
    "gemm": [("tasks", "gemm_nt_f16_f16", "gemm", None)],
    "batched": [
        ("tasks", "batched_gemm", "batched_gemm", "batched_gemm_wide"),
        ("narrow", "batched_gemm", "batched_gemm", None),
    ],
    "fused": [
        ("tasks", "dual_gemm", "dual_gemm", None),
        ("tasks", "gemm_reduction", "gemm_reduction", None),
        ("tasks", "gemm_nt_f16_f16", "gemm", None),
    ],
    "attention": [
        (mapping, program + "_d128", program, None if mapping == "auto" else "attention_" + mapping)
        for mapping in ("auto", "fa2", "fa3")
        for program in ("attention", "attention_causal")
    ],
}
# The folder whose kernels are "heddle" in the other scripts' reports; others are variants.
OWN = {"gemm": "tasks", "batched": "tasks", "fused": "tasks", "attention": "auto"}
# What is asked: whose speed over whose, and the least ratio.
QUESTIONS = {
    "gemm": [("heddle", "cublas", 1.00)],
    "batched": [("heddle", "cublas", 1.00), ("narrow", "cublas", 1.00)],
    "fused": [("heddle", "gemm", 0.97), ("heddle", "triton", {"dual_gemm": 1.2, "gemm_reduction": 1.4})],
    "attention": [("heddle", "cudnn", 1.00), ("fa3", "heddle", 0.98), ("fa2", "fa3", 0.92)],
}
# Of the model's predictions.
HEADS, LENGTH, DEPTH = 16, 4096, 128
SQUARE = "4096x4096"
SIZES = {
    "gemm": [f"{view}={SQUARE}" for view in "abc"],
    "batched_gemm": [f"{view}=8x2048x2048" for view in "abc"],
    "dual_gemm": [f"{view}={SQUARE}" for view in ("a", "b1", "b2", "c")],
    "gemm_reduction": [*(f"{view}={SQUARE}" for view in "abc"), "y=4096"],
    "attention": [f"{view}={HEADS}x{LENGTH}x{DEPTH}" for view in "qkvo"],
}
SIZES["attention_causal"] = SIZES["attention"]


def heddle(options, command, program, mapping, *arguments):
    line = [options.heddle, command, os.path.join("examples", "task", program + ".mlir"), *arguments]
    if mapping:
        line.append("--mapping=" + os.path.join(MAPPINGS, mapping + ".mlir"))
    return subprocess.run(line, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)


def wanted(options):
    """Each kernel once."""
    return list(dict.fromkeys(kernel for group in options.only for kernel in KERNELS[group]))


def compile_all(options):
    """True if every kernel compiled."""
    fine = True
    for folder, kernel, program, mapping in wanted(options):
        os.makedirs(os.path.join(options.out, folder), exist_ok=True)
        path = os.path.join(options.out, folder, kernel + ".ptx")
        done = heddle(options, "compile", program, mapping, "-o", path)
        fine &= done.returncode == 0
        print(f"{folder}: {path}" if done.returncode == 0 else f"{folder}: {kernel} not compiled")
    return fine


def predict_all(options):
    """True if the model has a time for every mapping."""
    fine = True
    for folder, _, program, mapping in wanted(options):
        sizes = [text for view in SIZES[program] for text in ("--view", view)]
        if program.startswith("attention"):
            sizes += ["--scalar", "scale=0.0883883"]
        done = heddle(options, "predict", program, mapping, *sizes)
        fine &= done.returncode == 0
        print(f"{folder}: {' '.join(done.stdout.split())}")
    return fine


def time_group(options, group):
    """(exit code, report) of another benchmark with these kernels."""
    report = os.path.join(options.out, group + ".json")
    if os.path.exists(report):
        os.remove(report)
    line = [sys.executable, os.path.join(HERE, group + ".py"), "--json", report,
            "--kernel-dir", os.path.join(options.out, OWN[group]), "--warm-up", str(options.warm_up)]
    for folder in dict.fromkeys(folder for folder, *_ in KERNELS[group]):
        if folder != OWN[group]:
            line += ["--variant", f"{folder}={os.path.join(options.out, folder)}"]
    line += {
        "gemm": ["--systems", "heddle,cublas", "--preset", options.preset],
        "batched": [],
        "fused": ["--systems", "heddle,gemm,triton"],
        "attention": ["--systems", "heddle,cudnn", "--depths", str(DEPTH), "--lengths", options.lengths],
    }[group]
    if options.library:
        line += ["--library", options.library]
    code = subprocess.run(line, cwd=ROOT, check=False).returncode
    if not os.path.exists(report):
        return code, None
    with open(report, encoding="utf-8") as stream:
        return code, json.load(stream)


def answers(group, report):
    """The questions of a group, for each case that was timed."""
    for result in report["results"]:
        for name, baseline, least in QUESTIONS[group]:
            if any({name, baseline} - set(one) for one in result.get("rounds", [{}])):
                continue
            found = protocol.compare(result["rounds"], name, baseline)
            found["case"] = result["name"]
            found["least"] = least[result["program"]] if isinstance(least, dict) else least
            found["system"] = OWN[group] if name == "heddle" else name
            found["baseline"] = OWN[group] if baseline == "heddle" else baseline
            yield found


def show(ratios):
    print("| case | ratio | measured | wanted | |\n|---|---|--:|--:|---|")
    for one in ratios:
        met = "" if one["ratio"] >= one["least"] else "missed"
        print("| %s | %s / %s | %.3f [%.3f, %.3f] | %.2f | %s |" % (
            one["case"], one["system"], one["baseline"], one["ratio"], one["low"], one["high"], one["least"], met,
        ))  # fmt: skip


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--heddle", default=os.path.join(ROOT, "build", "bin", "heddle"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "task-kernels"))
    parser.add_argument("--only", default=",".join(KERNELS), help="groups, some of %s" % ", ".join(KERNELS))
    parser.add_argument("--preset", default="spine", help="shapes of the GEMM, as bench/gemm.py has it")
    parser.add_argument("--lengths", default="512,1024,2048,4096,8192,16384")
    parser.add_argument("--warm-up", type=float, default=protocol.WARM_UP_S)
    parser.add_argument("--library", help="libheddle_runtime.so, if not in build/lib")
    parser.add_argument("--json", help="write every round and the ratios here")
    parser.add_argument("--prepare", action="store_true", help="compile, and time nothing")
    parser.add_argument("--measure", action="store_true", help="time what is compiled already")
    parser.add_argument("--predict", action="store_true", help="compile and predict; time nothing")
    options = parser.parse_args()
    options.only = options.only.split(",")
    unknown = set(options.only) - set(KERNELS)
    if unknown:
        parser.error("no group %s; there are %s" % (", ".join(sorted(unknown)), ", ".join(KERNELS)))
    return options


def main():
    options = parse_options()
    if not options.measure and not compile_all(options):
        return 2
    if options.predict:
        return 0 if predict_all(options) else 2
    if options.prepare:
        return 0
    reports, ratios, worst = {}, [], 0
    for group in options.only:
        code, reports[group] = time_group(options, group)
        worst = max(worst, code)
        ratios += answers(group, reports[group]) if reports[group] else []
        if options.json:  # after every group: a later failure loses nothing
            with open(options.json, "w", encoding="utf-8") as stream:
                json.dump({"ratios": ratios, "reports": reports}, stream, indent=1)
    show(ratios)
    return worst


if __name__ == "__main__":
    sys.exit(main())
