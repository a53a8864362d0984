# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The timing protocol behind every figure that compares systems on one GPU.

Matrix kernels run into the GPU's power limit, so their speed depends on how long
the chip has been busy and on the data. A fair comparison therefore
  - warms the chip up with all systems together, to a steady clock;
  - interleaves the systems: a round visits them forwards and then backwards
    (A B B A), so that a slow drift weighs on all alike;
  - launches back to back, over buffers that together exceed the L2;
  - compares within a round, takes the median ratio over rounds, and gives its
    95 % interval by bootstrap over rounds;
  - records clocks and power during the rounds.

Nothing here imports torch: a system is any object with run(launches), which
returns the milliseconds that many back-to-back launches took.
"""

import random
import shutil
import statistics
import subprocess
import threading
import time

MIN_ROUNDS = 10
ROUND_MS = 50.0  # at least, per system and round
WARM_UP_S = 10.0
OPERAND_BYTES = 200 * 2**20  # over all buffer sets; the L2 has 60 MB
MAX_SETS = 64  # far fewer than heddle's runtime keeps planned launches


def visit_order(names):
    """One round: forwards, then backwards."""
    return list(names) + list(reversed(names))


def buffer_sets(bytes_per_set, total=OPERAND_BYTES):
    """How many sets of operands to rotate over. Problems so small that MAX_SETS of
    them fit the L2 are timed from there, which the report shows."""
    return min(max(2, -(-total // max(bytes_per_set, 1))), MAX_SETS)


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def spread(ratios):
    """What several cases have in common: the geometric mean of their ratios, and the ends."""
    return {"geomean": statistics.geometric_mean(ratios), "least": min(ratios), "most": max(ratios),
            "cases": len(ratios)}


def bootstrap(values, statistic=median, resamples=10000, confidence=0.95, seed=0):
    """(low, high) of the statistic by the percentile bootstrap. The seed is fixed:
    the same data give the same interval."""
    generator = random.Random(seed)
    count = len(values)
    results = sorted(
        statistic([values[generator.randrange(count)] for _ in range(count)])
        for _ in range(resamples)
    )
    tail = (1 - confidence) / 2
    low = results[int(tail * resamples)]
    high = results[min(int((1 - tail) * resamples), resamples - 1)]
    return low, high


def compare(rounds, name, baseline):
    """Speed of `name` over that of `baseline`: the median over rounds of the ratio
    within a round, and its interval. Above 1 means that `name` is faster."""
    ratios = [
        entry[baseline]["ms_per_launch"] / entry[name]["ms_per_launch"]
        for entry in rounds
        if name in entry and baseline in entry
    ]
    low, high = bootstrap(ratios)
    return {
        "system": name,
        "baseline": baseline,
        "ratio": median(ratios),
        "low": low,
        "high": high,
        "rounds": len(ratios),
    }


def join_loads(rounds):
    """The rounds with all loads of a system, `NAME` and `NAME#2` and on, as one: `ms_per_launch`
    is their geometric mean, `loads` has each."""
    joined = []
    for entry in rounds:
        loads = {}
        for name, one in entry.items():
            loads.setdefault(name.partition("#")[0], []).append(one)
        joined.append({
            name: ones[0] if len(ones) == 1 else {
                "launches": sum(one["launches"] for one in ones),
                "ms": sum(one["ms"] for one in ones),
                "ms_per_launch": statistics.geometric_mean([one["ms_per_launch"] for one in ones]),
                "loads": [one["ms_per_launch"] for one in ones],
            }
            for name, ones in loads.items()
        })  # fmt: skip
    return joined


def launches_for(system, visit_ms):
    """How many launches fill a visit, from a probe that doubles until it is long
    enough to trust."""
    launches = 1
    while True:
        elapsed = max(system.run(launches), 1e-6)
        if elapsed >= visit_ms / 4:
            return max(1, int(-(-launches * visit_ms // elapsed)))
        launches = min(launches * 4, int(launches * visit_ms / elapsed) + 1)


def warm_up(systems, seconds, counts, clock=time.monotonic):
    """All systems in turn until the time is over."""
    end = clock() + seconds
    while clock() < end:
        for name in systems:
            systems[name].run(counts[name])


def measure(
    systems,
    rounds=MIN_ROUNDS,
    round_ms=ROUND_MS,
    warm_up_s=WARM_UP_S,
    clock=time.monotonic,
    on_rounds=None,
):
    """Times the systems (a dictionary, in order). Returns a list with one entry a
    round: {name: {"launches", "ms", "ms_per_launch"}}. Calls `on_rounds` when the
    warm-up is over."""
    if rounds < MIN_ROUNDS:
        raise ValueError("the protocol needs %d rounds or more, not %d" % (MIN_ROUNDS, rounds))
    visit_ms = round_ms / 2  # a round visits every system twice
    counts = {name: launches_for(system, visit_ms) for name, system in systems.items()}
    warm_up(systems, warm_up_s, counts, clock)
    # Again, now that the clocks are the sustained ones.
    counts = {name: launches_for(system, visit_ms * 1.1) for name, system in systems.items()}
    if on_rounds:
        on_rounds()
    results = []
    for _ in range(rounds):
        entry = {name: {"launches": 0, "ms": 0.0} for name in systems}
        for name in visit_order(systems):
            entry[name]["ms"] += systems[name].run(counts[name])
            entry[name]["launches"] += counts[name]
        for one in entry.values():
            one["ms_per_launch"] = one["ms"] / one["launches"]
        results.append(entry)
    return results


class GpuMonitor:
    """Samples clocks, power and temperature while a `with` block runs."""

    FIELDS = ("clocks.sm", "clocks.mem", "power.draw", "temperature.gpu")

    def __init__(self, gpu=None, period_ms=100):
        self.samples = []
        self._command = None
        tool = shutil.which("nvidia-smi")
        if tool:
            self._command = [
                tool,
                "--query-gpu=" + ",".join(self.FIELDS),
                "--format=csv,noheader,nounits",
                "-lms",
                str(period_ms),
            ]
            if gpu is not None:
                self._command += ["-i", str(gpu)]

    def __enter__(self):
        self._process = None
        if self._command:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            self._thread = threading.Thread(target=self._collect, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *unused):
        if self._process:
            self._process.terminate()
            self._process.wait()
            self._thread.join(timeout=5)

    def _collect(self):
        for line in self._process.stdout:
            sample = parse_sample(line, self.FIELDS)
            if sample:
                self.samples.append(sample)

    def summary(self):
        """{field: {"median", "min", "max"}}; empty without nvidia-smi."""
        result = {}
        for field in self.FIELDS:
            values = [sample[field] for sample in self.samples if field in sample]
            if values:
                result[field] = {"median": median(values), "min": min(values), "max": max(values)}
        return result


def parse_sample(line, fields):
    """{field: number} of one line of nvidia-smi; fields it does not know are left out."""
    sample = {}
    for field, text in zip(fields, line.split(",")):
        try:
            sample[field] = float(text)
        except ValueError:
            pass  # "[N/A]"
    return sample
