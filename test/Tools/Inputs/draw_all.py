#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws every example, and checks that each picture is a picture.

Usage: draw_all.py HEDDLE EXAMPLES
"""

import pathlib
import subprocess
import sys
import xml.etree.ElementTree


def check(heddle, example):
    svg = subprocess.run([heddle, "explain", example, "--svg=-"], check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    root = xml.etree.ElementTree.fromstring(svg)
    width, height = float(root.get("width")), float(root.get("height"))
    blocks = 0
    for rect in root.iter("{http://www.w3.org/2000/svg}rect"):
        right = float(rect.get("x", 0)) + float(rect.get("width"))
        bottom = float(rect.get("y", 0)) + float(rect.get("height"))
        assert right <= width and bottom <= height, (example, rect.attrib)
        blocks += rect.get("class", "").startswith("block")
    assert blocks, f"{example}: nothing is drawn"


def main():
    heddle, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    for example in sorted(examples.glob("*.mlir")):
        check(heddle, example)


main()
