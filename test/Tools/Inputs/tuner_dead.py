# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures a program whose code depends on its tile alone, for heddle tune."""

import json
import sys

for line in sys.stdin:
    tile = json.loads(line)["point"]["tile"]
    print(json.dumps({"value": 1 + abs(tile - 4), "code": f"tile-{tile}"}), flush=True)
