#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a file is a trace: events are known, nobody does two things at a
time, and no ring has more slots in use than it can have.

Usage: check_trace.py TRACE.json RING-DEPTH
Prints a line for each thread: its name and how many events it has.
"""

import collections
import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    groups, threads, work = {}, {}, collections.defaultdict(list)
    for event in events:
        if event["ph"] == "M" and event["name"] == "process_name":
            groups[event["pid"]] = event["args"]["name"]
        elif event["ph"] == "M" and event["name"] == "thread_name":
            threads[event["pid"], event["tid"]] = event["args"]["name"]
        elif event["ph"] == "X":
            work[event["pid"], event["tid"]].append(event)
        elif event["ph"] == "C":
            used = event["args"].values()
            assert min(used) >= 0 and sum(used) <= int(sys.argv[2]), event
    for key in sorted(work):
        mine = sorted(work[key], key=lambda event: event["ts"])
        for before, after in zip(mine, mine[1:]):
            assert before["ts"] + before["dur"] <= after["ts"], (before, after)
        print(f"{groups[key[0]]}: {threads[key]}: {len(mine)}")


main()
