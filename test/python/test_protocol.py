# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/protocol.py with simulated systems and a simulated clock."""

import argparse
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "bench"))
import harness  # noqa: E402
import protocol  # noqa: E402


class World:
    """A clock that systems advance; everything slows down as time passes."""

    def __init__(self, drift=0.0):
        self.now_ms = 0.0
        self.drift = drift
        self.visits = []

    def clock(self):
        return self.now_ms / 1000


class System:
    def __init__(self, world, name, ms):
        self.world, self.name, self.ms = world, name, ms

    def run(self, launches):
        elapsed = launches * self.ms * (1 + self.world.drift * self.world.now_ms)
        self.world.now_ms += elapsed
        self.world.visits.append((self.name, elapsed))
        return elapsed


def run(drift=0.0, rounds=10):
    world = World(drift)
    systems = {name: System(world, name, ms) for name, ms in (("a", 0.5), ("b", 1.0), ("c", 0.8))}
    return world, protocol.measure(systems, rounds=rounds, clock=world.clock)


class SpreadTest(unittest.TestCase):
    def test_several_cases(self):
        found = protocol.spread([0.5, 2.0, 8.0])
        self.assertAlmostEqual(found.pop("geomean"), 2.0)
        self.assertEqual(found, {"least": 0.5, "most": 8.0, "cases": 3})


class OrderTest(unittest.TestCase):
    def test_a_round_goes_forwards_and_backwards(self):
        self.assertEqual(protocol.visit_order(["a", "b", "c"]), ["a", "b", "c", "c", "b", "a"])

    def test_rounds_are_long_enough_and_in_order(self):
        world, rounds = run()
        self.assertEqual(len(rounds), 10)
        names = [name for name, _ in world.visits[-60:]]
        self.assertEqual(names, list("abccba") * 10)
        for entry in rounds:
            for one in entry.values():
                self.assertGreaterEqual(one["ms"], protocol.ROUND_MS)

    def test_warm_up_lasts(self):
        world, _ = run()
        rounds_ms = sum(ms for _, ms in world.visits[-60:])
        self.assertGreaterEqual(world.now_ms - rounds_ms, 1000 * protocol.WARM_UP_S)

    def test_too_few_rounds_are_refused(self):
        with self.assertRaisesRegex(ValueError, "10 rounds or more, not 3"):
            run(rounds=3)

    def test_linear_drift_does_not_favour_anyone(self):
        # 1e-5 a millisecond: the clock falls by a sixth over the rounds.
        _, rounds = run(drift=1e-5)
        self.assertAlmostEqual(protocol.compare(rounds, "a", "b")["ratio"], 2.0, places=2)
        self.assertAlmostEqual(protocol.compare(rounds, "c", "b")["ratio"], 1.25, places=2)


class StatisticsTest(unittest.TestCase):
    def test_median(self):
        self.assertEqual(protocol.median([3, 1, 2]), 2)
        self.assertEqual(protocol.median([4, 1, 2, 3]), 2.5)

    def test_bootstrap_is_reproducible_and_covers_the_median(self):
        values = [1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 0.98, 1.2, 0.8, 1.0]
        low, high = protocol.bootstrap(values)
        self.assertEqual((low, high), protocol.bootstrap(values))
        self.assertLess(low, protocol.median(values))
        self.assertGreater(high, protocol.median(values))
        self.assertGreaterEqual(low, min(values))
        self.assertLessEqual(high, max(values))

    def test_bootstrap_of_equal_values_is_a_point(self):
        self.assertEqual(protocol.bootstrap([2.0] * 10), (2.0, 2.0))

    def test_bootstrap_covers_at_the_stated_rate(self):
        import random

        generator = random.Random(1)
        trials, covered = 200, 0
        for _ in range(trials):
            values = [generator.gauss(0, 1) for _ in range(20)]
            low, high = protocol.bootstrap(values, resamples=400)
            covered += low <= 0 <= high
        self.assertGreater(covered / trials, 0.9)

    def test_compare_is_speed_over_speed(self):
        rounds = [{"a": {"ms_per_launch": 1.0}, "b": {"ms_per_launch": 1.5}}] * 10
        result = protocol.compare(rounds, "a", "b")
        self.assertEqual((result["ratio"], result["low"], result["high"]), (1.5, 1.5, 1.5))


class LoadsTest(unittest.TestCase):
    """The same code, loaded several times, counts as one system."""

    def test_their_geometric_mean_is_compared(self):
        loads = {"a": 1.0, "a#2": 4.0, "b": 3.0, "b#2": 3.0, "c": 5.0}
        entry = {name: {"launches": 2, "ms": 2 * ms, "ms_per_launch": ms} for name, ms in loads.items()}
        joined = protocol.join_loads([entry] * 10)
        self.assertEqual(list(joined[0]), ["a", "b", "c"])
        self.assertEqual((joined[0]["a"]["launches"], joined[0]["a"]["loads"]), (4, [1.0, 4.0]))
        self.assertNotIn("loads", joined[0]["c"])
        self.assertAlmostEqual(protocol.compare(joined, "a", "b")["ratio"], 1.5)

    def options(self, *words):
        parser = argparse.ArgumentParser()
        harness.add_options(parser, ("heddle", "peer"))
        options = parser.parse_args(words)
        return options, harness.check_options(options, ("heddle", "peer"))

    def test_each_of_heddle_s_kernels_is_loaded_anew(self):
        options, wrong = self.options("--loads", "3", "--variant", "old=there", "--kernel-dir", "here")
        self.assertIsNone(wrong)
        self.assertEqual(
            options.systems, ["heddle", "peer", "old", "heddle#2", "old#2", "heddle#3", "old#3"]
        )
        makers = harness.variant_makers(options, lambda given, _: given.kernel_dir, None)
        self.assertEqual({name: make() for name, make in makers.items()}, {
            "old": "there", "old#2": "there", "old#3": "there", "heddle#2": "here", "heddle#3": "here",
        })  # fmt: skip

    def test_no_load_is_refused(self):
        self.assertIn("not 0 times", self.options("--loads", "0")[1])


class BuffersTest(unittest.TestCase):
    def test_sets_exceed_the_total(self):
        self.assertEqual(protocol.buffer_sets(100 * 2**20), 2)
        self.assertEqual(protocol.buffer_sets(30 * 2**20), 7)
        self.assertEqual(protocol.buffer_sets(400 * 2**20), 2)
        self.assertEqual(protocol.buffer_sets(6), protocol.MAX_SETS)

    def test_samples_of_the_monitor(self):
        fields = protocol.GpuMonitor.FIELDS
        sample = protocol.parse_sample("1755, 3201, 689.42, [N/A]\n", fields)
        self.assertEqual(sample, {"clocks.sm": 1755.0, "clocks.mem": 3201.0, "power.draw": 689.42})
        monitor = protocol.GpuMonitor()
        monitor.samples = [{"power.draw": value} for value in (1.0, 3.0, 2.0)]
        self.assertEqual(monitor.summary(), {"power.draw": {"median": 2.0, "min": 1.0, "max": 3.0}})


if __name__ == "__main__":
    unittest.main()
