#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the catalogue of messages, the code and the tests against each other.

Prints one line for each fault and ends with status 1 if there are any:

- a kind in include/heddle/Support/Diagnostics/*.def that no code emits;
- a kind that no test in test/ expects, that is, whose `[id]` no test has;
- code in lib/ or tools/ that emits a message without a kind.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

KIND = re.compile(r"^HEDDLE_DIAGNOSTIC\((\w+),\s*(\w+),", re.MULTILINE)
USE = re.compile(r"\bdiag::(\w+)")

# A kind of message that no program brings about, because heddle has a bug when
# it appears. unittests/ test what detects them.
WITHOUT_PROGRAM = {
    "internal": "a broken invariant of heddle itself",
    "lowering_differs": "a broken code generator; unittests/NvvmToPtx has the cases",
    "too_many_barriers": "a thread block holds 8 processes, and there are 15 barriers",
    "scratch_left": "kernels made of einsums leave their scratch memory zero; unittests/Interp breaks one",
    "step_limit": "only callers of the library set a limit",
    "device_missing": "needs a machine without a GPU, and `--device=gpu`",
}

# Emission without a kind, and why it may be.
RAW = re.compile(r"\bemit(?:Op)?(?:Error|Remark|Warning)\(|createStringError\(|WithColor::")
RAW_ALLOWED = {
    "include/heddle/Dialect/Report.h": "what everybody else calls",
    "lib/Support/Diagnostic.cpp": "makeError",
    "tools/heddle/Driver.cpp": "prints what carries an id",
}
# Folders whose faults are plain text, to which the caller gives a kind.
TEXT_FOLDERS = ("lib/Emulator/", "lib/Manifest/", "lib/Schedule/", "tools/heddle-fuzz/")
# The hook of a type's verifier, and its use by Report.
HOOK = re.compile(r"Report\(emitError\(\)|return parser\.emitError\(loc\); }")


def catalogue(files):
    """Kind -> the .def file that lists it."""
    return {match[2]: path for path, text in files.items()
            if path.startswith("include/heddle/Support/Diagnostics/") and path.endswith(".def")
            for match in KIND.finditer(text)}


def raw_emissions(path, text):
    if path in RAW_ALLOWED or path.startswith(TEXT_FOLDERS):
        return
    for number, line in enumerate(text.splitlines(), 1):
        if RAW.search(line) and not HOOK.search(line):
            yield f"{path}:{number}: a message without an id: {line.strip()}"


def check(files):
    """The faults of a repository, given as path -> text."""
    kinds = catalogue(files)
    code = {path: text for path, text in files.items()
            if path.startswith(("lib/", "tools/", "include/")) and path.endswith((".cpp", ".h"))}
    tests = [text for path, text in files.items() if path.startswith("test/")]
    used = {name for text in code.values() for name in USE.findall(text)}
    for name, path in kinds.items():
        if name not in used:
            yield f"{path}: no code emits {name}"
        tested = any(f"[{name.replace('_', '-')}]" in text for text in tests)
        if not tested and name not in WITHOUT_PROGRAM:
            yield f"{path}: no test in test/ expects [{name.replace('_', '-')}]"
    for path, text in code.items():
        yield from raw_emissions(path, text)


def read(root):
    for folder in ("include", "lib", "tools", "test"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".h", ".def", ".mlir", ".test"):
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def main():
    faults = list(check(dict(read(ROOT))))
    for fault in faults:
        print(fault)
    if not faults:
        print("diagnostics: fine")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
