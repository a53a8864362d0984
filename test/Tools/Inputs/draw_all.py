#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Explains and draws every example, and checks that each picture can be read:
a table, sentences on what binds, nothing outside the picture, no text on
another or wider than its block, no block of a row on another.

Usage: draw_all.py HEDDLE EXAMPLES [OPTION...]
       draw_all.py --check FILE.svg...
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
# A rule of the picture's own style sheet: the classes it asks for, and what for.
RULE = re.compile(r"\.hs (text)?((?:\.\w+)*) \{([^}]*)\}")
# Of a sans-serif font, in shares of its size: the width of a letter, and what of
# it is above and below the line it stands on.
WIDTH, ABOVE, BELOW = 0.56, 0.75, 0.2


class Box:
    """A rectangle, and what to call it."""

    def __init__(self, name, left, top, right, bottom):
        self.name = name
        self.left, self.top, self.right, self.bottom = left, top, right, bottom

    def overlaps(self, other, tolerance):
        return (min(self.right, other.right) - max(self.left, other.left) > tolerance and
                min(self.bottom, other.bottom) - max(self.top, other.top) > tolerance)


def rules_of(root):
    """(classes, declarations) of each rule about text, in order."""
    style = "".join(element.text or "" for element in root.iter(SVG + "style"))
    rules = []
    for text, classes, body in RULE.findall(style):
        if text or classes:
            pairs = (part.split(":", 1) for part in body.split(";") if ":" in part)
            rules.append((set(filter(None, classes.split("."))),
                          {key.strip(): value.strip() for key, value in pairs}))
    return rules


def box_of_text(element, rules):
    classes = set(element.get("class", "").split())
    style = {}
    for asked, declarations in rules:
        if asked <= classes:
            style.update(declarations)
    size = float(style["font-size"].removesuffix("px"))
    spacing = float(style.get("letter-spacing", "0px").removesuffix("px"))
    text = "".join(element.itertext())
    width = len(text) * (WIDTH * size + spacing)
    left, base = float(element.get("x")), float(element.get("y"))
    left -= {"middle": width / 2, "end": width}.get(style.get("text-anchor"), 0)
    return Box(text, left, base - ABOVE * size, left + width, base + BELOW * size)


def box_of_rect(element):
    left, top = float(element.get("x", 0)), float(element.get("y", 0))
    title = element.find(SVG + "title")
    name = (title.text if title is not None else "").split("\n")[0]
    return Box(name, left, top, left + float(element.get("width")),
               top + float(element.get("height")))


def overlapping(boxes, tolerance):
    boxes = sorted(boxes, key=lambda box: box.left)
    for index, box in enumerate(boxes):
        for other in boxes[index + 1:]:
            if other.left >= box.right:
                break
            if box.overlaps(other, tolerance):
                yield box, other


def faults(svg):
    """A sentence for each thing that a person could not read."""
    root = xml.etree.ElementTree.fromstring(svg)
    width, height = float(root.get("width")), float(root.get("height"))
    rules = rules_of(root)
    texts = [box_of_text(element, rules) for element in root.iter(SVG + "text")]
    blocks, rectangles = [], []
    for element in root.iter(SVG + "rect"):
        if element.get("x") is None:
            continue  # of a pattern
        rectangles.append(box_of_rect(element))
        if element.get("class", "").startswith(("block", "slot")):
            blocks.append(rectangles[-1])
    if not blocks:
        yield "nothing is drawn"
    if width > 1400 or height > 2500:
        yield f"{width:g} x {height:g} pixels are no picture"
    for box in texts + rectangles:
        if box.left < 0 or box.top < 0 or box.right > width or box.bottom > height:
            yield f"'{box.name}' ends outside, at {box.right:g}, {box.bottom:g}"
    for box, other in overlapping(texts, 1):
        yield f"'{box.name}' and '{other.name}' are written on each other"
    for box in texts:
        middle, height = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        for block in blocks:
            if block.left < middle < block.right and block.top < height < block.bottom and \
                    (box.left < block.left - 0.5 or box.right > block.right + 0.5):
                yield f"'{box.name}' is wider than '{block.name}'"
    for box, other in overlapping(blocks, 1.5):
        yield f"'{box.name}' and '{other.name}' are drawn on each other"


def explain(heddle, example, options):
    """What `heddle explain` prints and draws; fails if either lacks anything."""
    with tempfile.TemporaryDirectory() as folder:
        svg = pathlib.Path(folder) / "picture.svg"
        told = subprocess.run([heddle, "explain", str(example), f"--svg={svg}", *options],
                              check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout
        picture = svg.read_text(encoding="utf-8")
    assert re.search(r"^ *cycle  stage ", told, re.MULTILINE), f"{example}: no table"
    assert re.search(r": what binds it\n  \w.*\.$", told, re.MULTILINE), \
        f"{example}: nothing is said to bind"
    return picture


def main():
    arguments = sys.argv[1:]
    if arguments[0] == "--check":
        pictures = {path: pathlib.Path(path).read_text(encoding="utf-8")
                    for path in arguments[1:]}
    else:
        heddle, examples, *options = arguments
        pictures = {example.name: explain(heddle, example, options)
                    for example in sorted(pathlib.Path(examples).glob("*.mlir"))}
    found = [f"{name}: {fault}" for name, svg in pictures.items() for fault in faults(svg)]
    print("\n".join(found) if found else f"{len(pictures)} pictures can be read")
    sys.exit(bool(found))


main()
