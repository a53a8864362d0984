#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of Triton's that become several: expanded.py LIBHEDDLE.SO

Each form is a program of TTIR, as Triton's front end writes it, that is compiled, emulated in
fair and in adversarial order, and compared with numpy. Needs numpy, and no Triton.
"""

import sys
import unittest

import numpy as np
from isolated import heddle, isolated, summary

SCHEDULES = ({"order": "fair"}, {"order": "adversarial", "seed": 1})
FORMS = {}


def form(name):
    """Adds a function that makes a form: its text, the values of its arguments, the grid, and
    {number of an argument: (what it holds in the end, tolerance)}."""

    def add(make):
        FORMS[name] = make
        return make

    return add


def difference(found, expected, tolerance):
    """What is wrong of an array; None if nothing is."""
    with np.errstate(invalid="ignore"):
        same = (found == expected) | (np.isnan(found) & np.isnan(expected))
        close = np.abs(found - expected) <= tolerance * np.max(np.abs(expected[np.isfinite(expected)]), initial=1e-30)
    bad = ~(same | close)
    if not bad.any():
        return None
    at = tuple(int(i[0]) for i in np.nonzero(bad))
    return f"{np.count_nonzero(bad)} of {bad.size} are wrong: {at} is {found[at]}, not {expected[at]}"


def check(arguments, grid, expected):
    def use(compiled):
        for schedule in SCHEDULES:
            passed = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
            compiled.run(*passed, grid=grid, **schedule)
            for number, (values_, tolerance) in expected.items():
                wrong = difference(passed[number].astype(values_.dtype), values_, tolerance)
                if wrong:
                    return f"{schedule['order']}: argument {number}: {wrong}"
        return None

    return use


def tile_addresses(name, pointer, element, rows, columns, stride):
    """Lines that make %NAME, the addresses of a tile of ROWS x COLUMNS that lies in rows of STRIDE."""
    shape = f"{rows}x{columns}"
    return f"""
  %{name}_r = tt.make_range {{end = {rows} : i32, start = 0 : i32}} : tensor<{rows}xi32>
  %{name}_c = tt.make_range {{end = {columns} : i32, start = 0 : i32}} : tensor<{columns}xi32>
  %{name}_rc = tt.expand_dims %{name}_r {{axis = 1 : i32}} : tensor<{rows}xi32> -> tensor<{rows}x1xi32>
  %{name}_s = arith.constant dense<{stride}> : tensor<{rows}x1xi32>
  %{name}_rs = arith.muli %{name}_rc, %{name}_s : tensor<{rows}x1xi32>
  %{name}_rt = tt.broadcast %{name}_rs : tensor<{rows}x1xi32> -> tensor<{shape}xi32>
  %{name}_cr = tt.expand_dims %{name}_c {{axis = 0 : i32}} : tensor<{columns}xi32> -> tensor<1x{columns}xi32>
  %{name}_ct = tt.broadcast %{name}_cr : tensor<1x{columns}xi32> -> tensor<{shape}xi32>
  %{name}_o = arith.addi %{name}_rt, %{name}_ct : tensor<{shape}xi32>
  %{name}_p = tt.splat %{pointer} : !tt.ptr<{element}> -> tensor<{shape}x!tt.ptr<{element}>>
  %{name} = tt.addptr %{name}_p, %{name}_o : tensor<{shape}x!tt.ptr<{element}>>, tensor<{shape}xi32>"""


#===----------------------------------------------------------------------===#
# Products of f32 in parts
#===----------------------------------------------------------------------===#


def product(precision, tolerance):
    """A loop over three tiles along K."""

    def make():
        m, n, k, turns = 64, 64, 32, 3
        random = np.random.default_rng(1)
        a = random.standard_normal((m, k * turns)).astype(np.float32)
        b = random.standard_normal((k * turns, n)).astype(np.float32)
        a[5, 3] = np.inf
        text = f"""
tt.func public @k(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>, %c: !tt.ptr<f32>) {{{tile_addresses("at_a", "a", "f32", m, k, k * turns)}{tile_addresses("at_b", "b", "f32", k, n, n)}{tile_addresses("at_c", "c", "f32", m, n, n)}
  %zero = arith.constant dense<0.0> : tensor<{m}x{n}xf32>
  %l = arith.constant 0 : i32
  %h = arith.constant {turns} : i32
  %one = arith.constant 1 : i32
  %by_a = arith.constant dense<{k}> : tensor<{m}x{k}xi32>
  %by_b = arith.constant dense<{k * n}> : tensor<{k}x{n}xi32>
  %sum:3 = scf.for %i = %l to %h step %one iter_args(%s = %zero, %pa = %at_a, %pb = %at_b) -> (tensor<{m}x{n}xf32>, tensor<{m}x{k}x!tt.ptr<f32>>, tensor<{k}x{n}x!tt.ptr<f32>>) : i32 {{
    %x = tt.load %pa : tensor<{m}x{k}x!tt.ptr<f32>>
    %y = tt.load %pb : tensor<{k}x{n}x!tt.ptr<f32>>
    %d = tt.dot %x, %y, %s, inputPrecision = {precision} : tensor<{m}x{k}xf32> * tensor<{k}x{n}xf32> -> tensor<{m}x{n}xf32>
    %na = tt.addptr %pa, %by_a : tensor<{m}x{k}x!tt.ptr<f32>>, tensor<{m}x{k}xi32>
    %nb = tt.addptr %pb, %by_b : tensor<{k}x{n}x!tt.ptr<f32>>, tensor<{k}x{n}xi32>
    scf.yield %d, %na, %nb : tensor<{m}x{n}xf32>, tensor<{m}x{k}x!tt.ptr<f32>>, tensor<{k}x{n}x!tt.ptr<f32>>
  }}
  tt.store %at_c, %sum#0 : tensor<{m}x{n}x!tt.ptr<f32>>
  tt.return
}}
"""
        expected = a.astype(np.float64) @ b.astype(np.float64)
        return text, (a, b, np.zeros((m, n), np.float32)), (1,), {2: (expected, tolerance)}

    return make


for precision, tolerance in (("tf32x3", 1e-6), ("bf16x3", 1e-5), ("bf16x6", 5e-7)):
    form(f"a dot of {precision}")(product(precision, tolerance))


#===----------------------------------------------------------------------===#
# Descriptors that pad with NaN
#===----------------------------------------------------------------------===#


def padded(element, extents, at):
    def make():
        rows, columns = 16, 32
        dtype = {"f32": np.float32, "f16": np.float16}[element]
        x = np.random.default_rng(2).standard_normal(extents).astype(dtype)
        text = f"""
tt.func public @k(%x: !tt.ptr<{element}>, %o: !tt.ptr<{element}>, %m: i32, %n: i32, %i: i32, %j: i32) {{{tile_addresses("at_o", "o", element, rows, columns, columns)}
  %one = arith.constant 1 : i64
  %stride = arith.extsi %n : i32 to i64
  %d = tt.make_tensor_descriptor %x, [%m, %n], [%stride, %one] {{padding = 2 : i32}} : !tt.ptr<{element}>, !tt.tensordesc<tensor<{rows}x{columns}x{element}>>
  %v = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<{rows}x{columns}x{element}>> -> tensor<{rows}x{columns}x{element}>
  tt.store %at_o, %v : tensor<{rows}x{columns}x!tt.ptr<{element}>>
  tt.return
}}
"""
        expected = np.full((rows, columns), np.nan)
        for row in range(rows):
            for column in range(columns):
                place = row + at[0], column + at[1]
                if 0 <= place[0] < extents[0] and 0 <= place[1] < extents[1]:
                    expected[row, column] = x[place]
        out = np.zeros((rows, columns), dtype)
        return text, (x, out, *extents, *at), (1,), {1: (expected, 0.0)}

    return make


for element in ("f32", "f16"):
    for extents, at in (((40, 48), (0, 0)), ((40, 48), (32, 32)), ((40, 48), (-5, -3)), ((10, 16), (0, 8)), ((40, 48), (100, 0))):
        form(f"padding of {element} with NaN, {extents} at {at}")(padded(element, extents, at))


#===----------------------------------------------------------------------===#
# Loops over numbers without sign
#===----------------------------------------------------------------------===#


def unsigned_loop(first, end, step):
    def make():
        text = """
tt.func public @k(%o: !tt.ptr<i64>, %first: i64, %end: i64, %step: i64) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:2 = scf.for unsigned %i = %first to %end step %step iter_args(%n = %zero, %s = %zero) -> (i64, i64) : i64 {
    %next = arith.addi %n, %one : i64
    %square = arith.muli %i, %i : i64
    %sum = arith.addi %s, %square : i64
    scf.yield %next, %sum : i64, i64
  }
  tt.store %o, %r#0 : !tt.ptr<i64>
  %p = tt.addptr %o, %one : !tt.ptr<i64>, i64
  tt.store %p, %r#1 : !tt.ptr<i64>
  tt.return
}
"""
        numbers = range(first, end, step)
        expected = np.array([len(numbers), sum(i * i for i in numbers) % 2**64], np.uint64)
        return text, (np.zeros(2, np.uint64), first, end, step), (1,), {0: (expected, 0.0)}

    return make


MOST = 2**64 - 1
for first, end, step in ((0, 10, 1), (5, 5, 1), (7, 5, 1), (2**63 - 3, 2**63 + 4, 2), (MOST - 8, MOST, 3), (MOST, 1, 1), (1, MOST, 2**62), (0, MOST, MOST)):
    form(f"a loop from {first} to {end} by {step}")(unsigned_loop(first, end, step))


class ExpandedTest(unittest.TestCase):
    maxDiff = None

    def test_forms(self):
        outcomes = {}
        for name, make in FORMS.items():
            if ONLY and not any(word in name for word in ONLY):
                continue
            text, arguments, grid, expected = make()
            outcomes[name] = isolated(text, check(arguments, grid, expected))
        kinds, bad = summary(outcomes)
        print(f"{len(outcomes)} kernels: {kinds}", file=sys.stderr)
        declined = [f"{name}: {one.text}" for name, one in outcomes.items() if one.kind == "declined"]
        self.assertEqual("\n".join(declined) + bad, "")


ONLY = []

if __name__ == "__main__":
    heddle.use_compiler(sys.argv[1])
    ONLY = [word for word in sys.argv[2:] if not word.startswith("-")]
    unittest.main(argv=sys.argv[:1])
