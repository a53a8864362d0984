#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Repeats on a GPU what the emulator did, and compares.

    python3 test/gpu/emulate_cases.py --out build/emulated
    python3 test/gpu/emulator_agreement.py build/emulated

The same PTX on the same inputs. Where the arithmetic is exact, or the same IEEE
operations in the same order, the bits must be equal. Approximate instructions (ex2, rcp,
rsqrt, tanh) and sums whose order the hardware does not tell may differ by two roundings
to f16 of the largest result. Exit code: 0 all agree, 1 some do not, 2 nothing could be
run, 3 bad input.
"""

import argparse
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "python"))
TOLERANCE = 2 * 2.0**-10


class Case:
    def __init__(self, folder):
        import heddle.runtime
        import numpy
        import torch

        self.folder = folder
        with open(os.path.join(folder, "case.json")) as file:
            self.description = json.load(file)
        self.kernel = heddle.runtime.Kernel(os.path.join(folder, "kernel.ptx"))
        with open(os.path.join(folder, "kernel.json")) as file:
            self.arguments = json.load(file)["arguments"]
        self.expected, self.given = {}, {}
        for argument in self.arguments:
            name = argument["name"]
            if name not in self.description["views"]:
                continue
            after = torch.from_numpy(numpy.load(os.path.join(folder, name + ".npy")))
            self.expected[name] = after
            before = after.cuda()
            if argument.get("order", []) == [0, 1]:
                before = before.t().contiguous().t()
            if argument.get("written"):
                before = before.clone(memory_format=torch.preserve_format)
                before.fill_(0 if name in self.description["zeroed"] or not before.is_floating_point() else float("nan"))
            self.given[name] = before

    def run(self):
        import torch

        values = {**self.description["scalars"], **self.given}
        self.kernel.bind(*[values[argument["name"]] for argument in self.arguments])()
        torch.cuda.synchronize()

    def compare(self):
        """(all agree, share of equal bits, largest difference by the largest result)"""
        equal = total = 0
        worst = 0.0
        for argument in self.arguments:
            name = argument["name"]
            if name not in self.expected or not (argument.get("written") or name in self.description["zeroed"]):
                continue
            expected, found = self.expected[name].double(), self.given[name].cpu().double()
            if expected.numel() == 0:
                continue
            same = (expected == found) | (expected.isnan() & found.isnan())
            total += same.numel()
            equal += int(same.sum())
            if same.all():
                continue
            finite = expected[expected.isfinite()]
            size = finite.abs().max().item() if finite.numel() else 0.0
            difference = (expected - found)[~same].abs().max().item()
            worst = max(worst, difference / size if size and difference == difference else float("inf"))
        exact = self.description["kind"] == "exact"
        return (equal == total if exact else worst <= TOLERANCE), equal / max(total, 1), worst


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--library", help="libheddle_runtime.so, if not in build/lib")
    options = parser.parse_args()
    try:
        import heddle.runtime
        import torch
    except ImportError as error:
        print(error)
        return 2
    if options.library:
        heddle.runtime.use_library(options.library)
    if not torch.cuda.is_available():
        print("no GPU")
        return 2
    folders = sorted(
        entry.path for entry in os.scandir(options.folder) if os.path.exists(os.path.join(entry.path, "case.json"))
    )
    if not folders:
        print("no cases in " + options.folder)
        return 3
    failed = bitwise = 0
    for folder in folders:
        case = Case(folder)
        case.run()
        agrees, share, worst = case.compare()
        failed += not agrees
        bitwise += share == 1
        if not agrees or share < 1:
            print(
                "%s %s (%s): %.4f of the elements equal, largest difference %.3g of the largest result"
                % ("ok  " if agrees else "FAIL", case.description["name"], case.description["kind"], share, worst)
            )
    print("%d cases agree, %d of them bit for bit; %d do not" % (len(folders) - failed, bitwise, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
