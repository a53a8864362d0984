# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.torch.enable(): heddle's launchers beside Triton's in Inductor's autotuner. The tuner is
Inductor's own and so is the code that launches; kernels run on the emulator, on host tensors.
bench/inductor_models.py compiles whole models on a GPU."""

import contextlib
import types
import unittest
from unittest import mock

import torch
import triton
import triton.language as tl
from torch._inductor.runtime import triton_heuristics
from torch._inductor.runtime.hints import DeviceProperties

import heddle.torch
from heddle import _inductor, _triton_launch

HOPPER = DeviceProperties(
    type="cuda", index=0, multi_processor_count=132, cc=90, major=9, regs_per_multiprocessor=65536,
    max_threads_per_multi_processor=2048, max_threads_per_block=1024, warp_size=32,
)  # fmt: skip


@triton.jit
def triton_poi_fused(in_ptr0, out_ptr0, xnumel, XBLOCK: tl.constexpr):
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    x0 = xindex
    tmp0 = tl.load(in_ptr0 + (x0), xmask)
    tmp1 = tmp0 * 2.0 + 1.0
    tl.store(out_ptr0 + (x0), tmp1, xmask)


@triton.jit
def triton_poi_impure(in_ptr0, out_ptr0, xnumel, XBLOCK: tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)
    tmp0 = tl.load(in_ptr0 + xindex, xindex < xnumel)
    tmp1 = tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [tmp0], dtype=tl.float32, is_pure=False, pack=1)
    tl.store(out_ptr0 + xindex, tmp1, xindex < xnumel)


def tuner_of(function, configs, device=HOPPER):
    """Inductor's tuner of a kernel over a vector, with what Triton would have compiled."""
    tuner = triton_heuristics.CachingAutotuner(
        function,
        triton_meta={
            "signature": {"in_ptr0": "*fp32", "out_ptr0": "*fp32", "xnumel": "i32", "XBLOCK": "constexpr"},
            "device": device, "constants": {},
            "configs": [{(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16]]}],
        },
        configs=configs, save_cache_hook=None, mutated_arg_names=[], optimize_mem=True,
        heuristic_type=triton_heuristics.HeuristicType.POINTWISE, size_hints={"x": 1024},
        inductor_meta={"kernel_name": function.__name__, "grid_type": "Grid1D"},
    )  # fmt: skip
    tuner.compile_results = [
        types.SimpleNamespace(config=one, compile_meta=tuner._create_compile_meta(one), inductor_meta=tuner.inductor_meta)
        for one in configs
    ]
    return tuner


def config(block, warps=4):
    return triton.Config({"XBLOCK": block}, num_warps=warps, num_stages=1)


class Inductor(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, _inductor, "_stand_in", _inductor._stand_in)
        self.addCleanup(heddle.torch.disable)
        _inductor._stand_in = _triton_launch.EmulatedKernel
        _inductor._kernels.clear()

    def check(self, launcher, count):
        x = torch.randn(count)
        y = torch.full((count + 3,), float("nan"))
        launcher(x, y, count, stream=0)
        self.assertTrue(torch.equal(y[:count], x * 2 + 1))
        self.assertTrue(y[count:].isnan().all())

    def test_a_launcher_computes(self):
        tuner = tuner_of(triton_poi_fused, [config(256)])
        (launcher,) = _inductor.launchers_of(tuner)
        self.assertTrue(launcher.by_heddle)
        self.assertIs(launcher.config, tuner.compile_results[0].config)
        self.assertFalse(launcher.store_cubin)
        for count in (1, 255, 256, 257, 1000):
            self.check(launcher, count)

    def test_one_for_each_text(self):
        tuner = tuner_of(triton_poi_fused, [config(256, 4), config(256, 8), config(128)])
        launchers = _inductor.launchers_of(tuner)
        self.assertEqual([one.config.kwargs["XBLOCK"] for one in launchers], [256, 128])
        for one in launchers:
            self.check(one, 300)

    def test_declined_with_its_reason(self):
        tuner = tuner_of(triton_poi_impure, [config(256)])
        self.assertEqual(_inductor.launchers_of(tuner), [])
        ((name, chosen, reason),) = heddle.torch.kernels()
        self.assertEqual((name, chosen), ("triton_poi_impure", None))
        self.assertIn("effects besides its results", reason)

    def test_a_tuner_of_another_process(self):
        tuner = tuner_of(triton_poi_fused, [config(256)])
        again = triton.JITFunction(triton_poi_fused.fn)
        self.addCleanup(tuner.restore_after_unpickle, tuner.prepare_for_pickle())
        self.assertEqual(_inductor.launchers_of(tuner), [])
        self.assertIn("its source is not in this process", heddle.torch.kernels()[0][2])
        tuner._reload_kernel = lambda: types.SimpleNamespace(fn=again)
        self.check(_inductor.launchers_of(tuner)[0], 100)

    def beside_triton(self, tuner):
        """What a tuner's launchers are after Inductor has made them, Triton's by stand-ins."""
        def make(one):
            if len(one.launchers) != len(one.compile_results):
                one.launchers = [types.SimpleNamespace(config=result.config) for result in one.compile_results]

        with (
            mock.patch.object(triton_heuristics.CachingAutotuner, "_make_launchers", make),
            mock.patch.object(torch.cuda, "device", lambda index: contextlib.nullcontext()),
        ):
            heddle.torch.enable()
            tuner._make_launchers()
            first = list(tuner.launchers)
            tuner.compile_results = tuner.compile_results + tuner_of(triton_poi_fused, [config(64)]).compile_results
            tuner._make_launchers()
            heddle.torch.disable()
        return first, tuner.launchers

    def test_candidates_beside_tritons(self):
        first, second = self.beside_triton(tuner_of(triton_poi_fused, [config(256)]))
        self.assertEqual([getattr(one, "by_heddle", False) for one in first], [False, True])
        # A configuration that is added later makes one of each more, none twice.
        self.assertEqual([getattr(one, "by_heddle", False) for one in second], [False, False, True, True])
        self.assertEqual(heddle.torch.kernels(), [])  # the tuner is gone

    def test_where_none_of_tritons_fits(self):
        def fail(_):
            raise RuntimeError("No valid triton configs. OutOfMemoryError")

        with (
            mock.patch.object(triton_heuristics.CachingAutotuner, "_make_launchers", fail),
            mock.patch.object(torch.cuda, "device", lambda index: contextlib.nullcontext()),
        ):
            heddle.torch.enable()
            self.addCleanup(heddle.torch.disable)
            tuner = tuner_of(triton_poi_fused, [config(256)])
            tuner._make_launchers()
            self.check(tuner.launchers[0], 300)
            with self.assertRaisesRegex(RuntimeError, "No valid triton configs"):
                tuner_of(triton_poi_impure, [config(256)])._make_launchers()
            heddle.torch.disable()

    def test_other_devices_are_tritons(self):
        first, second = self.beside_triton(tuner_of(triton_poi_fused, [config(256)], HOPPER._replace(cc=80, major=8)))
        self.assertEqual((len(first), len(second)), (1, 2))

    def test_the_choice(self):
        tuner = tuner_of(triton_poi_fused, [config(256)])
        launchers = _inductor.launchers_of(tuner)
        tuner.launchers = launchers
        self.assertEqual(heddle.torch.kernels(), [("triton_poi_fused", "heddle", "")])
        tuner.launchers = [types.SimpleNamespace()]
        self.assertEqual(heddle.torch.kernels(), [("triton_poi_fused", "triton", "")])


if __name__ == "__main__":
    unittest.main()
