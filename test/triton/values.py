# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The inputs of a case: N(0, 1) rounded to the buffer's elements, or what it says."""

import zlib

import numpy as np

EXPONENT_AND_FRACTION = {"bf16": (8, 7), "e4m3": (4, 3), "e5m2": (5, 2)}
# i1 is a truth value, a byte in memory.
INTEGERS = {"i1": np.int8, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}


def round_to(values, element):
    """Rounded to nearest even to the elements of a buffer, as float64."""
    exact = {"f64": np.float64, "f32": np.float32, "f16": np.float16}
    if element in exact:
        return values.astype(exact[element]).astype(np.float64)
    exponent_bits, fraction_bits = EXPONENT_AND_FRACTION[element]
    smallest = 2 - 2 ** (exponent_bits - 1)
    exponent = np.maximum(np.frexp(values)[1] - 1, smallest)
    step = np.ldexp(1.0, exponent - fraction_bits)
    return np.rint(values / step) * step


def values_of(name, buffer):
    """An array, or None where the fill is a word that `heddle emulate` knows."""
    if isinstance(buffer.fill, np.ndarray):
        return buffer.fill.astype(INTEGERS.get(buffer.element, np.float64))
    random = np.random.default_rng(zlib.crc32(name.encode()))
    if buffer.fill == "bits":
        return random.integers(-(2**31), 2**31, buffer.shape, np.int32)
    if buffer.fill == "small":
        return random.integers(-128, 128, buffer.shape, np.int8)
    if buffer.fill == "normal":
        return round_to(random.standard_normal(buffer.shape), buffer.element)
    return None


def decoded(element):
    """The values of all patterns of an 8-bit float."""
    exponent_bits, fraction_bits = EXPONENT_AND_FRACTION[element]
    patterns = np.arange(256)
    exponent = (patterns >> fraction_bits) & (2**exponent_bits - 1)
    fraction = patterns & (2**fraction_bits - 1)
    smallest = 2 - 2 ** (exponent_bits - 1)
    significand = np.where(exponent > 0, 2**fraction_bits, 0) + fraction
    values = np.ldexp(significand, smallest + np.maximum(exponent, 1) - 1 - fraction_bits)
    if element == "e4m3":
        values[[127, 255]] = np.nan
    else:
        values[exponent == 31] = np.where(fraction[exponent == 31] == 0, np.inf, np.nan)
    return np.where(patterns < 128, values, -values)


def store(values, element):
    """An array of the buffer's bits; numpy has neither bf16 nor 8-bit floats."""
    if element == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if element in EXPONENT_AND_FRACTION:
        table = decoded(element)[:127]  # ends before what is not finite
        places = np.searchsorted(table[np.isfinite(table)], np.abs(values))
        return (places + 128 * np.signbit(values)).astype(np.uint8)
    exact = {"f16": np.float16, "f32": np.float32, "f64": np.float64, **INTEGERS}
    return np.ascontiguousarray(values, exact[element])


def load(array, element):
    """The values of such an array, as float64."""
    if element == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if element in EXPONENT_AND_FRACTION:
        return decoded(element)[array]
    return array.astype(np.float64)


def stored(name, buffer):
    """What lies in the buffer at first; poison is a NaN of every float."""
    values = values_of(name, buffer)
    if values is None:
        array = store(np.zeros(buffer.shape), buffer.element)
        if buffer.fill == "poison":
            array.view(np.uint8)[...] = 0xFF
        return array
    return store(values, buffer.element)
