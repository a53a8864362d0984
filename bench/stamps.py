# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the stamps of an instrumented kernel say.

A kernel compiled with `heddle compile --trace` writes one list of stamps a process, each
a clock and a number; its manifest tells what begins at each number. Everything here is plain data:
cycles are counted from the first stamp of all.
"""

import statistics

PER_PROCESS = 4096  # kStampsPerProcess in Conversion/Stamps.h
NUMBERS = 1024  # kStampNumbers
CLOCKS = 2**32 // NUMBERS  # clocks are known modulo this
GROUP = 4  # a schedule may alternate, so iterations count in groups, as in the simulator


class Span:
    """One activity of a process, from its stamp to the next one."""

    def __init__(self, number, begin, end):
        self.number, self.begin, self.end = number, begin, end

    @property
    def cycles(self):
        return self.end - self.begin


def words_needed(manifest):
    """The extent of a kernel's trace argument."""
    processes = max(len(variant["processes"]) for variant in manifest["variants"])
    return 1 + PER_PROCESS * processes


def read(words, variant):
    """{process: [Span]} of a trace argument's words, for the variant launched."""
    raw = {}
    for index, process in enumerate(variant["processes"]):
        begin = 1 + index * PER_PROCESS
        raw[process["name"]] = [
            ((word & 0xFFFFFFFF) % NUMBERS - 1, (word & 0xFFFFFFFF) // NUMBERS)
            for word in words[begin : begin + PER_PROCESS]
            if word
        ]
    # The clock of one multiprocessor wraps; processes begin within half a turn.
    first = next((entries[0][1] for entries in raw.values() if entries), 0)
    spans = {}
    for name, entries in raw.items():
        times = []
        for _, clock in entries:
            before = times[-1] if times else -CLOCKS // 2
            times.append(before + (clock - first - before) % CLOCKS)
        spans[name] = [
            Span(number, times[i], times[i + 1])
            for i, (number, _) in enumerate(entries[:-1])
        ]
    origin = min((one[0].begin for one in spans.values() if one), default=0)
    for one in spans.values():
        for span in one:
            span.begin -= origin
            span.end -= origin
    return spans


def steady_stamps(spans):
    """The numbers of the stamps of the innermost loop: those written most often."""
    counts = {}
    for span in spans:
        counts[span.number] = counts.get(span.number, 0) + 1
    most = max(counts.values(), default=0)
    return [number for number in sorted(counts) if 2 * counts[number] > most]


def groups(spans):
    """Cycles an iteration of the steady loop, for each group of iterations within a tile:
    a group that holds the end of a tile is longer by far."""
    numbers = steady_stamps(spans)
    begins = [span.begin for span in spans if numbers and span.number == numbers[0]]
    lengths = [(b - a) / GROUP for a, b in zip(begins, begins[GROUP:])]
    if not lengths:
        return []
    middle = statistics.median(lengths)
    return [length for length in lengths if length <= 1.5 * middle]


def interval(spans):
    """Cycles from one iteration of the steady loop to the next: the mean, because groups of
    warps may fall from one rhythm into another."""
    lengths = groups(spans)
    return statistics.fmean(lengths) if lengths else None


def durations(spans):
    """{number: median cycles} of the steady loop's stamps."""
    result = {}
    for number in steady_stamps(spans):
        result[number] = statistics.median(s.cycles for s in spans if s.number == number)
    return result


def label(stamp):
    """"work exp2.0 .. cast.0" for a stamp of the manifest."""
    names = stamp["names"]
    if len(names) > 2:
        names = [names[0], "..", names[-1]]
    return " ".join([stamp["activity"], *names])


def trace_events(spans, variant, pid, name, origin, limit=None):
    """The spans as events of a Chrome trace, cycle `origin` at 0; at most those that begin
    before cycle `limit`."""

    def metadata(thread, what, text):
        return {"pid": pid, "ph": "M", "tid": thread, "name": what, "args": {"name": text}}

    events = [metadata(0, "process_name", name)]
    for thread, (process, list_of_spans) in enumerate(spans.items(), start=1):
        events.append(metadata(thread, "thread_name", process))
        for span in list_of_spans:
            if limit is not None and span.begin - origin >= limit:
                break
            stamp = variant["stamps"][span.number]
            events.append(
                {
                    "pid": pid,
                    "ph": "X",
                    "tid": thread,
                    "name": label(stamp),
                    "ts": span.begin - origin,
                    "dur": span.cycles,
                    "args": {"operations": ", ".join(stamp["names"])},
                }
            )
    return events
