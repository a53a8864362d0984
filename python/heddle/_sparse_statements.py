# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements with terms, masks, functions and semirings on PyTorch's CPU tensors.

In: lines as the einsum rung has them, without types; operands by name. Out: a program of that
rung, whose types are those of the operands at hand, compiled once for each kind of them.
"""

import re

import torch

from . import _sparse_program, _sparse_torch
from ._sparse_program import Operand, type_of

_STATEMENT = re.compile(r"(\w+)\s*\(([^()]*)\)\s*\+=\s*(.+)")
_ACCESS = re.compile(r"\b([A-Za-z_]\w*)\s*\(\s*((?:\w+\s*(?:,\s*\w+\s*)*)?)\)")
_MASK = re.compile(r"\bwhere\s+" + _ACCESS.pattern)


class _Line:
    """One statement: its result, the accesses of its terms in their order, and its mask."""

    def __init__(self, text, number):
        found = _STATEMENT.fullmatch(text)
        if not found:
            raise ValueError(f"statement {number} is not of the form 'C(i, k) += A(i, j) * B(j, k)': {text!r}")
        self.text, self.number, self.result = text, number, found[1]
        self.indices, self.right = _indices(found[2]), found[3]
        masks = [(name, _indices(inside)) for name, inside in _MASK.findall(self.right)]
        self.mask = masks[0] if masks else None
        before = self.right[:_MASK.search(self.right).start()] if masks else self.right
        self.factors = [(name, _indices(inside)) for name, inside in _ACCESS.findall(before)]
        self.terms = 1 + len(re.findall(r"\s[+-]\s", before))
        if not self.factors:
            raise ValueError(f"statement {number} names no tensor: {text!r}")

    def accesses(self):
        return self.factors + ([self.mask] if self.mask else [])

    def write(self, types, made):
        """As the rung's text. `types` has those of all tensors in front."""
        right = _ACCESS.sub(lambda found: f"%{found[1]}({found[2]})", self.right)
        kinds = ", ".join(types[name] for name, _ in self.accesses())
        return (f"  %{self.result} = einsum.statement ({', '.join(self.indices)}) += {right}\n"
                f"    : {kinds} -> {made}\n")

    def pattern(self, encodings):
        """The encoding of the result: that of the mask or of a factor with the same indices, unless
        several terms make the result; else "", dense."""
        if self.mask and self.mask[1] == self.indices:
            return encodings[self.mask[0]]
        if self.terms > 1:
            return ""
        return next((encodings[name] for name, indices in self.factors if indices == self.indices and encodings[name]), "")


def _indices(text):
    return [index.strip() for index in text.split(",") if index.strip()]


class Statements:
    """What heddle.sparse.program gives."""

    def __init__(self, text, workers):
        if not isinstance(text, str):
            raise TypeError(f"statements are a text, not {text!r}")
        lines = [line.partition("#")[0].strip() for line in text.splitlines()]
        self.lines = [_Line(line, number) for number, line in enumerate(filter(None, lines), 1)]
        if not self.lines:
            raise ValueError("the text has no statement")
        self.workers, self._calls = workers, {}
        self.operands, made = [], set()
        for line in self.lines:
            for name, _ in line.accesses():
                if name not in made and name not in self.operands:
                    self.operands.append(name)
            if line.result in made or line.result in self.operands:
                raise ValueError(f"statement {line.number} gives {line.result}, which there is already")
            made.add(line.result)

    def __call__(self, **given):
        """The last statement's result, dense or CSR, of a tensor for each name."""
        values = self._read(given)
        key, slots, alive = [self.workers or _sparse_torch.threads()], [], []
        for name, value in zip(self.operands, values):
            if value.layout is torch.strided:
                value = _sparse_torch.by_rows(value, name)
                key += (value.shape, value.dtype)
                slots += (value.data_ptr(), *value.shape)
            else:
                value = _sparse_torch.matrix_of(value, name)
                key.append(value.kind)
                slots += value.slots
            alive.append(value)
        key = tuple(key)
        call = self._calls.get(key)
        if call is None:
            if len(self._calls) >= _sparse_torch.MOST_KEPT:
                self._calls.clear()
            call = self._calls[key] = self._prepare(alive, key[0])
        return call.run(slots)

    def plan_of(self, **given):
        """The program with its plan, as heddle.sparse.plan_of."""
        values = [_sparse_torch.by_rows(value, name) if value.layout is torch.strided
                  else _sparse_torch.matrix_of(value, name) for name, value in zip(self.operands, self._read(given))]
        return self._prepare(values, self.workers or _sparse_torch.threads()).program.plan

    def _read(self, given):
        for name in given:
            if name not in self.operands:
                raise TypeError(f"{name} is no operand of the statements, which are {', '.join(self.operands)}")
        for name in self.operands:
            if name not in given:
                raise TypeError(f"the operand {name} is missing")
            if not isinstance(given[name], torch.Tensor):
                raise TypeError(f"operand {name} is no torch tensor")
            if torch.is_grad_enabled() and given[name].requires_grad:
                raise TypeError(f"operand {name} asks for a gradient, and statements have none; give einsum its "
                                "products, or compute under torch.no_grad()")
        return [given[name] for name in self.operands]

    def _prepare(self, values, workers):
        operands = []
        for name, value in zip(self.operands, values):
            if isinstance(value, torch.Tensor):
                operands.append(_sparse_torch.operand_of(value, name))
            else:
                found = value.operand
                rank = len(found.shape)
                operands.append(Operand(name, found.shape, found.dtype, found.encoding, found.sizes[rank:],
                                        found.slots[:-rank]))
        dtype = operands[0].dtype
        for operand in operands:
            if operand.dtype != dtype:
                raise TypeError(f"operand {operand.name} has elements of {operand.dtype} and {operands[0].name} of {dtype}")
        encodings = {operand.name: operand.encoding for operand in operands}
        types = {operand.name: operand.type for operand in operands}
        shapes = {operand.name: operand.shape for operand in operands}
        extents, text = {}, ""
        for line in self.lines:
            extents = _extents(line, shapes)
            shapes[line.result] = tuple(extents[index] for index in line.indices)
            encodings[line.result] = line.pattern(encodings)
            types[line.result] = type_of(len(line.indices), dtype, encodings[line.result])
            text += line.write(types, types[line.result])
        arguments = ", ".join(f"%{operand.name}: {operand.type}" for operand in operands)
        last = self.lines[-1].result
        text = f"einsum.program @statements({arguments}) {{\n{text}  einsum.return %{last} : {types[last]}\n}}\n"
        program = _sparse_program.keep(text, operands, workers)
        return _sparse_torch.Call(program, shapes[last], encodings[last], dtype, sum(len(o.slots) for o in operands))


def _extents(line, shapes):
    """Those of a statement's indices, by what its tensors have."""
    found = {}
    for name, indices in line.accesses():
        if len(shapes[name]) != len(indices):
            raise ValueError(f"statement {line.number}: {name} has {len(shapes[name])} axes and {len(indices)} indices")
        for index, extent in zip(indices, shapes[name]):
            known = found.setdefault(index, (extent, name))
            if known[0] != extent:
                raise ValueError(f"statement {line.number}: {index} is {known[0]} in {known[1]} and {extent} in {name}")
    for index in line.indices:
        if index not in found:
            raise ValueError(f"statement {line.number}: the result has the index {index}, which no operand has")
    return {index: extent for index, (extent, _) in found.items()}
