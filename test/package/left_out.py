#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every name in cmake/LeftOut.ld is one of LLVM's archives: left_out.py [FOLDER OF LLVM]

A name that another version of LLVM writes otherwise would silently leave nothing out.
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LLVM = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/lib/llvm-22")
ARCHIVES = ("LLVMAsmPrinter LLVMCodeGen LLVMGlobalISel LLVMJITLink LLVMMC LLVMMCParser LLVMObject LLVMOrcJIT "
            "LLVMScalarOpts LLVMSupport LLVMX86CodeGen LLVMX86Desc MLIRPDLToPDLInterp MLIRRewrite MLIRRewritePDL").split()


def assignments():
    text = (ROOT / "cmake" / "LeftOut.ld").read_text(encoding="utf-8")
    return re.findall(r"^(\w+) = (\w+);$", text, re.MULTILINE)


class LeftOutTest(unittest.TestCase):
    def test_names(self):
        files = [LLVM / "lib" / ("lib%s.a" % name) for name in ARCHIVES]
        if not all(file.exists() for file in files):
            self.skipTest("there are no archives of LLVM in %s" % LLVM)
        listing = subprocess.run(
            [LLVM / "bin" / "llvm-nm", "--defined-only", "--format=just-symbols", *files],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        known = set(listing.stdout.split()) | {"heddle_left_out", "heddle_nothing"}
        unknown = sorted({name for pair in assignments() for name in pair} - known)
        self.assertEqual(unknown, [])

    def test_every_line_is_read(self):
        text = (ROOT / "cmake" / "LeftOut.ld").read_text(encoding="utf-8")
        names = [name for name, _ in assignments()]
        self.assertEqual(len(names), len(re.findall(" = ", text)))
        self.assertEqual(len(names), len(set(names)), "a name stands there twice")


if __name__ == "__main__":
    unittest.main(argv=["left_out.py"] + sys.argv[2:])
