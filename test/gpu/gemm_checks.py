# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checks behind gemm_correctness.py.

References are made once per shape (exact) or once per shape and input type
(normal) and shared by all layouts and output types. Results of checks stay on the
device until a shape is done, so that thousands of small launches are not
separated by thousands of waits.
"""

import os
import sys
import threading
import time

import gemm_problem as problem
import torch

# Elements of each guard band: a multiple of 128 bytes for every type.
GUARD = 1024
# NaNs with a payload, so that a NaN the kernel computed is not taken for poison.
POISON = {"f16": 0x7E55, "bf16": 0x7FD5, "f32": 0x7FC05555}
# Below this many elements cuBLAS's largest error is luck and no yardstick.
ENOUGH_ELEMENTS = 4096


class Watchdog:
    """Ends the process with the current case's name if nothing moves: a kernel
    that deadlocks cannot be interrupted any other way."""

    def __init__(self, seconds):
        self.seconds, self.what, self.since = seconds, "start", time.monotonic()
        self._stop = threading.Event()

    def step(self, what):
        self.what, self.since = what, time.monotonic()

    def __enter__(self):
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *unused):
        self._stop.set()

    def _watch(self):
        while not self._stop.wait(1.0):
            if time.monotonic() - self.since > self.seconds:
                print("HANG: nothing for %g s in %s" % (self.seconds, self.what))
                sys.stdout.flush()
                os._exit(1)


class Outputs:
    """Two outputs C in one poisoned allocation, with guard bands around each."""

    def __init__(self, m, n, pitch, out_type, device):
        self.m, self.n, self.pitch, self.out_type = m, n, pitch, out_type
        self.bits_type = torch.int32 if out_type == "f32" else torch.int16
        # Bands at least as long as promised, the second output aligned like the first.
        self.stride = GUARD + -(-m * pitch // GUARD) * GUARD
        self.bits = torch.empty(GUARD + 2 * self.stride, dtype=self.bits_type, device=device)
        self.bits.fill_(POISON[out_type])
        self.flat = self.bits.view(problem.torch_type(out_type))

    def _window(self, flat, index):
        start = GUARD + index * self.stride
        window = flat[start : start + self.m * self.pitch]
        return window.view(self.m, self.pitch)[:, : self.n]

    def c(self, index):
        return self._window(self.flat, index)

    def touched_outside(self):
        """How many elements other than those of C were changed; destroys C."""
        for index in range(2):
            self._window(self.bits, index).fill_(POISON[self.out_type])
        return (self.bits != POISON[self.out_type]).sum()


def padded(matrix, fill):
    """The same matrix with rows padded to a multiple of 16 bytes by `fill`, and at
    least one element of padding."""
    step = 16 // matrix.element_size()
    rows, columns = matrix.shape
    pitch = (columns // step + 1) * step
    storage = torch.full((rows, pitch), fill, dtype=matrix.dtype, device=matrix.device)
    storage[:, :columns] = matrix
    return storage[:, :columns]


def dense(matrix):
    # clone: a contiguous slice of a larger tensor must not share its memory.
    return matrix.clone(memory_format=torch.contiguous_format)


class Checker:
    def __init__(self, kernels, seed, max_failures, device):
        self.kernels, self.max_failures, self.device = kernels, max_failures, device
        self.generator = torch.Generator(device=device).manual_seed(seed)
        self.passed, self.failed = 0, 0
        self.pending = []
        self.worst = {}  # output type -> (ratio to cuBLAS, case)
        self.inputs = sorted({key[1] for key in kernels})
        self.layouts = sorted({key[0] for key in kernels})
        # The references must not be rounded on the way.
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
        torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False

    def run(self, shapes, watchdog):
        start = time.monotonic()
        self.make_operands(shapes)
        for index, (m, n, k) in enumerate(shapes):
            watchdog.step("%dx%dx%d" % (m, n, k))
            self.check_exact(m, n, k, watchdog)
            self.check_normal(m, n, k, watchdog)
            self.settle()
            if self.failed >= self.max_failures:
                print("stopped after %d failures" % self.failed)
                return
            if index % 100 == 99:
                print(
                    "%d of %d shapes, %d passed, %d failed, %.0f s"
                    % (index + 1, len(shapes), self.passed, self.failed, time.monotonic() - start)
                )
                sys.stdout.flush()

    def make_operands(self, shapes):
        """Once, at the largest size; shapes take their upper left corner."""
        m, n, k = (max(shape[axis] for shape in shapes) for axis in range(3))

        def integers(*shape):
            return torch.randint(-2, 3, shape, generator=self.generator, device=self.device)

        def normal(*shape):
            return torch.randn(shape, generator=self.generator, device=self.device)

        self.exact_a, self.exact_b = integers(m, k).half(), integers(k, n).half()
        self.normal_a, self.normal_b = normal(m, k), normal(k, n)

    def stored(self, a, b, layout, store):
        return (
            store(a if layout[0] == "n" else a.t()),
            store(b if layout[1] == "n" else b.t()),
        )

    def check_exact(self, m, n, k, watchdog):
        a, b = self.exact_a[:m, :k], self.exact_b[:k, :n]
        reference = a.float() @ b.float()
        for in_type in self.inputs:
            in_dtype = problem.torch_type(in_type)
            for layout in self.layouts:
                stored = self.stored(a.to(in_dtype), b.to(in_dtype), layout, dense)
                for out_type in problem.OUTPUTS:
                    case = (layout, in_type, out_type)
                    if case not in self.kernels:
                        continue
                    watchdog.step(name_of("exact", case, m, n, k))
                    outputs = Outputs(m, n, n, out_type, self.device)
                    what = self.launch(case, stored, outputs, "exact", (m, n, k))
                    if what is None:
                        continue
                    expected = reference.to(problem.torch_type(out_type))
                    self.expect_equal(what, outputs, expected)

    def check_normal(self, m, n, k, watchdog):
        for in_type in self.inputs:
            in_dtype = problem.torch_type(in_type)
            a = self.normal_a[:m, :k].to(in_dtype)
            b = self.normal_b[:k, :n].to(in_dtype)
            reference = a.double() @ b.double()
            magnitude = a.double().abs() @ b.double().abs()
            for layout in self.layouts:
                stored = self.stored(a, b, layout, lambda x: padded(x, float("nan")))
                for out_type in problem.OUTPUTS:
                    case = (layout, in_type, out_type)
                    if case not in self.kernels:
                        continue
                    watchdog.step(name_of("normal", case, m, n, k))
                    pitch = (n // 8 + 1) * 8
                    outputs = Outputs(m, n, pitch, out_type, self.device)
                    what = self.launch(case, stored, outputs, "normal", (m, n, k))
                    if what is None:
                        continue
                    peer = self.cublas(stored, layout, out_type)
                    self.expect_close(what, outputs, peer, reference, magnitude)

    def launch(self, case, stored, outputs, test, shape):
        """Two launches; the case's name, or None if the launch itself failed."""
        what = name_of(test, case, *shape)
        kernel = self.kernels[case]
        try:
            for index in range(2):
                problem.bind(kernel, stored[0], stored[1], outputs.c(index))()
        except Exception as error:
            self.fail(what, "%s: %s" % (type(error).__name__, error))
            return None
        return what

    def cublas(self, stored, layout, out_type):
        a = problem.logical(stored[0], layout[0])
        b = problem.logical(stored[1], layout[1])
        out_dtype = problem.torch_type(out_type)
        if out_dtype == a.dtype:
            return torch.matmul(a, b)
        if 0 in a.shape or 0 in b.shape:
            return torch.zeros((a.shape[0], b.shape[1]), dtype=out_dtype, device=a.device)
        # fp32 out of the same products and sums; the other half type rounds that.
        if self.device.type == "cpu":
            return (a.float() @ b.float()).to(out_dtype)
        return torch.mm(a, b, out_dtype=torch.float32).to(out_dtype)

    def expect_equal(self, what, outputs, expected):
        # != is true for NaN, and equal zeros may differ in sign.
        wrong = [(outputs.c(index) != expected).sum() for index in range(2)]
        where = [outputs.c(index) != expected for index in range(2)]
        detail = Mismatch(outputs, expected, where)  # before C is poisoned again
        self.pending.append(
            (what, "exact", torch.stack(wrong + [outputs.touched_outside()]), detail)
        )

    def expect_close(self, what, outputs, peer, reference, magnitude):
        epsilon = problem.EPSILON[outputs.out_type]
        rounded = reference.to(problem.torch_type(outputs.out_type))
        errors = [
            largest_error(result, reference, magnitude) / epsilon
            for result in (outputs.c(0), outputs.c(1), peer, rounded)
        ]
        outside = outputs.touched_outside().double()
        self.pending.append((what, "normal", torch.stack(errors + [outside]), reference.numel()))

    def settle(self):
        """Waits for the device and judges what is pending."""
        if not self.pending:
            return
        try:
            numbers = [values.tolist() for _, _, values, _ in self.pending]
        except RuntimeError as error:
            # A fault on the device ends the context: nothing after it can run.
            print("FAIL one of %s ... %s: %s" % (self.pending[0][0], self.pending[-1][0], error))
            print("%d passed, %d failed" % (self.passed, self.failed + 1))
            sys.stdout.flush()
            os._exit(1)
        for (what, test, _, extra), values in zip(self.pending, numbers):
            if test == "exact":
                self.judge_exact(what, values, extra)
            else:
                self.judge_normal(what, values, extra)
        self.pending = []

    def judge_exact(self, what, values, detail):
        first, second, outside = values
        if first == second == outside == 0:
            self.passed += 1
            return
        text = "%d wrong elements in launch 1, %d in launch 2, %d touched outside" % tuple(values)
        self.fail(what, text + detail.text())

    def judge_normal(self, what, values, elements):
        first, second, peer, rounded, outside = values
        # The error of the rounded reference is unavoidable; of a handful of
        # elements cuBLAS's may be anything, so a few fp32 roundings are allowed.
        slack = (8 if elements < ENOUGH_ELEMENTS else 2) * problem.EPSILON["f32"]
        slack /= problem.EPSILON[what.rsplit(" ", 2)[1].split("->")[1]]
        allowed = 2 * max(peer, rounded) + slack
        ours = max(first, second)
        if first != first or second != second:
            ours = float("inf")
        if elements >= ENOUGH_ELEMENTS and peer > 0:
            out_type = what.rsplit(" ", 2)[1].split("->")[1]
            self.worst[out_type] = max(self.worst.get(out_type, (0, "")), (ours / peer, what))
        if ours <= allowed and outside == 0:
            self.passed += 1
            return
        self.fail(
            what,
            "error of %.4g and %.4g eps, cuBLAS %.4g, allowed %.4g; %d touched outside"
            % (first, second, peer, allowed, outside),
        )

    def fail(self, what, text):
        self.failed += 1
        print("FAIL %s: %s" % (what, text))
        sys.stdout.flush()

    def report(self):
        for out_type, (ratio, what) in sorted(self.worst.items()):
            print("largest error relative to cuBLAS, %s: %.3f (%s)" % (out_type, ratio, what))
        print("%d passed, %d failed" % (self.passed, self.failed))
        return 1 if self.failed else 0 if self.passed else 2


def name_of(test, case, m, n, k):
    layout, in_type, out_type = case
    return "%s %s %s->%s %dx%dx%d" % (test, layout, in_type, out_type, m, n, k)


def largest_error(result, reference, magnitude):
    """max |x - ref| / (|A|*|B|). Where |A|*|B| is 0 the result must be 0 too; NaN
    counts as infinite."""
    if reference.numel() == 0:
        return torch.zeros((), dtype=torch.float64, device=reference.device)
    difference = (result.double() - reference).abs()
    # The guard turns 0/0 into 0 and any other difference over 0 into a huge number.
    error = difference / magnitude.clamp_min(1e-300)
    return torch.nan_to_num(error, nan=float("inf"), posinf=float("inf")).max()


class Mismatch:
    """Where an exact case went wrong, worked out only if it did."""

    def __init__(self, outputs, expected, where):
        # touched_outside() poisons C, so keep what it was.
        self.results = [outputs.c(index).clone() for index in range(2)]
        self.expected, self.where = expected, where

    def text(self):
        for index, where in enumerate(self.where):
            places = where.nonzero()
            if len(places) == 0:
                continue
            row, column = places[0].tolist()
            low, high = places.min(0).values.tolist(), places.max(0).values.tolist()
            return (
                "; launch %d, first at (%d,%d): %g instead of %g; all within rows %d to %d, "
                "columns %d to %d"
                % (
                    index + 1, row, column,
                    self.results[index][row, column].item(), self.expected[row, column].item(),
                    low[0], high[0], low[1], high[1],
                )
            )  # fmt: skip
        return ""
