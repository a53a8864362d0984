# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of the grammars: drawn, compiled by heddle, emulated, compared.

A kernel is drawn by a seed. The single kernels have one form that is not the plain one, so that a
form's own outcome is known; the random ones have several.
"""

import hashlib
import pathlib
import random
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import importlib.util  # noqa: E402

import language  # noqa: E402
import chains  # noqa: E402
import products  # noqa: E402
from case import Buffer  # noqa: E402
from check import Emulation  # noqa: E402
from compile import compile_case, launch_of, options_of, source_of  # noqa: E402
from isolated import Outcome, isolated  # noqa: E402
from values import load, stored  # noqa: E402

from heddle._triton_source import TARGET, ttir_of  # noqa: E402

GRAMMARS = {"product": products, "chain": chains}
SCHEDULES = ({"order": "fair"}, {"order": "adversarial", "seed": 1})


class Drawn:
    """A kernel of a grammar: its forms and its Case, whose kernel is text."""

    def __init__(self, grammar, forms, seed):
        self.grammar, self.forms, self.seed = grammar, forms, seed
        self.case = GRAMMARS[grammar].case_of(forms, np.random.default_rng(seed))
        self.text = self.case.kernel

    @property
    def written(self):
        return GRAMMARS[self.grammar].WRITTEN

    @property
    def changed(self):
        """The forms that are not the plain ones."""
        axes = GRAMMARS[self.grammar].AXES
        return {axis: form for axis, form in self.forms.items() if form != axes[axis][0]}

    def describe(self):
        return f"{self.grammar}: " + (", ".join(f"{axis}: {form}" for axis, form in self.changed.items()) or "plain")


def with_forms(name, forms):
    """A kernel with the plain forms on all other axes."""
    plain = {axis: found[0] for axis, found in GRAMMARS[name].AXES.items()}
    return Drawn(name, dict(plain, **forms), 0)


def singles():
    """Each form of each axis, with the plain one of all others."""
    for name, grammar in GRAMMARS.items():
        yield with_forms(name, {})
        for axis, found in grammar.AXES.items():
            for form in found[1:]:
                one = with_forms(name, {**grammar.NEEDED.get(axis, {}), axis: form})
                if grammar.is_program(one.forms):
                    yield one


def drawn(seed):
    """A kernel with forms that are not plain on about a third of the axes."""
    choose = random.Random(seed)
    name = choose.choice(sorted(GRAMMARS))
    grammar = GRAMMARS[name]
    while True:
        share = choose.choice((0.15, 0.3, 0.5))
        forms = {axis: choose.choice(found) if choose.random() < share else found[0] for axis, found in grammar.AXES.items()}
        if grammar.is_program(forms):
            return Drawn(name, forms, seed)


def jit_of(text, folder):
    """The kernel under @triton.jit, whose text Triton reads from a file."""
    path = pathlib.Path(folder) / f"k{hashlib.sha1(text.encode()).hexdigest()[:16]}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kernel


def expected_of(one):
    """What the kernel's memory holds in the end, by its meaning."""
    case, memory = one.case, {}
    for name, argument in case.arguments.items():
        if isinstance(argument, Buffer):
            values = load(stored(name, argument), argument.element).reshape(-1)
            memory[name] = (values.astype(np.int64) if argument.element[0] == "i" else values, argument.element)
    scalars = {name: a.value for name, a in case.arguments.items() if not isinstance(a, Buffer)}
    language.run(one.text, "kernel", case.grid, memory, {**scalars, **case.constants})
    return {name: array for name, (array, _) in memory.items()}


def difference(one, arrays, expected):
    """What is wrong of the arrays after a launch; None if nothing is."""
    for name, argument in one.case.arguments.items():
        if not isinstance(argument, Buffer):
            continue
        found = load(arrays[name], argument.element).reshape(-1)
        values = expected[name].astype(np.float64)
        finite = np.abs(values[np.isfinite(values)])
        allowed = one.case.tolerance * max(finite.max(initial=0), 1e-30)
        # Infinities are equal, or wrong; so are NaNs.
        with np.errstate(invalid="ignore"):
            bad = ~((found == values) | (np.abs(found - values) <= allowed) | (np.isnan(found) & np.isnan(values)))
        if bad.any():
            at = int(np.argmax(bad))
            return f"{name}: {np.count_nonzero(bad)} of {bad.size} are wrong: [{at}] is {found[at]}, not {values[at]}"
    return None


def emulate(one, compiled, expected):
    case = one.case
    for schedule in SCHEDULES:
        arrays = {n: stored(n, a) for n, a in case.arguments.items() if isinstance(a, Buffer)}
        names = [a["name"] for a in compiled.arguments if a["name"] in case.arguments]
        values = [arrays[name] if name in arrays else case.arguments[name].value for name in names]
        compiled.run(*values, grid=case.grid, **schedule)
        wrong = difference(one, arrays, expected)
        if wrong:
            return f"{schedule['order']}: {wrong}"
    return None


def ttir_of_drawn(one, folder):
    one.case.kernel = jit_of(one.text, folder)
    text = ttir_of(source_of(one.case), TARGET, options_of(one.case))
    return text.replace(f'loc("{folder}/', 'loc("')


def outcome_of(one):
    """The Outcome of a kernel by heddle; "no program" where Triton's front end objects."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            text = ttir_of_drawn(one, folder)
        except Exception as error:
            lines = str(error.__cause__ or error).strip().splitlines()
            return Outcome("no program", f"{type(error).__name__}: {lines[-1] if lines else ''}")
    expected = expected_of(one)
    return isolated(text, lambda compiled: emulate(one, compiled, expected), seconds=300)


def outcome_of_triton(one, heddle):
    """The same of Triton's own PTX on the emulator, against the same meaning."""
    with tempfile.TemporaryDirectory() as folder:
        one.case.kernel = jit_of(one.text, folder)
        compiled = compile_case(one.case)
        ptx = pathlib.Path(folder) / "kernel.ptx"
        ptx.write_text(compiled.asm["ptx"], encoding="utf-8")
        expected = expected_of(one)
        written = {name: expected[name] for name in one.written}
        one.case.expected = lambda _: written
        for done in Emulation(heddle, one.case, ptx, launch_of(one.case, compiled), folder).run():
            if done.returncode:
                return Outcome("wrong", done.stdout.strip().splitlines()[-1])
    return Outcome("right")
