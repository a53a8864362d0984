# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench/schedule_facts.py reads off a schedule."""

import json
import pathlib
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import schedule_facts as facts  # noqa: E402
import schedules  # noqa: E402


def answer(starts, ii=100, bound=100):
    """S and O of two sub-tiles, 25 cycles each, issued when they are taken up."""
    names = [("s.0", 0), ("s.1", 1), ("o.0", 0), ("o.1", 1)]
    problem = {"units": [{"name": "tensor"}],
               "operations": [{"name": name, "unit": 0, "sub": sub, "latency": 30, "reservation": 25, "issue": 2}
                              for name, sub in names]}
    solution = {"ii": ii, "start": starts, "execution": starts, "process": [1, 2, 1, 2],
                "processes": [{"name": "load", "registers": 40}, {"name": "a", "registers": 8}, {"name": "b", "registers": 8}]}
    found = {"refuted": False, "bound": bound, "slack": 0, "ownerChanges": 2}
    return types.SimpleNamespace(problem=problem, solution=solution, interval=ii, found=found)


class Facts(unittest.TestCase):
    def test_order_begins_with_the_first_sub_tile(self):
        order = [op["name"] for op in facts.products(answer([125, 75, 150, 200]))]
        self.assertEqual(order, ["s.0", "o.0", "s.1", "o.1"])

    def test_overlap(self):
        # O is done 80 cycles behind S, before the next S; or 130 behind it.
        self.assertEqual(facts.overlaps(answer([0, 25, 50, 75])), {0: False, 1: False})
        self.assertEqual(facts.overlaps(answer([0, 25, 100, 75])), {0: True, 1: False})
        self.assertEqual(facts.overlap(answer([0, 25, 100, 75])), "optimal; 1 of 2 sub-tiles overlap products of two iterations")

    def test_differences_are_named(self):
        same = answer([0, 50, 125, 175])
        self.assertIn("With the slack goal, the differences: none.", facts.beside_flash_attention(same))
        other = answer([0, 25, 150, 175])
        self.assertIn("order on the tensor core is S.0 O.0 S.1 O.1 there and S.0 S.1 O.0 O.1 here",
                      facts.beside_flash_attention(other))

    def test_costs_are_scaled_and_shapes_are_not(self):
        plain = json.loads((ROOT / "machines" / "b200.json").read_text())["costs"]["tensor"]
        dearer = json.loads(schedules.scaled("b200", "tensor", 1.1))["costs"]["tensor"]
        self.assertEqual(dearer["rows"], plain["rows"])
        self.assertAlmostEqual(dearer["latency"]["value"], 1.1 * plain["latency"]["value"], delta=0.5)
        self.assertLess(dearer["flops_per_cycle"]["value"], plain["flops_per_cycle"]["value"])


if __name__ == "__main__":
    unittest.main()
