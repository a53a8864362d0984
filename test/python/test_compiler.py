# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.compile: texts, errors, the emulator and the cache."""

import array
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr
from unittest import mock

import heddle
from heddle import _cache, _compiler_capi, _files, compiler

ROOT = pathlib.Path(__file__).resolve().parents[2]

TWICE = """tile.kernel @twice(
    %x: !tile.view<?xf32>, %y: !tile.view<?xf32>, %s: f32) {
  %c128 = arith.constant 128 : index
  %c0 = arith.constant 0 : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %blocks = arith.ceildivui %n, %c128 : index
  %ss = tile.splat %s : f32 -> tensor<128xf32>
  tile.parallel (%i) to (%blocks) {
    %at = arith.muli %i, %c128 : index
    %v = tile.load %x[%at] : !tile.view<?xf32> -> tensor<128xf32>
    %w = arith.mulf %v, %ss : tensor<128xf32>
    tile.store %w, %y[%at] : tensor<128xf32>, !tile.view<?xf32>
  }
}
"""


class HostArray:
    """What numpy shows of an array."""

    def __init__(self, typecode, values, typestr):
        self.values = array.array(typecode, values)
        address, count = self.values.buffer_info()
        self.__array_interface__ = {
            "data": (address, False), "shape": (count,), "typestr": typestr, "version": 3,
        }  # fmt: skip


def library_missing():
    try:
        _compiler_capi.library()
    except OSError as error:
        return str(error)
    return ""


class CacheFolder(unittest.TestCase):
    """Tests with a cache of their own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        patch = mock.patch.dict(os.environ, HEDDLE_CACHE_DIR=scratch.name)
        patch.start()
        self.addCleanup(patch.stop)

    def entries(self):
        return sorted((self.folder / "kernels").glob("*"))


@unittest.skipIf(library_missing(), library_missing())
class CompileTest(CacheFolder):
    def test_texts(self):
        twice = heddle.compile(TWICE)
        self.assertEqual(twice.name, "twice")
        self.assertIn(".entry twice", twice.ptx)
        self.assertEqual([one["name"] for one in twice.arguments], ["x", "y", "s"])
        self.assertIn("kernel twice", twice.report())
        self.assertEqual(json.loads(twice.certificate)["kernel"], "twice")

    def test_the_report_ends_with_what_a_load_found(self):
        twice = heddle.compile(TWICE)
        before = twice.report()
        found = {"id": "spilled-registers", "variant": "twice", "text": "it spills"}
        twice._kernel = mock.Mock(remarks=[found])
        self.assertEqual(twice.report(), before + "remark: it spills [spilled-registers]\n")

    def test_the_schedule_compiles_on(self):
        twice = heddle.compile(TWICE)
        self.assertIn("sched.plan", twice.schedule)
        self.assertEqual(heddle.compile(twice.schedule).ptx, twice.ptx)
        self.assertTrue(twice.picture.startswith("<svg"))

    def test_saved_files_are_whole_or_as_before(self):
        twice = heddle.compile(TWICE)
        path = self.folder / "twice.ptx"
        twice.save(path)
        saved = {"twice.ptx": twice.ptx, "twice.json": twice.manifest}
        twice.ptx += "\ud800"  # which no file can hold
        with self.assertRaises(UnicodeEncodeError):
            twice.save(path)
        for name in ("twice.json", "twice"):  # the manifest would lie over it, or beside nothing
            with self.assertRaisesRegex(ValueError, "does not end in .ptx"):
                twice.save(self.folder / name)
        found = {each.name: each.read_text() for each in self.folder.iterdir() if each.is_file()}
        self.assertEqual(found, saved)

    def test_writers_with_one_number(self):
        """Containers that share a cache have processes and threads of the same numbers: here it is one thread twice."""
        path, replace = self.folder / "shared", os.replace

        def replace_late(unfinished, target):
            if not path.exists():
                with mock.patch("os.replace", replace):
                    _files.write_whole(path, "the other's")
                self.assertEqual(path.read_text(), "the other's")
            replace(unfinished, target)

        with mock.patch("os.replace", replace_late):
            _files.write_whole(path, "mine")
        self.assertEqual(path.read_text(), "mine")
        self.assertEqual([each.name for each in self.folder.iterdir() if "tmp" in each.name], [])

    def test_files_and_settings(self):
        path = self.folder / "twice.mlir"
        path.write_text("!e = f32\n" + TWICE.replace("f32", "!e"), encoding="utf-8")
        self.assertIn('"f32"', heddle.compile(path).manifest)
        self.assertIn('"f16"', heddle.compile(path, settings={"e": "f16"}).manifest)

    def test_tiles_to_choose_among(self):
        gemm = os.path.join(ROOT, "examples", "gemm.mlir")
        tiles = [{"BM": 128, "BN": 64}, {"BM": 64, "BN": 64}]
        variants = json.loads(heddle.compile(gemm, or_tile=tiles).manifest)["variants"]
        entries = [one["entry"] for one in variants]
        self.assertEqual(entries[:4], ["gemm", "gemm_plain_stores", "gemm_general", "gemm_BM128_BN64"])
        self.assertEqual(entries[4:], ["gemm_plain_stores_BM128_BN64", "gemm_BM64_BN64", "gemm_plain_stores_BM64_BN64"])
        chosen = json.loads(heddle.compile(gemm, or_tile="auto").manifest)["variants"]
        entries = [one["entry"] for one in chosen]
        self.assertEqual(len(set(entries)), len(entries))
        whole = [one for one in entries if re.fullmatch("gemm(_B[MNK][0-9]+)*", one)]
        parts = [one for one in entries if re.fullmatch("gemm(_B[MNK][0-9]+)+_parts", one)]
        self.assertGreaterEqual(len(whole), 3)
        self.assertIn("gemm", whole)
        self.assertEqual(parts, ["gemm_BM64_BN32_BK128_parts", "gemm_BM128_BN128_parts"])
        self.assertTrue({one.removesuffix("_parts") for one in parts} <= set(whole))
        counted = json.loads(heddle.compile(gemm, or_tile="auto:1").manifest)["variants"]
        self.assertEqual({one["entry"].rpartition("gemm_")[2] for one in counted if one["entry"].endswith("BK128")},
                         {"BM64_BN32_BK128", "plain_stores_BM64_BN32_BK128"})
        with self.assertRaisesRegex(heddle.compiler.CompileError, "or auto:COUNT with a COUNT of 1 to 64"):
            heddle.compile(gemm, or_tile="auto:many")

    def test_choosing_a_kernel(self):
        two = TWICE + TWICE.replace("@twice", "@again")
        with self.assertRaisesRegex(TypeError, "holds 2 kernels; say which by kernel=: twice, again"):
            heddle.compile(two)
        self.assertEqual(heddle.compile(two, kernel="again").name, "again")
        with self.assertRaisesRegex(TypeError, "no kernel is called 'other'; there are twice, again"):
            heddle.compile(two, kernel="other")

    def test_errors_name_the_line(self):
        with self.assertRaisesRegex(heddle.CompileError, r"^mine.mlir:2:3: error: .*\[not-well") as raised:
            heddle.compile("tile.kernel @f() {\n  tile.nothing\n}\n", path="mine.mlir")
        self.assertFalse(raised.exception.declined)
        with self.assertRaisesRegex(TypeError, "num_warps belong to a Triton kernel"):
            heddle.compile(TWICE, num_warps=4)

    def test_sources_that_are_no_text(self):
        fifo, raw, enormous = (self.folder / name for name in ("fifo", "raw", "enormous"))
        os.mkfifo(fifo)
        raw.write_bytes(b"tile\xff\n")
        with enormous.open("wb") as file:
            file.truncate(1 << 40)
        for path, reason in (
            ("/dev/zero", "it is no regular file"), (fifo, "it is no regular file"),
            (self.folder, "Is a directory"), (enormous, "it has more than 67108864 bytes"),
        ):  # fmt: skip
            with self.assertRaisesRegex(OSError, reason) as raised:
                heddle.compile(path)
            self.assertEqual(raised.exception.filename, os.fspath(path))
        with self.assertRaisesRegex(ValueError, "raw: byte 4 is no UTF-8"):
            heddle.compile(raw)
        with self.assertRaisesRegex(heddle.CompileError, "it has more than 67108864 bytes"):
            heddle.compile(TWICE, schedule=str(enormous))

    def test_sources_of_other_types(self):
        for source in (TWICE.encode(), None, 3):
            with self.assertRaisesRegex(TypeError, "a program is text, the name of a file or a Triton kernel, not"):
                heddle.compile(source)

    def test_options_of_other_types(self):
        with self.assertRaisesRegex(TypeError, r"settings are values by name, not \['BM=64'\]"):
            heddle.compile(TWICE, settings=["BM=64"])
        with self.assertRaisesRegex(TypeError, "settings are values by name, not 'BM'"):
            heddle.compile(TWICE, or_tile=["BM"])
        with self.assertRaisesRegex(TypeError, "or_tile is 'auto', 'auto:COUNT' or a list of settings, not 3"):
            heddle.compile(TWICE, or_tile=3)

    def test_the_emulator_runs_it(self):
        x = HostArray("f", range(300), "<f4")
        y = HostArray("f", [0] * 300, "<f4")
        heddle.compile(TWICE).run(x, y, 2.5, order="random", seed=3)
        self.assertEqual(list(y.values), [2.5 * i for i in range(300)])

    def test_the_emulator_objects(self):
        twice = heddle.compile(TWICE)
        x = HostArray("f", range(300), "<f4")
        halves = HostArray("H", range(300), "<f2")
        with self.assertRaisesRegex(TypeError, r"takes 3 arguments \(x, y, s\), but 2"):
            twice.run(x, x)
        with self.assertRaisesRegex(heddle.EmulatorError, "'y' is f16, but the kernel was compiled for f32"):
            twice.run(x, halves, 1.0)
        for shape, strides in (((300,), ()), ((300,), (4, 4)), ((1 << 70,), None), ((-1,), None)):
            odd = HostArray("f", range(300), "<f4")
            odd.__array_interface__.update(shape=shape, strides=strides)
            with self.assertRaisesRegex(TypeError, "argument 'y' says of itself that its extents are"):
                twice.run(x, odd, 1.0)
        with self.assertRaisesRegex(heddle.EmulatorError, "option 'order' must be fair"):
            twice.run(x, x, 1.0, order="late")
        with self.assertRaisesRegex(TypeError, "'y' is int; the emulator takes numpy arrays"):
            twice.run(x, 5, 1.0)


@unittest.skipIf(library_missing(), library_missing())
class CacheTest(CacheFolder):
    def compile_by_nobody(self, *arguments, **keywords):
        """Only what is kept is found."""
        with mock.patch.object(compiler, "_compile", side_effect=AssertionError("compiled")):
            return heddle.compile(*arguments, **keywords)

    def test_an_entry_is_found_again(self):
        made = heddle.compile(TWICE)
        found = self.compile_by_nobody(TWICE)
        self.assertEqual((made.ptx, made.report()), (found.ptx, found.report()))
        self.assertEqual(len(self.entries()), 1)

    def test_whatever_changes_the_kernel_changes_the_entry(self):
        heddle.compile(TWICE)
        for arguments in (
            {"source": TWICE.replace("mulf", "addf")},
            {"source": TWICE, "debug_waits": True},
            {"source": TWICE, "path": "other.mlir"},
        ):
            with self.assertRaisesRegex(AssertionError, "compiled"):
                self.compile_by_nobody(**arguments)
        with mock.patch.object(_compiler_capi, "stamp", return_value="another build"):
            with self.assertRaisesRegex(AssertionError, "compiled"):
                self.compile_by_nobody(TWICE)

    def test_a_named_file_that_changed(self):
        machine = self.folder / "mine.json"
        text = (ROOT / "machines" / "h200.json").read_text(encoding="utf-8")
        machine.write_text(text, encoding="utf-8")
        heddle.compile(TWICE, machine=str(machine))
        self.compile_by_nobody(TWICE, machine=str(machine))
        machine.write_text(text + "\n", encoding="utf-8")
        with self.assertRaisesRegex(AssertionError, "compiled"):
            self.compile_by_nobody(TWICE, machine=str(machine))

    def test_named_files_keep_all_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = []
            for data in (b"\xfe", b"\xff", b""):
                name = os.path.join(folder, "file")
                pathlib.Path(name).write_bytes(data)
                texts.append(_cache.key_of(compiler._file_text(name)))
            self.assertEqual(len(set(texts)), 3)

    def test_a_damaged_entry_is_made_again(self):
        made = heddle.compile(TWICE)
        (entry,) = self.entries()
        whole = entry.read_text(encoding="utf-8")
        start = whole[: whole.index('"value": ')]
        for damage in (
            whole[:-20], "", "[]", "{}", whole.replace('"key": "', '"key": "0'), "[" * 100000, start[:-2] + "}",
            start + '"value": {}}', start + '"value": {"kernels": [{}]}}', whole.replace("f32", "f16"),
        ):  # fmt: skip
            entry.write_text(damage, encoding="utf-8")
            self.assertEqual(heddle.compile(TWICE).ptx, made.ptx)
            self.assertEqual(entry.read_text(encoding="utf-8"), whole)

    def test_an_entry_that_is_no_file(self):
        made = heddle.compile(TWICE)
        (entry,) = self.entries()
        enormous = self.folder / "enormous"
        with enormous.open("wb") as file:
            file.truncate(1 << 40)
        for put in (os.mkfifo, lambda at: at.symlink_to("/dev/zero"), lambda at: at.symlink_to(enormous)):
            entry.unlink()
            put(entry)
            self.assertEqual(heddle.compile(TWICE).ptx, made.ptx)
            self.assertTrue(entry.is_file() and not entry.is_symlink())

    def test_a_folder_that_cannot_be_written(self):
        blocked = self.folder / "file"
        blocked.write_text("", encoding="utf-8")
        said = io.StringIO()
        with mock.patch.dict(os.environ, HEDDLE_CACHE_DIR=str(blocked)), redirect_stderr(said):
            for _ in range(2):
                self.assertEqual(heddle.compile(TWICE).name, "twice")
        self.assertRegex(
            said.getvalue(),
            r"\Aheddle: kernels are not kept, because \S+/file/kernels cannot be written: .*\n\Z",
        )

    def test_no_cache(self):
        with mock.patch.dict(os.environ, HEDDLE_CACHE_DIR=""):
            heddle.compile(TWICE)
            self.assertIsNone(_cache.folder())
        self.assertEqual(self.entries(), [])


CHILD = """
import sys, time
sys.path.insert(0, sys.argv[1])
import heddle
from heddle import _compiler_capi
heddle.use_compiler(sys.argv[2])
start = time.perf_counter()
kernel = heddle.compile(sys.argv[3])
seconds = time.perf_counter() - start
print(hash(kernel.ptx), seconds, _compiler_capi._library is None)
"""


@unittest.skipIf(library_missing(), library_missing())
class ProcessesTest(CacheFolder):
    def start(self):
        _compiler_capi.library()
        return subprocess.Popen(
            [sys.executable, "-c", CHILD, str(ROOT / "python"), _compiler_capi._path, TWICE],
            stdout=subprocess.PIPE, text=True, env=dict(os.environ, PYTHONHASHSEED="0"),
        )  # fmt: skip

    def test_several_at_once(self):
        children = [self.start() for _ in range(4)]
        answers = {child.communicate()[0].split()[0] for child in children}
        self.assertEqual(len(answers), 1)
        self.assertEqual([path.suffix for path in self.entries()], [".json"])

    def test_a_second_process_is_quick(self):
        self.start().communicate()
        runs = [self.start().communicate()[0].split() for _ in range(5)]
        self.assertEqual({run[2] for run in runs}, {"True"}, "the compiler was loaded")
        self.assertLess(min(float(run[1]) for run in runs), 0.05)


if __name__ == "__main__":
    unittest.main()
