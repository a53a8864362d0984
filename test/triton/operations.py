#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation that Triton's front end emits, on every element it takes:
operations.py LIBHEDDLE.SO

As tiles and as scalars, on random and on special values. Each kernel is compiled and
right, against numpy, or declined by a sentence; none is called bad input, and none
crashes. Needs numpy, and no Triton.
"""

import math
import re
import sys
import unittest

import library
import numpy as np
import values
from isolated import heddle, isolated, summary

COUNT = 256
INTEGERS = ("i1", "i8", "i16", "i32", "i64")
FLOATS = ("f16", "bf16", "f32", "f64")
EIGHT_BIT = ("e4m3", "e5m2")
MLIR = {"e4m3": "f8E4M3FN", "e5m2": "f8E5M2"}
# Triton's own, which no NVIDIA machine has.
FOREIGN = ("f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ")
SPECIAL = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 0.5, 2.5, -2.5, 1e-3, 240.0]


def width_of(element):
    return 8 if element in EIGHT_BIT else int(element.strip("bfi"))


def is_float(element):
    return element not in INTEGERS


def integer_type(element, signed=True):
    width = max(width_of(element), 8)
    return np.dtype(f"{'i' if signed else 'u'}{width // 8}")


def numbers(element, seed, special=True):
    """Values: integers as they are, floats as float64."""
    random = np.random.default_rng(seed)
    if element == "i1":
        return random.integers(0, 2, COUNT).astype(np.int8)
    if not is_float(element):
        info = np.iinfo(integer_type(element))
        found = random.integers(info.min, info.max, COUNT, integer_type(element), endpoint=True)
        found[::3] = random.integers(-9, 9, found[::3].shape)
        found[:4] = 0, -1, info.min, info.max
        return np.roll(found, seed)
    found = random.standard_normal(COUNT) * 4
    if special:
        found[: len(SPECIAL)] = SPECIAL
    if element in EIGHT_BIT:
        table = values.decoded(element)
        found = table[random.integers(0, 256, COUNT)]
        if not special:
            found = np.where(np.isfinite(found), found, 1.5)
    return np.roll(found if element in EIGHT_BIT else values.round_to(found, element), seed)


def to_bits(numbers, element):
    if element in EIGHT_BIT:
        table = values.decoded(element)
        bits = np.zeros(numbers.shape, np.uint8)
        for pattern in range(256):
            same = (numbers == table[pattern]) & (np.signbit(numbers) == (pattern >= 128))
            bits[same] = pattern
        bits[np.isnan(numbers)] = 0x7F
        return bits
    if element == "bf16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if is_float(element):
        return numbers.astype(values.INTEGERS.get(element, np.dtype(f"f{width_of(element) // 8}")))
    return np.ascontiguousarray(numbers, integer_type(element))


def from_bits(array, element):
    if is_float(element):
        return values.load(array, element)
    return array & 1 if element == "i1" else array


class Operation:
    """`text` has X, Y, Z for its operands, R for its result, T and U for the types
    of operands and results, C for the number of a tile's elements."""

    def __init__(self, text, takes, gives, meaning, tolerance=0.0, special=True, last=None, needs="", least=1e-3):
        self.text, self.takes, self.gives = text, takes, gives
        self.meaning, self.tolerance, self.special = meaning, tolerance, special
        self.needs = needs  # an instruction, where the emulator is more exact than the machine
        self.last = last  # what replaces the last operand: divisors, amounts
        self.least = least  # the tolerance is of the expected number, or of this one if it is larger


def mlir(element):
    return MLIR.get(element, element)


def program(op, is_tile, name="k"):
    shape = f"{COUNT}x" if is_tile else ""

    def type_of(element):
        return f"tensor<{shape}{element}>" if is_tile else element

    held = {"i1": "i8"}
    taken = [held.get(one, mlir(one)) for one in op.takes]
    given = held.get(op.gives, mlir(op.gives))
    arguments = ", ".join(f"%p{i}: !tt.ptr<{one}>" for i, one in enumerate(taken))
    lines = [f"tt.func public @k({arguments}, %o: !tt.ptr<{given}>) {{"]
    if is_tile:
        lines.append(f"  %r = tt.make_range {{end = {COUNT} : i32, start = 0 : i32}} : {type_of('i32')}")
    else:
        lines.append("  %r = tt.get_program_id x : i32")

    def address(base, one):
        pointer = type_of(f"!tt.ptr<{one}>")
        if is_tile:
            lines.append(f"  %{base}s = tt.splat %{base} : !tt.ptr<{one}> -> {pointer}")
        start = f"%{base}s" if is_tile else f"%{base}"
        lines.append(f"  %{base}a = tt.addptr {start}, %r : {pointer}, {type_of('i32')}")
        return pointer

    for i, (one, element) in enumerate(zip(taken, op.takes)):
        pointer = address(f"p{i}", one)
        lines.append(f"  %v{i} = tt.load %p{i}a : {pointer}")
        if element == "i1":
            zero = "dense<0>" if is_tile else "0"
            lines.append(f"  %z{i} = arith.constant {zero} : {type_of('i8')}")
            lines.append(f"  %b{i} = arith.cmpi ne, %v{i}, %z{i} : {type_of('i8')}")
    text = op.text
    for i, letter in enumerate("XYZW"[: len(op.takes)]):
        text = text.replace(letter, f"%{'b' if op.takes[i] == 'i1' else 'v'}{i}")
    text = text.replace("{T}", type_of(mlir(op.takes[0]))).replace("{U}", type_of(mlir(op.gives))).replace("{i32}", type_of("i32"))
    text = text.replace("{B}", type_of("i1")).replace("R =", "%res =").replace("{C}", str(COUNT))
    lines += ["  " + line for line in text.split("\n")]
    result = "%res"
    if op.gives == "i1":
        lines.append(f"  %wide = arith.extui %res : {type_of('i1')} to {type_of('i8')}")
        result = "%wide"
    pointer = address("o", given)
    lines += [f"  tt.store %oa, {result} : {pointer}", "  tt.return", "}", ""]
    return "\n".join(lines)


def check(op, is_tile):
    def use(compiled):
        inputs = [numbers(element, 5 * i, op.special) for i, element in enumerate(op.takes)]
        if op.last:
            last = op.last(inputs)
            exact = not is_float(op.takes[-1]) or op.takes[-1] in EIGHT_BIT
            inputs[-1] = last if exact else values.round_to(last, op.takes[-1])
        if op.needs and not re.search(op.needs, compiled.ptx):
            return f"{op.needs} is not in the PTX"
        with np.errstate(all="ignore"):
            expected = op.meaning(*inputs)
        arrays = [to_bits(one, element) for one, element in zip(inputs, op.takes)]
        out = np.zeros(COUNT, to_bits(numbers(op.gives, 0), op.gives).dtype)
        compiled.run(*arrays, out, grid=(1 if is_tile else COUNT,))
        found = from_bits(out, op.gives)
        if not is_float(op.gives):
            bad = found != expected
        else:
            with np.errstate(all="ignore"):
                expected = values.round_to(expected.astype(np.float64), op.gives) if op.gives not in EIGHT_BIT else expected
                close = np.abs(found - expected) <= op.tolerance * np.maximum(np.abs(expected), op.least)
            same = (found == expected) & ((np.signbit(found) == np.signbit(expected)) | (op.tolerance > 0))
            bad = ~(same | close | (np.isnan(found) & np.isnan(expected)))
            if op.tolerance == 0:
                bad = ~(same | (np.isnan(found) & np.isnan(expected)))
        if not bad.any():
            return None
        at = int(np.argmax(bad))
        operands = ", ".join(str(one[at]) for one in inputs)
        return f"{np.count_nonzero(bad)} are wrong: of {operands} comes {found[at]}, not {expected[at]}"

    return use


#===----------------------------------------------------------------------===#
# The tables
#===----------------------------------------------------------------------===#


def unsigned(array):
    return array.view(integer_type(f"i{array.dtype.itemsize * 8}", False))


def truncated_division(a, b):
    wide_a, wide_b = [int(x) for x in a], [int(x) for x in b]
    quotients = [abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(wide_a, wide_b)]
    return quotients, [x - q * y for x, q, y in zip(wide_a, quotients, wide_b)]


def wrap(numbers_, element):
    mask = (1 << width_of(element)) - 1
    raw = np.array([int(x) & mask for x in numbers_], np.uint64)
    return raw.astype(integer_type(element, False)).view(integer_type(element))


def divisors(inputs):
    a, b = inputs[0], inputs[1].copy()
    b[b == 0] = 3
    b[(b == -1)] = 5  # the least number by -1 wraps; by zero is an error
    return b


def shift(kind):
    def apply(a, b):
        width = a.dtype.itemsize * 8
        found = []
        for x, n in zip(a, unsigned(b)):
            x, n = int(x), int(n)
            low = x & ((1 << width) - 1)
            found.append((low << n if n < width else 0) if kind == "l" else x >> min(n, width) if kind == "a" else low >> min(n, width))
        return wrap(found, f"i{width}")

    return apply


def amounts(inputs):
    return (np.abs(inputs[0].astype(np.int64)) % (inputs[0].dtype.itemsize * 8 + 3)).astype(inputs[0].dtype)


def high(signed):
    def apply(a, b):
        bits = a.dtype.itemsize * 8
        pair = (a, b) if signed else (unsigned(a), unsigned(b))
        return wrap([(int(x) * int(y)) >> bits for x, y in zip(*pair)], f"i{bits}")

    return apply


def libdevice(symbol, takes, gives):
    operands = ", ".join("XYZW"[: len(takes)])
    types = ", ".join("{T}" if one == takes[0] else "{%s}" % one for one in takes)
    return f'R = tt.extern_elementwise {operands} {{libname = "", libpath = "", pure = true, symbol = "__nv_{symbol}"}} : ({types}) -> {{U}}'


def library_of_integers():
    """Of 32 bits but where it says otherwise."""

    def one(symbol, meaning, takes=("i32", "i32"), gives="i32", last=None):
        return f"libdevice {symbol}", Operation(libdevice(symbol, takes, gives), takes, gives, meaning, last=last)

    wide = lambda x: x.astype(np.int64)
    low = lambda x: (wide(x) << 40) >> 40
    yield one("mulhi", high(True))
    yield one("umulhi", high(False))
    yield one("mul64hi", high(True), ("i64", "i64"), "i64")
    yield one("hadd", lambda a, b: ((wide(a) + wide(b)) >> 1).astype(np.int32))
    yield one("rhadd", lambda a, b: ((wide(a) + wide(b) + 1) >> 1).astype(np.int32))
    yield one("uhadd", lambda a, b: ((wide(unsigned(a)) + wide(unsigned(b))) >> 1).astype(np.uint32).view(np.int32))
    yield one("urhadd", lambda a, b: ((wide(unsigned(a)) + wide(unsigned(b)) + 1) >> 1).astype(np.uint32).view(np.int32))
    yield one("mul24", lambda a, b: (low(a) * low(b)).astype(np.int32))
    yield one("umul24", lambda a, b: ((wide(a) & 0xFFFFFF) * (wide(b) & 0xFFFFFF) & 0xFFFFFFFF).astype(np.uint32).view(np.int32))
    yield one("abs", lambda a: np.where(a == -(2**31), a, np.abs(wide(a))).astype(np.int32), ("i32",))
    yield one("ffs", lambda a: np.array([(int(x) & -int(x)).bit_length() for x in a], np.int32), ("i32",))
    yield one("clzll", lambda a: np.array([64 - int(x).bit_length() for x in unsigned(a)], np.int32), ("i64",))
    yield one("popcll", lambda a: np.array([bin(int(x)).count("1") for x in unsigned(a)], np.int32), ("i64",))
    yield one("int2float_rn", lambda a: a.astype(np.float64), ("i32",), "f32")
    yield one("uint2float_rn", lambda a: unsigned(a).astype(np.float64), ("i32",), "f32")
    yield one("int_as_float", lambda a: a.view(np.float32).astype(np.float64), ("i32",), "f32", lambda i: i[0] & 0x7F7FFFFF)


def whole_library():
    for number, (symbol, takes, gives, meaning, options) in enumerate(library.rows()):
        yield f"libdevice {symbol} {number}", Operation(libdevice(symbol, takes, gives), takes, gives, meaning, **options)


COMPARISONS = {"eq": "__eq__", "ne": "__ne__", "lt": "__lt__", "le": "__le__", "gt": "__gt__", "ge": "__ge__"}


def integer_operations(t):
    def binary(name, meaning, last=None):
        return name, Operation(f"R = {name} X, Y : {{T}}", (t, t), t, meaning, last=last)

    if t == "i1":
        yield binary("arith.andi", lambda a, b: a & b)
        yield binary("arith.ori", lambda a, b: a | b)
        yield binary("arith.xori", lambda a, b: a ^ b)
        yield binary("arith.addi", lambda a, b: a ^ b)
        yield binary("arith.subi", lambda a, b: a ^ b)
        yield binary("arith.muli", lambda a, b: a & b)
        yield binary("arith.maxui", lambda a, b: a | b)
        yield binary("arith.minui", lambda a, b: a & b)
        yield binary("arith.maxsi", lambda a, b: a & b)
        yield binary("arith.minsi", lambda a, b: a | b)
        for p, method in COMPARISONS.items():
            if p in ("eq", "ne"):
                yield f"cmpi {p}", Operation(f"R = arith.cmpi {p}, X, Y : {{T}}", (t, t), "i1", lambda a, b, m=method: getattr(a, m)(b))
                continue
            yield f"cmpi u{p}", Operation(f"R = arith.cmpi u{p}, X, Y : {{T}}", (t, t), "i1", lambda a, b, m=method: getattr(a, m)(b))
            yield f"cmpi s{p}", Operation(f"R = arith.cmpi s{p}, X, Y : {{T}}", (t, t), "i1", lambda a, b, m=method: getattr(-a, m)(-b))
        return
    yield binary("arith.addi", lambda a, b: a + b)
    yield binary("arith.subi", lambda a, b: a - b)
    yield binary("arith.muli", lambda a, b: a * b)
    yield binary("arith.andi", lambda a, b: a & b)
    yield binary("arith.ori", lambda a, b: a | b)
    yield binary("arith.xori", lambda a, b: a ^ b)
    yield binary("arith.minsi", np.minimum)
    yield binary("arith.maxsi", np.maximum)
    yield binary("arith.minui", lambda a, b: np.minimum(unsigned(a), unsigned(b)).view(a.dtype))
    yield binary("arith.maxui", lambda a, b: np.maximum(unsigned(a), unsigned(b)).view(a.dtype))
    yield binary("arith.divsi", lambda a, b: wrap(truncated_division(a, b)[0], t), divisors)
    yield binary("arith.remsi", lambda a, b: wrap(truncated_division(a, b)[1], t), divisors)
    yield binary("arith.divui", lambda a, b: (unsigned(a) // unsigned(b)).view(a.dtype), divisors)
    yield binary("arith.remui", lambda a, b: (unsigned(a) % unsigned(b)).view(a.dtype), divisors)
    yield binary("arith.floordivsi", lambda a, b: wrap([int(x) // int(y) for x, y in zip(a, b)], t), divisors)
    yield binary("arith.ceildivsi", lambda a, b: wrap([-(-int(x) // int(y)) for x, y in zip(a, b)], t), divisors)
    yield binary("arith.ceildivui", lambda a, b: wrap([-(-int(x) // int(y)) for x, y in zip(unsigned(a), unsigned(b))], t), divisors)
    yield binary("arith.shli", shift("l"), amounts)
    yield binary("arith.shrsi", shift("a"), amounts)
    yield binary("arith.shrui", shift("u"), amounts)
    yield "math.absi", Operation("R = math.absi X : {T}", (t,), t, np.abs)
    for name, places in (("math.ctpop", lambda x, w: bin(x).count("1")), ("math.ctlz", lambda x, w: w - x.bit_length()), ("math.cttz", lambda x, w: (x & -x).bit_length() - 1 if x else w)):  # fmt: skip
        yield name, Operation(f"R = {name} X : {{T}}", (t,), t, lambda a, f=places: np.array([f(int(x), a.dtype.itemsize * 8) for x in unsigned(a)], a.dtype))
    yield "tt.mulhiui", Operation("R = tt.mulhiui X, Y : {T}", (t, t), t, high(False))
    for name, signed in (("arith.mului_extended", False), ("arith.mulsi_extended", True)):
        yield name, Operation(f"%low, %res = {name} X, Y : {{T}}", (t, t), t, high(signed))
        yield name + " low", Operation(f"%res, %high = {name} X, Y : {{T}}", (t, t), t, lambda a, b: a * b)
    for p, method in COMPARISONS.items():
        signs = ("",) if p in ("eq", "ne") else ("s", "u")
        for sign in signs:
            view = unsigned if sign == "u" else lambda a: a
            yield f"cmpi {sign}{p}", Operation(f"R = arith.cmpi {sign}{p}, X, Y : {{T}}", (t, t), "i1", lambda a, b, m=method, v=view: getattr(v(a), m)(v(b)))


def float_operations(t):
    exact = t in FLOATS
    rough = {"f16": 1e-3, "bf16": 8e-3, "f32": 2e-6}.get(t, 2e-6)

    def unary(name, meaning, tolerance=0.0, special=True):
        return name, Operation(f"R = {name} X : {{T}}", (t,), t, meaning, tolerance, special)

    def binary(name, meaning, tolerance=0.0, special=True, last=None):
        return name, Operation(f"R = {name} X, Y : {{T}}", (t, t), t, meaning, tolerance, special, last)

    yield unary("math.absf", np.abs)
    yield unary("arith.negf", np.negative)
    yield binary("arith.addf", np.add)
    yield binary("arith.subf", np.subtract)
    yield binary("arith.mulf", np.multiply)
    yield binary("arith.divf", np.divide, rough, False, lambda i: np.where(i[1] == 0, 1.5, i[1]))
    whole = lambda i: np.where(i[1] == 0, 1.5, i[1])
    yield "tt.precise_divf", Operation("R = tt.precise_divf X, Y : {T}", (t, t), t, np.divide, 0.0, False, whole, r"div\.rn")
    yield "tt.precise_sqrt", Operation("R = tt.precise_sqrt X : {T}", (t,), t, np.sqrt, 0.0, False, lambda i: np.abs(i[0]), r"sqrt\.rn")
    if t in ("f32", "f64"):
        single = t == "f32"

        def library(symbol, takes, gives, meaning, special=True, last=None, needs="", tolerance=0.0):
            operands = ", ".join("XYZ"[: len(takes)])
            types = ", ".join(["{T}"] * len(takes))
            text = f'R = tt.extern_elementwise {operands} {{libname = "", libpath = "", pure = true, symbol = "__nv_{symbol}"}} : ({types}) -> {{U}}'
            return "libdevice " + symbol, Operation(text, takes, gives, meaning, tolerance, special, last, needs)

        f, d = ("f", "f") if single else ("d", "")
        yield library(f"{f}div_rn", (t, t), t, np.divide, False, whole, r"div\.rn")
        yield library(f"{f}rcp_rn", (t,), t, lambda x: 1 / x, False, lambda i: np.where(i[0] == 0, 1.5, i[0]).astype(i[0].dtype), r"(rcp|div)\.rn")
        yield library(f"{f}sqrt_rn", (t,), t, np.sqrt, False, lambda i: np.abs(i[0]), r"sqrt\.rn")
        yield library(f"nearbyint{d}", (t,), t, np.rint)
        yield library(f"fmod{d}", (t, t), t, np.fmod, False, whole)
        for symbol, meaning, least in (("acosh", np.arccosh, 1), ("asinh", np.arcsinh, -9), ("cbrt", np.cbrt, -9), ("sinh", np.sinh, -9)):
            yield library(symbol + d, (t,), t, meaning, False, lambda i, m=least: np.maximum(i[0], m).astype(i[0].dtype), tolerance=rough)
        yield library("atanh" + d, (t,), t, np.arctanh, False, lambda i: np.clip(i[0], -0.9, 0.9).astype(i[0].dtype), tolerance=rough)
        yield library("atan2" + d, (t, t), t, np.arctan2, False, tolerance=rough)
        if single:
            yield from library_of_f32(library)
        for symbol, meaning in ((f"isnan{f}", np.isnan), (f"isinf{f}", np.isinf), ("finitef" if single else "isfinited", np.isfinite)):
            yield library(symbol, (t,), "i32", lambda x, m=meaning: m(x).astype(np.int32))
    yield binary("arith.remf", np.fmod, 0.0, False, lambda i: np.where(i[1] == 0, 1.5, i[1]))
    yield binary("math.copysign", np.copysign, special=False)
    nan = lambda f: lambda a, b: np.where(np.isnan(a) | np.isnan(b), np.nan, f(a, b))
    free = lambda i: np.where((i[0] == 0) & (i[1] == 0), 1.0, i[1])  # which zero is free
    yield binary("arith.maximumf", nan(np.maximum), last=free)
    yield binary("arith.minimumf", nan(np.minimum), last=free)
    yield binary("arith.maxnumf", np.fmax, last=free)
    yield binary("arith.minnumf", np.fmin, last=free)
    yield "math.fma", Operation("R = math.fma X, Y, Z : {T}", (t, t, t), t, lambda a, b, c: a * b + c, 0.0 if t != "f64" else 1e-12, False)
    for name, f in (("floor", np.floor), ("ceil", np.ceil), ("trunc", np.trunc), ("roundeven", np.rint)):
        yield unary(f"math.{name}", f)
    erf = np.vectorize(math.erf)
    for name, f in (("exp", np.exp), ("exp2", np.exp2), ("sin", np.sin), ("cos", np.cos), ("tanh", np.tanh), ("erf", erf)):
        yield unary(f"math.{name}", f, max(rough, 2e-5), False)
    for name, f in (("log", np.log), ("log2", np.log2), ("sqrt", np.sqrt), ("rsqrt", lambda x: 1 / np.sqrt(x))):
        yield f"math.{name}", Operation(f"R = math.{name} X : {{T}}", (t,), t, f, max(rough, 2e-5), False, lambda i: np.abs(i[0]) + 2)
    for name in ("tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh", "log10", "log1p", "expm1", "cbrt", "round"):
        f = np.vectorize(lambda x: math.floor(abs(x) + 0.5) * math.copysign(1, x)) if name == "round" else getattr(np, {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}.get(name, name))
        yield f"math.{name}", Operation(f"R = math.{name} X : {{T}}", (t,), t, f, rough, False, lambda i: np.clip(np.abs(i[0]), 0.25, 0.75) if name != "acosh" else np.abs(i[0]) + 1)
    yield "math.powf", Operation("R = math.powf X, Y : {T}", (t, t), t, lambda a, b: a**b, max(rough, 1e-4), False, lambda i: np.full(COUNT, 2.0))
    yield "tt.clampf none", Operation("R = tt.clampf X, Y, Z, propagateNan = none : {T}", (t, t, t), t, lambda x, a, b: np.fmin(np.fmax(x, a), b), 0.0, False)
    yield "tt.clampf all", Operation("R = tt.clampf X, Y, Z, propagateNan = all : {T}", (t, t, t), t, lambda x, a, b: np.minimum(np.maximum(x, a), b), 0.0, False)
    either = lambda a, b: np.isnan(a) | np.isnan(b)
    for p, method in COMPARISONS.items():
        yield f"cmpf o{p}", Operation(f"R = arith.cmpf o{p}, X, Y : {{T}}", (t, t), "i1", lambda a, b, m=method: getattr(a, m)(b) & ~either(a, b))
        yield f"cmpf u{p}", Operation(f"R = arith.cmpf u{p}, X, Y : {{T}}", (t, t), "i1", lambda a, b, m=method: getattr(a, m)(b) | either(a, b))
    yield "cmpf ord", Operation("R = arith.cmpf ord, X, Y : {T}", (t, t), "i1", lambda a, b: ~either(a, b))
    yield "cmpf uno", Operation("R = arith.cmpf uno, X, Y : {T}", (t, t), "i1", either)
    for name, f in (("isnan", np.isnan), ("isinf", np.isinf), ("isfinite", np.isfinite)):
        yield f"math.{name}", Operation(f"R = math.{name} X : {{T}}", (t,), "i1", f)
    if not exact:
        return
    for to in INTEGERS[1:]:
        for name, signed in (("arith.fptosi", True), ("arith.fptoui", False)):
            yield f"{name} {to}", Operation(f"R = {name} X : {{T}} to {{U}}", (t,), to, saturated(to, signed))


def library_of_f32(library):
    """Functions that are formulas in others."""
    rough = 4e-6
    erfc = np.vectorize(math.erfc)
    within = lambda low, high: lambda i: np.clip(i[0], low, high)
    for symbol, meaning, limits in (
        ("exp10f", lambda x: 10.0**x, (-37, 38)), ("fast_exp10f", lambda x: 10.0**x, (-37, 38)),
        ("erfcf", erfc, (-9, 9)), ("normcdff", lambda x: erfc(-x / math.sqrt(2)) / 2, (-12, 9)),
        ("sinpif", lambda x: np.sin(np.pi * np.fmod(x, 2)), (-9, 9)), ("cospif", lambda x: np.cos(np.pi * np.fmod(x, 2)), (-9, 9)),
        ("rcbrtf", lambda x: 1 / np.cbrt(x), (0.01, 9)),
    ):  # fmt: skip
        yield library(symbol, ("f32",), "f32", meaning, False, within(*limits), tolerance=max(rough, 2e-3 if "pi" in symbol else 0))
    inverse = np.vectorize(lambda y: bisected(math.erf, y, -6.0, 6.0))
    yield library("erfinvf", ("f32",), "f32", inverse, False, within(-0.9999, 0.9999), tolerance=rough)
    yield library("exp10f", ("f32",), "f32", lambda x: 10.0**x, last=lambda i: np.where(np.isfinite(i[0]), 60 * np.sign(i[0]), i[0]), tolerance=rough)
    yield library("erfcf", ("f32",), "f32", erfc, last=lambda i: np.where(np.isfinite(i[0]), 0, i[0]), tolerance=rough)
    for symbol, meaning in (("hypotf", np.hypot), ("rhypotf", lambda a, b: 1 / np.hypot(a, b))):
        yield library(symbol, ("f32", "f32"), "f32", meaning, symbol == "hypotf", tolerance=rough)
    yield library("hypotf", ("f32", "f32"), "f32", np.hypot, False, lambda i: i[0] * 1e36 if abs(i[0]).max() < 99 else i[0], tolerance=rough)
    yield library("fdimf", ("f32", "f32"), "f32", lambda a, b: np.where(a <= b, 0, np.where(np.isnan(a) | np.isnan(b), np.nan, a - b)), False)
    yield library("fast_fdividef", ("f32", "f32"), "f32", np.divide, False, lambda i: np.where(i[1] == 0, 1.5, i[1]), tolerance=rough)
    yield library("saturatef", ("f32",), "f32", lambda x: np.where(np.isnan(x), 0, np.clip(x, 0, 1)), tolerance=1e-30)
    for name, bits in (("signbitf", lambda x: np.signbit(x)), ("float_as_int", lambda x: x.astype(np.float32).view(np.int32))):
        yield library(name, ("f32",), "i32", lambda x, b=bits: b(x).astype(np.int32), False)
    for rounding, f in (("rn", np.rint), ("rz", np.trunc), ("rd", np.floor), ("ru", np.ceil)):
        yield library(f"float2int_{rounding}", ("f32",), "i32", lambda x, f=f: saturated("i32", True)(f(x)))
        yield library(f"float2ull_{rounding}", ("f32",), "i64", lambda x, f=f: saturated("i64", False)(f(x)), False)
    for symbol, f in (("llrintf", np.rint), ("llroundf", lambda x: np.trunc(x + np.copysign(0.5, x)))):
        yield library(symbol, ("f32",), "i64", lambda x, f=f: saturated("i64", True)(f(x)), False)



def bisected(f, y, low, high):
    """Where a function that grows is y."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < y else (low, middle)
    return low


def saturated(to, signed):
    def apply(a):
        info = np.iinfo(integer_type(to, signed))
        found = [0 if math.isnan(x) else info.max if x >= float(info.max) else info.min if x <= info.min else int(x) for x in a]
        return np.array(found, integer_type(to, signed)).view(integer_type(to))

    return apply


def conversions():
    for a in INTEGERS:
        for b in INTEGERS:
            wide = lambda x, a=a: -x if a == "i1" else x
            if width_of(a) < width_of(b):
                yield f"arith.extsi {a} {b}", Operation("R = arith.extsi X : {T} to {U}", (a,), b, lambda x, w=wide, b=b: w(x).astype(integer_type(b)))
                yield f"arith.extui {a} {b}", Operation("R = arith.extui X : {T} to {U}", (a,), b, lambda x, b=b: unsigned(x).astype(integer_type(b)))
            if width_of(a) > width_of(b):
                yield f"arith.trunci {a} {b}", Operation("R = arith.trunci X : {T} to {U}", (a,), b, lambda x, b=b: x.astype(integer_type(b)) & (1 if b == "i1" else -1))
        for b in FLOATS + EIGHT_BIT:
            cast = lambda x, b=b: x.astype(np.float64) if b != "f64" or x.dtype.itemsize < 8 else np.array([float(int(v)) for v in x])
            limit = (lambda i: i[0]) if b not in ("f16", *EIGHT_BIT) else (lambda i: np.clip(i[0], -8, 8) if i[0].min() < 0 else i[0])
            yield f"arith.sitofp {a} {b}", Operation("R = arith.sitofp X : {T} to {U}", (a,), b, lambda x, a=a, c=cast: c(-x if a == "i1" else x), last=limit)
            yield f"arith.uitofp {a} {b}", Operation("R = arith.uitofp X : {T} to {U}", (a,), b, lambda x, c=cast: c(unsigned(x)), last=lambda i: np.abs(i[0] // 4 % 9).astype(i[0].dtype))
    widths = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "e4m3": 8, "e5m2": 8}
    for a in FLOATS + EIGHT_BIT:
        for b in FLOATS + EIGHT_BIT:
            if a == b:
                continue
            if widths[a] < widths[b]:
                yield f"arith.extf {a} {b}", Operation("R = arith.extf X : {T} to {U}", (a,), b, lambda x: x)
                yield f"tt.fp_to_fp {a} {b}", Operation("R = tt.fp_to_fp X : {T} -> {U}", (a,), b, lambda x: x)
            elif widths[a] > widths[b] and b not in EIGHT_BIT:
                yield f"arith.truncf {a} {b}", Operation("R = arith.truncf X : {T} to {U}", (a,), b, lambda x: x)
                yield f"tt.fp_to_fp {a} {b}", Operation("R = tt.fp_to_fp X, rounding = rtne : {T} -> {U}", (a,), b, lambda x: x)
                small = lambda i: np.round(i[0] * 4) / 4
                yield f"tt.fp_to_fp rtz {a} {b}", Operation("R = tt.fp_to_fp X, rounding = rtz : {T} -> {U}", (a,), b, lambda x: x, special=False, last=small)
            elif b in EIGHT_BIT and widths[a] > 8:
                exactly = lambda i: np.round(np.clip(i[0], -4, 4) * 2) / 2
                yield f"tt.fp_to_fp {a} {b}", Operation("R = tt.fp_to_fp X, rounding = rtne : {T} -> {U}", (a,), b, lambda x: x, special=False, last=exactly)
    for width, same in {8: ("i8", *EIGHT_BIT), 16: ("i16", "f16", "bf16"), 32: ("i32", "f32"), 64: ("i64", "f64")}.items():
        for a in same:
            for b in same:
                if a != b:
                    for name, arrow in (("arith.bitcast", "to"), ("tt.bitcast", "->")):
                        yield f"{name} {a} {b}", Operation(f"R = {name} X : {{T}} {arrow} {{U}}", (a,), b, lambda x, a=a, b=b: from_bits(to_bits(x, a).view(to_bits(numbers(b, 0), b).dtype), b), special=False)


def choices():
    for t in INTEGERS + FLOATS + EIGHT_BIT:
        yield f"arith.select {t}", Operation("R = arith.select X, Y, Z : {B}, {U}", ("i1", t, t), t, lambda c, a, b: np.where(c != 0, a, b))


def tile_operations():
    """Of whole tiles; the result has as many elements as the operand."""
    axis = lambda body, region: f'%{body} = "{region}'
    for t in INTEGERS[1:] + FLOATS + EIGHT_BIT:
        m = mlir(t)
        tile, half = f"tensor<{COUNT}x{m}>", f"tensor<{COUNT // 2}x{m}>"
        square, pairs = f"tensor<16x16x{m}>", f"tensor<{COUNT // 2}x2x{m}>"
        yield f"tt.trans {t}", Operation(f"%a = tt.reshape X : {tile} -> {square}\n%b = tt.trans %a {{order = array<i32: 1, 0>}} : {square} -> {square}\n%res = tt.reshape %b : {square} -> {tile}", (t,), t, lambda x: x.reshape(16, 16).T.reshape(-1))
        yield f"tt.split, tt.cat {t}", Operation(f"%a = tt.reshape X : {tile} -> {pairs}\n%b, %c = tt.split %a : {pairs} -> {half}\n%res = tt.cat %b, %c : {half} -> {tile}", (t,), t, lambda x: np.concatenate([x[::2], x[1::2]]))
        yield f"tt.split, tt.join {t}", Operation(f"%a = tt.reshape X : {tile} -> {pairs}\n%b, %c = tt.split %a : {pairs} -> {half}\n%d = tt.join %c, %b : {half} -> {pairs}\n%res = tt.reshape %d : {pairs} -> {tile}", (t,), t, lambda x: x.reshape(-1, 2)[:, ::-1].reshape(-1))
        yield f"tt.gather {t}", Operation(f"%one = arith.constant dense<255> : tensor<{COUNT}xi32>\n%places = arith.subi %one, %r : tensor<{COUNT}xi32>\n%res = tt.gather X[%places] {{axis = 0 : i32}} : ({tile}, tensor<{COUNT}xi32>) -> {tile}", (t,), t, lambda x: x[::-1])
        row, rows = f"tensor<1x16x{m}>", f"tensor<16x{m}>"
        # Row maxima and running maxima, or sums of bits.
        combine = {"maxsi": "arith.maxsi", "xori": "arith.xori", "addi": "arith.addi"} if not is_float(t) else {"maxnumf": "arith.maxnumf", "addf": "arith.addf"}
        functions = {"maxsi": np.maximum, "xori": np.bitwise_xor, "addi": np.add, "maxnumf": np.maximum, "addf": np.add}
        for short, word in combine.items():
            f = functions[short]
            tolerance = 0.0 if short != "addf" else {"f16": 2e-2, "bf16": 2e-1}.get(t, 1e-5)
            region = f'({{\n^bb0(%u: {m}, %w: {m}):\n  %s = {word} %u, %w : {m}\n  tt.KIND.return %s : {m}\n}})'
            yield f"tt.reduce {short} {t}", Operation(
                f'%a = tt.reshape X : {tile} -> {square}\n%b = "tt.reduce"(%a) <{{axis = 1 : i32}}> ' + region.replace("KIND", "reduce") + f" : ({square}) -> {rows}\n%c = tt.expand_dims %b {{axis = 0 : i32}} : {rows} -> {row}\n%d = tt.broadcast %c : {row} -> {square}\n%res = tt.reshape %d : {square} -> {tile}",
                (t,), t, lambda x, f=f: np.tile(f.reduce(x.reshape(16, 16), axis=1, dtype=x.dtype), 16), tolerance, False)  # fmt: skip
            yield f"tt.scan {short} {t}", Operation(
                f'%a = tt.reshape X : {tile} -> {square}\n%b = "tt.scan"(%a) <{{axis = 1 : i32, reverse = false}}> ' + region.replace("KIND", "scan") + f" : ({square}) -> {square}\n%res = tt.reshape %b : {square} -> {tile}",
                (t,), t, lambda x, f=f: f.accumulate(x.reshape(16, 16), axis=1, dtype=x.dtype).reshape(-1), tolerance * 4, False)  # fmt: skip
    for t in INTEGERS[1:]:
        yield f"tt.histogram {t}", Operation(f"%res = tt.histogram X : tensor<{COUNT}x{t}> -> tensor<{COUNT}xi32>", (t,), "i32", lambda x: np.bincount(x[(x >= 0) & (x < COUNT)].astype(np.int64), minlength=COUNT)[:COUNT].astype(np.int32), last=lambda i: np.abs(i[0] // 2) % 100)


def other_operations():
    yield "gpu.barrier", Operation("gpu.barrier\nR = arith.addi X, Y : {T}", ("i32", "i32"), "i32", lambda a, b: a + b)
    yield "ttg.barrier", Operation("ttg.barrier local\nR = arith.addi X, Y : {T}", ("i32", "i32"), "i32", lambda a, b: a + b)
    yield "ub.poison", Operation("%u = ub.poison : {T}\nR = arith.addi X, Y : {T}", ("i32", "i32"), "i32", lambda a, b: a + b)
    yield "llvm.intr.assume", Operation("%t = arith.constant true\nllvm.intr.assume %t : i1\nR = arith.addi X, Y : {T}", ("i32", "i32"), "i32", lambda a, b: a + b)
    for t in FOREIGN:
        yield f"tt.fp_to_fp f32 {t}", Operation(f"%b = tt.fp_to_fp X, rounding = rtne : {{T}} -> TILE{t}>\nR = tt.fp_to_fp %b : TILE{t}> -> {{U}}", ("f32",), "f32", lambda x: x)


def operations():
    """{name: (Operation, is it of tiles)}."""
    found = {}
    for t in INTEGERS:
        for name, op in integer_operations(t):
            found[f"{name} {t}"] = op
    for t in FLOATS + EIGHT_BIT:
        for name, op in float_operations(t):
            found[f"{name} {t}"] = op
    for table in (conversions, choices, library_of_integers, whole_library):
        found.update(table())
    both = {f"{kind}{name}": (op, kind == "") for name, op in found.items() for kind in ("", "scalar ")}
    for name, op in tile_operations():
        both[name] = op, True
    for name, op in other_operations():
        for kind in ("", "scalar "):
            tile = f"tensor<{COUNT}x" if kind == "" else ""
            text = op.text.replace("TILE", tile) if tile else op.text.replace("TILE", "").replace("FNUZ>", "FNUZ")
            both[f"{kind}{name}"] = Operation(text, op.takes, op.gives, op.meaning), kind == ""
    return both


class OperationsTest(unittest.TestCase):
    maxDiff = None

    def test_table(self):
        chosen = {name: one for name, one in operations().items() if not ONLY or any(w in name for w in ONLY)}
        outcomes = {name: isolated(program(op, is_tile), check(op, is_tile)) for name, (op, is_tile) in chosen.items()}
        kinds, bad = summary(outcomes)
        print(f"{len(outcomes)} kernels: {kinds}", file=sys.stderr)
        if "--declined" in sys.argv:
            print("\n".join(f"{name}: {one.text}" for name, one in outcomes.items() if one.kind == "declined"))
        self.assertEqual(bad, "")


ONLY = []

if __name__ == "__main__":
    if sys.argv[1:2] == ["--text"]:
        print(program(*operations()[sys.argv[2]]))
        sys.exit(0)
    heddle.use_compiler(sys.argv[1])
    ONLY = [word for word in sys.argv[2:] if not word.startswith("-")]
    unittest.main(argv=sys.argv[:1])
