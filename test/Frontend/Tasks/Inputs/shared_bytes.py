# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""shared_bytes.py KERNEL.json LEAST MOST: each variant takes between so many bytes of shared memory."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    text = json.load(stream)
least, most = map(int, sys.argv[2:])
found = [variant["shared_bytes"] for variant in text["variants"]]
print(found)
sys.exit(not found or not all(bytes_ <= most for bytes_ in found) or max(found) < least)
