# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The points that bench/attention.py times: which attention, how deep, how long."""

import dataclasses

TOKENS = 16384
WIDTH = 2048
LENGTHS = (512, 1024, 2048, 4096, 8192, 16384)


@dataclasses.dataclass(frozen=True)
class Point:
    """TOKENS tokens in sequences of `length`, WIDTH or a little less in heads of `depth`.
    `group` heads of queries share one of keys; with a `window`, query i sees the keys
    from i - window + 1 to i."""

    depth: int
    length: int
    causal: bool = False
    group: int = 1
    window: int = None

    @property
    def batch(self):
        return TOKENS // self.length

    @property
    def heads(self):
        """A multiple of the group."""
        return WIDTH // self.depth // self.group * self.group

    @property
    def program(self):
        """The example that computes it."""
        if self.window:
            return "attention_window"
        if self.group > 1:
            return "attention_gqa"
        return "attention_causal" if self.causal else "attention"

    @property
    def kernel(self):
        return "%s_d%d" % (self.program, self.depth)

    @property
    def kind(self):
        """What sets it apart from plain attention, or None."""
        if self.window:
            return "window of %d" % self.window
        if self.group > 1:
            return "groups of %d heads" % self.group
        return None if self.depth in (64, 128) else "depth %d" % self.depth

    @property
    def name(self):
        kind = ", " + self.kind if self.kind and not self.kind.startswith("depth") else ""
        return "depth %d, length %d%s%s" % (self.depth, self.length, ", causal" if self.causal else "", kind)

    def wrong(self):
        """Why it cannot be timed, or None."""
        if self.length < 128 or TOKENS % self.length or self.length % 128:
            return "lengths are multiples of 128 that divide %d" % TOKENS
        if self.group > 1 and self.window:
            return "no example has both a group and a window"
        if (self.group > 1 or self.window) and not self.causal:
            return "groups and windows are timed with causal attention"
        return None


def plain(depths, lengths, causal=(False, True)):
    return [Point(depth, length, c) for depth in depths for c in causal for length in lengths]


PRESETS = {
    "plain": plain((128, 64), LENGTHS),
    "gqa": [Point(128, length, True, group=4) for length in (512, 2048, 8192)],
    "window": [
        Point(128, length, True, window=window)
        for length, window in ((2048, 512), (8192, 1024), (16384, 4096))
    ],
    "d96": plain((96,), (1024, 8192)),
    "d256": plain((256,), (1024, 8192)),
}
PRESETS["family"] = [point for name in ("gqa", "window", "d96", "d256") for point in PRESETS[name]]
