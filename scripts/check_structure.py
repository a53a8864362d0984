#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what the compiler cannot: who may include whom, file sizes, file
names, licence headers, opening paragraphs, and that no pass knows a kernel.

Prints one line for each fault and ends with status 1 if there are any.
HACKING.md says what each rule is for.
"""

import ast
import dataclasses
import itertools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

MAX_LINES = 700
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

# Which library folders a folder may include besides itself. The lower rungs of
# this table never name the upper ones.
ALLOWED_INCLUDES = {
    "Support": set(),
    "Manifest": {"Support"},
    "Machine": {"Support"},
    "Dialect": {"Support", "Machine"},
    "Analysis": {"Support", "Machine", "Dialect"},
    "Interp": {"Support", "Machine", "Dialect", "Analysis"},
    "Schedule": {"Support", "Machine"},
    "Tuner": {"Support"},
    "Sparse": {"Support", "Machine"},
    "Cpu": {"Support"},
    "Flow": {"Support", "Dialect", "Sparse", "Conversion"},
    "Plan": {"Support", "Machine", "Schedule"},
    "Transforms": {"Support", "Machine", "Dialect", "Analysis", "Schedule", "Plan"},
    "Conversion": {"Support", "Manifest", "Machine", "Dialect", "Analysis",
                   "Transforms", "Sparse", "Cpu"},
    "Check": {"Support", "Manifest", "Machine", "Dialect", "Analysis"},
    "Mutate": {"Support", "Machine", "Dialect"},
    "Emulator": {"Support", "Manifest"},
    "Simulator": {"Support", "Machine", "Dialect", "Analysis", "Interp", "Conversion", "Cpu"},
    "Frontend": {"Support", "Dialect", "Analysis"},
    "Pipeline": {"Support", "Manifest", "Machine", "Dialect", "Analysis",
                 "Schedule", "Transforms", "Conversion", "Check", "Frontend",
                 "Sparse", "Cpu"},
    "Evaluate": {"Support", "Machine", "Dialect", "Interp", "Schedule", "Simulator",
                 "Transforms", "Pipeline"},
    "TileChoice": {"Support", "Analysis", "Manifest", "Machine", "Dialect", "Interp", "Schedule", "Plan",
                   "Transforms", "Conversion", "Pipeline", "Evaluate"},
    "Run": {"Support", "Manifest", "Dialect", "Interp", "Emulator", "Pipeline"},
    "Report": {"Support", "Machine", "Dialect", "Schedule", "Transforms", "Pipeline"},
    "TuneSpaces": {"Support", "Dialect", "Sparse", "Pipeline", "TileChoice", "Tuner"},
    "runtime": {"Support", "Manifest"},
    "task": set(),
}

# Folders of programs. None includes a header of another: what several need is a library.
PROGRAMS = ("tools", "compiler")
# But for parts of one suite.
SUITES = {"tools/heddle-adversary": "tools/heddle-fuzz"}

# Rungs see the rungs above them at most; only hopper knows the GPU.
ALLOWED_DIALECTS = {
    "Einsum": set(),
    "Flow": set(),
    "Tile": set(),
    "Task": {"Tile"},
    "Sched": {"Tile"},
    "Aref": {"Tile"},
    "Hopper": {"Tile"},
}

# Plain C++: shipped without MLIR, or kept simple on purpose.
WITHOUT_MLIR = ("Emulator", "Machine", "Manifest", "Plan", "Schedule", "Sparse", "Cpu", "Tuner", "runtime")
# The same for a part of a folder: the prover sees only what Extract hands it.
WITHOUT_MLIR_PATHS = ("lib/Check/Prove/", "include/heddle/Check/P")

# The certifier must not trust, or share code with, what it certifies.
MUTUALLY_BLIND = (("Schedule/Solve", "Schedule/Certify"), ("Check", "Conversion"),
                   ("Mutate", "Check"))

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
KERNEL_NAME = re.compile(r"gemm|attention|softmax|convolution|conv2d|im2win", re.IGNORECASE)
# "Split2", but not the name of a type or size ("Float16", "bf16", "k16", "E4M3").
NUMBERED = re.compile(r"(?<![a-z])(?!float|int)[a-z]{3,}\d{1,2}$", re.IGNORECASE)
VAGUE = re.compile(r"utils?|helpers?|misc|common", re.IGNORECASE)
# Absolute paths of somebody's machine.
PRIVATE_PATH = re.compile(r"(?<![\w.$})>*-])/(home|root|Users|mnt|work(space)?)/\w")


@dataclasses.dataclass(frozen=True)
class Source:
    """A file of the repository: its path from the root, with '/', and its text."""

    path: str
    text: str

    @property
    def suffix(self):
        return pathlib.PurePosixPath(self.path).suffix

    @property
    def layer(self):
        """The folder of lib that the file belongs to ("Emulator", "runtime", ...)."""
        parts = self.path.split("/")
        if parts[0] == "runtime":
            return "runtime"
        if parts[:2] == ["include", "heddle"] and len(parts) > 3:
            return parts[2]
        if parts[0] == "lib" and len(parts) > 2:
            return parts[1]
        return None

    def includes(self):
        return INCLUDE.findall(self.text) if self.suffix in (".cpp", ".h", ".c") else []


def include_directions(source):
    allowed = ALLOWED_INCLUDES.get(source.layer)
    if source.layer and allowed is None:
        yield f"folder {source.layer} is not in the include table"
    for include in source.includes():
        parts = include.split("/")
        if parts[0] != "heddle" or len(parts) < 3 or allowed is None:
            continue
        if parts[1] != source.layer and parts[1] not in allowed:
            yield f"{source.layer} must not include {include}"


def program_of(path):
    """The folder of the program that a file belongs to ("tools/heddle", "compiler"), or None."""
    parts = path.split("/")
    if parts[0] not in PROGRAMS or len(parts) < 3:
        return None
    return "/".join(parts[:2]) if parts[0] == "tools" else parts[0]


def programs_apart(sources):
    """A tool's header is for that tool."""
    sources = list(sources)
    headers = {}
    for source in sources:
        if source.suffix == ".h" and program_of(source.path):
            headers.setdefault(source.path.rsplit("/", 1)[1], set()).add(program_of(source.path))
    for source in sources:
        program = program_of(source.path)
        if not program and source.layer is None:
            continue
        for include in source.includes():
            owners = headers.get(include, set())
            if owners and program not in owners and SUITES.get(program) not in owners:
                beside = source.path.rsplit("/", 1)[0] + "/" + include
                if not any(other.path == beside for other in sources):
                    yield source.path, f"{include} is a header of {min(owners)}; what several programs need is in lib"


def dialect_directions(source):
    match = re.match(r"(?:lib|include/heddle)/Dialect/(\w+)/", source.path)
    if not match or match[1] not in ALLOWED_DIALECTS:
        return
    for include in source.includes():
        other = re.match(r"heddle/Dialect/(\w+)/", include)
        if other and other[1] not in ALLOWED_DIALECTS[match[1]] | {match[1]}:
            yield f"dialect {match[1]} must not include {include}"


def no_mlir(source):
    if source.layer not in WITHOUT_MLIR and not source.path.startswith(WITHOUT_MLIR_PATHS):
        return
    for include in source.includes():
        if include.startswith(("mlir/", "heddle/Dialect/")):
            yield f"{source.layer} must do without MLIR, but includes {include}"


def mutual_blindness(source):
    for pair in MUTUALLY_BLIND:
        for mine, other in (pair, pair[::-1]):
            own = source.path.startswith((f"lib/{mine}", f"include/heddle/{mine}"))
            for include in source.includes() if own else ():
                if include.startswith(f"heddle/{other}"):
                    yield f"{mine} and {other} must not include each other, but here is {include}"


def file_size(source):
    lines = source.text.count("\n")
    if source.suffix in (".cpp", ".h", ".py") and lines > MAX_LINES:
        yield f"{lines} lines; the limit is {MAX_LINES}"


def file_name(source):
    stem = pathlib.PurePosixPath(source.path).stem
    if source.suffix not in (".cpp", ".h", ".py", ".td", ".mlir", ".test", ".cmake"):
        return
    if NUMBERED.search(stem):
        yield "a number at the end of a file name says nothing; name what is different"
    if VAGUE.search(stem):
        yield "the name says nothing about the contents"


def kernel_names(source):
    if not source.path.startswith(("lib/", "include/")):
        return
    for number, line in enumerate(source.text.splitlines(), 1):
        if match := KERNEL_NAME.search(line):
            yield f"line {number} names a kernel ({match[0]}); no pass may know one"


def licence(source):
    if source.suffix not in (".cpp", ".h", ".c", ".td", ".py"):
        return
    if LICENCE not in "\n".join(source.text.splitlines()[:10]):
        yield "no licence header"


def private_paths(source):
    for number, line in enumerate(source.text.splitlines(), 1):
        if match := PRIVATE_PATH.search(line):
            yield f"line {number} has a path of one machine: {match[0]}..."


C_INTERFACE = re.compile(r"^(?:runtime|compiler|tuner)/(?:include|lib)/")
DECLARED_ENTRY = re.compile(r"HEDDLE_(?:TUNER_)?API\b[^;{]*?\b(heddle_\w+)\(([^;]*);")
# The definition of a function whose name is heddle_..., in lib of a C interface.
DEFINED_ENTRY = re.compile(r"^(?!static)[\w *]+?\b(heddle_(?!internal)\w+)\(([^;{}]*)\{\s*(\w+ ?\w*)",
                           re.MULTILINE)


def guarded_entries(source):
    """No exception leaves a C interface: each function is one guarded call."""
    if not C_INTERFACE.match(source.path):
        return
    if source.suffix == ".h":
        for name, rest in DECLARED_ENTRY.findall(source.text):
            if not rest.endswith(("HEDDLE_NOEXCEPT", "HEDDLE_TUNER_NOEXCEPT")):
                yield f"{name} is not HEDDLE_NOEXCEPT"
    if source.suffix == ".cpp":
        for name, rest, first in DEFINED_ENTRY.findall(source.text):
            if not re.fullmatch(r"(return )?enter(Or)?", first) or "noexcept" not in rest:
                yield f"{name} must be noexcept and nothing but a call of enter (Entry.h)"


# The line that ends the licence, and the paragraph behind it, in // and in |* comments.
RULED_LINE = re.compile(r"[/|\\*]{2}===-+===[/|\\*]{2}")


def has_paragraph(text):
    """Whether the comment that holds the licence goes on with words between two ruled lines."""
    comment = itertools.takewhile(re.compile(r"//|/\*|\|\*|\*\||\\\*").match, text.splitlines())
    behind = list(itertools.dropwhile(lambda line: LICENCE not in line, comment))
    ruled = [number for number, line in enumerate(behind) if RULED_LINE.fullmatch(line)]
    return len(ruled) > 1 and any(re.search(r"\w", line) for line in behind[ruled[0]:ruled[1]])


def has_docstring(text):
    try:
        return bool(ast.get_docstring(ast.parse(text)))
    except SyntaxError:
        return False


def possible_headers(path):
    """Where the header of a source file may be: beside it, or in a folder of include for its own."""
    folder, name = path.rsplit("/", 1) if "/" in path else (".", path)
    name = pathlib.PurePosixPath(name).stem + ".h"
    parts = folder.split("/")
    yield f"{folder}/{name}"
    if parts[0] == "lib":
        for depth in (len(parts), 2):
            yield "/".join(["include/heddle", *parts[1:depth], name])
    if parts[0] in ("runtime", "compiler"):
        yield f"{parts[0]}/include/heddle/{name}"


def opening_paragraph(sources):
    """A unit is a header with its source file; a paragraph in one of the two is enough."""
    texts = {source.path: source.text for source in sources
             if source.suffix in (".cpp", ".h", ".c", ".td", ".py")}
    opened = {}  # by the file that a fault is told of
    for path, text in texts.items():
        unit, has_opening = path, has_paragraph
        if path.endswith(".py"):
            has_opening = has_docstring
        elif path.endswith((".cpp", ".c")):
            unit = next((header for header in possible_headers(path) if header in texts), path)
        opened[unit] = opened.get(unit, False) or has_opening(text)
    for unit in sorted(unit for unit, is_opened in opened.items() if not is_opened):
        kind = "docstring" if unit.endswith(".py") else "paragraph behind the licence"
        yield unit, f"no {kind} says what goes in, what comes out and why the file is there"


RULES = (include_directions, dialect_directions, no_mlir, mutual_blindness,
         file_size, file_name, kernel_names, licence, private_paths,
         guarded_entries)
# These see all files at once, and name the one at fault.
RULES_OF_ALL = (opening_paragraph, programs_apart)


def check(sources):
    """One line of text for each fault of `sources`."""
    sources = list(sources)
    faults = [(source.path, fault) for source in sources for rule in RULES
              for fault in rule(source)]
    faults += [found for rule in RULES_OF_ALL for found in rule(sources)]
    return [f"{path}: {fault}" for path, fault in faults]


def repository_files(root):
    """Tracked and new files; everything outside build folders without git."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=root, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return sorted(set(listing.stdout.splitlines()))
    except (OSError, subprocess.CalledProcessError):
        paths = (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
        return sorted(path for path in paths if not re.match(r"build|\.git/", path))


def read_sources(root):
    for path in repository_files(root):
        try:
            yield Source(path, (root / path).read_text(encoding="utf-8"))
        except (FileNotFoundError, IsADirectoryError, UnicodeDecodeError):
            continue  # deleted but still tracked, or no text


def main():
    faults = check(read_sources(ROOT))
    for fault in faults:
        print(fault)
    if not faults:
        print("structure: fine")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
