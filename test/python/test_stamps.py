# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/stamps.py on stamps whose times are known."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "bench"))
import stamps  # noqa: E402

VARIANT = {
    "processes": [{"name": "load"}, {"name": "mma"}],
    "stamps": [
        {"process": "load", "activity": "issue", "names": ["a"]},
        {"process": "mma", "activity": "get", "names": ["r"]},
        {"process": "mma", "activity": "work", "names": ["x", "y", "z"]},
        {"process": "mma", "activity": "end", "names": []},
    ],
}


def word(clock, number):
    """As a kernel writes it: 32 bits, signed."""
    value = (clock * stamps.NUMBERS + number + 1) % 2**32
    return value - 2**32 if value >= 2**31 else value


def trace(load, mma):
    words = [0] * (1 + 2 * stamps.PER_PROCESS)
    for begin, entries in ((1, load), (1 + stamps.PER_PROCESS, mma)):
        for position, entry in enumerate(entries):
            words[begin + position] = word(*entry)
    return words


class ReadTest(unittest.TestCase):
    def test_a_stamp_lasts_until_the_next(self):
        spans = stamps.read(trace([(1000, 0), (1010, 0)], [(990, 1), (1005, 2), (1100, 3)]), VARIANT)
        self.assertEqual([(s.number, s.begin, s.end) for s in spans["mma"]], [(1, 0, 15), (2, 15, 110)])
        self.assertEqual([(s.begin, s.end) for s in spans["load"]], [(10, 20)])

    def test_the_clock_wraps_within_and_between_processes(self):
        end = stamps.CLOCKS
        spans = stamps.read(trace([(5, 0), (25, 0)], [(end - 10, 1), (end + 10, 2), (end + 30, 3)]), VARIANT)
        self.assertEqual([(s.begin, s.end) for s in spans["mma"]], [(0, 20), (20, 40)])
        self.assertEqual([(s.begin, s.end) for s in spans["load"]], [(15, 35)])

    def test_a_process_may_have_no_stamps(self):
        self.assertEqual(stamps.read(trace([], [(1, 1), (2, 3)]), VARIANT)["load"], [])


class SteadyTest(unittest.TestCase):
    def spans(self, period, count, gap=0):
        entries = []
        for i in range(count):
            begin = 100 + i * period + (gap if i >= count // 2 else 0)
            entries += [(begin, 1), (begin + 20, 2)]
        return stamps.read(trace([], entries + [(begin + period, 3)]), VARIANT)["mma"]

    def test_the_interval_leaves_out_what_lies_between_tiles(self):
        self.assertEqual(stamps.interval(self.spans(300, 40)), 300)
        self.assertEqual(stamps.interval(self.spans(300, 40, gap=5000)), 300)

    def test_two_rhythms_count_by_their_time(self):
        entries = [(100 + i * 300 - max(0, i - 40) * 100, 1) for i in range(80)]
        entries = [one for begin, _ in entries for one in ((begin, 1), (begin + 20, 2))]
        spans = stamps.read(trace([], entries), VARIANT)["mma"]
        self.assertAlmostEqual(stamps.interval(spans), 251, delta=4)

    def test_too_few_iterations_give_none(self):
        self.assertIsNone(stamps.interval(self.spans(300, stamps.GROUP)))

    def test_durations_are_by_stamp(self):
        self.assertEqual(stamps.durations(self.spans(300, 40)), {1: 20, 2: 280})


class TraceTest(unittest.TestCase):
    def test_events_begin_at_the_origin(self):
        spans = stamps.read(trace([], [(100, 1), (120, 2), (300, 3)]), VARIANT)
        events = stamps.trace_events(spans, VARIANT, 3, "k: GPU", 20)
        complete = [event for event in events if event["ph"] == "X"]
        self.assertEqual([(e["name"], e["ts"], e["dur"]) for e in complete],
                         [("get r", -20, 20), ("work x .. z", 0, 180)])


if __name__ == "__main__":
    unittest.main()
