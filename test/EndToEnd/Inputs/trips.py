#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""trips.py PROGRAM TILE ARGUMENT...: runs PROGRAM at the trip counts 0, 1, D - 1, D,
D + 1 and 2 D + 1 of its pipelined loop, D the depth of its deepest ring, and at a last
trip that is cut short. `{k}` in an argument becomes the extent; TILE is one trip's."""

import re
import subprocess
import sys

program, tile, arguments = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
settings = [part for part in arguments if part.startswith("--set=")]
plan = subprocess.run(
    ["heddle", "compile", program, "--emit=sched", *settings],
    check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
).stdout  # fmt: skip
depths = [int(depth) for depth in re.findall(r'sched\.ring "[^"]*" depth (\d+)', plan)]
if not depths:
    sys.exit(f"{program} has no rings")
depth = max(depths)
trips = sorted({0, 1, depth - 1, depth, depth + 1, 2 * depth + 1})
for index, extent in enumerate([count * tile for count in trips] + [(depth + 1) * tile - 8]):
    command = ["heddle", "run", program, "--device=emulator", "--order=random", f"--seed={index}"]
    command += [part.replace("{k}", str(extent)) for part in arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}")
print(f"depth {depth}: trips {', '.join(map(str, trips))}")
