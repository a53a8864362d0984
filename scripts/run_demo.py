#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs the examples and ends with one line: demo: N passed, M failed.

An example says in its opening comment how it is run, once or several times:
    // heddle run gemm.mlir --view a=256x192 --view b=192x320
    //   --view c=256x320
Each runs on the GPU where there is one, else on the emulator, einsums on the CPU, and is compared
with the oracle; a line `heddle simulate` runs on the machine that it names. One whose comment says `Not compiled yet` is left out. At the end the tuner finds
tiles for one of them. Exit status 1 if any failed or none ran.
"""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUN_LINE = re.compile(r"^//\s*heddle run \S+\s+(.*(?:\n//\s+--.*)*)", re.MULTILINE)
SIMULATED_LINE = re.compile(r"^//\s*heddle simulate \S+\s+(.*(?:\n//\s+--.*)*)", re.MULTILINE)
NOT_COMPILED = re.compile(r"^// Not compiled yet: .*", re.MULTILINE)


def why_left_out(example):
    """What an example that the compiler declines says of itself, or None."""
    found = NOT_COMPILED.search(example.read_text(encoding="utf-8"))
    return found and found[0].removeprefix("// ")


def runs_of(example, line=RUN_LINE):
    """The arguments of each run, or simulation, that the example's comment asks for."""
    text = example.read_text(encoding="utf-8")
    return [shlex.split(arguments.replace("//", " ")) for arguments in line.findall(text)]


def settings_of(arguments):
    """Those of a run's arguments that choose the kernel, for `heddle explain`."""
    chosen = []
    for index, argument in enumerate(arguments):
        if argument.startswith("--set="):
            chosen.append(argument)
        elif argument == "--set":
            chosen += arguments[index:index + 2]
    return chosen


def show(title, command):
    """Runs `command` with its output on the terminal; true if it succeeded."""
    print(title, flush=True)
    status = subprocess.run([str(word) for word in command]).returncode
    if status:
        print(f"exit status {status}", flush=True)
    return status == 0


def run_example(heddle, example, device):
    """Yields for each run whether it passed."""
    reason = why_left_out(example)
    if reason:
        print(f"\n=== {example.name}\n{reason}", flush=True)
        return
    explained = None
    runs = runs_of(example)
    if not runs:
        print(f"{example.name}: its comment has no `heddle run` line")
        yield False
    for arguments in runs:
        settings = settings_of(arguments)
        print(f"\n=== {example.name} {' '.join(settings)}".rstrip(), flush=True)
        passed = True
        if settings != explained:
            passed = show("schedule:", [heddle, "explain", example, *settings])
            explained = settings
        line = f"heddle run {example.name} {shlex.join(arguments)}"
        yield show(line, [heddle, "run", example, *arguments, f"--device={device}"]) and passed
    for arguments in runs_of(example, SIMULATED_LINE):
        yield show(f"heddle simulate {example.name} {shlex.join(arguments)}",
                   [heddle, "simulate", example, *arguments])


def run_tuning(heddle):
    """Whether the tuner found tiles of examples/gemm.mlir, by the schedules that they get."""
    space = ROOT / "examples/tune/gemm_tiles.json"
    program = f"{shlex.quote(sys.executable)} {shlex.quote(str(space.with_suffix('.py')))}"
    os.environ["HEDDLE"] = str(heddle)
    return show(f"\n=== {space.name}\nheddle tune {space.name} --command {shlex.quote(space.stem + '.py')}",
                [heddle, "tune", space, "--command", program])


def run_streams(heddle):
    """Whether the divisions of two graph layers into regions of streams all give the oracle's result."""
    example = ROOT / "examples/sparse/graph_layers.mlir"
    sizes = [word for view in ("A=34x34", "X=34x24", "V=24x16", "W=16x4") for word in ("--view", view)]
    options = [*sizes, "--density", "A=0.13", "--density", "X=0.3", "--pattern", "V=full", "--pattern", "W=full",
               "--order=timed", "--regions=all"]
    return show(f"\n=== {example.name} as streams\nheddle simulate {example.name} {shlex.join(options)}",
                [heddle, "simulate", example, *options])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build", help="the build folder")
    parser.add_argument("--device", default="auto", choices=["auto", "gpu", "emulator"])
    parser.add_argument("examples", nargs="*", type=pathlib.Path,
                        help="files to run (default: all in examples/)")
    options = parser.parse_args()

    heddle = ROOT / options.build / "bin" / "heddle"
    folder = ROOT / "examples"
    patterns = ("*.mlir", "task/*.mlir", "conv/*.mlir", "sparse/*.mlir", "embedding/*.mlir")
    found = [path for pattern in patterns for path in sorted(folder.glob(pattern))]
    examples = options.examples or found
    results = [passed for example in examples
               for passed in run_example(heddle, example, options.device)]
    if not options.examples:
        results.append(run_tuning(heddle))
        results.append(run_streams(heddle))
    passed = sum(results)
    print(f"\ndemo: {passed} passed, {len(results) - passed} failed")
    return 0 if results and passed == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
