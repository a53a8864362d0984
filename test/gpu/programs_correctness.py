#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples beyond plain products against float64, on a GPU.

    python3 bench/compile.py attention rowwise other
    python3 test/gpu/programs_correctness.py --kernel-dir build/kernels

Each case runs twice, into outputs poisoned with NaN between guard bands. The
largest error must be at most 1.5 times that of PyTorch's own computation in the same
types (for attention its composition of matmul and softmax), or be that of rounding
the exact result; sums are held to a few roundings of the sum of magnitudes; what is
only moved or counted must be equal. NaN and infinities must stand exactly where the
reference has them. Exit code: 0 all passed, 1 some failed, 2 nothing could be run or
a required kernel is missing, 3 bad input.
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "bench"))
sys.path.insert(0, os.path.join(ROOT, "python"))
sys.path.insert(0, HERE)


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY", help="all unless some are named")
    parser.add_argument("--kernel-dir", default="build/kernels")
    parser.add_argument("--library", help="libheddle_runtime.so, if not in build/lib")
    parser.add_argument("--require-all", action="store_true", help="a missing kernel fails")
    parser.add_argument("--max-failures", type=int, default=40, help="stop after so many")
    parser.add_argument("--hang-seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


class Kernels:
    """The kernels of a folder by name, loaded when asked for."""

    def __init__(self, folder):
        self.folder, self.loaded = folder, {}

    def __contains__(self, name):
        return os.path.exists(os.path.join(self.folder, name + ".ptx"))

    def __getitem__(self, name):
        if name not in self.loaded:
            import heddle.runtime

            self.loaded[name] = heddle.runtime.Kernel(os.path.join(self.folder, name + ".ptx"))
        return self.loaded[name]


def main(arguments=None):
    options = parse_options(arguments)
    import torch

    if not torch.cuda.is_available():
        print("programs_correctness.py: there is no GPU here", file=sys.stderr)
        return 2
    torch.zeros(1, device="cuda")  # makes torch's context current for heddle
    import heddle.runtime
    from gemm_checks import Watchdog
    from program_cases import FAMILIES, Maker
    from program_checks import Checker

    unknown = set(options.families) - set(FAMILIES)
    if unknown:
        print(
            "programs_correctness.py: error: no family %s; there are %s"
            % (", ".join(sorted(unknown)), ", ".join(FAMILIES)),
            file=sys.stderr,
        )
        return 3
    if options.library:
        heddle.runtime.use_library(options.library)
    device = torch.device("cuda")
    checker = Checker(Kernels(options.kernel_dir), device, options.max_failures)
    with Watchdog(options.hang_seconds) as watchdog:
        for family in options.families or FAMILIES:
            print(family)
            checker.run(FAMILIES[family](Maker(device, options.seed)), watchdog)
    code = checker.report()
    return 2 if code == 0 and checker.skipped and options.require_all else code


if __name__ == "__main__":
    sys.exit(main())
