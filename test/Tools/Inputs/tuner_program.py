# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures points a, b for heddle tune: a line of JSON for each."""

import json
import sys

for line in sys.stdin:
    point = json.loads(line)["point"]
    if point["a"] * point["b"] > 32:
        answer = {"valid": False, "reason": "too-big"}
    else:
        answer = {"value": 1.5 + abs(point["a"] - 4) + abs(point["b"] - 8) / 2}
    print(json.dumps(answer), flush=True)
