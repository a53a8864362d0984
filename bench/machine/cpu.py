#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what the planner of sparse einsums needs to know of a processor, in cycles.

    python3 bench/machine/cpu.py --update machines/cpu-NAME.json [--runs 5]

Compiles bench/machine/cpu.c with the C compiler at hand (-O3 -march=native) and runs it
some times; a value is the best of the runs, since other programs only slow loops down, and
its range the least and the most. Sizes of
caches are those that the system reports (Linux, /sys); each level is measured with half
of its size, or a quarter where cores share it, memory with four times the largest.
`heddle run --machine=FILE` and `heddle explain --machine=FILE` plan with the result. In a file of machines/,
`llvm_names` are those by which LLVM knows such processors (`clang -march=native -###`); heddle.sparse
plans with the file that has its host's. A list that is there is kept.
Exit code: 0 measured, 2 no C compiler, or a system that does not say what its caches are.
"""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CACHES = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

# Name in the file -> where it comes from.
COSTS = {
    "fma_latency": "a chain of fused multiply-adds of one float",
    "add_latency": "a chain of additions of one float",
    "vector_fma": "one of ten independent chains of vectors",
    "loop": "an iteration of a loop of one addition",
    "walk": "an element more in rows of 2 to 18 elements that are summed",
    "walk_start": "a row of 2 to 6 elements, less its elements: what entering and leaving a loop of unknown length costs",
    "window": "the shortest of sums of 8 to 4096 products whose chain takes half of its latency",
    "branch_miss": "a branch on random bits, less one on equal bits, twice",
    "store_forward": "a chain of load, addition, store to one address",
    "gather": "an element more in a gather from 16 KiB",
    "gather_start": "a whole vector's gather less its elements",
    "scatter": "an element more in a scatter to 16 KiB",
    "scatter_start": "a whole vector's scatter less its elements",
    "lane_step": "one of four independent chains of: move half of a vector, add",
    "merge_step": "a step of a merge of two lists of random coordinates",
    "bitmap_set": "a sum into a row of 8192 columns, with its bit and its word's",
    "bitmap_walk": "an element of that row found by its bits, written and cleared",
    "fork_join": "a sleeping thread woken and waited for",
}


def size_of(text):
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


def find_caches():
    """[(name, bytes, cores that share it)] of the data caches, the nearest first."""
    found = {}
    for folder in sorted(CACHES.glob("index*")):
        read = lambda name, folder=folder: (folder / name).read_text(encoding="utf-8").strip()  # noqa: E731
        if read("type") in ("Data", "Unified"):
            sharing = bin(int(read("shared_cpu_map").replace(",", ""), 16)).count("1")
            found[int(read("level"))] = (f"L{read('level')}", size_of(read("size")), sharing)
    return [found[level] for level in sorted(found)]


def line_bytes():
    """Of the nearest data cache."""
    return int((sorted(CACHES.glob("index*"))[0] / "coherency_line_size").read_text(encoding="utf-8"))


def name_of_processor():
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "unknown"
    fields = dict((part.strip() for part in line.split(":", 1)) for line in lines if ":" in line)
    return "{} (family {}, model {})".format(
        fields.get("model name", "unknown"), fields.get("cpu family", "?"), fields.get("model", "?"))


def measure(caches, runs):
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        sys.exit(2)
    levels = []
    for name, size, sharing in caches:
        levels += [name, str(size // (4 if sharing > 1 else 2))]
    levels += ["memory", str(4 * max(size for _, size, _ in caches))]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "cpu")
        subprocess.run([compiler, "-O3", "-march=native", "-pthread", str(HERE / "cpu.c"), "-o", program],
                       check=True)
        for _ in range(runs):
            lines = subprocess.run([program, *levels], check=True, capture_output=True, text=True).stdout
            for line in lines.splitlines():
                name, value = line.split()
                found.setdefault(name, []).append(float(value))
    return found


def entry(values, source, summary=min):
    return {"value": round(summary(values), 3), "range": [min(values), max(values)], "from": source}


def spell(value, margin=""):
    """JSON with a figure and its source on one line."""
    if isinstance(value, list):
        items = [spell(item, margin + " ") for item in value]
        return f"[\n{margin} " + f",\n{margin} ".join(items) + f"\n{margin}]"
    if isinstance(value, dict) and "from" not in value:
        items = [f"{json.dumps(key)}: {spell(item, margin + ' ')}" for key, item in value.items()]
        return f"{{\n{margin} " + f",\n{margin} ".join(items) + f"\n{margin}}}"
    return json.dumps(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", metavar="MACHINE.json", type=pathlib.Path, required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--about", default="")
    given = parser.parse_args()
    if not CACHES.is_dir():
        print(f"{CACHES} is not there, so the sizes of the caches are not known")
        return 2
    caches = find_caches()
    found = measure(caches, given.runs)
    known = json.loads(given.update.read_text(encoding="utf-8")) if given.update.exists() else {}
    levels = [*caches, ("memory", 0, 0)]
    description = {
        "name": given.update.stem,
        "target": "cpu",
        "about": given.about or f"{name_of_processor()}, {os.cpu_count()} cores",
        "llvm_names": known.get("llvm_names", []),
        "cores": {"value": os.cpu_count(), "from": "the system"},
        "vector_bytes": {"value": int(found["vector_bytes"][0]), "from": "the instructions that -march=native allows"},
        # 16 vectors of at most 32 bytes with AVX2; AVX-512 and NEON have 32.
        "vector_registers": {"value": 16 if int(found["vector_bytes"][0]) == 32 else 32, "from": "those instructions: 16 with AVX2, 32 with AVX-512 and NEON"},
        "clock_ghz": entry(found["clock_ghz"], "a chain of additions, one a cycle", max),
        "line_bytes": {"value": line_bytes(), "from": "the system"},
        "costs": {name: entry(found[name], f"cpu.c: {source}") for name, source in COSTS.items()},
        "levels": [
            {
                "name": name,
                "bytes": {"value": size, "from": "the system" if size else "there is no level behind it"},
                "latency": entry(found[f"{name}.latency"], "cpu.c: a chain of loads of random lines"),
                "random": entry(found[f"{name}.random"], "cpu.c: independent loads of scattered lines"),
                "bytes_per_cycle": entry(found[f"{name}.bytes_per_cycle"], "cpu.c: vectors one behind the other, 16 bytes off a line",
                                         max),
            }
            for name, size, _ in levels
        ],
        "measured": {"by": "bench/machine/cpu.py", "date": datetime.date.today().isoformat(), "runs": given.runs,
                     "load": round(os.getloadavg()[0], 1)},
    }
    given.update.write_text(spell(description) + "\n", encoding="utf-8")
    print(f"{given.update}: {description['about']}, load {description['measured']['load']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
