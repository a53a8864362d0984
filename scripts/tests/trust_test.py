# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What counts as an objection to a mutant, and which mutants a reason covers."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import trust  # noqa: E402

REFUSED = "heddle: error: no variant of kernel 'k' fits these arguments [launch-refused]\n"


def mutant(site, place="3:1 scf.if", kernel="transpose", verdict="proved"):
    return trust.Mutant("transpose", kernel, "never-guard", site, place, verdict, False)


class Objections(unittest.TestCase):
    """With tools that only pretend: `status` of a run by its rung and arguments."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        build = pathlib.Path(folder.name)
        (build / "bin").mkdir()
        for tool in ("heddle", "heddle-mutate"):
            (build / "bin" / tool).write_bytes(b"")
        self.bench = trust.Bench(build, 2)
        (self.bench.kept / "transpose.mlir").write_text("whole", encoding="utf-8")
        self.runs = []
        for name, replacement in (("call", self.call), ("launches", lambda _: [["one"], ["two"]])):
            patch = mock.patch.object(trust, name, replacement)
            patch.start()
            self.addCleanup(patch.stop)

    def call(self, command):
        words = [str(word) for word in command]
        if words[1] != "run":  # heddle-mutate: the text says what it is
            return subprocess.CompletedProcess(words, 0, "undamaged" if "--undamaged" in words else "broken", "")
        rung = pathlib.Path(words[2]).read_text(encoding="utf-8")
        self.runs.append((rung, words[-1]))
        status, said = self.status(rung, words[-1])
        return subprocess.CompletedProcess(words, status, "", said)

    def test_refused_launch_shows_nothing(self):
        self.status = lambda rung, launch: (3, REFUSED) if launch == "two" else (0, "")
        tried = self.bench.taken("transpose", "transpose")
        self.assertEqual(tried, [["one"]])
        self.assertFalse(self.bench.emulate(mutant(1), tried))
        self.assertEqual(self.runs, [("undamaged", "one"), ("undamaged", "two"), ("broken", "one"), ("broken", "one")])

    def test_wrong_result_is_an_objection(self):
        self.status = lambda rung, launch: (1, "differs") if (rung, launch) == ("broken", "two") else (0, "")
        self.assertTrue(self.bench.emulate(mutant(1), self.bench.taken("transpose", "transpose")))

    def test_undamaged_must_be_right(self):
        self.status = lambda rung, launch: (1, "differs from the oracle")
        with self.assertRaisesRegex(SystemExit, "transpose, transpose, undamaged: differs"):
            self.bench.taken("transpose", "transpose")

    def test_some_launch_must_reach_a_variant(self):
        self.status = lambda rung, launch: (3, REFUSED)
        with self.assertRaisesRegex(SystemExit, "'transpose' takes no launch"):
            self.bench.taken("transpose", "transpose")

    def test_other_failures_are_no_objection(self):
        for failure in ((-11, ""), (2, "declined"), (3, REFUSED)):
            with self.subTest(failure=failure):
                self.status = lambda rung, launch: failure
                with self.assertRaisesRegex(SystemExit, f"heddle run ends with {failure[0]}: "):
                    self.bench.emulate(mutant(1), [["one"]])


class Reasons(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "reasons.txt"
            path.write_text(text, encoding="utf-8")
            with mock.patch.object(trust, "REASONS", path):
                return trust.read_reasons()

    def test_numbers_of_a_place(self):
        mutants = list(trust.number_places([mutant(1), mutant(4), mutant(5, "9:1 scf.if"), mutant(7),
                                            mutant(1, kernel="general")]))
        self.assertEqual([one.place for one in mutants],
                         ["3:1 scf.if #1", "3:1 scf.if #2", "9:1 scf.if #1", "3:1 scf.if #3", "3:1 scf.if #1"])

    def test_a_number_covers_no_other(self):
        reasons = self.read("# why\ntranspose never-guard 3:1 scf.if #1,3: asked again\n")
        found = [trust.reason_for(mutant(site, f"3:1 scf.if #{site}"), reasons) for site in (1, 2, 3)]
        self.assertEqual(found, ["asked again", None, "asked again"])

    def test_a_place_covers_all_its_numbers(self):
        reasons = self.read("transpose never-guard 3:1 scf.if: it is so\ntranspose drop-sync: no: never\n")
        self.assertEqual(trust.reason_for(mutant(1, "3:1 scf.if #2"), reasons), "it is so")
        self.assertIsNone(trust.reason_for(mutant(1, "4:1 scf.if #2"), reasons))
        self.assertEqual(reasons["transpose", "drop-sync", "*"], "no: never")

    def test_every_line_of_the_file_names_an_example(self):
        names = {trust.name_of(example) for _, example, *_ in trust.cases(None)}
        for example, _, _ in trust.read_reasons():
            self.assertIn(example, names)


if __name__ == "__main__":
    unittest.main()
