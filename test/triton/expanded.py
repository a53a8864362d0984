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
        sizes = np.abs(expected)
        scale = sizes if isinstance(tolerance, Relative) else np.max(sizes[np.isfinite(expected)], initial=1e-30)
        close = (np.abs(found - expected) <= tolerance * scale) | (np.maximum(np.abs(found), sizes) < 1e-307) & (tolerance > 0)
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


#===----------------------------------------------------------------------===#
# Instructions as text
#===----------------------------------------------------------------------===#

NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32, "i64": np.int64}


def elementwise(text, takes, gives, count, meaning, tolerance=0.0):
    """An operation with operands %v0, %v1, ... and results %w0, %w1, ... on tiles of COUNT elements."""

    def make():
        random = np.random.default_rng(3)
        inputs = []
        for element in takes:
            info = None if element[0] == "f" else np.iinfo(NUMPY[element])
            inputs.append(
                random.integers(info.min, info.max, count, NUMPY[element], endpoint=True)
                if info else random.standard_normal(count).astype(NUMPY[element])
            )  # fmt: skip
        names = [f"x{i}" for i in range(len(takes))] + [f"y{i}" for i in range(len(gives))]
        elements = (*takes, *gives)
        arguments = ", ".join(f"%{name}: !tt.ptr<{element}>" for name, element in zip(names, elements))
        lines = [f"tt.func public @k({arguments}) {{", f"  %r = tt.make_range {{end = {count} : i32, start = 0 : i32}} : tensor<{count}xi32>"]
        for name, element in zip(names, elements):
            pointers = f"tensor<{count}x!tt.ptr<{element}>>"
            lines += [f"  %{name}s = tt.splat %{name} : !tt.ptr<{element}> -> {pointers}",
                      f"  %{name}a = tt.addptr %{name}s, %r : {pointers}, tensor<{count}xi32>"]  # fmt: skip
        for i, element in enumerate(takes):
            lines.append(f"  %v{i} = tt.load %x{i}a : tensor<{count}x!tt.ptr<{element}>>")
        lines.append(text)
        for i, element in enumerate(gives):
            lines.append(f"  tt.store %y{i}a, %w{i if len(gives) == 1 else f'#{i}'} : tensor<{count}x!tt.ptr<{element}>>".replace("%w0", "%w"))
        lines += ["  tt.return", "}", ""]
        with np.errstate(all="ignore"):
            expected = meaning(*inputs)
        outs = [np.zeros(count, NUMPY[element]) for element in gives]
        wanted = {len(takes) + i: (one, tolerance) for i, one in enumerate(expected)}
        return "\n".join(lines), (*inputs, *outs), (1,), wanted

    return make


def assembly(instructions, constraints, pack, takes, gives, meaning, count=256, tolerance=0.0):
    tiles = [", ".join(f"tensor<{count}x{element}>" for element in some) for some in (takes, gives)]
    operands = ", ".join(f"%v{i}" for i in range(len(takes)))
    results = "%w" if len(gives) == 1 else f"%w:{len(gives)}"
    text = f"""  {results} = tt.elementwise_inline_asm "{instructions}" {{constraints = "{constraints}", packed_element = {pack} : i32, pure = true}} {operands} : {tiles[0]} -> {tiles[1]}"""
    return elementwise(text, takes, gives, count, meaning, tolerance)


def lop3(a, b, c, table):
    """Bit by bit, what `table` says of each of the eight combinations."""
    found = np.zeros_like(a)
    for row in range(8):
        if table >> row & 1:
            found |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
    return found


def larger(a, b):
    """The larger number, or a mixture of bits, turned left by seven."""
    bits = [one.view(np.uint32) for one in (a, b)]
    mixed = lop3(bits[0], np.full_like(bits[0], 0x0F0F0F0F), bits[1], 0x6A)
    found = np.where(a > b, bits[0], mixed)
    return ((found << np.uint32(7)) | (found >> np.uint32(25))).view(np.int32)


BYTES = "{ .reg .b8 low<4>; mov.b32 {low0, low1, low2, low3}, $8; " + " ".join(
    f"cvt.u32.u8 ${i}, low{i}; max.s32 ${4 + i}, ${i}, ${9 + i};" for i in range(4)
) + " }"  # fmt: skip
form("inline assembly: tanh")(assembly("tanh.approx.f32 $0, $1;", "=f,f", 1, ("f32",), ("f32",), lambda x: (np.tanh(x.astype(np.float64)),), tolerance=1e-3))
form("inline assembly: pairs of f16")(assembly("{ .reg .b32 twice; add.rn.f16x2 twice, $1, $1; mul.rn.f16x2 $0, twice, $1; }", "=r,r", 2, ("f16",), ("f16",), lambda x: ((x + x) * x,)))
form("inline assembly: one f16")(assembly("{ .reg .b16 half; cvt.u16.u32 half, $1; add.rn.f16 half, half, half; cvt.u32.u16 $0, half; }", "=r,r", 1, ("f16",), ("f16",), lambda x: (x + x,)))
for count in (32, 256):
    form(f"inline assembly: {count} bytes by four")(
        assembly(BYTES, ",".join(["=r"] * 8 + ["r"] * 5), 4, ("i8", "i32"), ("i32", "i32"),
                 lambda x, y: (x.view(np.uint8).astype(np.int32), np.maximum(x.view(np.uint8).astype(np.int32), y)), count)
    )  # fmt: skip
form("inline assembly: predicates")(
    assembly("{ .reg .pred p; .reg .b32 %mixed; setp.gt.s32 p, $1, $2; lop3.b32 %mixed, $1, 0xf0f0f0f, $2, 0x6a; @p mov.b32 %mixed, $1; shf.l.wrap.b32 $0, %mixed, %mixed, 7; }",
             "=r,r,r", 1, ("i32", "i32"), ("i32",), lambda a, b: (larger(a, b),))
)  # fmt: skip
form("inline assembly: 64 bits")(assembly("add.s64 $0, $1, $2;", "=l,l,l", 1, ("i64", "i64"), ("i64",), lambda a, b: (a + b,)))


#===----------------------------------------------------------------------===#
# Functions of elements
#===----------------------------------------------------------------------===#


def mapped(body, takes, gives, meaning, count=256):
    names = ", ".join(f"%e{i}: {element}" for i, element in enumerate(takes))
    types = [", ".join(f"tensor<{count}x{element}>" for element in some) for some in (takes, gives)]
    operands = ", ".join(f"%v{i}" for i in range(len(takes)))
    results = "%w" if len(gives) == 1 else f"%w:{len(gives)}"
    given = types[1] if len(gives) == 1 else f"({types[1]})"
    text = f"""  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %cm1 = arith.constant -1 : i32
  {results} = "tt.map_elementwise"({operands}) <{{pack = 1 : i32}}> ({{
  ^bb0({names}):
{body}
  }}) : ({types[0]}) -> {given}"""
    return elementwise(text, takes, gives, count, meaning)


def scaled(symbol):
    text = f'  %w = tt.extern_elementwise %v0, %v1 {{libname = "", libpath = "", pure = true, symbol = "__nv_{symbol}"}} : (tensor<256xf32>, tensor<256xi32>) -> tensor<256xf32>'

    def make():
        text_, (x, n, y), grid, _ = elementwise(text, ("f32", "i32"), ("f32",), 256, lambda x, n: (x,))()
        n[:] = n % 240 - 120
        n[:4], x[:4] = (300, -300, 2**31 - 1, -(2**31)), (2.0**-126, 2.0**120, 1, 1)
        with np.errstate(over="ignore", under="ignore"):
            expected = np.ldexp(x.astype(np.float64), np.clip(n, -900, 900)).astype(np.float32)
        expected[np.abs(expected) < 2.0**-126] = 0  # as all functions of f32
        return text_, (x, n, y), grid, {2: (expected, 0.0)}

    return make


for symbol in ("ldexpf", "scalbnf"):
    form(f"libdevice {symbol}")(scaled(symbol))
form("a map with a conditional")(mapped("""
    %more = arith.cmpi sgt, %e0, %e1 : i32
    %got = scf.if %more -> (i32) {
      %two = arith.constant 2 : i32
      %d = arith.muli %e0, %two : i32
      scf.yield %d : i32
    } else {
      %d = arith.subi %e1, %e0 : i32
      scf.yield %d : i32
    }
    tt.map_elementwise.return %got : i32""", ("i32", "i32"), ("i32",), lambda a, b: (np.where(a > b, a * 2, b - a),)))  # fmt: skip
form("a map with early returns")(mapped("""
    %less = arith.cmpi slt, %e0, %e1 : i32
    cf.cond_br %less, ^bb2(%cm1 : i32), ^bb1
  ^bb1:
    %bit = arith.andi %e0, %c1 : i32
    %even = arith.cmpi eq, %bit, %c0 : i32
    cf.cond_br %even, ^bb2(%c0 : i32), ^bb2(%c1 : i32)
  ^bb2(%got: i32):
    tt.map_elementwise.return %got : i32""", ("i32", "i32"), ("i32",), lambda a, b: (np.where(a < b, -1, a & 1).astype(np.int32),)))  # fmt: skip
form("a map that divides where it may")(mapped("""
    %low = arith.constant 3 : i32
    %some = arith.andi %e1, %low : i32
    %isnt = arith.cmpi ne, %some, %c0 : i32
    %got = scf.if %isnt -> (i32) {
      %d = arith.divsi %e0, %some : i32
      scf.yield %d : i32
    } else {
      scf.yield %e0 : i32
    }
    %sum = arith.addi %got, %e1 : i32
    tt.map_elementwise.return %got, %sum : i32, i32""", ("i32", "i32"), ("i32", "i32"),
    lambda a, b: (truncated(a, b & 3), truncated(a, b & 3) + b)))  # fmt: skip


def truncated(a, b):
    """a / b towards zero, and a where b is 0."""
    return np.where(b == 0, a, np.trunc(a / np.where(b == 0, 1, b).astype(np.float64))).astype(np.int32)


#===----------------------------------------------------------------------===#
# Functions of f64
#===----------------------------------------------------------------------===#

SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -1e-310, 2.0**-1022, 1.7e308, -1.7e308, 0.5, 2.0, 8.0, 1e-300]


def double(call, meaning, spread, takes=1, tolerance=2e-15, low=None, high=None):
    """`call` on magnitudes from SPREAD down, and on special numbers, with relative errors."""
    operands = ", ".join(f"%v{i}" for i in range(takes))
    text = f"  %w = {call.replace('OPERANDS', operands)}"

    def make():
        text_, (*inputs, y), grid, _ = elementwise(text, ("f64",) * takes, ("f64",), 512, lambda *x: x[:1])()
        random = np.random.default_rng(5)
        for number, x in enumerate(inputs):
            x[:] = random.choice((-1, 1), 512) * spread ** random.uniform(-1, 1, 512)
            x[number : number + len(SPECIAL)] = SPECIAL
            if low is not None:
                x[:] = np.where(x < low, low - x, x)
            if high is not None:
                x[:] = np.where(np.isfinite(x) & (np.abs(x) > high), high, x)
        with np.errstate(all="ignore"):
            expected = np.array(meaning(*inputs), np.float64)
        return text_, (*inputs, y), grid, {takes: (expected, Relative(tolerance))}

    return make


class Relative(float):
    """A tolerance of each element by itself."""


def math_call(name):
    return f"math.{name} OPERANDS : tensor<512xf64>"


def library_call(symbol, takes=1):
    types = ", ".join(["tensor<512xf64>"] * takes)
    return f'tt.extern_elementwise OPERANDS {{libname = "", libpath = "", pure = true, symbol = "__nv_{symbol}"}} : ({types}) -> tensor<512xf64>'


for name, meaning, spread in (
    ("exp", np.exp, 700), ("exp2", np.exp2, 1000), ("log", np.log, 1e300), ("log2", np.log2, 1e300), ("sin", np.sin, 1e9),
    ("cos", np.cos, 1e9), ("rsqrt", lambda x: 1 / np.sqrt(x), 1e200), ("tanh", np.tanh, 20),
):  # fmt: skip
    form(f"{name} of f64")(double(math_call(name), meaning, spread, high=2.0**49 if name in ("sin", "cos") else None))
for symbol, meaning, spread in (
    ("exp10", lambda x: np.power(10.0, x), 300), ("expm1", np.expm1, 700), ("log10", np.log10, 1e300), ("log1p", np.log1p, 1e18),
    ("tan", np.tan, 1e5), ("atan", np.arctan, 1e6), ("asin", np.arcsin, 1.2), ("acos", np.arccos, 1.2), ("sinh", np.sinh, 700),
    ("cosh", np.cosh, 700), ("asinh", np.arcsinh, 1e12), ("acosh", np.arccosh, 1e12), ("atanh", np.arctanh, 1.2), ("cbrt", np.cbrt, 1e200),
):  # fmt: skip
    form(f"libdevice {symbol} of f64")(double(library_call(symbol), meaning, spread, tolerance=4e-15, high=2.0**49 if symbol == "tan" else None))
form("libdevice atan2 of f64")(double(library_call("atan2", 2), np.arctan2, 1e9, 2))
form("libdevice pow of f64")(double(library_call("pow", 2), np.power, 30, 2, tolerance=1e-13, low=0.0))


#===----------------------------------------------------------------------===#
# Dots of three axes
#===----------------------------------------------------------------------===#


def batch(count, m, n, k, turns):
    """A sum over TURNS tiles along K of each of COUNT matrices."""

    def addresses(name, rows, columns, stride, apart):
        shape, axes = f"{count}x{rows}x{columns}", ((count, apart), (rows, stride), (columns, 1))
        lines = []
        for axis, (extent, step) in enumerate(axes):
            kind = "x".join(str(extent) if i == axis else "1" for i in range(3))
            one, others = f"%{name}{axis}", [i for i in range(3) if i != axis]
            first = f"{'x'.join(str(extent) if i == axis else '1' for i in range(3) if i != others[1])}xi32"
            lines += [
                f"  {one}r = tt.make_range {{end = {extent} : i32, start = 0 : i32}} : tensor<{extent}xi32>",
                f"  {one}s = arith.constant dense<{step}> : tensor<{extent}xi32>",
                f"  {one}m = arith.muli {one}r, {one}s : tensor<{extent}xi32>",
                f"  {one}x = tt.expand_dims {one}m {{axis = {others[0]} : i32}} : tensor<{extent}xi32> -> tensor<{first}>"
                if axis != 0 else f"  {one}x = tt.expand_dims {one}m {{axis = 1 : i32}} : tensor<{extent}xi32> -> tensor<{first}>",
                f"  {one}y = tt.expand_dims {one}x {{axis = {others[1]} : i32}} : tensor<{first}> -> tensor<{kind}xi32>",
                f"  {one}b = tt.broadcast {one}y : tensor<{kind}xi32> -> tensor<{shape}xi32>",
            ]  # fmt: skip
        lines += [f"  %{name}p = arith.addi %{name}0b, %{name}1b : tensor<{shape}xi32>",
                  f"  %{name} = arith.addi %{name}p, %{name}2b : tensor<{shape}xi32>"]  # fmt: skip
        return "\n".join(lines)

    def make():
        random = np.random.default_rng(4)
        whole = k * turns
        a = random.standard_normal((count, m, whole)).astype(np.float16)
        b = random.standard_normal((count, whole, n)).astype(np.float16)
        shapes = {"a": f"{count}x{m}x{k}", "b": f"{count}x{k}x{n}", "c": f"{count}x{m}x{n}"}
        tiles = ", ".join(f"tensor<{shapes[x]}x!tt.ptr<f16>>" for x in "ab")
        text = f"""
tt.func public @k(%a: !tt.ptr<f16>, %b: !tt.ptr<f16>, %c: !tt.ptr<f32>, %turns: i32) {{
{addresses("oa", m, k, whole, m * whole)}
{addresses("ob", k, n, n, whole * n)}
{addresses("oc", m, n, n, m * n)}
  %sa = tt.splat %a : !tt.ptr<f16> -> tensor<{shapes["a"]}x!tt.ptr<f16>>
  %sb = tt.splat %b : !tt.ptr<f16> -> tensor<{shapes["b"]}x!tt.ptr<f16>>
  %sc = tt.splat %c : !tt.ptr<f32> -> tensor<{shapes["c"]}x!tt.ptr<f32>>
  %pa = tt.addptr %sa, %oa : tensor<{shapes["a"]}x!tt.ptr<f16>>, tensor<{shapes["a"]}xi32>
  %pb = tt.addptr %sb, %ob : tensor<{shapes["b"]}x!tt.ptr<f16>>, tensor<{shapes["b"]}xi32>
  %pc = tt.addptr %sc, %oc : tensor<{shapes["c"]}x!tt.ptr<f32>>, tensor<{shapes["c"]}xi32>
  %zero = arith.constant dense<0.0> : tensor<{shapes["c"]}xf32>
  %by_a = arith.constant dense<{k}> : tensor<{shapes["a"]}xi32>
  %by_b = arith.constant dense<{k * n}> : tensor<{shapes["b"]}xi32>
  %l = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %sum:3 = scf.for %i = %l to %turns step %one iter_args(%s = %zero, %qa = %pa, %qb = %pb) -> (tensor<{shapes["c"]}xf32>, {tiles}) : i32 {{
    %x = tt.load %qa : tensor<{shapes["a"]}x!tt.ptr<f16>>
    %y = tt.load %qb : tensor<{shapes["b"]}x!tt.ptr<f16>>
    %d = tt.dot %x, %y, %s : tensor<{shapes["a"]}xf16> * tensor<{shapes["b"]}xf16> -> tensor<{shapes["c"]}xf32>
    %na = tt.addptr %qa, %by_a : tensor<{shapes["a"]}x!tt.ptr<f16>>, tensor<{shapes["a"]}xi32>
    %nb = tt.addptr %qb, %by_b : tensor<{shapes["b"]}x!tt.ptr<f16>>, tensor<{shapes["b"]}xi32>
    scf.yield %d, %na, %nb : tensor<{shapes["c"]}xf32>, {tiles}
  }}
  tt.store %pc, %sum#0 : tensor<{shapes["c"]}x!tt.ptr<f32>>
  tt.return
}}
"""
        expected = a.astype(np.float64) @ b.astype(np.float64)
        return text, (a, b, np.zeros((count, m, n), np.float32), turns), (1,), {2: (expected, 1e-6)}

    return make


for count, m, n, k, turns in ((1, 64, 64, 32, 2), (2, 16, 32, 16, 3), (4, 32, 16, 32, 1), (2, 64, 64, 64, 2), (8, 16, 16, 16, 0)):
    form(f"{count} dots of {m}x{n}x{k}, {turns} times")(batch(count, m, n, k, turns))


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
