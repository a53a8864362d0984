#!/usr/bin/env python3
# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic updates of every kind, element, order, scope and address: atomics.py LIBHEDDLE.SO

Each is compiled and right, or declined by a sentence; its instruction says the order
and the scope that the program says, unless nobody could tell, and where it releases or
acquires, the block's threads meet. Needs numpy, and no Triton.
"""

import itertools
import re
import sys
import unittest

import numpy as np
from isolated import heddle, isolated, summary

KINDS = ("add", "fadd", "min", "max", "umin", "umax", "and", "or", "xor", "exch", "cas")
TYPES = {
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64,
}  # fmt: skip
ORDERS = ("relaxed", "acquire", "release", "acq_rel")
SCOPES = {"cta": "cta", "gpu": "gpu", "sys": "sys"}
ADDRESSES = ("scalar", "block", "scattered")
COUNT = 256


def exists(kind, element):
    """Whether Triton's language knows it."""
    is_float = "f" in element
    if kind == "cas":
        return element != "i8"
    return is_float == (kind == "fadd") or kind == "exch"


def has_instruction(kind, element):
    """Of PTX for sm_90."""
    width = int(element.strip("bfi"))
    if kind == "fadd" or kind == "cas":
        return width >= 16
    return width >= 32


def program(kind, element, order, scope, address, masked, used, after_store):
    pointer, tile = f"!tt.ptr<{element}>", address != "scalar"
    t = (lambda one: f"tensor<{COUNT}x{one}>") if tile else (lambda one: one)
    lines = [
        f"tt.func public @k(%P: {pointer}, %X: {pointer}, %I: !tt.ptr<i32>, %O: {pointer}, %S: !tt.ptr<f32>, %n: i32) {{",
        f"  %r = tt.make_range {{end = {COUNT} : i32, start = 0 : i32}} : tensor<{COUNT}xi32>",
    ]

    def addresses(name, base, offset, one):
        if not tile:
            lines.append(f"  %{name} = tt.addptr {base}, %c7 : !tt.ptr<{one}>, i32")
            return
        lines.append(f"  %{name}s = tt.splat {base} : !tt.ptr<{one}> -> tensor<{COUNT}x!tt.ptr<{one}>>")
        lines.append(
            f"  %{name} = tt.addptr %{name}s, {offset} : tensor<{COUNT}x!tt.ptr<{one}>>, tensor<{COUNT}xi32>"
        )

    lines.append("  %c7 = arith.constant 7 : i32")
    addresses("x", "%X", "%r", element)
    lines.append(f"  %v = tt.load %x : {t(pointer)}")
    place = "%r"
    if address == "scattered":
        addresses("i", "%I", "%r", "i32")
        lines.append(f"  %places = tt.load %i : {t('!tt.ptr<i32>')}")
        place = "%places"
    addresses("p", "%P", place, element)
    addresses("o", "%O", "%r", element)
    if after_store:  # which others may look for once they see the update
        lines.append(f"  %Ss = tt.splat %S : !tt.ptr<f32> -> tensor<{COUNT}x!tt.ptr<f32>>")
        lines.append(f"  %s = tt.addptr %Ss, %r : tensor<{COUNT}x!tt.ptr<f32>>, tensor<{COUNT}xi32>")
        lines.append(f"  %one = arith.constant dense<1.0> : tensor<{COUNT}xf32>")
        lines.append(f"  tt.store %s, %one : tensor<{COUNT}x!tt.ptr<f32>>")
    mask = ""
    if masked:
        if tile:
            lines.append(f"  %ns = tt.splat %n : i32 -> tensor<{COUNT}xi32>")
            lines.append(f"  %m = arith.cmpi slt, %r, %ns : tensor<{COUNT}xi32>")
        else:
            lines.append("  %m = arith.cmpi slt, %c7, %n : i32")
        mask = ", %m"
    types = [t(pointer), t(element)] + [t("i1")] * masked
    if kind == "cas":
        lines.append(f"  %e = tt.load %p : {t(pointer)}")
        lines.append(
            f"  %old = tt.atomic_cas {order}, {scope}, %p, %e, %v : ({t(pointer)}, {t(element)}, {t(element)}) -> {t(element)}"
        )
    else:
        lines.append(
            f"  %old = tt.atomic_rmw {kind}, {order}, {scope}, %p, %v{mask} : ({', '.join(types)}) -> {t(element)}"
        )
    if used:
        lines.append(f"  tt.store %o, %old : {t(pointer)}")
    return "\n".join(lines + ["  tt.return", "}", ""])


def bfloat(values):
    """Nearest even, as bits."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bfloat(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def updated(kind, old, value):
    unsigned = {4: np.uint32, 8: np.uint64}.get(old.dtype.itemsize)
    if old.dtype == np.uint16 and kind == "fadd":
        return bfloat(from_bfloat(old) + from_bfloat(value))
    if kind in ("umin", "umax"):
        a, b = old.view(unsigned), value.view(unsigned)
        return (np.minimum(a, b) if kind == "umin" else np.maximum(a, b)).view(old.dtype)
    return {
        "add": lambda: old + value, "fadd": lambda: old + value,
        "min": lambda: np.minimum(old, value), "max": lambda: np.maximum(old, value),
        "and": lambda: old & value, "or": lambda: old | value, "xor": lambda: old ^ value,
        "exch": lambda: value, "cas": lambda: value,
    }[kind]()  # fmt: skip


def numbers(element, seed):
    random = np.random.default_rng(seed)
    if element == "bf16":
        return bfloat(random.standard_normal(COUNT))
    if "f" in element:
        return random.standard_normal(COUNT).astype(TYPES[element])
    return random.integers(-100, 100, COUNT).astype(TYPES[element])


def instruction_fault(ptx, order, scope, address, used, kind, after_store):
    """What the text does not say that it must."""
    found = set(re.findall(r"atom\.(\w+)\.(\w+)\.global", ptx))
    wanted = (order, scope)
    # Whoever waits for a sum that nobody reads waits for nothing.
    silent = address == "block" and not used and scope != "sys" and kind not in ("exch", "cas")
    if silent and not after_store:
        if found not in ({wanted}, {("relaxed", "gpu")}):
            return f"updates {found}, not {wanted} or relaxed"
        return None
    if order == "relaxed" and silent:
        wanted = ("relaxed", "gpu") if found == {("relaxed", "gpu")} else wanted
    if found != {wanted}:
        return f"updates {found}, not {wanted}"
    events = re.findall(r"(st\.global|atom\.|bar\.sync)", ptx)
    first = events.index("atom.")
    if order in ("release", "acq_rel") and after_store and "bar.sync" not in events[:first]:
        return "a release before all threads have stored"
    last = len(events) - 1 - events[::-1].index("atom.")
    if order in ("acquire", "acq_rel") and "bar.sync" not in events[last:]:
        return "an acquire that the other threads do not wait for"
    return None


def check(kind, element, order, scope, address, masked, used, after_store):
    def use(compiled):
        fault = instruction_fault(compiled.ptx, order, scope, address, used, kind, after_store)
        if fault:
            return fault
        x, places = numbers(element, 1), np.random.default_rng(2).permutation(COUNT).astype(np.int32)
        limit = 200 if masked else COUNT
        for schedule in ({"order": "fair"}, {"order": "adversarial", "seed": 3}):
            p, o, s = numbers(element, 4), numbers(element, 5), np.zeros(COUNT, np.float32)
            at = {"scalar": np.array([7]), "block": np.arange(COUNT), "scattered": places}[address]
            own = np.array([7]) if address == "scalar" else np.arange(COUNT)
            active = own < limit if kind != "cas" else own >= 0
            before, kept = p.copy(), o.copy()
            expected, old = p.copy(), np.where(active, before[at], np.zeros_like(before[at]))
            expected[at[active]] = updated(kind, before[at[active]], x[own[active]])
            compiled.run(p, x, places, o, s, limit, grid=(1,), **schedule)
            if (p != expected).any():
                return f"{np.count_nonzero(p != expected)} elements are wrong"
            kept[own] = old
            if used and (o != kept).any():
                return f"{np.count_nonzero(o != kept)} old values are wrong"
            if after_store and (s != 1).any():
                return "the store before is lost"
        return None

    return use


def matrix():
    """All kinds of all elements at all addresses, with orders and scopes in turn; and
    all orders and scopes of some kinds."""
    turn = itertools.cycle(itertools.product(ORDERS, SCOPES))
    for kind, element in itertools.product(KINDS, TYPES):
        if not exists(kind, element):
            continue
        for address, masked, used in itertools.product(ADDRESSES, (False, True), (False, True)):
            if kind == "cas" and masked:
                continue
            order, scope = next(turn)
            yield kind, element, order, scope, address, masked, used, False
    for kind, element in (("add", "i32"), ("fadd", "f32"), ("exch", "f32"), ("cas", "i64")):
        for one in itertools.product(ORDERS, SCOPES, ADDRESSES, (False, True), (False, True)):
            order, scope, address, used, after_store = one
            if used and after_store:
                continue
            yield kind, element, order, scope, address, False, used, after_store


def name_of(one):
    kind, element, order, scope, address, masked, used, after_store = one
    return " ".join(
        [kind, element, order, scope, address]
        + ["masked"] * masked + ["used"] * used + ["after a store"] * after_store
    )  # fmt: skip


class AtomicsTest(unittest.TestCase):
    maxDiff = None

    def test_matrix(self):
        outcomes, unexpected = {}, []
        for one in matrix():
            outcome = outcomes[name_of(one)] = isolated(program(*one), check(*one))
            if has_instruction(*one[:2]) and outcome.kind == "declined":
                unexpected.append(f"{name_of(one)}: {outcome.text}")
        kinds, bad = summary(outcomes)
        print(f"{len(outcomes)} kernels: {kinds}", file=sys.stderr)
        self.assertEqual(bad, "")
        self.assertEqual(unexpected, [])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--text"]:
        print(next(program(*one) for one in matrix() if name_of(one) == sys.argv[2]))
        sys.exit(0)
    heddle.use_compiler(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
