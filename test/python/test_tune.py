# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.tune: a function is minimised, its refusals are learned, and a record is gone on from."""

import pathlib
import tempfile
import unittest

from heddle import tune

SPACE = {"tile": [16, 32, 64, 128, 256], "unroll": [1, 2, 4, 8], "layout": ["a", "b"],
         "depth": tune.integer(2, 9, active_if="layout == 'b'"), "loops": tune.order(3)}


def seconds(point):
    if point["tile"] * point["unroll"] > 512:
        raise tune.Invalid("registers")
    return 1 + abs(point["tile"] - 128) / 100 + 4 / point["unroll"] + point["loops"].index(2) + (point["depth"] or 12) / 10


class TuneTest(unittest.TestCase):
    def test_the_best_is_found(self):
        found = tune.minimise(seconds, SPACE, constraints=["loops_i0 < loops_i1"], budget=50)
        self.assertEqual(found.evaluations, 50)
        self.assertAlmostEqual(found.value, seconds(found.point), places=4)
        self.assertEqual((found.point["tile"], found.point["unroll"], found.point["layout"], found.point["loops"]),
                         (128, 4, "b", [2, 0, 1]))
        self.assertIn("registers", found.log)

    def test_a_record_is_gone_on_from(self):
        calls = []

        def count(point):
            calls.append(point)
            if len(calls) == 8:
                raise KeyboardInterrupt
            return seconds(point)

        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder) / "r.jsonl"
            default = {"tile": 64, "unroll": 1, "layout": "a", "depth": 2, "loops": [0, 1, 2]}
            with self.assertRaises(KeyboardInterrupt):
                tune.minimise(count, SPACE, default=default, budget=20, samples=5, record=record, key="one")
            self.assertEqual(calls[0], {**default, "depth": None})
            found = tune.minimise(count, SPACE, default=default, budget=20, samples=5, record=record, key="one")
            self.assertEqual(found.evaluations, 20)
            self.assertEqual(len(calls), 8 + 13)
            whole = tune.minimise(seconds, SPACE, default=default, budget=20, samples=5)
            self.assertEqual(whole.point, found.point)
            with self.assertRaisesRegex(tune.TuneError, r"it is for 'one', and this is 'two' \[tuner-record\]"):
                tune.minimise(seconds, SPACE, default=default, budget=20, samples=5, record=record, key="two")

    def test_faults_are_sentences(self):
        with self.assertRaisesRegex(tune.TuneError, r"\[tuner-constraint\]$"):
            tune.minimise(seconds, SPACE, constraints=["til == 3"])
        with self.assertRaisesRegex(tune.TuneError, r"no point keeps .* \[tuner-space-empty\]$"):
            tune.minimise(seconds, SPACE, constraints=["tile < 3"])
        with self.assertRaisesRegex(tune.TuneError, r"none of 12 points is valid: value 12 \[tuner-no-valid\]$"):
            tune.minimise(lambda point: float("nan"), SPACE, budget=12)
        with self.assertRaisesRegex(tune.TuneError, "the default has 'til', which is no parameter"):
            tune.minimise(seconds, SPACE, default={"til": 1})
        with self.assertRaises(ZeroDivisionError):
            tune.minimise(lambda point: 1 / 0, SPACE)


if __name__ == "__main__":
    unittest.main()
