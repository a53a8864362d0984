#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills a tuner at random moments and starts it again: interrupt.py HEDDLE KILLS.

The record that is left must be that of a tuner which nobody killed, byte for byte: nothing but
what was in flight is lost, and the proposals are the same. Ends with status 1 if not.
"""

import pathlib
import random
import subprocess
import sys
import tempfile
import time

SPACE = """{"input_parameters": {
  "a": {"parameter_type": "integer", "values": [1, 40]}, "b": {"parameter_type": "integer", "values": [1, 40],
  "constraints": ["a * b <= 600"]}, "p": {"parameter_type": "permutation", "values": [4]}}}"""
# A value of the point's text; slow enough to be hit.
PROGRAM = "while read x; do sleep 0.004; echo \"{\\\"value\\\": $(echo \"$x\" | cksum | cut -c1-5)}\"; done"


def main():
    heddle, kills = sys.argv[1], int(sys.argv[2])
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "space.json").write_text(SPACE)

    def command(record):
        return [heddle, "tune", folder / "space.json", "--command", PROGRAM, "--record", folder / record,
                "--budget", "40"]

    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(command("whole"), check=True, **quiet)
    moments = random.Random(1)
    hits = 0
    for k in range(kills):
        if k % 8 == 0:
            (folder / "killed").unlink(missing_ok=True)
        tuner = subprocess.Popen(command("killed"), **quiet)
        time.sleep(moments.uniform(0.005, 0.3))
        hits += tuner.poll() is None
        tuner.kill()
        tuner.wait()
        if k % 8 == 7 or k + 1 == kills:
            while subprocess.run(command("killed"), **quiet).returncode:
                time.sleep(0.01)  # the program of a killed tuner ends a moment later
            if (folder / "killed").read_bytes() != (folder / "whole").read_bytes():
                print(f"after {k + 1} kills the records differ: see {folder}")
                return 1
    print(f"{kills} kills, {hits} of a tuner at work: the records are the same")
    return 0 if hits > kills // 4 else 1


if __name__ == "__main__":
    sys.exit(main())
