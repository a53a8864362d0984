# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""launch_times.py MANIFEST TABLE SMS TILE NAME=AxBxC...: the time that a launch predicts for
its alternative, over that of the program's own tiles, for views of these extents. Is it what
`heddle explain --tiles` says in the row that begins with TILE?"""
import json
import math
import re
import sys

OPERATORS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "ceildiv": lambda a, b: -(-a // b),
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}


def evaluate(expression, views, multiprocessors):
    if isinstance(expression, int):
        return expression
    if expression == "sm_count":
        return multiprocessors
    ((name, operands),) = expression.items()
    if name == "dim":
        return views[operands[0]][operands[1]]
    values = [evaluate(one, views, multiprocessors) for one in operands]
    return OPERATORS[name](*values)


def main(manifest, table, multiprocessors, tile, *extents):
    views = {}
    for text in extents:
        name, _, shape = text.partition("=")
        views[name] = [int(extent) for extent in shape.split("x")]
    with open(manifest, encoding="utf-8") as file:
        cycles = [one["cycles"] for one in json.load(file)["variants"] if "cycles" in one]
    own = cycles[0]["floordiv"][0]["mul"][1]
    own, other = (evaluate(one, views, int(multiprocessors)) for one in (own, cycles[-1]))
    with open(table, encoding="utf-8") as file:
        rows = [line for line in file if re.match(r"\s*" + r"\s+".join(tile.split()) + r"\s", line)]
    said = float(re.findall(r"%\s+(\d\.\d+)\s", rows[0])[-1])  # behind the share of idle time
    assert math.isclose(other / own, said, abs_tol=0.001), (other, own, said)
    print("the launch and the table say %.3f" % said)


main(*sys.argv[1:])
