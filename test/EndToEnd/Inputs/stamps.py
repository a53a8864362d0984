# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stamps.py TRACE.npy MANIFEST.json: the first stamps of each process, checked."""

import collections
import json
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "bench"))
import stamps  # noqa: E402


def main():
    with open(sys.argv[2]) as file:
        manifest = json.load(file)
    variant = manifest["variants"][0]
    count = stamps.words_needed(manifest)
    with open(sys.argv[1], "rb") as file:
        words = struct.unpack("<%di" % count, file.read()[-4 * count :])
    for process, spans in stamps.read(list(words), variant).items():
        assert all(span.cycles >= 0 for span in spans), process
        labels = [stamps.label(variant["stamps"][span.number]) for span in spans]
        if not labels:
            continue
        print("%s: %s" % (process, ", ".join(labels[:12])))
        for text, times in collections.Counter(labels).items():
            print("  %d %s, in 1 CTA" % (times, text))


main()
