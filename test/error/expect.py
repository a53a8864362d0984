#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expect.py TEST STATUS COMMAND...: runs COMMAND and compares all it says.

The command must end with STATUS within a minute, and its messages must be
exactly those that TEST lists, in order, in lines of the form

    // expect: 12:5: error: the whole sentence [id]

A message about TEST itself begins with the line; one about another file with
that file's name; paths inside a sentence are cut to the last name. Source lines
and carets below a message are not compared.

expect.py --update TEST STATUS COMMAND... writes the lines that it found. Read
them: they are what a user gets.
"""

import difflib
import os
import re
import subprocess
import sys

# Sanitizers, and machines that are busy with them, take ten times as long.
MOST_SECONDS = 600 if "ASAN_OPTIONS" in os.environ else 60
EXPECT = re.compile(r"^(//|#) expect: ?(.*)$")
MESSAGE = re.compile(r"^(?:(?P<path>[^\s:]+):(?P<place>\d+:\d+)|heddle): .*$|^heddle: ")


def messages(text, test):
    """The messages in `text`, as a test writes them."""
    found = []
    for line in text.splitlines():
        match = MESSAGE.match(line)
        if not match:
            continue
        if match["path"] == test:
            line = line[len(test) + 1:]
        found.append(re.sub(r"(?<![\w.<])/(?:[\w.+-]+/)+(?=[\w.+-])", "", line).rstrip())
    return found


def run(command):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace", timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return "never ended", ""
    return done.returncode, done.stderr


def update(test, lines, found):
    kept = [line for line in lines if not EXPECT.match(line)]
    comment = "#" if test.endswith(".test") else "//"
    runs = [i for i, line in enumerate(kept) if "RUN:" in line]
    # One blank line apart from the program, whose lines must not move again.
    below = kept[runs[-1] + 1:]
    above = kept[:runs[-1] + 1]
    with open(test, "w", encoding="utf-8") as stream:
        stream.write("\n".join(above + [f"{comment} expect: {line}" for line in found] + below))
        stream.write("\n")


def main():
    arguments = sys.argv[1:]
    updating = arguments[0] == "--update"
    test, status, *command = arguments[updating:]
    with open(test, encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    code, text = run(command)
    found = messages(text, test)
    if updating:
        update(test, lines, found)
    expected = [match[2] for line in lines if (match := EXPECT.match(line))]
    if not updating and found != expected:
        print("\n".join(difflib.unified_diff(expected, found, "expected", "found", lineterm="")))
        print(text)
    if str(code) != status:
        print(f"{os.path.basename(test)}: ended with {code}, not with {status}\n{text}")
        return 1
    return 0 if updating or found == expected else 1


if __name__ == "__main__":
    sys.exit(main())
