# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the fuzzers' first corpus: examples, tests and what they compile to.

    corpus.py --tools build/bin OUT

OUT/program gets one file a program of the tests (split at `// -----`), the
examples on every rung, and some generated programs; OUT/ptx and OUT/manifest
get the examples' PTX and manifests. PTX of the tests, and what Triton made for
them, comes along.
"""

import argparse
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNGS = ["tile", "sched", "aref", "hopper", "nvvm"]
LONGEST = 1 << 16  # of a text that program-fuzzer looks at


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def programs(tools):
    for path in sorted((ROOT / "test").rglob("*.mlir")):
        for number, text in enumerate(path.read_text().split("// -----")):
            name = "-".join(path.relative_to(ROOT / "test").with_suffix("").parts)
            yield f"{name}-{number}", text
    for path in sorted((ROOT / "examples").glob("*.mlir")):
        small = ["--set", "BM=64", "--set", "BN=64"]
        for rung in RUNGS:
            yield f"{path.stem}-{rung}", run(tools / "heddle", "compile", path, *small, f"--emit={rung}", "-o", "-")
    for seed in range(1, 60):
        yield f"seed-{seed}", run(tools / "heddle-fuzz", "print", f"--seed={seed}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    tools = options.tools.resolve()
    for folder in ("program", "ptx", "manifest"):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    for name, text in programs(tools):
        if text and len(text) <= LONGEST:
            (options.out / "program" / name).write_text(text)
    for path in sorted((ROOT / "examples").glob("*.mlir")):
        ptx = options.out / "ptx" / f"{path.stem}.ptx"
        small = ["--set", "BM=64", "--set", "BN=64"]
        if run(tools / "heddle", "compile", path, *small, "-o", ptx) is not None:
            ptx.with_suffix(".json").rename(options.out / "manifest" / path.stem)
    for folder in (ROOT / "test", tools.parent / "triton"):
        for path in sorted(folder.rglob("*.ptx")):
            (options.out / "ptx" / path.name).write_bytes(path.read_bytes())
    counts = {folder.name: len(list(folder.iterdir())) for folder in sorted(options.out.iterdir())}
    print(", ".join(f"{count} inputs for {name}-fuzzer" for name, count in counts.items()))


if __name__ == "__main__":
    main()
