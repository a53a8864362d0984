# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each rule of the check of messages, kept and broken."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import check_diagnostics  # noqa: E402

CATALOGUE = "include/heddle/Support/Diagnostics/Tile.def"
FINE = {
    CATALOGUE: 'HEDDLE_DIAGNOSTIC(BadInput, dot_shape,\n    "one",\n    "two")\n',
    "lib/Dialect/Tile/ComputeOps.cpp": "return reportOp(*this, diag::dot_shape) << 1;\n",
    "test/error/dot-shape.mlir": "// expect: 1:1: error: no [dot-shape]\n",
}


class Catalogue(unittest.TestCase):
    def faults(self, **changes):
        return list(check_diagnostics.check({**FINE, **changes}))

    def test_emitted_and_tested_is_fine(self):
        self.assertEqual(self.faults(), [])

    def test_untested(self):
        self.assertEqual(self.faults(**{"test/error/dot-shape.mlir": "[dot-shap]"}),
                         [f"{CATALOGUE}: no test in test/ expects [dot-shape]"])

    def test_never_emitted(self):
        self.assertEqual(self.faults(**{"lib/Dialect/Tile/ComputeOps.cpp": ""}),
                         [f"{CATALOGUE}: no code emits dot_shape"])

    def test_a_bug_needs_no_program(self):
        text = FINE[CATALOGUE] + 'HEDDLE_DIAGNOSTIC(Objected, internal, "one", "two")\n'
        code = FINE["lib/Dialect/Tile/ComputeOps.cpp"] + "report(op, diag::internal);\n"
        self.assertEqual(
            self.faults(**{CATALOGUE: text, "lib/Dialect/Tile/ComputeOps.cpp": code}), [])


class RawEmission(unittest.TestCase):
    def faults(self, path, line):
        return list(check_diagnostics.raw_emissions(path, line + "\n"))

    def test_every_way_to_emit(self):
        for line in ('op->emitError("no");', "return emitOpError() << 1;",
                     'mlir::emitRemark(loc) << "no";', 'createStringError(code, "no");'):
            self.assertEqual(len(self.faults("lib/Transforms/Split.cpp", line)), 1, line)

    def test_hook_of_a_type(self):
        line = "return Report(emitError(), diag::view_type) << 1;"
        self.assertEqual(self.faults("lib/Dialect/Tile/TileDialect.cpp", line), [])

    def test_plain_text_of_the_emulator(self):
        self.assertEqual(self.faults("lib/Emulator/Cta.cpp", 'emitError("no")'), [])


if __name__ == "__main__":
    unittest.main()
