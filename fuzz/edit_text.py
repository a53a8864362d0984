# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One edit of a text, such as a hand makes: by lines, by operands, by numbers and by types.

It knows no format, and leaves locations alone, which mean nothing. What it cannot do in one place
it tries in another.
"""

import re

OPERAND = re.compile(r"%[\w.#]+")
NUMBER = re.compile(r"(?<![\w.%@#!])-?\d+(?![\w.])|(?<=[<x])\d+(?=x)|(?<=: )-?\d+(?=[,\s}\]])")
TYPE = re.compile(r"\b(?:f16|bf16|f32|f64|i1|i8|i16|i32|i64|index)\b")
TYPES = ("f16", "bf16", "f32", "f64", "i1", "i8", "i16", "i32", "i64", "index")
WORD = re.compile(r'"[^"]*"')
LOCATION = re.compile(r" loc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


def without_locations(text):
    """A rung's text, without the places of its lines."""
    lines = [line for line in LOCATION.sub("", text).splitlines() if not line.startswith("#loc")]
    return "\n".join(lines) + "\n"


def replace(line, found, new):
    return line[:found.start()] + new + line[found.end():]


def other_number(rng, number):
    value = int(number)
    return str(rng.choice((value + 1, value - 1, 2 * value, value // 2, 0, 1, -value, value + 16, 64,
                           2**31 - 1, -(2**31), 2**32, 2**63 - 1, -(2**63), 2**64)))


def edit_line(rng, lines, at):
    """Another text for one line, or None."""
    line, way = lines[at], rng.randrange(8)
    operands, numbers = list(OPERAND.finditer(line)), list(NUMBER.finditer(line))
    types, words = list(TYPE.finditer(line)), list(WORD.finditer(line))
    if way == 0 and len(operands) > 2:  # the first is mostly what it makes
        one, other = sorted(rng.sample(operands[1:], 2), key=lambda found: found.start())
        return replace(replace(line, other, one[0]), one, other[0]) if one[0] != other[0] else None
    if way == 1 and len(operands) > 1:
        others = OPERAND.findall("\n".join(lines[max(0, at - 30):at]))
        return replace(line, rng.choice(operands[1:]), rng.choice(others)) if others else None
    if way in (2, 3, 4) and numbers:
        found = rng.choice(numbers)
        return replace(line, found, other_number(rng, found[0]))
    if way == 5 and types:
        found = rng.choice(types)
        return replace(line, found, rng.choice(TYPES))
    if way == 6 and words:
        others = WORD.findall("\n".join(lines[max(0, at - 30):at + 30]))
        return replace(line, rng.choice(words), rng.choice(others))
    return None


def edit(text, rng):
    """The text with one edit, which it always has."""
    lines = text.splitlines()
    for _ in range(1000):
        way, at = rng.randrange(10), rng.randrange(len(lines))
        changed = list(lines)
        if way == 0:
            del changed[at]
        elif way == 1:
            changed.insert(at, lines[at])
        elif way == 2 and at + 1 < len(lines):
            changed[at], changed[at + 1] = lines[at + 1], lines[at]
        elif way == 3:
            changed.insert(rng.randrange(len(lines)), changed.pop(at))
        elif way > 3:
            changed[at] = edit_line(rng, lines, at) or lines[at]
        if changed != lines:
            return "\n".join(changed) + "\n"
    raise ValueError("a text that no edit changes")
