# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ptxas reports about programs: python3 driver_compiler.py FOLDER [--known ENTRY=WHAT,...]

Compiles all programs of a folder as `heddle compile` does without options.

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


def report(program):
    """The entries of a program, each with what ptxas says of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.ptx")
        made = subprocess.run(["heddle", "compile", program, "-o", path], capture_output=True, text=True)
        if made.returncode:
            sys.exit(f"{program}: {made.stderr}")
        return assemble(path)


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
    parser.add_argument("--known", nargs="*", default=[])
    options = parser.parse_args()
    programs = sorted(options.folder.glob("*.mlir"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = {entry: what for entries in pool.map(report, programs) for entry, what in entries.items()}
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
