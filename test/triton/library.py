# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of libdevice by name, with what each means: rows of
(symbol without `__nv_`, elements it takes, element it gives, meaning, options).

Options are those of operations.Operation. What is rounded in a direction is
computed in fractions, so that equal means equal.
"""

import fractions
import math

import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64}
DIGITS = {"f32": (24, -126), "f64": (53, -1022)}
MODES = {"rn": round, "rz": math.trunc, "rd": math.floor, "ru": math.ceil}


def rounded(value, element, mode):
    """A fraction as the next number of `element` in a direction."""
    if value == 0:
        return 0.0
    digits, least = DIGITS[element]
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < fractions.Fraction(2) ** exponent:
        exponent -= 1
    unit = fractions.Fraction(2) ** (max(exponent, least) - digits + 1)
    return float(MODES[mode](value / unit) * unit)


def root(value, element, mode):
    """Of a fraction; squares are compared, since a root may have no end."""
    near = fractions.Fraction(math.isqrt(int(value * 2**400))) / 2**200
    if near * near != value:  # it is between two numbers, and so is this
        near += fractions.Fraction(1, 2**210)
    return rounded(near, element, mode)


def exactly(meaning, element, mode):
    """Of fractions, rounded."""

    def apply(*operands):
        exact = [[fractions.Fraction(float(x)) for x in one] for one in operands]
        return np.array([rounded(meaning(*row), element, mode) for row in zip(*exact)])

    return apply


def nonzero(inputs):
    return np.where(inputs[-1] == 0, 1.5, inputs[-1])


def positive(inputs):
    return np.abs(inputs[-1])


def rounded_arithmetic():
    sums = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b}
    for letter, t in (("f", "f32"), ("d", "f64")):
        for mode in MODES:
            for name, meaning in sums.items():
                yield f"{letter}{name}_{mode}", (t, t), t, exactly(meaning, t, mode), {"special": False, "last": nonzero}
            fma = "fmaf" if t == "f32" else "fma"
            yield f"{fma}_{mode}", (t, t, t), t, exactly(lambda a, b, c: a * b + c, t, mode), {"special": False}
            yield f"{letter}rcp_{mode}", (t,), t, exactly(lambda a: 1 / a, t, mode), {"special": False, "last": nonzero}
            roots = lambda x, t=t, mode=mode: np.array([root(fractions.Fraction(float(one)), t, mode) for one in x])
            yield f"{letter}sqrt_{mode}", (t,), t, roots, {"special": False, "last": positive}
    one_over = lambda x: np.array([root(1 / fractions.Fraction(float(one)), "f32", "rn") for one in x])
    yield "frsqrt_rn", ("f32",), "f32", one_over, {"special": False, "last": lambda i: np.abs(i[0]) + 0.01}


def rounded_conversions():
    unsigned = lambda x: x.view(f"u{x.dtype.itemsize}")
    same = lambda x: x
    for name, t, view in (("int", "i32", same), ("uint", "i32", unsigned), ("ll", "i64", same), ("ull", "i64", unsigned)):
        for target, to in (("float", "f32"), ("double", "f64")):
            for mode in MODES:
                if (t, to) == ("i32", "f64") and mode != "rn":
                    continue
                meaning = lambda x, v=view, to=to, mode=mode: np.array([rounded(fractions.Fraction(int(one)), to, mode) for one in v(x)])
                yield f"{name}2{target}_{mode}", (t,), to, meaning, {}
    for mode in MODES:
        yield f"double2float_{mode}", ("f64",), "f32", exactly(lambda x: x, "f32", mode), {"special": False}


def permuted(a, b, places):
    found = np.zeros(a.shape, np.uint32)
    pool = np.concatenate([a.view(np.uint8).reshape(-1, 4), b.view(np.uint8).reshape(-1, 4)], axis=1)
    for i in range(4):
        place = (places.view(np.uint32) >> (4 * i)) & 7
        found |= pool[np.arange(len(a)), place].astype(np.uint32) << np.uint32(8 * i)
    return found.view(np.int32)


def words():
    wide = lambda x: x.astype(np.int64)
    less = lambda x: wide(x.view(np.uint32))
    to_word = lambda x: (x & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
    yield "byte_perm", ("i32", "i32", "i32"), "i32", permuted, {}
    yield "sad", ("i32", "i32", "i32"), "i32", lambda a, b, c: to_word(np.abs(wide(a) - wide(b)) + wide(c)), {}
    yield "usad", ("i32", "i32", "i32"), "i32", lambda a, b, c: to_word(np.abs(less(a) - less(b)) + less(c)), {}
    yield "ffsll", ("i64",), "i32", lambda a: np.array([(int(x) & -int(x)).bit_length() for x in a], np.int32), {}
    yield "hiloint2double", ("i32", "i32"), "f64", lambda a, b: (less(b) | (wide(a) << 32)).view(np.float64), {}
    yield "double2loint", ("f64",), "i32", lambda x: to_word(x.view(np.int64)), {"special": False}
    yield "double2hiint", ("f64",), "i32", lambda x: (x.view(np.int64) >> 32).astype(np.int32), {"special": False}
    yield "signbitd", ("f64",), "i32", lambda x: np.signbit(x).astype(np.int32), {"special": False}
    yield "rcp64h", ("f64",), "f64", lambda x: 1 / x, {"special": False, "last": nonzero, "tolerance": 2.0**-20}


def whole_exponent(x):
    if x == 0 or math.isnan(x):
        return -(2**31)
    return 2**31 - 1 if math.isinf(x) else math.frexp(x)[1] - 1


def ieee_remainder(x, y):
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return math.nan
    return math.remainder(x, y)


def tiny_ones(element):
    """Some subnormal numbers, and the largest."""
    least, most = float(np.finfo(TYPES[element]).smallest_subnormal), float(np.finfo(TYPES[element]).max)
    return np.array([least, -least, 5 * least, 2**20 * least, most, -most, 1e-30, 1e30])


def with_extremes(element):
    def apply(inputs):
        found = inputs[-1].copy()
        extremes = tiny_ones(element)
        found[40 : 40 + len(extremes)] = extremes
        return found

    return apply


def far_apart(element):
    """Divisors whose quotients have up to 2^200."""

    def apply(inputs):
        found = np.where(inputs[-1] == 0, 1.5, inputs[-1])
        powers = np.arange(len(found)) % (100 if element == "f32" else 190)
        return np.where(np.isfinite(found), found * 2.0**-powers, found)

    return apply


def powers_of_two(inputs):
    found = inputs[-1].astype(np.int64) % 300 - 150
    found[60:66] = 2**31 - 1, -(2**31), 2000, -2000, 1100, -1100
    return found.astype(np.int32)


def times_power(element):
    def apply(x, n):
        found = []
        for one, power in zip(x, n):
            if one == 0 or not math.isfinite(one):
                found.append(one)
                continue
            exact = fractions.Fraction(float(one)) * fractions.Fraction(2) ** max(-3000, min(int(power), 3000))
            is_large = abs(exact) > float(np.finfo(TYPES[element]).max)
            found.append(math.copysign(math.inf, one) if is_large else math.copysign(rounded(exact, element, "rn"), one))
        return np.array(found)

    return apply


def length(*axes):
    """Of doubles, in fractions where they are numbers."""
    found = []
    for row in zip(*axes):
        if any(math.isinf(x) for x in row):
            found.append(math.inf)
        elif any(math.isnan(x) for x in row):
            found.append(math.nan)
        else:
            found.append(math.hypot(*row))
    return np.array(found)


def of_floats():
    for t, end in (("f32", "f"), ("f64", "")):
        one_of = lambda f: lambda *x: np.array([f(*(float(one) for one in row)) for row in zip(*x)])
        extremes, apart = {"last": with_extremes(t)}, {"last": far_apart(t)}
        dtype = TYPES[t]
        yield f"ilogb{end}", (t,), "i32", lambda x, f=one_of(whole_exponent): f(x).astype(np.int32), extremes
        yield f"logb{end}", (t,), t, lambda x: np.where(x == 0, -np.inf, np.where(np.isfinite(x), np.frexp(x)[1] - 1.0, np.abs(x))), extremes
        yield f"nextafter{end}", (t, t), t, lambda a, b, d=dtype: np.nextafter(a.astype(d), b.astype(d)).astype(np.float64), extremes
        yield f"fdim{end}", (t, t), t, lambda a, b: np.where(a <= b, 0, np.where(np.isnan(a) | np.isnan(b), np.nan, a - b)), {}
        yield f"fmod{end}", (t, t), t, np.fmod, apart
        yield f"remainder{end}", (t, t), t, one_of(ieee_remainder), apart
        for name in ("ldexp", "scalbn"):
            yield f"{name}{end}", (t, "i32"), t, times_power(t), {"last": powers_of_two}
        # Of f64 within two units in the last place, of f32 rounded once more.
        near = {"tolerance": 2.0**-23 if t == "f32" else 2.0**-51, "least": 0.0}
        for axes, name in ((2, "hypot"), (3, "norm3d"), (4, "norm4d")):
            yield f"{name}{end}", (t,) * axes, t, length, near
            yield f"r{name}{end}", (t,) * axes, t, lambda *x: 1 / length(*x), near
        large = dict(near, last=lambda i, d=dtype: i[-1] * float(np.finfo(d).max) / 128, special=False)
        yield f"norm3d{end}", (t,) * 3, t, length, large


def scaled_erfc(x):
    """e^(x^2) erfc(x); the square in two parts, and far out a series."""
    if math.isnan(x) or math.isinf(x):
        return 0.0 if x > 0 else -x
    if x > 20:
        term, total = fractions.Fraction(1), fractions.Fraction(0)
        for k in range(12):
            total += term
            term *= -fractions.Fraction(2 * k + 1) / (2 * fractions.Fraction(x) ** 2)
        return float(total) / (x * math.sqrt(math.pi))
    square = x * x
    lost = float(fractions.Fraction(x) ** 2 - fractions.Fraction(square))
    try:
        return math.exp(square) * (1 + lost) * math.erfc(x)
    except OverflowError:
        return math.inf


def normal(x):
    """The distribution, of an argument whose rounding is taken back."""
    if not math.isfinite(x):
        return math.nan if math.isnan(x) else float(x > 0)
    exact = -fractions.Fraction(x) * fractions.Fraction(math.isqrt(2**401), 2**201)
    first = float(exact)
    rest = float(exact - fractions.Fraction(first))
    return (math.erfc(first) - 2 / math.sqrt(math.pi) * math.exp(-first * first) * rest) / 2


def sine_of_turns(quarters):
    def apply(x):
        if not math.isfinite(x):
            return math.nan
        exact = fractions.Fraction(x) % 2
        n = round(exact * 2)
        angle = float(exact - fractions.Fraction(n, 2)) * math.pi
        n += quarters
        return (math.sin(angle), math.cos(angle), -math.sin(angle), -math.cos(angle))[n % 4]

    return apply


def power_of(element):
    def apply(x, n):
        if x == 0 or not math.isfinite(x):
            return float(np.float64(x) ** np.float64(n))
        return rounded(fractions.Fraction(x) ** int(n), element, "rn")

    return apply


def curves():
    """Within a few units of the last place; libdevice's are within 2 to 5."""
    each = lambda f: lambda *x: np.array([f(*(float(one) for one in row)) for row in zip(*x)])
    within = lambda low, high: lambda i: np.where(np.isfinite(i[0]), np.clip(i[0] * 3, low, high), i[0])
    near = {"tolerance": 2.0**-50, "least": 0.0}
    yield "erf", ("f64",), "f64", each(math.erf), near
    yield "erf", ("f64",), "f64", each(math.erf), dict(near, last=lambda i: i[0] * 1e-3)
    yield "erfc", ("f64",), "f64", each(math.erfc), dict(near, last=within(-9, 26))
    yield "erfcx", ("f64",), "f64", each(scaled_erfc), dict(near, last=within(-26.5, 99))
    yield "erfcx", ("f64",), "f64", each(scaled_erfc), dict(near, last=lambda i: np.abs(i[0]) * 1e9)
    yield "erfcxf", ("f32",), "f32", each(scaled_erfc), {"tolerance": 2.0**-23, "least": 0.0, "last": within(-9, 99)}
    yield "normcdf", ("f64",), "f64", each(normal), dict(near, last=within(-37, 9))
    for name, quarters in (("sinpi", 0), ("cospi", 1)):
        yield name, ("f64",), "f64", each(sine_of_turns(quarters)), near
        yield name, ("f64",), "f64", each(sine_of_turns(quarters)), dict(near, last=lambda i: i[0] * 2.0 ** (np.arange(len(i[0])) % 60))
    yield "rcbrt", ("f64",), "f64", lambda x: 1 / np.cbrt(x), {"tolerance": 2.0**-51, "least": 0.0}
    few = {"last": lambda i: i[1] % 41 - 20}
    yield "powi", ("f64", "i32"), "f64", each(power_of("f64")), dict(few, tolerance=1e-13, least=0.0)
    yield "powif", ("f32", "i32"), "f32", each(power_of("f32")), dict(few, tolerance=2.0**-24, least=0.0)


def rows():
    for table in (rounded_arithmetic, rounded_conversions, words, of_floats, curves):
        yield from table()
