#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps what a build makes of every program, to compare it with what another build makes.

    freeze.py write FOLDER [--heddle build/bin/heddle]     before a change
    freeze.py compare FOLDER [--heddle build/bin/heddle]   after it: exit status 1 if anything differs

Frozen are the PTX, the manifest and the schedule of every example by every method of scheduling, of
the programs on the aref rung and of Triton's corpus. A program that does not compile is frozen with
its message.
"""

import argparse
import concurrent.futures
import filecmp
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
METHODS = ("auto", "heuristic", "in-step", "exact")


def programs():
    """(name, source, options) of everything that is frozen."""
    for source in sorted((ROOT / "examples").glob("*.mlir")):
        for method in METHODS:
            yield f"{source.stem}.{method}", source, [f"--schedule={method}"]
    for source in sorted((ROOT / "examples" / "aref").glob("*.mlir")):
        yield f"aref.{source.stem}", source, []
    for source in sorted((ROOT / "test" / "triton" / "ttir").glob("*/*.ttir")):
        yield f"triton-{source.parent.name}.{source.stem}", source, []


def freeze(heddle, folder, program, cache):
    """Its PTX and its schedule, which is found once."""
    name, source, options = program
    for ending, emit in ((".ptx", []), (".sched.mlir", ["--emit=sched"])):
        if emit and "aref" in source.parts:
            continue
        target = folder / (name + ending)
        command = [heddle, "compile", source, *options, *emit, "-o", target]
        done = subprocess.run([str(word) for word in command], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              env=dict(os.environ, HEDDLE_CACHE_DIR=cache))
        if done.returncode:
            target.with_name(target.name + ".error").write_text(done.stdout, encoding="utf-8")


def write(folder, heddle, jobs):
    folder.mkdir(parents=True, exist_ok=True)
    with (concurrent.futures.ThreadPoolExecutor(jobs) as pool,
          tempfile.TemporaryDirectory() as cache):
        list(pool.map(lambda program: freeze(heddle, folder, program, cache), programs()))


def compare(before, after):
    """Prints each file that differs; their number."""
    names = {path.name for path in before.iterdir()} | {path.name for path in after.iterdir()}
    differing = 0
    for name in sorted(names):
        sides = [folder / name for folder in (before, after)]
        missing = [word for side, word in zip(sides, ("new", "gone")) if not side.exists()]
        if missing or not filecmp.cmp(*sides, shallow=False):
            print(f"{name}: {missing[0] if missing else 'differs'}")
            differing += 1
    print(f"{len(names)} files, {differing} differ")
    return differing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("write", "compare"))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--heddle", type=pathlib.Path, default=ROOT / "build" / "bin" / "heddle")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    heddle = options.heddle.resolve()
    if options.action == "write":
        write(options.folder, heddle, options.jobs)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        write(pathlib.Path(scratch), heddle, options.jobs)
        return 1 if compare(options.folder, pathlib.Path(scratch)) else 0


if __name__ == "__main__":
    sys.exit(main())
