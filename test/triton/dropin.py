#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.triton without a GPU: dropin.py LIBHEDDLE.SO LIBHEDDLE_RUNTIME.SO [TEST ...]

Kernels run by kernel[grid](...) on the emulator, or up to a libcuda.so.1 that only
records, which run.py puts on the loader's path.
"""

import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import numpy as np
from case import Descriptor, Scalar
from compile import kernel_of
from corpus_cases import builders
from values import load, stored

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))
import heddle
import heddle.runtime

heddle.use_compiler(sys.argv[1])
heddle.runtime.use_library(sys.argv[2])
import heddle.triton
import triton
import triton.language as tl
from heddle._triton_emulator import EmulatorDriver
from triton import knobs
from triton.runtime import driver
from triton.tools.tensor_descriptor import TensorDescriptor

DTYPES = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "i8": "int8", "i32": "int32", "i64": "int64",
}  # fmt: skip


class HostTensor:
    """What a torch tensor of the host shows."""

    is_cuda = False

    def __init__(self, array, element="f32"):
        self.array, self.dtype, self.shape = array, DTYPES[element], array.shape

    def data_ptr(self):
        return self.array.ctypes.data

    def stride(self):
        return tuple(stride // self.array.itemsize for stride in self.array.strides)


class Dtype(str):
    """As TensorDescriptor asks its base's."""

    itemsize = property(lambda self: {"float8_e4m3fn": 1, "float8_e5m2": 1, "float32": 4}.get(self, 2))
    is_floating_point = True


def tensors(count, size=1000):
    random = np.random.default_rng(count)
    return [HostTensor(random.standard_normal(size).astype(np.float32)) for _ in range(count)]


@triton.jit
def scale(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, x * factor, mask=offsets < n)


@triton.jit
def choose(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    """Two arguments under the name of one variable."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if tl.program_id(0) > 1:
        source = x_ptr
    else:
        source = y_ptr
    tl.store(out_ptr + offsets, tl.load(source + offsets, mask=offsets < n), mask=offsets < n)


@triton.jit
def scale_rows(x_ptr, out_ptr, rows, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    for row in range(tl.program_id(0), rows, PROGRAMS):
        offsets = row * BLOCK + tl.arange(0, BLOCK)
        tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) * 2)


@triton.jit
def wide(a_ptr, b_ptr, c_ptr, k, BN: tl.constexpr):
    """Results of more registers than four warps have."""
    rows, columns = tl.arange(0, 64)[:, None], tl.arange(0, BN)[None, :]
    acc = tl.zeros((64, BN), dtype=tl.float32)
    for start in range(0, k, 32):
        steps = start + tl.arange(0, 32)
        a = tl.load(a_ptr + rows * k + steps[None, :]) * 2  # computed, so operands are not swapped
        acc += tl.dot(a, tl.load(b_ptr + steps[:, None] * BN + columns))
    tl.store(c_ptr + rows * BN + columns, acc)


def fresh(kernel=scale):
    """The kernel as if nobody had called it yet."""
    return triton.jit(kernel.fn)


def by_blocks(meta):
    return (triton.cdiv(meta["n"], meta["BLOCK"]),)


class DropIn(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        patch = mock.patch.dict(os.environ, HEDDLE_CACHE_DIR=scratch.name)
        patch.start()
        self.addCleanup(patch.stop)
        self.addCleanup(heddle.triton.disable)
        heddle.triton._entries.clear()


class EmulatedTest(DropIn):
    def setUp(self):
        super().setUp()
        heddle.triton.enable(emulate=True)

    def run_corpus(self, name):
        case = builders()[name]()
        arrays, arguments = {}, dict(case.constants)
        for argument, what in case.arguments.items():
            if isinstance(what, Scalar):
                arguments[argument] = what.value
                continue
            buffer = what.buffer if isinstance(what, Descriptor) else what
            arrays[argument] = stored(argument, buffer), buffer.element
            arguments[argument] = HostTensor(*arrays[argument])
            arguments[argument].dtype = Dtype(arguments[argument].dtype)
            if isinstance(what, Descriptor):
                base = arguments[argument]
                arguments[argument] = TensorDescriptor(
                    base, list(base.shape), list(base.stride()), list(what.block)
                )
        expected = case.expected({key: load(*pair) for key, pair in arrays.items()})
        kernel = triton.jit(kernel_of(case).fn)
        kernel[case.grid](**arguments, num_warps=case.warps)
        self.assertEqual(len(heddle.triton.compiled(kernel)), 1)
        for key, values in expected.items():
            error = np.abs(load(*arrays[key]) - values).max() / np.abs(values).max()
            self.assertTrue(error <= case.tolerance, f"{key} is off by {error}")

    def test_pointers_and_scalars(self):
        self.run_corpus("dropout")

    def test_strides_that_are_one(self):
        self.run_corpus("rotary_embedding")

    def test_number_of_programs(self):
        self.run_corpus("softmax")

    def test_descriptors(self):
        self.run_corpus("matmul_descriptors")

    def test_specialisations_are_kept_apart(self):
        kernel = fresh()
        for n in (1000, 1000, 992, 1):
            x, out = tensors(2)
            kernel[by_blocks](x, out, n, 2.0, BLOCK=256)
            np.testing.assert_array_equal(out.array[:n], 2 * x.array[:n])
        kernel[(4,)](x, out, 1000, 3.0, BLOCK=512)
        self.assertEqual(len(heddle.triton.compiled(kernel)), 4)

    def test_autotune(self):
        configs = [triton.Config({"BLOCK": size}, num_warps=4) for size in (128, 512)]
        seen = []
        tuned = triton.autotune(
            configs, key=["n"], pre_hook=lambda arguments, **unused: seen.append(arguments["BLOCK"])
        )(fresh())
        x, out = tensors(2)
        tuned[by_blocks](x, out, 1000, 0.5)
        np.testing.assert_array_equal(out.array, 0.5 * x.array)
        self.assertIn(tuned.best_config, configs)
        self.assertEqual({128, 512}, set(seen))
        self.assertEqual(len(heddle.triton.compiled(tuned)), 2)

    def test_heuristics(self):
        kernel = triton.heuristics({"BLOCK": lambda arguments: 256})(fresh())
        x, out = tensors(2)
        kernel[by_blocks](x, out, 1000, 4.0)
        np.testing.assert_array_equal(out.array, 4 * x.array)

    def test_hooks(self):
        kernel = fresh()
        seen = []
        kernel.add_pre_run_hook(lambda *arguments, **keywords: seen.append("before"))
        enter = lambda metadata: seen.append(metadata.get()["name"])
        leave = lambda metadata: seen.append("left")
        def made(**keywords):
            seen.append(keywords["fn"].name)
        with mock.patch.object(knobs.runtime, "jit_post_compile_hook", made):
            knobs.runtime.launch_enter_hook.add(enter)
            knobs.runtime.launch_exit_hook.add(leave)
            try:
                kernel[by_blocks](*tensors(2), 1000, 2.0, BLOCK=256)
            finally:
                knobs.runtime.launch_enter_hook.remove(enter)
                knobs.runtime.launch_exit_hook.remove(leave)
        self.assertEqual(len(seen), 4)
        self.assertEqual([seen[0], seen[2], seen[3]], ["before", "scale", "left"])
        self.assertIn("scale", seen[1])

    def test_what_the_caller_finds(self):
        kernel = fresh()
        found = kernel.warmup(*tensors(2), 1000, 2.0, BLOCK=256, grid=(4,))
        self.assertEqual(found.metadata.name, "scale")
        self.assertIn(".entry scale", found.asm["ptx"])
        x, out = tensors(2)
        found[(4,)](x, out, 1000, 2.0, 256)
        np.testing.assert_array_equal(out.array, 2 * x.array)

    def test_the_decorator_is_for_one_kernel(self):
        heddle.triton.disable()
        driver.set_active(EmulatorDriver())
        mine = heddle.triton.kernel(triton.autotune([triton.Config({"BLOCK": 256})], key=[])(fresh()))
        other = fresh()
        with mock.patch("triton.compiler.compile", side_effect=KeyError("Triton's")):
            with self.assertRaisesRegex(KeyError, "Triton's"):
                other[(4,)](*tensors(2), 1000, 2.0, BLOCK=256)
            self.assertTrue(mine.warmup(*tensors(2), 1000, 2.0, grid=(4,)) is not None)
        self.assertEqual(len(heddle.triton.compiled(mine)), 1)

    def test_the_schedule_is_a_choice(self):
        seen = []
        options_of = heddle.triton.compiler.options_of
        def spy(*arguments, **keywords):
            seen.append(keywords["schedule"])
            return options_of(*arguments, **keywords)
        with mock.patch.object(heddle.triton.compiler, "options_of", spy):
            exact = heddle.triton.kernel(schedule="exact")(fresh())
            for kernel in (exact, fresh()):
                kernel.warmup(*tensors(2), 1000, 7.0, BLOCK=128, grid=(4,))
        self.assertEqual(seen, ["exact", "auto"])

    def test_a_launch_that_breaks_an_assumption(self):
        kernel = fresh(scale_rows)
        for programs in (4, 1):
            x, out = tensors(2, 8 * 128)
            out.array[:] = 0
            kernel[(programs,)](x, out, 8, BLOCK=128, PROGRAMS=4)
            done = np.arange(8) % 4 < programs
            expected = 2 * x.array.reshape(8, 128) * done[:, None]
            np.testing.assert_array_equal(out.array.reshape(8, 128), expected)
        self.assertEqual(len(heddle.triton.compiled(kernel)), 1)

    def test_what_wrappers_ask_of_the_driver(self):
        properties = driver.active.utils.get_device_properties(driver.active.get_current_device())
        self.assertEqual(properties["multiprocessor_count"], 132)
        self.assertEqual(properties["max_shared_mem"], 232448)
        from triton.testing import do_bench, get_dram_gbps
        self.assertAlmostEqual(get_dram_gbps(0), 4800)
        # As the tutorial on softmax sizes its grid.
        x, out = tensors(2)
        found = fresh().warmup(x, out, 1000, 2.0, BLOCK=256, grid=(4,))
        found._init_handles()
        threads = properties["warpSize"] * found.metadata.num_warps
        self.assertGreater(properties["max_num_regs"] // (found.n_regs * threads), 0)
        self.assertGreaterEqual(found.metadata.shared, 0)
        interface = driver.active.get_device_interface()
        interface.synchronize()
        self.assertEqual(interface.current_device(), 0)

    def test_a_declined_kernel_cannot_be_emulated(self):
        kernel = fresh()
        with self.assertRaisesRegex(heddle.CompileError, "enable_fp_fusion is False") as raised:
            kernel[(4,)](*tensors(2), 1000, 2.0, BLOCK=256, enable_fp_fusion=False)
        self.assertTrue(raised.exception.declined)

    def test_the_users_mistakes_stay_triton_errors(self):
        with self.assertRaises(TypeError):
            fresh()[(4,)](*tensors(2), BLOCK=256)


class Child(DropIn):
    """Kernels of files, compiled by processes of their own."""

    PROGRAM = """
import sys, time
sys.argv[1:3], names = sys.argv[1:3], sys.argv[3:]
sys.path.insert(0, names[0])
import dropin, heddle.triton, importlib
heddle.triton.enable(emulate=True)
kernel = importlib.import_module("mine").scale
x, out = dropin.tensors(2)
from heddle import _compiler_capi, _triton_source, compiler
from unittest import mock
kernel.device_caches[0]
started = []
make = heddle.triton._compile
def timed(*arguments):
    start = time.perf_counter()
    try:
        return make(*arguments)
    finally:
        started.append(time.perf_counter() - start)
with mock.patch.object(heddle.triton, "_compile", timed), \\
     mock.patch.object(compiler, "_compile", side_effect=compiler._compile) as compile:
    kernel[(4,)](x, out, 1000, 2.0, BLOCK=256)
print(compile.call_count, started[0], out.array[0] / x.array[0])
""".replace("\\\\", "\\")

    def run_child(self, source):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "mine.py").write_text(source, encoding="utf-8")
            done = subprocess.run(
                [sys.executable, "-B", "-c", self.PROGRAM, *sys.argv[1:3], folder],
                cwd=pathlib.Path(__file__).parent, stdout=subprocess.PIPE, text=True, check=True,
            )  # fmt: skip
        count, seconds, ratio = done.stdout.split()
        return int(count), float(seconds), float(ratio)

    SOURCE = "import triton\nimport triton.language as tl\n\nFACTOR = tl.constexpr(1.0)\n\n\n"

    def test_another_process_finds_the_kernel(self):
        with open(__file__, encoding="utf-8") as file:
            text = file.read()
        text = text[text.index("@triton.jit\ndef scale") : text.index("def fresh")]
        self.assertEqual(self.run_child(self.SOURCE + text)[0], 1)
        runs = [self.run_child(self.SOURCE + text) for _ in range(3)]
        self.assertEqual([run[0] for run in runs], [0, 0, 0])
        self.assertLess(min(run[1] for run in runs), 0.5 if "ASAN_OPTIONS" in os.environ else 0.05)
        # What the kernel calls, or a constant that it uses, counts as its text.
        changed = (self.SOURCE + text).replace("x * factor", "x * factor * FACTOR")
        self.assertEqual(self.run_child(changed)[::2], (1, 2.0))
        changed = changed.replace("tl.constexpr(1.0)", "tl.constexpr(4.0)")
        self.assertEqual(self.run_child(changed)[::2], (1, 8.0))


@unittest.skipUnless(os.environ.get("FAKE_DRIVER"), "no recording driver")
class LaunchTest(DropIn):
    """Up to cuLaunchKernel."""

    def setUp(self):
        super().setUp()
        heddle.triton.enable()
        driver.set_active(EmulatorDriver())
        self.fake = ctypes.CDLL(os.environ["FAKE_DRIVER"])

    def last_launch(self, count):
        extents, stream = (ctypes.c_uint * 6)(), ctypes.c_uint64()
        params = (ctypes.c_uint64 * 64)()
        self.fake.fake_driver_launch(
            self.fake.fake_driver_launches() - 1, extents, ctypes.byref(stream), params
        )
        return list(extents), stream.value, list(params[:count])

    def parameters(self, made, launch):
        """{"pointer x_ptr": word, ...} of the last launch, by what the manifest says."""
        found = {}
        every = [variant["params"] for variant in json.loads(made.heddle.manifest)["variants"]]
        self.fake.fake_driver_expect_params(len(every[0]))
        launch()
        extents, stream, words = self.last_launch(len(every[0]))
        self.assertEqual({str(params) for params in every}, {str(every[0])}, "which variant?")
        for parameter, word in zip(every[0], words):
            ((kind, name),) = parameter.items()
            name = name[0] if isinstance(name, list) else name
            found[f"{kind} {name.split('.')[0]}"] = word
        self.assertEqual(extents[3:], [made.heddle.kernel.variants[0]["threads"], 1, 1])
        return found, stream, extents[:3]

    def test_arguments_arrive(self):
        kernel = fresh()
        x, out = tensors(2)
        made = kernel.warmup(x, out, 1000, 0.5, BLOCK=256, grid=(4,))
        launch = lambda x, out: kernel[by_blocks](x, out, 1000, 0.5, BLOCK=256)
        found, stream, grid = self.parameters(made, lambda: launch(x, out))
        self.assertEqual(found["pointer x_ptr"], x.data_ptr())
        self.assertEqual(found["pointer out_ptr"], out.data_ptr())
        self.assertEqual(found["scalar factor"] & 0xFFFFFFFF, 0x3F000000)
        self.assertEqual(grid, [4, 1, 1])  # a block for each program
        self.assertEqual(stream, 0)
        with mock.patch.object(EmulatorDriver, "get_current_stream", return_value=0x77):
            found, stream, _ = self.parameters(made, lambda: launch(out, x))
        self.assertEqual((stream, found["pointer x_ptr"]), (0x77, out.data_ptr()))

    def test_arguments_have_their_own_names(self):
        kernel = fresh(choose)
        x, y, out = tensors(3)
        made = kernel.warmup(x, y, out, 1000, BLOCK=256, grid=(4,))
        found, _, _ = self.parameters(made, lambda: kernel[by_blocks](x, y, out, 1000, BLOCK=256))
        for name, tensor in (("x_ptr", x), ("y_ptr", y), ("out_ptr", out)):
            self.assertEqual(found[f"pointer {name}"], tensor.data_ptr())

    def test_tensors_take_the_quick_way_from_the_second_launch_on(self):
        class DeviceTensor(HostTensor):
            is_cuda = True

        text = (ROOT / "examples" / "cmake" / "axpy.mlir").read_text(encoding="utf-8")
        kernel = heddle.compile(text, settings={"t": "f32"}).kernel
        x, y = (DeviceTensor(np.zeros(5000, np.float32)) for _ in range(2))
        self.fake.fake_driver_expect_params(3)
        launches = []
        for _ in range(2):
            kernel(2.0, x, y)
            launches.append(self.last_launch(3))
        self.assertEqual(launches[0], launches[1])
        self.assertIsNotNone(kernel._words(2.0, x, y))
        halves = DeviceTensor(np.zeros(5000, np.float16), "f16")
        for values, message in (
            ((2.0, x, halves), "'y' is f16, but the kernel was compiled for f32"),
            ((2.0, x, DeviceTensor(np.zeros((50, 100), np.float32))), "'y' has rank 2"),
            (("much", x, y), "'alpha' is 'much'"),
            ((2.0, HostTensor(x.array), y), "'x' is in host memory"),
            ((2.0, x), "takes 3 arguments"),
        ):
            with self.assertRaisesRegex((TypeError, heddle.runtime.ArgumentError), message):
                kernel(*values)

    def test_an_empty_grid_launches_nothing(self):
        before = self.fake.fake_driver_launches()
        fresh()[(0,)](*tensors(2), 1000, 0.5, BLOCK=256)
        self.assertEqual(self.fake.fake_driver_launches(), before)

    def test_programs_that_are_the_same(self):
        before = self.fake.fake_driver_launches()
        fresh()[(4, 3)](*tensors(2), 1000, 0.5, BLOCK=256)
        self.assertEqual(self.fake.fake_driver_launches(), before + 3)

    def test_threads(self):
        kernel = fresh()
        before = self.fake.fake_driver_launches()
        def many():
            for _ in range(50):
                kernel[(4,)](*tensors(2), 1000, 0.5, BLOCK=256)
        threads = [threading.Thread(target=many) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.fake.fake_driver_launches(), before + 200)

    def test_a_parser_that_counts_all_threads_together(self):
        """Python's own, where two threads parse at a time; the second attempt gets through."""
        calls, ttir_of = [], heddle.triton._triton_source.ttir_of
        def objects_first(*arguments):
            calls.append(arguments)
            if len(calls) == 1:
                raise SystemError("AST constructor recursion depth mismatch (before=51, after=45)")
            return ttir_of(*arguments)
        before = self.fake.fake_driver_launches()
        with mock.patch.object(heddle.triton._triton_source, "ttir_of", objects_first):
            fresh()[(4,)](*tensors(2), 1000, 0.5, BLOCK=256)
        self.assertEqual((self.fake.fake_driver_launches(), len(calls)), (before + 1, 2))

    def test_a_launch_that_breaks_an_assumption_stays_heddles(self):
        kernel = fresh(scale_rows)
        before = self.fake.fake_driver_launches()
        with mock.patch("triton.compiler.compile", side_effect=KeyError("Triton's")):
            for programs in (4, 1, 2, 1):
                kernel[(programs,)](*tensors(2, 8 * 128), 8, BLOCK=128, PROGRAMS=4)
        self.assertEqual(self.fake.fake_driver_launches(), before + 4)

    def test_a_kernel_without_a_schedule_is_left_to_triton(self):
        by_triton = mock.Mock(spec=["launch_metadata", "function", "packed_metadata", "run"])
        with mock.patch("triton.compiler.compile", return_value=by_triton):
            with self.assertLogs("heddle.triton", "WARNING") as logs:
                wide[(1,)](*tensors(3, 64 * 512), 64, BN=512)
        self.assertRegex(logs.output[0], r"wide is left to Triton: .*\[no-schedule\] \[one-process\]")
        self.assertEqual(by_triton.run.call_count, 1)

    def test_what_heddle_declines_is_left_to_triton(self):
        for options, address, reason in (
            ({"enable_fp_fusion": False}, 0, "option enable_fp_fusion is False"),
            ({}, 0x1000, "argument 'x_ptr' lies in memory that device 0 cannot reach"),
        ):
            kernel, launched = fresh(), []
            x, out = tensors(2)
            if address:
                self.fake.fake_driver_set_unreachable(ctypes.c_uint64(x.data_ptr()))
            by_triton = mock.Mock(spec=["launch_metadata", "function", "packed_metadata"])
            by_triton.run = lambda *arguments: launched.append(arguments)
            with mock.patch("triton.compiler.compile", return_value=by_triton) as compile:
                with self.assertLogs("heddle.triton", "WARNING") as logs:
                    for _ in range(3):
                        kernel[(4,)](x, out, 1000, 0.5, BLOCK=256, **options)
            self.fake.fake_driver_set_unreachable(ctypes.c_uint64(0))
            self.assertEqual(compile.call_count, 1)
            self.assertEqual(len(logs.output), 1)
            self.assertIn("scale is left to Triton: " + reason, logs.output[0])
            self.assertIn(reason, heddle.triton.declined()["scale"])
            self.assertEqual(len(launched), 3)
            self.assertEqual(launched[0][:3], (4, 1, 1))
            self.assertEqual(launched[0][-5:], (x, out, 1000, 0.5, 256))


    def test_a_bug_of_heddle_is_left_to_triton(self):
        by_triton = mock.Mock(spec=["launch_metadata", "function", "packed_metadata", "run"])
        with mock.patch("triton.compiler.compile", return_value=by_triton), mock.patch.object(
            heddle.triton, "_make", side_effect=KeyError("oops")
        ), self.assertLogs("heddle.triton", "WARNING") as logs:
            fresh()[(4,)](*tensors(2), 1000, 0.5, BLOCK=256)
        self.assertIn("bug in heddle: KeyError('oops')", logs.output[0])
        self.assertEqual(by_triton.run.call_count, 1)


class CompileTest(DropIn):
    """heddle.compile of a Triton kernel."""

    def test_signature(self):
        made = heddle.compile(
            scale, {"x_ptr": "*fp32:16", "out_ptr": "*fp32:16", "n": "i32:16", "factor": "fp32"},
            {"BLOCK": 256}, num_warps=4,
        )  # fmt: skip
        x, out = (np.arange(1000, dtype=np.float32) for _ in range(2))
        made.run(x, out, 1000, 0.25, grid=(4,))
        np.testing.assert_array_equal(out, x / 4)
        self.assertIn("dropin.py", made.remarks)
        with self.assertRaisesRegex(ValueError, "grid_y is 2, but kernel 'scale' does not ask"):
            made.run(x, out, 1000, 0.25, grid=(4, 2))
        with self.assertRaisesRegex(heddle.EmulatorError, "grid"):
            made.run(x, out, 1000, 0.25, grid=(-1,))

    def test_mistakes(self):
        with self.assertRaisesRegex(TypeError, "needs argument 'n' in the signature"):
            heddle.compile(scale, {"x_ptr": "*fp32", "out_ptr": "*fp32"}, {"BLOCK": 256})
        types = {"x_ptr": "*fp32", "out_ptr": "*fp32", "n": "i32:8", "factor": "fp32"}
        with self.assertRaisesRegex(TypeError, "argument 'n' is 'i32:8'; a hint is :16 or :1"):
            heddle.compile(scale, types, {"BLOCK": 256})
        with self.assertRaisesRegex(TypeError, "has no argument 'SIZE'"):
            heddle.compile(scale, dict(types, n="i32"), {"BLOCK": 256, "SIZE": 1})


if __name__ == "__main__":
    unittest.main(argv=["dropin.py"] + sys.argv[3:])
