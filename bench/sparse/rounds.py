# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interleaved rounds over functions of one process, by bench/protocol.py's rules.

A round visits every system forwards and backwards (A B B A) with the baseline twice, as "a"
and "a again"; the gap between these two is the least difference that means anything.
"""

import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import protocol  # noqa: E402


def clock_for(workers):
    """(clock, what it is): of one thread the processor's time, which other programs of a busy
    machine add little to; of several the time that passes."""
    if workers == 1:
        return time.process_time, "the processor's time"
    return time.perf_counter, "the time that passes"


def milliseconds(function, clock=time.perf_counter, least=2.0):
    """Of one call, from as many as take `least` milliseconds."""
    calls, start = 0, clock()
    while True:
        function()
        calls += 1
        passed = (clock() - start) * 1e3
        if passed >= least:
            return passed / calls


def measure(systems, baseline, rounds, enter=None, clock=time.perf_counter):
    """An entry for each round. `enter(name)` is called before a visit and is not timed, nor is a call behind it."""
    timed = dict(systems)
    timed[baseline + " again"] = systems[baseline]
    entries = []
    for _ in range(rounds):
        times = {name: [] for name in timed}
        for name in protocol.visit_order(timed):
            if enter:
                enter(name.removesuffix(" again"))
                timed[name]()
            times[name].append(milliseconds(timed[name], clock))
        entries.append({name: {"ms_per_launch": sum(found) / len(found)} for name, found in times.items()})
    return entries


def medians(entries):
    return {system: protocol.median([entry[system]["ms_per_launch"] for entry in entries]) for system in entries[0]}


def load(workers):
    """The machine's load as words."""
    now = os.getloadavg()[0]
    return (f"load {now:.1f} on {os.cpu_count()} cores"
            + ("; PROVISIONAL: others use the machine" if now > 1.2 * workers else ""))
