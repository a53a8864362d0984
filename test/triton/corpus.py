#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle compiles and emulates the kernels of corpus/: corpus.py LIBHEDDLE.SO [TEST ...]

From the TTIR in ttir/, of each version, against float64. A test's name is
test_KERNEL_VERSION; test_KERNEL_off has memory that begins one element behind a
multiple of 16 bytes, for which launches of kernels without products have variants
of their own. Needs numpy, and no Triton.
"""

import pathlib
import sys
import unittest

import numpy as np
from case import NO_DOT, SPECIALISED, Descriptor, Scalar
from corpus_cases import corpus_cases
from values import load, stored

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "python"))
import heddle

MARK = "<!-- table test/triton/corpus.py -->\n"
VERSIONS = ("3.6", "3.8")
# Kernels that do not compile yet as their cases say they will.
NOT_YET = ()
SCHEDULES = ({"order": "fair"}, {"order": "adversarial", "seed": 1})


def arrays_of(case):
    """{name: array} of the case's memory."""
    return {
        name: stored(name, argument.buffer if isinstance(argument, Descriptor) else argument)
        for name, argument in case.arguments.items()
        if not isinstance(argument, Scalar)
    }


def copy_off(array):
    """A copy that begins one element behind a multiple of 16 bytes."""
    memory = np.zeros(array.nbytes + 32, np.uint8)
    begin = -memory.ctypes.data % 16 + array.itemsize
    moved = memory[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    moved[...] = array
    return moved


def element_of(argument):
    return argument.buffer.element if isinstance(argument, Descriptor) else argument.element


def launch_values(case, arrays, compiled):
    """In the order of the kernel, without what Triton made a constant."""
    names = [one["name"] for one in compiled.arguments if one["name"] in case.arguments]
    return [arrays[name] if name in arrays else case.arguments[name].value for name in names]


class CorpusTest(unittest.TestCase):
    maxDiff = None

    def run_case(self, case, version, copy=np.copy):
        path = HERE / "ttir" / version / f"{case.name}.ttir"
        compiled = heddle.compile(path)
        self.assertEqual(compiled.outcome, case.outcome, compiled.remarks)
        inputs = arrays_of(case)
        elements = {name: element_of(argument) for name, argument in case.arguments.items()}
        expected = case.expected({name: load(array, elements[name]) for name, array in inputs.items()})
        for schedule in SCHEDULES:
            arrays = {name: copy(array) for name, array in inputs.items()}
            compiled.run(*launch_values(case, arrays, compiled), grid=case.grid, **schedule)
            for name, values in expected.items():
                found = load(arrays[name], elements[name])
                error = np.abs(found - values).max() / np.abs(values).max()
                # A comparison with a NaN is false.
                self.assertTrue(error <= case.tolerance, f"{name} is off by {error}")


MEANING = {
    NO_DOT: "yes; no dot in a loop, so one process",
    SPECIALISED: "yes; warp-specialised",
}


def table():
    """The rows of docs/triton.md."""
    lines = ["| kernel | source | compiled by heddle |", "|---|---|---|"]
    for case in corpus_cases():
        module, function = case.kernel.split(".")
        source = f"[{function}](../test/triton/corpus/{module}.py)"
        if case.name in NOT_YET:
            meaning = "not yet: left to Triton"
        else:
            meaning = MEANING.get(case.outcome) or f"no: {case.outcome.split(':')[1]}"
        lines.append(f"| {case.name} | {source} | {meaning} |")
    return "\n".join(lines) + "\n"


class DocsTest(unittest.TestCase):
    def test_table(self):
        page = HERE.parent.parent / "docs" / "triton.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(MARK)
        found, end, after = rest.partition("<!-- end -->")
        if "--write" in sys.argv:
            page.write_text(before + MARK + table() + end + after, encoding="utf-8")
        else:
            self.assertEqual(found, table(), "corpus.py LIBHEDDLE.SO --write brings it up to date")


def add_test(case, version):
    def test(self):
        self.run_case(case, version)

    if case.name in NOT_YET:
        test = unittest.expectedFailure(test)
    setattr(CorpusTest, f"test_{case.name}_{version.replace('.', '_')}", test)
    if case.outcome == NO_DOT and case.name not in NOT_YET and version == VERSIONS[0]:
        setattr(CorpusTest, f"test_{case.name}_off", lambda self: self.run_case(case, version, copy_off))


def main():
    heddle.use_compiler(sys.argv[1])
    for case in corpus_cases():
        for version in VERSIONS:
            add_test(case, version)
    tests = ["DocsTest"] if "--write" in sys.argv else sys.argv[2:]
    unittest.main(argv=["corpus.py"] + tests)


if __name__ == "__main__":
    main()
