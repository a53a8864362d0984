# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each rule of the structure check, kept and broken."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import check_structure  # noqa: E402

RULED = "//===----------------------------------------------------------------------===//\n"
BANNER = f"// {check_structure.LICENCE}\n//\n{RULED}"
HEADER = f"{BANNER}//\n// Numbers in, text out.\n//\n{RULED}"


def faults(path, text, header=HEADER):
    return faults_of({path: header + text})


def faults_of(files):
    return check_structure.check(check_structure.Source(path, text) for path, text in files.items())


class IncludeRules(unittest.TestCase):
    def test_downwards_is_fine(self):
        text = '#include "heddle/Support/Source.h"\n#include <vector>\n'
        self.assertEqual(faults("lib/Manifest/Parse.cpp", text), [])

    def test_own_folder_is_fine(self):
        self.assertEqual(faults("lib/Interp/Dot.cpp", '#include "heddle/Interp/Value.h"\n'), [])

    def test_upwards_is_a_fault(self):
        found = faults("lib/Support/Source.cpp", '#include "heddle/Manifest/Manifest.h"\n')
        self.assertEqual(
            found, ["lib/Support/Source.cpp: Support must not include heddle/Manifest/Manifest.h"])

    def test_public_headers_obey_too(self):
        found = faults("include/heddle/Interp/Run.h", '#include "heddle/Pipeline/Pipeline.h"\n')
        self.assertEqual(len(found), 1)

    def test_unknown_folder(self):
        self.assertEqual(len(faults("lib/Sundries/Thing.cpp", "")), 1)

    def test_tools_may_include_anything(self):
        self.assertEqual(faults("tools/heddle/Run.cpp", '#include "heddle/Emulator/Emulator.h"\n'), [])

    def test_a_tool_does_not_include_another(self):
        files = {"tools/heddle/Npy.h": HEADER, "tools/heddle-fuzz/Check.cpp": HEADER + '#include "Npy.h"\n'}
        self.assertEqual(faults_of(files), ["tools/heddle-fuzz/Check.cpp: Npy.h is a header of tools/heddle; "
                                            "what several programs need is in lib"])
        files["tools/heddle-fuzz/Npy.h"] = HEADER
        self.assertEqual(faults_of(files), [])

    def test_neither_do_libraries_nor_the_c_interface(self):
        for path in ("compiler/lib/Compile.cpp", "lib/Pipeline/Compile.cpp"):
            files = {"tools/heddle/Npy.h": HEADER, path: HEADER + '#include "Npy.h"\n'}
            self.assertEqual(len(faults_of(files)), 1)

    def test_a_suite_shares(self):
        files = {"tools/heddle-fuzz/Choice.h": HEADER, "tools/heddle-adversary/Writer.h": HEADER + '#include "Choice.h"\n'}
        self.assertEqual(faults_of(files), [])

    def test_emulator_sees_only_manifest_and_support(self):
        self.assertEqual(faults("lib/Emulator/Warp.cpp", '#include "heddle/Manifest/LaunchPlan.h"\n'), [])
        self.assertEqual(len(faults("lib/Emulator/Warp.cpp", '#include "heddle/Machine/Hopper.h"\n')), 1)

    def test_plain_folders_do_without_mlir(self):
        for path in ("lib/Emulator/Warp.cpp", "lib/Schedule/Solve.cpp", "runtime/Launch.cpp"):
            with self.subTest(path=path):
                self.assertEqual(len(faults(path, '#include "mlir/IR/Builders.h"\n')), 1)

    def test_simulator_does_not_know_the_expander(self):
        self.assertEqual(faults("lib/Simulator/Ring.cpp", '#include "heddle/Interp/Evaluator.h"\n'), [])
        self.assertEqual(
            len(faults("lib/Simulator/Ring.cpp", '#include "heddle/Transforms/Passes.h"\n')), 1)

    def test_aref_knows_no_gpu(self):
        text = '#include "heddle/Dialect/Hopper/Hopper.h"\n'
        self.assertEqual(len(faults("lib/Dialect/Aref/ArefOps.cpp", text)), 1)
        self.assertEqual(faults("lib/Dialect/Hopper/HopperOps.cpp", text), [])

    def test_certifier_and_solver_are_apart(self):
        text = '#include "heddle/Schedule/Solve.h"\n'
        self.assertEqual(len(faults("lib/Schedule/Certify.cpp", text)), 1)
        self.assertEqual(faults("lib/Schedule/Solve.cpp", text), [])


class FileRules(unittest.TestCase):
    def test_size(self):
        room = 700 - HEADER.count("\n")
        self.assertEqual(faults("lib/Support/Long.cpp", "\n" * room), [])
        self.assertEqual(len(faults("lib/Support/Long.cpp", "\n" * (room + 1))), 1)
        self.assertEqual(faults("docs/long.md", "\n" * 5000), [])

    def test_names(self):
        for path in ("lib/Support/StringUtils.h", "lib/Support/Split2.cpp", "test/Tile/test1.mlir",
                     "lib/Support/Common.h"):
            with self.subTest(path=path):
                self.assertEqual(len(faults(path, "")), 1)
        for path in ("test/Tile/store-bf16.mlir", "lib/Support/E4M3.cpp", "test/Hopper/m64n256k16.mlir"):
            with self.subTest(path=path):
                self.assertEqual(faults(path, ""), [])

    def test_kernel_names(self):
        self.assertEqual(len(faults("lib/Transforms/Split.cpp", "bool isGemm;\n")), 1)
        self.assertEqual(faults("test/Transforms/gemm.mlir", "gemm\n"), [])

    def test_licence(self):
        self.assertIn("lib/Support/Source.cpp: no licence header",
                      faults("lib/Support/Source.cpp", "int x;\n", header=""))
        self.assertEqual(faults("examples/gemm.mlir", "", header=""), [])

    def test_private_paths(self):
        private = "/".join(["", "home", "someone", "heddle"])
        self.assertEqual(len(faults("README.md", f"cd {private}\n")), 1)
        self.assertEqual(faults("README.md", "https://example.com/home/page /usr/lib/llvm-22\n"), [])


class OpeningParagraphs(unittest.TestCase):
    FAULT = "no paragraph behind the licence says what goes in, what comes out and why the file is there"

    def test_one_that_has_it(self):
        for path in ("tools/heddle/Run.cpp", "include/heddle/Support/Nesting.h", "fuzz/Targets.h",
                     "include/heddle/Dialect/Tile/TileOps.td"):
            with self.subTest(path=path):
                self.assertEqual(faults(path, "\nint x;\n"), [])

    def test_one_that_lacks_it(self):
        for path in ("tools/heddle/Run.cpp", "fuzz/Targets.h", "examples/main.c",
                     "include/heddle/Dialect/Tile/TileOps.td"):
            for text in (BANNER + "\n#pragma once\n",
                         # Words between ruled lines further down are a section's title.
                         BANNER + f"\n{RULED}// Slots\n{RULED}",
                         BANNER + "//\n// Words that nothing ends.\n\nint x;\n",
                         BANNER + f"//\n{RULED}\nint x;\n"):
                with self.subTest(path=path, text=text):
                    self.assertEqual(faults_of({path: text}), [f"{path}: {self.FAULT}"])

    def test_a_banner_in_two_lines(self):
        title = "//===- Run.cpp - Runs a program, and compares\n//---------===//\n//\n"
        self.assertEqual(faults_of({"tools/heddle/Run.cpp": title + HEADER}), [])
        self.assertEqual(len(faults_of({"tools/heddle/Run.cpp": title + BANNER})), 1)

    def test_a_header_excuses_its_source_file(self):
        for header, source in (
                ("tools/heddle/Npy.h", "tools/heddle/Npy.cpp"),
                ("lib/Emulator/Warp.h", "lib/Emulator/Warp.cpp"),
                ("include/heddle/Support/Files.h", "lib/Support/Files.cpp"),
                ("include/heddle/Dialect/Tile/Exact.h", "lib/Dialect/Tile/Exact.cpp"),
                ("include/heddle/Schedule/Trace.h", "lib/Schedule/Explain/Trace.cpp"),
                ("compiler/include/heddle/compiler.h", "compiler/lib/compiler.cpp")):
            with self.subTest(source=source):
                self.assertEqual(faults_of({source: BANNER, header: HEADER}), [])
                self.assertEqual(faults_of({source: HEADER, header: BANNER}), [])
                # The header is where the paragraph is missed.
                self.assertEqual(faults_of({source: BANNER, header: BANNER}),
                                 [f"{header}: {self.FAULT}"])
        self.assertEqual(faults_of({"tools/heddle/Check.cpp": BANNER, "tools/heddle-fuzz/Check.h": HEADER}),
                         [f"tools/heddle/Check.cpp: {self.FAULT}"])

    def test_headers_of_c_interfaces(self):
        banner = "/*===- heddle/runtime.h - Run kernels -===*\\\n|* " + check_structure.LICENCE + " *|\n"
        ruled = "|*===----===*|\n"
        path, last = "runtime/include/heddle/runtime.h", "\\*===----===*/\n\nint x;\n"
        self.assertEqual(faults_of({path: banner + ruled + "|* Texts in, launches out. *|\n" + last}), [])
        self.assertEqual(len(faults_of({path: banner + last})), 1)

    def test_python_has_a_docstring(self):
        licence = f"#!/usr/bin/env python3\n# {check_structure.LICENCE}\n"
        self.assertEqual(faults_of({"bench/chart.py": licence + '"""Draws a chart."""\n'}), [])
        for text in ("", "# Draws a chart.\n", 'import os\n"""Draws."""\n', '""""""\n'):
            with self.subTest(text=text):
                self.assertEqual(
                    faults_of({"bench/chart.py": licence + text}),
                    ["bench/chart.py: no docstring says what goes in, what comes out and why the file is there"])

    def test_other_files_need_none(self):
        self.assertEqual(faults_of({"examples/gemm.mlir": "", "docs/page.md": "words\n"}), [])


class CInterface(unittest.TestCase):
    def test_declarations_are_noexcept(self):
        path = "runtime/include/heddle/runtime.h"
        good = "HEDDLE_API int heddle_one(int a,\n  int b) HEDDLE_NOEXCEPT;\n"
        self.assertEqual(faults(path, good), [])
        self.assertEqual(len(faults(path, good + "HEDDLE_API int heddle_two(void);\n")), 1)

    def test_definitions_go_through_enter(self):
        for path in ("runtime/lib/One.cpp", "compiler/lib/One.cpp"):
            for good in ("return enter(__func__, [&] {", "return enterOr(0, [&] {", "enterOr(0, [&] {"):
                text = "heddle_status heddle_one(void *a,\n    int b) noexcept {\n  %s\n" % good
                self.assertEqual(faults(path, text), [], good)
                self.assertEqual(len(faults(path, text.replace(" noexcept", ""))), 1)
            for bad in ("return 1;", "int entered = enter(", "return entrance("):
                text = "const char *heddle_one(void *a,\n    int b) noexcept {\n  %s\n" % bad
                self.assertEqual(len(faults(path, text)), 1, bad)
        self.assertEqual(faults("runtime/lib/One.cpp", "static int heddle_one(int a) {\n  return a;\n"), [])
        self.assertEqual(faults("runtime/lib/One.cpp", "void heddle_internal_one(int a) {\n  a = 1;\n"), [])


class Repository(unittest.TestCase):
    def test_files_are_found(self):
        paths = check_structure.repository_files(check_structure.ROOT)
        self.assertIn("scripts/check_structure.py", paths)
        self.assertFalse([path for path in paths if path.startswith("build/")])


if __name__ == "__main__":
    unittest.main()
