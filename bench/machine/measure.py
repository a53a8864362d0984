#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what a schedule needs to know of a GPU, in cycles of its multiprocessors.

    python3 bench/machine/measure.py --update machines/h200.json

Every kernel is measured twice, in two rounds over all of them; value is the mean of the
two, spread half their difference. Needs a driver and a GPU of compute capability 9.0;
no compiler. Exit code: 0 measured, 1 some kernel failed, 2 no such GPU.
"""

import argparse
import datetime
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import arithmetic  # noqa: E402
import barriers  # noqa: E402
import beside  # noqa: E402
import copies  # noqa: E402
import driver as cuda  # noqa: E402
import kernels  # noqa: E402
import shared  # noqa: E402
import tensor  # noqa: E402

MULTIPROCESSORS, MAJOR, MINOR = 16, 75, 76  # CU_DEVICE_ATTRIBUTE_...


def all_kernels(driver):
    multiprocessors = driver.attribute(MULTIPROCESSORS)
    for prefix, found in (
        ("wgmma", tensor.measure()), ("instruction", arithmetic.measure()),
        ("instruction", beside.measure()),
        ("barrier", barriers.measure()), ("shared", shared.measure()),
        ("copy", copies.measure(driver, multiprocessors)),
    ):  # fmt: skip
        for name, kernel, divisor in found:
            yield "%s.%s" % (prefix, name), kernel, divisor


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", metavar="MACHINE.json", help="write the figures there")
    parser.add_argument("--json", metavar="FILE", help="write the figures alone")
    parser.add_argument("--only", default="", help="kernels whose name begins so")
    options = parser.parse_args()
    try:
        driver = cuda.Driver()
    except (OSError, cuda.DriverError) as error:
        print(error)
        return 2
    if (driver.attribute(MAJOR), driver.attribute(MINOR)) != (9, 0):
        print("these kernels are for compute capability 9.0")
        return 2
    todo = [one for one in all_kernels(driver) if one[0].startswith(options.only)]
    rounds, failed = {}, 0
    for _ in range(2):
        for name, kernel, divisor in todo:
            try:
                rounds.setdefault(name, []).append(kernels.cycles(driver, kernel) / divisor)
            except cuda.DriverError as error:
                print("%s: %s" % (name, error))
                failed += 1
    figures = {}
    for name, values in rounds.items():
        value, spread = sum(values) / len(values), (max(values) - min(values)) / 2
        figures[name] = {"cycles": round(value, 2), "spread": round(spread, 2)}
        print("%-40s %9.2f +- %.2f" % (name, value, spread))
    measured = {
        "by": "bench/machine/measure.py", "date": datetime.date.today().isoformat(),
        "device": driver.name(), "cycles": figures,
    }  # fmt: skip
    if options.json:
        with open(options.json, "w") as file:
            json.dump(measured, file, indent=1)
    if options.update:
        with open(options.update) as file:
            machine = json.load(file)
        # What other tools measured stays.
        machine.setdefault("measured", {}).update(measured)
        with open(options.update, "w") as file:
            file.write(dump(machine) + "\n")
    return 1 if failed else 0


def dump(machine):
    """Two levels of indentation, then one line a figure."""

    def lines(value, depth):
        if not isinstance(value, dict) or all(not isinstance(v, dict) for v in value.values()) and depth > 1:
            return json.dumps(value)
        pad = "  " * (depth + 1)
        inner = ",\n".join('%s%s: %s' % (pad, json.dumps(k), lines(v, depth + 1)) for k, v in value.items())
        return "{\n%s\n%s}" % (inner, "  " * depth)

    return lines(machine, 0)


if __name__ == "__main__":
    sys.exit(main())
