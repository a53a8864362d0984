# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks behind programs_correctness.py: two launches of a case, each into its
own poisoned outputs, and the judgement of what they wrote."""

import sys
import time

import torch

# Elements of each guard band: a multiple of 128 bytes for every type.
GUARD = 1024
# Patterns that no kernel computes: NaNs with a payload, an odd integer.
POISON = {
    torch.float16: (torch.int16, 0x7E55),
    torch.float32: (torch.int32, 0x7FC05555),
    torch.int32: (torch.int32, 0x5A5A5A5B),
}
EPSILON = {torch.float16: 2.0**-10, torch.float32: 2.0**-23}
# How much larger an error may be than PyTorch's, or than that of an exact kernel with
# rounded operands: of a few thousand elements the largest errors of two kernels that
# round alike differ. A rounding of the exact result is never held against a kernel.
ALLOWED = 1.5
# Below this many elements the peer's largest error is luck: a few epsilons count too.
ENOUGH_ELEMENTS = 4096
# Of terms that cancel.
FEW_ROUNDINGS = 4


class Output:
    """One packed output between guard bands."""

    def __init__(self, shape, dtype, before, device):
        self.shape, self.dtype = tuple(shape), dtype
        bits_type, self.poison = POISON[dtype]
        self.count = 1
        for extent in self.shape:
            self.count *= extent
        self.bits = torch.full(
            (GUARD + -(-self.count // GUARD) * GUARD + GUARD,), self.poison,
            dtype=bits_type, device=device,
        )  # fmt: skip
        self.tensor = self.bits.view(dtype)[GUARD : GUARD + self.count].view(self.shape)
        if before is not None:
            self.tensor.copy_(before)

    def touched_outside(self):
        """How many elements of the bands were changed."""
        inside = torch.zeros_like(self.bits, dtype=torch.bool)
        inside[GUARD : GUARD + self.count] = True
        return int(((self.bits != self.poison) & ~inside).sum().item())

    def unwritten(self):
        return int((self.bits[GUARD : GUARD + self.count] == self.poison).sum().item())


def largest_error(result, expected, magnitude):
    """max |x - expected| / magnitude over the finite expected values; infinite where
    NaN or an infinity is on one side only."""
    if expected.numel() == 0:
        return 0.0
    result, expected = result.double(), expected.double()
    special = ~expected.isfinite()
    same = (result == expected) | (result.isnan() & expected.isnan())
    if (special & ~same).any().item() or (~special & ~result.isfinite()).any().item():
        return float("inf")
    error = (result - expected).abs() / torch.as_tensor(magnitude, device=expected.device).double()
    return torch.where(same, torch.zeros_like(error), error).max().item()


def allowed_error(case, name, dtype):
    """What the largest error of an output may be, in the case's measure."""
    if name in case.magnitude:
        return EPSILON[dtype]  # the magnitude says how many roundings there are
    expected = case.expected[name]
    rounded = largest_error(expected.to(dtype), expected, 1)
    allowed = rounded
    if name in case.peer:
        peer = case.peer[name]
        allowed = max(allowed, largest_error(peer, expected, 1))
    if name in case.rounded:
        allowed = max(allowed, largest_error(case.rounded[name], expected, 1))
    finite = expected[expected.isfinite()]
    scale = finite.abs().max().item() if finite.numel() else 0.0
    few = 2 if expected.numel() < ENOUGH_ELEMENTS else 0
    cancelling = FEW_ROUNDINGS * EPSILON[torch.float32] * case.terms.get(name, 0)
    return ALLOWED * allowed + few * EPSILON[dtype] * scale + cancelling


class Checker:
    def __init__(self, kernels, device, max_failures):
        self.kernels, self.device, self.max_failures = kernels, device, max_failures
        self.passed, self.failed, self.skipped = 0, 0, set()
        self.worst = {}  # kernel -> (error relative to the allowed, case)

    def run(self, cases, watchdog):
        start = time.monotonic()
        for case in cases:
            if case.kernel not in self.kernels:
                self.skipped.add(case.kernel)
                continue
            watchdog.step("%s %s" % (case.kernel, case.name))
            self.check(case)
            if self.failed >= self.max_failures:
                print("stopped after %d failures" % self.failed)
                break
        print("%.0f s" % (time.monotonic() - start))

    def check(self, case):
        faults = []
        for launch in (1, 2):
            outputs = {
                name: Output(*description, self.device) for name, description in case.outputs.items()
            }
            try:
                self.launch(case, outputs)
            except Exception as error:
                faults.append("launch %d: %s: %s" % (launch, type(error).__name__, error))
                break
            for name, output in outputs.items():
                fault = self.judge(case, name, output)
                if fault:
                    faults.append("launch %d: %s" % (launch, fault))
        if faults:
            self.failed += 1
            print("FAIL %s %s: %s" % (case.kernel, case.name, "; ".join(faults)))
            sys.stdout.flush()
        else:
            self.passed += 1

    def launch(self, case, outputs):
        kernel = self.kernels[case.kernel]
        values = dict(case.inputs)
        values.update({name: output.tensor for name, output in outputs.items()})
        kernel.bind(*[values[argument["name"]] for argument in kernel.arguments])()
        if self.device.type == "cuda":
            torch.cuda.synchronize()

    def judge(self, case, name, output):
        """What is wrong with an output, or None."""
        outside = output.touched_outside()
        if outside:
            return "%d elements outside of %s were touched" % (outside, name)
        expected = case.expected[name]
        if not expected.is_floating_point():
            wrong = int((output.tensor != expected).sum().item())
            return "%d wrong elements in %s" % (wrong, name) if wrong else None
        if case.outputs[name][2] is None and output.unwritten():
            return "%d elements of %s were not written" % (output.unwritten(), name)
        magnitude = case.magnitude.get(name, 1)
        if name in case.magnitude and not torch.as_tensor(magnitude).any().item():
            # Nothing is rounded: the result must be equal.
            wrong = largest_error(output.tensor, expected, 1)
            return "%s is wrong by up to %.3g" % (name, wrong) if wrong else None
        error = largest_error(output.tensor, expected, magnitude)
        allowed = allowed_error(case, name, output.dtype)
        key = "%s.%s" % (case.kernel, name)
        if allowed and output.count >= ENOUGH_ELEMENTS:
            self.worst[key] = max(self.worst.get(key, (0, "")), (error / allowed, case.name))
        if error <= allowed:
            return None
        return "error of %.3g in %s, allowed %.3g" % (error, name, allowed)

    def report(self):
        for key, (ratio, name) in sorted(self.worst.items()):
            print("largest share of the allowed error, %s: %.3f (%s)" % (key, ratio, name))
        for kernel in sorted(self.skipped):
            print("missing: %s.ptx" % kernel)
        print("%d passed, %d failed" % (self.passed, self.failed))
        return 1 if self.failed else 0 if self.passed else 2
