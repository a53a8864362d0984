#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks the tiles of every example: one of them is chosen, the program's own are
in the table, and every combination is scheduled, bounded or refused.

Usage: tiles_of_all.py HEDDLE EXAMPLES
"""

import pathlib
import re
import subprocess
import sys

COMBINATIONS = re.compile(r"by its model: (\d+) combinations of (.*)")
ROW = re.compile(r"^ +\d+(?: +[\d.%-]+)+ +\w")
UNSOLVED = re.compile(r"^(\d+) more are not scheduled")
REFUSED = re.compile(r"^  \w+=[\w= ]*?(?: and (\d+) more)?: ")


def check(heddle, example):
    table = subprocess.run([heddle, "explain", example, "--tiles", "--solve=1"], check=True,
                           stdout=subprocess.PIPE, text=True).stdout
    first = COMBINATIONS.search(table)
    assert first, f"{example}: {table}"
    lines = table.splitlines()
    rows = [line for line in lines if ROW.match(line)]
    count = len(rows)
    for line in lines:
        if match := UNSOLVED.match(line):
            count += int(match[1])
        elif match := REFUSED.match(line):
            count += 1 + int(match[1] or 0)
    assert count == int(first[1]), f"{example}: {count} of {first[1]} are accounted for\n{table}"
    marks = [row.rsplit("<- ")[-1] for row in rows if "<-" in row]
    assert marks in (["chosen"], ["chosen", "the program's"], ["the program's", "chosen"]), \
        f"{example}: {marks}\n{table}"
    times = [float(re.search(r"(\d+\.\d{3}) ", row)[1]) for row in rows]
    assert times == sorted(times) and 1.0 in times, f"{example}: {times}"


def main():
    heddle, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    for example in sorted(examples.glob("*.mlir")):
        check(heddle, example)
    print("all are ranked")


main()
