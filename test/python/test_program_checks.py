# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test/gpu/program_checks.py and program_cases.py on the CPU, with kernels that are
right or wrong on purpose. Skipped without torch."""

import contextlib
import dataclasses
import io
import unittest

from gpu_scripts import torch

if torch:
    import attention_problem
    import program_cases
    from gemm_checks import Watchdog
    from program_checks import Checker

    program_cases.ATTENTION_SHAPES = ((1, 1, 1), (2, 17, 70), (1, 70, 17), (1, 33, 0))
    program_cases.LARGE_TILE = 2048


class ExactKernel:
    """Writes a case's reference, rounded, then does whatever `fault` does."""

    def __init__(self, case, fault):
        self.case, self.fault = case, fault
        names = list(case.inputs) + list(case.outputs)
        self.arguments = [{"name": name} for name in names]

    def bind(self, *values):
        outputs = dict(zip(self.case.outputs, values[len(self.case.inputs) :]))

        def launch():
            for name, tensor in outputs.items():
                tensor.copy_(self.case.expected[name].to(tensor.dtype))
            if self.fault:
                self.fault(self, outputs)

        return launch


class Kernels:
    """A kernel for each case, kept until the case changes."""

    def __init__(self, cases, fault=None):
        self.cases, self.fault, self.current = cases, fault, None

    def __iter__(self):
        for case in self.cases:
            self.current = ExactKernel(case, self.fault)
            yield case

    def __contains__(self, name):
        return True

    def __getitem__(self, name):
        return self.current


def run(family, fault=None, cases=None):
    make = program_cases.Maker(torch.device("cpu"), 0)
    kernels = Kernels(cases or program_cases.FAMILIES[family](make), fault)
    checker = Checker(kernels, make.device, 10**9)
    text = io.StringIO()
    with contextlib.redirect_stdout(text), Watchdog(120) as watchdog:
        checker.run(kernels, watchdog)
        code = checker.report()
    return checker, code, text.getvalue()


@unittest.skipIf(torch is None, "torch is not installed")
class ProgramChecksTest(unittest.TestCase):
    def test_rounded_references_pass(self):
        for family in program_cases.FAMILIES:
            checker, code, text = run(family)
            self.assertEqual((checker.failed, code), (0, 0), family + "\n" + text)

    def every_case_fails(self, family, fault, pattern):
        make = program_cases.Maker(torch.device("cpu"), 0)
        cases = [
            case
            for case in program_cases.FAMILIES[family](make)
            if all(output.numel() for output in case.expected.values())
        ]
        checker, code, text = run(family, fault, cases)
        self.assertEqual((checker.passed, code), (0, 1), family + "\n" + text)
        self.assertRegex(text, pattern)

    def test_one_element_off(self):
        def fault(kernel, outputs):
            for tensor in outputs.values():
                flat = tensor.view(-1)
                if torch.is_floating_point(flat):
                    flat[-1] = torch.nan_to_num(flat[-1]) + 1 + abs(torch.nan_to_num(flat[-1])) / 8
                else:
                    flat[-1] += 1

        for family in program_cases.FAMILIES:
            self.every_case_fails(family, fault, "error of|wrong")

    def rounding_kernel(self, roundings):
        """Backward passes beside a peer that was lucky. Kernels err as often as `roundings` says."""

        def fault(kernel, outputs):
            for name, tensor in outputs.items():
                exact, rounded = kernel.case.expected[name], kernel.case.rounded[name].double()
                tensor.copy_((exact + roundings * (rounded - exact)).to(tensor.dtype))

        make = program_cases.Maker(torch.device("cpu"), 0)
        cases = program_cases.attention_backward(make, 64, ((2, 86, 392), (2, 4, 511)))
        return run(None, fault, [dataclasses.replace(case, peer={}) for case in cases])

    def test_operands_that_are_rounded_once(self):
        checker, code, text = self.rounding_kernel(1)
        self.assertEqual((checker.failed, code), (0, 0), text)

    def test_operands_that_are_rounded_to_fewer_bits(self):
        checker, code, text = self.rounding_kernel(4)
        self.assertEqual((checker.passed, code), (0, 1), text)

    def test_an_element_left_out(self):
        def fault(kernel, outputs):
            for name, tensor in outputs.items():
                before = kernel.case.outputs[name][2]
                if before is None:
                    bits = tensor.view(-1).view({2: torch.int16, 4: torch.int32}[tensor.element_size()])
                    bits[0] = {2: 0x7E55, 4: 0x7FC05555}[tensor.element_size()]

        for family in ("attention", "attention_gqa", "attention_window", "softmax", "layer_norm", "transpose", "cumsum"):
            self.every_case_fails(family, fault, "not written|error of inf|wrong")

    def test_a_write_outside(self):
        def fault(kernel, outputs):
            tensor = next(iter(outputs.values())).view(-1)
            tensor.as_strided((1,), (1,), tensor.storage_offset() + tensor.numel())[0] = 0

        for family in ("attention", "silu_mul", "histogram_atomic"):
            self.every_case_fails(family, fault, "outside")

    def test_only_the_second_launch_is_wrong(self):
        def fault(kernel, outputs):
            kernel.launches = getattr(kernel, "launches", 0) + 1
            if kernel.launches == 2:
                next(iter(outputs.values())).fill_(12345)

        self.every_case_fails("attention", fault, "launch 2")

    def test_a_nan_where_the_reference_has_none(self):
        def fault(kernel, outputs):
            next(iter(outputs.values())).view(-1)[0] = float("nan")

        cases = "attention", "silu_mul", "gemm_softmax"
        for family in cases:
            self.every_case_fails(family, fault, "error of inf")

    def test_keys_that_are_not_masked(self):
        """Attention that lets every query see one key too many."""

        def fault(kernel, outputs):
            inputs = kernel.case.inputs
            q, k, v = inputs["q"], inputs["k"], inputs["v"]
            zero = torch.zeros_like(k[:, :1])
            k, v = torch.cat([k, zero], 1), torch.cat([v, zero], 1)
            mask = attention_problem.sees(q.shape[1], k.shape[1], False, q.device)
            exact = attention_problem.exact_attention(q, k, v, inputs["scale"], mask)
            outputs["o"].copy_(exact.half())

        make = program_cases.Maker(torch.device("cpu"), 0)
        shapes = program_cases.ATTENTION_SHAPES
        cases = [c for c in program_cases.attention(make, 64, False, shapes) if c.inputs["k"].shape[1]]
        checker, code, text = run(None, fault, cases)
        self.assertEqual((checker.passed, code), (0, 1), text)

    def with_other_keys(self, cases, fault):
        make = program_cases.Maker(torch.device("cpu"), 0)
        checker, code, text = run(None, fault, [case for case in cases(make) if case.inputs["k"].shape[1] > 9])
        self.assertEqual((checker.passed, code), (0, 1), text)

    def test_a_window_that_is_one_key_too_wide(self):
        def fault(kernel, outputs):
            q, k, v, scale, window = (kernel.case.inputs[name] for name in ("q", "k", "v", "scale", "window"))
            mask = attention_problem.sees(q.shape[1], k.shape[1], True, q.device, window + 1)
            outputs["o"].copy_(attention_problem.exact_attention(q, k, v, scale, mask).half())

        shapes = program_cases.ATTENTION_SHAPES
        self.with_other_keys(lambda make: program_cases.attention(make, 64, True, shapes, window=5), fault)

    def test_keys_of_the_wrong_head(self):
        def fault(kernel, outputs):
            q, k, v, scale = (kernel.case.inputs[name] for name in ("q", "k", "v", "scale"))
            mask = attention_problem.sees(q.shape[1], k.shape[1], True, q.device)
            others = [x.repeat(2, 1, 1).roll(1, 0) for x in (k, v)]
            outputs["o"].copy_(attention_problem.exact_attention(q, *others, scale, mask).half())

        shapes = program_cases.ATTENTION_SHAPES
        self.with_other_keys(
            lambda make: (c for c in program_cases.attention(make, 64, True, shapes, 2) if len(c.inputs["k"]) > 1), fault)


if __name__ == "__main__":
    unittest.main()
