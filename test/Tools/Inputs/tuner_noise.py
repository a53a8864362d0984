# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Answers points with times of ten percent noise: tuner_noise.py SEED SHARE

SHARE is the time of points whose b is 8, of that of others. The noise depends on the seed, the
point and how often this process was asked about it.
"""

import collections
import json
import math
import random
import sys

asked = collections.Counter()
for line in sys.stdin:
    point = json.loads(line)["point"]
    text = json.dumps(point)
    asked[text] += 1
    noise = random.Random(f"{sys.argv[1]} {text} {asked[text]}").gauss(0, 0.1)
    share = float(sys.argv[2]) if point["b"] == 8 else 1
    print(json.dumps({"value": share * math.exp(noise)}), flush=True)
