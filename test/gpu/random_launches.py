#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A thousand launches of every kernel, each on other shapes and data.

    python3 bench/compile.py
    python3 test/gpu/random_launches.py --kernel-dir build/kernels

Shapes are ragged, small, whole, empty, or long enough to take rings around many times
(random_cases.py); data are N(0,1), and integers where sums are exact. GEMM kernels of
all layouts and types share their shapes and are held to gemm_checks.py, the others to
program_checks.py: two launches of each case, outputs poisoned between guard bands.

A case that failed runs alone by --seed, the kernel's name and --case; a GEMM by
gemm_correctness.py --shape. `--device emulator` compiles in process and needs no GPU;
it wants --largest 100 or so. Exit code: 0 all passed, 1 some failed, 2 nothing could
be run, a kernel is missing or time ran out, 3 bad input.
"""

import argparse
import collections
import os
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
for folder in ("bench", "python", os.path.join("test", "gpu")):
    sys.path.insert(0, os.path.join(ROOT, folder))

GEMM_LAUNCHES = 4  # a shape: integers and N(0, 1), twice each
LAUNCHES = 2  # a case
GEMM = re.compile("gemm_[nt]{2}_b?f16_(b?f16|f32)")


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="'gemm' is all of them; default: every kernel")
    parser.add_argument("--kernel-dir", default=os.path.join("build", "kernels"))
    parser.add_argument("--device", choices=["gpu", "emulator"], default="gpu")
    parser.add_argument("--library", help="libheddle_runtime.so, if not in build/lib")
    parser.add_argument("--launches", type=int, default=1000, help="of each kernel")
    parser.add_argument("--largest", type=int, default=1 << 20, help="extent that is drawn")
    parser.add_argument("--case", type=int, help="only this one")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=240, help="stop after so many")
    parser.add_argument("--max-failures", type=int, default=40, help="stop after so many")
    parser.add_argument("--hang-seconds", type=float, default=60)
    return parser.parse_args(arguments)


class EmulatedKernel:
    """As heddle.runtime.Kernel, for tensors of the host."""

    def __init__(self, program, settings):
        import heddle

        path = os.path.join(ROOT, "examples", program + ".mlir")
        given = dict(one.split("=", 1) for one in settings)
        options = {name[2:]: given.pop(name) for name in list(given) if name.startswith("--")}
        self.compiled = heddle.compile(path, settings=given, **options)
        self.arguments = [
            dict(one, order=tuple(one.get("order", ()))) for one in self.compiled.arguments
        ]

    def bind(self, *values):
        return lambda: self.compiled.run(*values)


class EmulatedKernels:
    """Every kernel of bench/compile.py, compiled when asked for."""

    def __init__(self):
        import compile as sources

        self.sources = {
            name: (program, settings)
            for group in sources.GROUPS.values()
            for name, program, settings, *_ in group()
        }
        self.compiled = {}

    def __contains__(self, name):
        return name in self.sources

    def __getitem__(self, name):
        if name not in self.compiled:
            self.compiled[name] = EmulatedKernel(*self.sources[name])
        return self.compiled[name]


def gemm_kernels(kernels, chosen, watchdog):
    """{(layout, in, out): kernel} of the GEMMs that were asked for."""
    import gemm_problem as problem

    found = {}
    for layout in problem.LAYOUTS:
        for in_type in problem.INPUTS:
            for out_type in problem.OUTPUTS:
                name = "gemm_%s_%s_%s" % (layout, in_type, out_type)
                if name in kernels and (not chosen or name in chosen or "gemm" in chosen):
                    watchdog.step(name)
                    found[layout, in_type, out_type] = kernels[name]
    return found


def run_gemms(options, kernels, device, watchdog):
    """A checker that has run."""
    import random_cases
    from gemm_checks import Checker

    checker = Checker(kernels, options.seed, options.max_failures, device)
    count = -(-options.launches // GEMM_LAUNCHES)
    shapes = random_cases.gemm_shapes(options.seed, count, options.largest)
    shapes = shapes if options.case is None else shapes[options.case : options.case + 1]
    checker.run(shapes, watchdog)
    return checker


def cases_of(options, kernel, device, deadline, launched):
    """The kernel's cases until time is up, each counted as it is handed out."""
    import random_cases

    count = -(-options.launches // LAUNCHES)
    for index in range(count) if options.case is None else [options.case]:
        if time.monotonic() > deadline:
            return
        launched[kernel] += LAUNCHES
        yield random_cases.case_of(kernel, options.seed, index, options.largest, device)


def run_programs(options, kernels, chosen, device, watchdog, deadline):
    """A checker that has run, and how many launches each kernel got."""
    from program_checks import Checker

    launched = collections.Counter()
    checker = Checker(kernels, device, options.max_failures)
    for kernel in chosen:
        if kernel not in kernels:
            checker.skipped.add(kernel)
            continue
        checker.run(cases_of(options, kernel, device, deadline, launched), watchdog)
        print("%s: %d launches" % (kernel, launched[kernel]))
        sys.stdout.flush()
        if checker.failed >= options.max_failures:
            break
    return checker, launched


def open_device(options):
    """(torch's device, the kernels there)."""
    import torch
    from programs_correctness import Kernels

    if options.device == "emulator":
        return torch.device("cpu"), EmulatedKernels()
    import heddle.runtime

    torch.zeros(1, device="cuda")  # makes torch's context current for heddle
    if options.library:
        heddle.runtime.use_library(options.library)
    return torch.device("cuda"), Kernels(options.kernel_dir)


def refusal(options):
    """(exit code, why nothing can be run); None if it can."""
    try:
        import torch
    except ImportError as error:
        return 2, str(error)
    if options.device == "gpu" and not torch.cuda.is_available():
        return 2, "there is no GPU here; see --device emulator"
    import random_cases

    known = set(random_cases.DRAWS) | {"gemm"}
    unknown = [name for name in options.kernels if name not in known and not GEMM.fullmatch(name)]
    if unknown:
        known = ", ".join(sorted(known))
        return 3, "error: no kernel %s; there are %s" % (", ".join(unknown), known)
    return None


def run_all(options, watchdog):
    """An exit code for each part."""
    import random_cases

    device, kernels = open_device(options)
    deadline = time.monotonic() + options.seconds
    chosen = options.kernels
    gemms = gemm_kernels(kernels, chosen, watchdog)
    programs = [name for name in random_cases.DRAWS if not chosen or name in chosen]
    if gemms:
        yield run_gemms(options, gemms, device, watchdog).report()
    elif not chosen or len(programs) < len(chosen):
        print("missing: gemm_*.ptx")
        yield 2
    if not programs:
        return
    checker, launched = run_programs(options, kernels, programs, device, watchdog, deadline)
    yield checker.report()
    short = [name for name in programs if launched[name] < options.launches]
    if checker.skipped:
        yield 2
    elif short and options.case is None and not checker.failed:
        print("not all launches of %s were made in %g s" % (", ".join(short), options.seconds))
        yield 2


def main(arguments=None):
    options = parse_options(arguments)
    refused = refusal(options)
    if refused:
        print("random_launches.py: %s" % refused[1], file=sys.stderr)
        return refused[0]
    from gemm_checks import Watchdog

    print("seed %d" % options.seed)
    with Watchdog(options.hang_seconds) as watchdog:
        codes = list(run_all(options, watchdog))
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
