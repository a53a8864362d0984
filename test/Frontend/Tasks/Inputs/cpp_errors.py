#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cpp_errors.py FOLDER COMPILER...: programs that no C++ compiler may take.

Each names in `// error: REGEX` a part of the message, in the words of either compiler, and marks its
line with `// here`. The first error has to name this line, itself or as the place that asks for what
is wrong, and without the line the program has to compile.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys


def compile_text(compiler, text, name):
    """(exit status, messages)"""
    done = subprocess.run([*compiler, "-x", "c++", "-"], input=f'#line 1 "{name}"\n{text}', stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


def fault(compiler, path):
    text = path.read_text()
    lines = text.splitlines()
    wanted = re.search(r"^// error: (.*)$", text, re.M)[1]
    here = next(number for number, line in enumerate(lines, 1) if line.endswith("// here"))
    status, said = compile_text(compiler, text, path.name)
    if status == 0:
        return "compiles"
    if not re.search(rf"{re.escape(path.name)}:{here}:", said):
        return f"is refused elsewhere than in line {here}:\n{said}"
    if not re.search(wanted, said):
        return f"is refused without '{wanted}':\n{said}"
    # Its other lines are fine.
    condition = lines[here - 1].lstrip().startswith("if (")
    lines[here - 1] = "" if not condition else "if (true)"
    status, said = compile_text(compiler, "\n".join(lines) + "\n", path.name)
    return f"is wrong elsewhere, too:\n{said}" if status else ""


def main():
    folder, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    paths = sorted(folder.glob("*.cc"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(lambda path: fault(compiler, path), paths))
    for path, what in zip(paths, faults):
        if what:
            print(f"{path.name} {what}")
    print(f"{len(paths)} programs")
    return int(any(faults) or not paths)


if __name__ == "__main__":
    sys.exit(main())
