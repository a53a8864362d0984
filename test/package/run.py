#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the wheel of a build as a user would, and tries it: run.py BUILD

The Python lines of README.md and docs/triton.md run against what was installed;
those that use Triton where test/triton/run.py could install it.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(sys.argv[1]).resolve()
SANITIZED = (BUILD / "sanitizer-runtime.txt").exists()
sys.path.insert(0, str(ROOT / "test" / "triton"))
import run as triton_packages


def run(*command, **keywords):
    done = subprocess.run(
        [str(word) for word in command], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, **keywords,
    )  # fmt: skip
    if done.returncode:
        raise AssertionError("%s\n%s" % (" ".join(map(str, command)), done.stdout))
    return done.stdout


def python_blocks(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.scratch.name)
        cls.folder, cls.installed = folder, folder / "site"
        run(sys.executable, "-m", "venv", folder / "venv")
        cls.environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
        if SANITIZED:  # such a build starts with no less
            for name in ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
                if name in os.environ:
                    cls.environment[name] = os.environ[name]
        run(
            folder / "venv/bin/python", "-m", "pip", "install", "--no-index",
            "--disable-pip-version-check", "--target", cls.installed,
            "--config-settings", "build-dir=%s" % BUILD, ROOT,
        )  # fmt: skip
        cls.environment["PYTHONPATH"] = str(cls.installed)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_metadata_need_no_build(self):
        program = """
import pathlib, subprocess, sys
sys.path.insert(0, "python/packaging")
import wheel_backend
subprocess.Popen = None  # nothing is built
folder = pathlib.Path(sys.argv[1])
name = wheel_backend.prepare_metadata_for_build_wheel(folder)
assert "Name: heddle" in (folder / name / "METADATA").read_text(encoding="utf-8")
"""
        with tempfile.TemporaryDirectory() as scratch:
            run(sys.executable, "-B", "-c", program, scratch, cwd=ROOT)

    def test_a_folder_that_is_no_build_is_refused(self):
        program = """
import sys
sys.path.insert(0, "python/packaging")
import wheel_backend
wheel_backend.build_tree({"build-dir": sys.argv[1]})
"""
        with tempfile.TemporaryDirectory() as scratch:
            done = subprocess.run([sys.executable, "-B", "-c", program, scratch], cwd=ROOT, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no lib/libheddle.so and is no build; leave build-dir out", done.stdout)

    def test_the_wheel_is_for_every_python(self):
        (info,) = self.installed.glob("*.dist-info")
        self.assertIn("Tag: py3-none-linux_", (info / "WHEEL").read_text(encoding="utf-8"))
        listing = run("ldd", self.installed / "heddle" / "libheddle.so")
        for name in ("libz3", "libLLVM", "libMLIR"):  # a machine need not have them
            self.assertNotIn(name, listing)

    def test_a_clean_environment_compiles_and_emulates(self):
        program = """
import array, heddle
class Array:
    def __init__(self, values):
        self.values = array.array("f", values)
        address, count = self.values.buffer_info()
        self.__array_interface__ = {"data": (address, False), "shape": (count,),
                                    "typestr": "<f4", "version": 3}
silu = heddle.compile(%r, settings={"t": "f32"})
gate, up, out = (Array(range(64)) for _ in range(3))
silu.run(gate, up, out)
assert abs(out.values[1] - 0.7310586) < 1e-6, out.values
print(silu.report())
from heddle import _conv_programs  # of heddle.torch, which needs PyTorch
heddle.compile(_conv_programs.path_of("sum_parts"))
""" % str(ROOT / "examples" / "silu_mul.mlir")
        text = run(self.folder / "venv/bin/python", "-c", program, env=self.environment, cwd=self.folder)
        self.assertIn("kernel silu_mul", text)

    def test_the_command(self):
        command = self.installed / "bin" / "heddle"
        program = ROOT / "examples" / "silu_mul.mlir"
        text = run(command, "explain", program, "--set", "t=f32", env=self.environment)
        self.assertIn("kernel silu_mul", text)
        done = subprocess.run([command, "explain", "absent.mlir"], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        self.assertEqual(done.returncode, 3, done.stdout)
        tool = self.installed / "heddle" / "bin" / "heddle"
        for name in ("libz3", "libLLVM", "libMLIR"):
            self.assertNotIn(name, run("ldd", tool))
        if not SANITIZED:
            # Two back ends: a GPU's, and the processor's.
            self.assertLess(tool.stat().st_size, 50 << 20)

    def test_the_lines_of_the_pages(self):
        reason = triton_packages.prepare(triton_packages.cache_folder())
        if reason:
            self.skipTest("Triton cannot be installed: " + reason)
        python = triton_packages.cache_folder() / "venv/bin/python"
        for page in ("README.md", "docs/triton.md"):
            blocks = python_blocks(page)
            self.assertTrue(blocks, page)
            for number, block in enumerate(blocks):
                file = self.folder / ("%s_%d.py" % (pathlib.Path(page).stem, number))
                file.write_text(block, encoding="utf-8")
                run(python, file, env=self.environment, cwd=self.folder)


class CMakeTest(unittest.TestCase):
    """find_package(heddle): heddle_add_kernel() in examples/cmake, heddle::tuner in examples/cmake-tuner."""

    def test_the_example(self):
        with tempfile.TemporaryDirectory() as scratch:
            prefix, build = pathlib.Path(scratch, "prefix"), pathlib.Path(scratch, "build")
            run("cmake", "--install", BUILD, "--component", "heddle", "--prefix", prefix)
            run(
                "cmake", "-G", "Ninja", "-B", build, "-S", ROOT / "examples" / "cmake",
                "-DCMAKE_PREFIX_PATH=%s" % prefix, "-DCMAKE_CXX_COMPILER=clang++-22",
                "-DCMAKE_C_COMPILER=clang-22",
            )  # fmt: skip
            run("cmake", "--build", build)
            program = (build / "axpy").read_bytes()
            self.assertIn(b"\0libheddle_runtime.so\0", program)
            self.assertNotIn(b"\0libcuda", program)
            environment = dict(os.environ, LD_LIBRARY_PATH="")
            done = subprocess.run([build / "axpy"], stdout=subprocess.PIPE, text=True, env=environment)
            if done.returncode == 2:  # no GPU here
                self.assertRegex(done.stdout, "^no GPU: cannot load the CUDA driver|finds no device")
                # A driver that records and computes nothing.
                os.symlink(BUILD / "lib" / "libheddle_fake_driver.so", build / "libcuda.so.1")
                environment["LD_LIBRARY_PATH"] = str(build)
                done = subprocess.run(
                    [build / "axpy"], stdout=subprocess.PIPE, text=True, env=environment
                )
                self.assertEqual(done.stdout, "launched, and element 1 is wrong: 1\n")
            else:
                self.assertEqual(done.stdout, "right\n")

    def test_sparse_products(self):
        with tempfile.TemporaryDirectory() as scratch:
            prefix, build = pathlib.Path(scratch, "prefix"), pathlib.Path(scratch, "build")
            run("cmake", "--install", BUILD, "--component", "heddle", "--prefix", prefix)
            run(
                "cmake", "-G", "Ninja", "-B", build, "-S", ROOT / "examples" / "cmake-sparse",
                "-DCMAKE_PREFIX_PATH=%s" % prefix, "-DCMAKE_CXX_COMPILER=clang++-22",
                "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror",
            )  # fmt: skip
            run("cmake", "--build", build)
            self.assertNotIn("libheddle", run("ldd", build / "products"))
            self.assertEqual(run(build / "products"), "both products are right\n")

    def test_the_tuner(self):
        with tempfile.TemporaryDirectory() as scratch:
            prefix, build = pathlib.Path(scratch, "prefix"), pathlib.Path(scratch, "build")
            run("cmake", "--install", BUILD, "--component", "heddle", "--prefix", prefix)
            run(
                "cmake", "-G", "Ninja", "-B", build, "-S", ROOT / "examples" / "cmake-tuner",
                "-DCMAKE_PREFIX_PATH=%s" % prefix, "-DCMAKE_CXX_COMPILER=clang++-22",
            )  # fmt: skip
            run("cmake", "--build", build)
            text = run(build / "tune_blocks", env=dict(os.environ, LD_LIBRARY_PATH=""))
            self.assertRegex(text, r'^20 blocks timed, the best is \{"rows": \d+, "columns": \d+\}\n$')
            listing = run("ldd", prefix / "lib" / "libheddle_tuner.so")
            for name in ("libLLVM", "libMLIR"):
                self.assertNotIn(name, listing)


if __name__ == "__main__":
    unittest.main(argv=["run.py"] + sys.argv[2:])
