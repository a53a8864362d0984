#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""follow_page.py PAGE [--write NAME=LANGUAGE] [--skip WORDS]: does what a reader of the page does.

In a fresh folder, with the tree's own folders in it: the first block of LANGUAGE becomes the file NAME, then
every command of the page's plain blocks and of its sh blocks runs as it stands there, in order, in bash.
A line that begins with `$` shows a command with its output, which other tests compare. What `cat > FILE
<<'EOF'` writes runs to its EOF. Ends with status 1 at the first command that fails, or that takes more than two minutes.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Of one command; sanitizers take ten times as long.
MOST_SECONDS = 1200 if "ASAN_OPTIONS" in os.environ else 120
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:heddle|heddle-\w+|g\+\+|sed|cat|grep|\./\w+) ")


def commands(blocks):
    """Each command of the blocks, a here-document with all of its lines."""
    for language, text in blocks:
        if language not in ("", "sh"):
            continue
        lines = iter(text.splitlines())
        for line in lines:
            if not COMMAND.match(line):
                continue
            if "<<'EOF'" in line:
                for more in lines:
                    line += "\n" + more
                    if more == "EOF":
                        break
            yield line


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page")
    parser.add_argument("--write", action="append", default=[], metavar="NAME=LANGUAGE")
    parser.add_argument("--skip", action="append", default=[], metavar="WORDS")
    options = parser.parse_args()
    blocks = BLOCK.findall((ROOT / options.page).read_text(encoding="utf-8"))
    unused = set(options.skip)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for inside in ("bench", "examples", "include", "machines", "test"):
            (folder / inside).symlink_to(ROOT / inside)
        (folder / "docs").mkdir()
        for file, _, language in (pair.partition("=") for pair in options.write):
            found = next(text for written, text in blocks if written == language)
            (folder / file).write_text(found, encoding="utf-8")
        count = 0
        for command in commands(blocks):
            skipped = [words for words in options.skip if words in command]
            unused -= set(skipped)
            if skipped:
                continue
            count += 1
            print(command, flush=True)
            done = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=MOST_SECONDS,
                                  text=True, errors="replace")
            if done.returncode:
                print(f"{done.stdout}\nexit status {done.returncode}")
                return 1
            print("\n".join(done.stdout.splitlines()[:400]), flush=True)
    for words in unused:
        print(f"nothing on the page has '{words}'")
    print(f"{count} commands of {options.page} ran")
    return 1 if unused or not count else 0


if __name__ == "__main__":
    sys.exit(main())
