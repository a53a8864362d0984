# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages: links lead somewhere, the notebook has an index, and the measured
pairs in bench/calibration quote their sources."""

import glob
import json
import os
import re
import sys
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "bench"))

import table

PAGES = sorted(
    page
    for pattern in ("*.md", "docs/**/*.md", "bench/**/*.md", "examples/**/*.md")
    for page in glob.glob(pattern, root_dir=ROOT, recursive=True)
)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
NUMBER = re.compile(r"\d+(?:\.\d+)?")


def read(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def anchor(heading):
    """As GitHub makes it: lower case, no punctuation, a hyphen for each blank."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(page):
    return {anchor(heading) for heading in HEADING.findall(FENCE.sub("", read(page)))}


def section(page, wanted):
    """The text from the heading of that anchor to the next heading of its level or above."""
    found, depth = [], 0
    for line in read(page).splitlines():
        heading = re.match(r"(#+) (.*)$", line)
        if heading and depth and len(heading[1]) <= depth:
            break
        if heading and not depth and anchor(heading[2]) == wanted:
            depth = len(heading[1])
        if depth:
            found.append(line)
    return "\n".join(found)


class LinksTest(unittest.TestCase):
    def test_each_link_leads_to_a_file_and_a_heading(self):
        for page in PAGES:
            for target in LINK.findall(CODE.sub("", FENCE.sub("", read(page)))):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, name = target.partition("#")
                file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
                with self.subTest(page=page, link=target):
                    self.assertTrue(os.path.exists(os.path.join(ROOT, file)), "no such file")
                    if name:
                        self.assertIn(name, anchors(file))

    def test_readme_and_tour_lead_to_the_glossary(self):
        self.assertTrue("(docs/glossary.md)" in read("README.md"))
        self.assertTrue("(docs/glossary.md)" in read("HACKING.md"))


class NotebookTest(unittest.TestCase):
    def test_the_index_has_each_dated_page(self):
        names = [os.path.basename(page) for page in PAGES if page.startswith("docs/lab/")]
        index = read("docs/lab/README.md")
        for name in names:
            if name != "README.md":
                self.assertRegex(name, r"^\d{4}-\d\d-\d\d-[a-z-]+\.md$")
                self.assertIn(f"]({name})", index)


class TableTest(unittest.TestCase):
    RESULTS = "bench/results/h200-attention.json"

    def test_rows_can_be_selected(self):
        rows = table.table(self.RESULTS, ["| 4096 |"]).splitlines()
        self.assertEqual(len(rows), 2 + 4)
        self.assertEqual(table.table(self.RESULTS).splitlines()[:2], rows[:2])

    def test_a_selection_without_a_row_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "no row contains '| 4095 |'"):
            table.table(self.RESULTS, ["| 4096 |", "| 4095 |"])


class PairsTest(unittest.TestCase):
    REQUIRED = {"kernel", "shape", "a", "b", "ratio", "one_run", "made_by", "device", "date", "source"}
    OPTIONAL = {"over", "interval", "raw", "note"}

    def setUp(self):
        self.pairs = json.loads(read("bench/calibration/pairs.json"))["pairs"]

    def test_fields(self):
        for pair in self.pairs:
            with self.subTest(pair=pair):
                self.assertLessEqual(self.REQUIRED, set(pair))
                self.assertLessEqual(set(pair), self.REQUIRED | self.OPTIONAL)
                self.assertNotEqual(pair["a"], pair["b"])
                self.assertIn(pair["one_run"], (True, False, None))
                self.assertIn(pair["made_by"], ("options", "table", "older code", "edited PTX"))
                self.assertRegex(pair["date"], r"^\d{4}-\d\d-\d\d$")
                self.assertTrue(pair["ratio"] or pair["interval"])
                if "raw" in pair:
                    self.assertTrue(os.path.exists(os.path.join(ROOT, pair["raw"])))

    def test_each_number_stands_in_the_source(self):
        for pair in self.pairs:
            numbers = set(pair["ratio"] or ()) - ({1} if "over" not in pair else set())
            page, _, name = pair["source"].partition("#")
            quoted = {float(number) for number in NUMBER.findall(section(page, name))}
            with self.subTest(pair=pair):
                self.assertLessEqual(numbers | set(pair.get("interval", ())), quoted)


if __name__ == "__main__":
    unittest.main()
