# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ptxas reports about programs: python3 driver_compiler.py FOLDER [--group GROUP] [--known ENTRY=WHAT,...]

Compiles all programs of a folder as `heddle compile` does without options, or with
--group the kernels of one of bench/compile.py's groups: there ENTRY is KERNEL.ENTRY.

WHAT is `spills`, or the number of a warning about wgmma (C7500 to C7520). Ends with 1 if
an entry spills or is warned of and is not known for it, or is known for what it no
longer does: the lists of what is known may only become shorter.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
from compile import GROUPS, arguments_of  # noqa: E402


def report(program, settings=(), prefix=""):
    """The entries of a program, each with what ptxas says of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.ptx")
        command = ["heddle", "compile", program, "-o", path]
        command += arguments_of(settings)
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode:
            sys.exit(f"{program}: {made.stderr}")
        return {prefix + entry: what for entry, what in assemble(path).items()}


def programs_of(options):
    """Arguments for `report`, one list for each parameter."""
    if not options.group:
        return [sorted(options.folder.glob("*.mlir"))]
    found = [(options.folder / f"{program}.mlir", settings, f"{kernel}.")
             for kernel, program, settings in GROUPS[options.group]()]  # fmt: skip
    return list(zip(*found))


def assemble(path):
    result = subprocess.run(["ptxas", "-arch=sm_90a", "-v", path, "-o", os.devnull], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{path}: {result.stderr}")
    entries, entry = {}, None
    for line in result.stderr.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            entry = match[1]
            entries.setdefault(entry, set())
        if (match := re.search(r"\((C75[0-2]\d)\).*'(\w+)'", line)):
            entries.setdefault(match[2], set()).add(match[1])
        if (match := re.search(r"(\d+) bytes spill stores", line)) and int(match[1]):
            entries[entry].add("spills")
    return entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--group")
    parser.add_argument("--known", nargs="*", default=[])
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = {entry: what for entries in pool.map(report, *programs_of(options)) for entry, what in entries.items()}
    known = {}
    for text in options.known:
        entry, _, what = text.partition("=")
        known[entry] = set(what.split(","))
    status = 0
    for entry in sorted(found | known):
        has, expected = found.get(entry), known.get(entry, set())
        if has is None:
            print(f"{entry}: no such entry")
        elif has - expected:
            print(f"{entry}: ptxas reports {', '.join(sorted(has - expected))}")
        elif expected - has:
            print(f"{entry}: known for {', '.join(sorted(expected - has))}, which is mended; take it off the list")
        else:
            continue
        status = 1
    print(f"{len(found)} entries")
    return status


if __name__ == "__main__":
    sys.exit(main())
