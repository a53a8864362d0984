# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does each row of a page name a test, and is each test there? named_tests.py PAGE ROOT

A row's last cell names tests as `FILE` or `FILE#NAME`. NAME is SUITE.TEST of GoogleTest, or a
word of the file. Exit status 1 with a line for each row or test that is missing.
"""

import pathlib
import re
import sys


def is_there(text, name):
    suite, dot, test = name.partition(".")
    if dot and re.search(r"TEST(?:_F|_P)?\(\s*" + re.escape(suite) + r",\s*" + re.escape(test) + r"\)", text):
        return True
    # The name of a test of GoogleTest has to be one.
    return not re.fullmatch(r"[A-Z]\w+\.[A-Z]\w+", name) and re.search(
        r"(?<![\w-])" + re.escape(name) + r"(?![\w-])", text) is not None


def faults(page, root):
    rows = 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("|") or set(line) <= set("|- ") or line.endswith("| tests |"):
            continue
        rows += 1
        named = re.findall(r"`([^`]+)`", line.strip("| ").rsplit("|", 1)[-1])
        if not named:
            yield f"{page.name}:{number}: names no test"
        for test in named:
            path, _, name = test.partition("#")
            if not (root / path).is_file():
                yield f"{page.name}:{number}: there is no {path}"
            elif name and not is_there((root / path).read_text(encoding="utf-8"), name):
                yield f"{page.name}:{number}: {path} has no {name}"
    if not rows:
        yield f"{page.name}: has no rows"


def main():
    found = list(faults(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
    print("\n".join(found) if found else "each row names tests, and all are there")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
