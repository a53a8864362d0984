#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how long programs compile: user time of one core, from an empty cache.

    bench/compile_time.py [FILE ...] [--heddle build/bin/heddle] [--beside OTHER] [--rounds 3]

Without files: the default GEMM, attention, and Triton's corpus. The least of the rounds counts, since
other work on the machine only adds. Rounds of the two builds alternate; what differs in the PTX is said. Needs no GPU.
"""

import argparse
import os
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ("gemm", "attention", "attention_causal")


def compile_once(heddle, source):
    """(user seconds, PTX or None)"""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "kernel.ptx"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([heddle, "compile", source, "-o", target], check=False, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=dict(os.environ, HEDDLE_CACHE_DIR=os.path.join(folder, "cache")))
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        return seconds, target.read_bytes() if target.exists() else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--heddle", type=pathlib.Path, default=ROOT / "build" / "bin" / "heddle")
    parser.add_argument("--beside", type=pathlib.Path, help="another build, to compare with")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    files = options.files or [ROOT / "examples" / f"{name}.mlir" for name in EXAMPLES] + sorted(
        (ROOT / "test" / "triton" / "ttir").glob("*/*.ttir"))
    builds = [build.resolve() for build in (options.beside, options.heddle) if build]
    rows = []
    for source in files:
        runs = [[compile_once(build, source) for build in builds] for _ in range(options.rounds)]
        least = [min(run[i][0] for run in runs) for i in range(len(builds))]
        texts = {run[i][1] for run in runs for i in range(len(builds))}
        note = "declined" if None in texts else "" if len(texts) == 1 else "PTX differs"
        rows.append((least, f"{source.parent.name}/{source.name}", note))
    for least, name, note in sorted(rows, reverse=True):
        print("  ".join("%6.2f" % seconds for seconds in least), name, note)
    sums = [sum(row[0][i] for row in rows) for i in range(len(builds))]
    print("  ".join("%6.2f" % seconds for seconds in sums), f"in all, {len(rows)} programs")


if __name__ == "__main__":
    main()
