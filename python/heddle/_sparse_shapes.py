# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which extents of a traced model's arguments may differ between calls.

Bags and edge lists have another length in each batch, and tracing takes seconds. So lengths of
index tensors are traced as symbols. Which of them stay symbols is what torch.export finds; the
Pattern of a trace says which arguments it takes.
"""

import torch
from torch.utils import _pytree

MOST_KNOWN = 4096


def _may_differ(value):
    """The axis of an index tensor whose length may be another next time: of a list of numbers
    its length, of an edge list how many edges there are. None: there is none."""
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided or value.dtype not in (
            torch.int32, torch.int64) or value.dim() not in (1, 2):
        return None
    # A trace for a length of 0 or 1 is one for that length.
    return value.dim() - 1 if value.shape[-1] > 1 else None


def symbols_for(arguments, options):
    """The shapes to trace with, as torch.export takes them; None if all are fixed."""
    leaves, tree = _pytree.tree_flatten((tuple(arguments), dict(options)))
    axes = [_may_differ(leaf) for leaf in leaves]
    if all(axis is None for axis in axes):
        return None
    found = [None if axis is None else {axis: torch.export.Dim.AUTO} for axis in axes]
    positional, named = _pytree.tree_unflatten(found, tree)
    return {"arguments": positional, "options": named} if options else (positional,)


def kind_of(value):
    """What every trace depends on in an argument: all but the lengths that may differ."""
    if isinstance(value, torch.Tensor):
        axis = _may_differ(value)
        shape = tuple(None if place == axis else extent for place, extent in enumerate(value.shape))
        return shape, value.dtype, value.layout, value.device
    return value


def _guards_of(program):
    """(What torch.export assumed of the lengths beside their ranges, as a function that raises where it
    does not hold; the places of its arguments among all), or None."""
    module = program.module(check_guards=True)
    calls = [node for node in module.graph.nodes if node.op == "call_module" and node.target == "_guards_fn"]
    if not calls:
        return None
    order = [node.name for node in module.graph.nodes if node.op == "placeholder"]
    return module._guards_fn, [order.index(argument.name) for argument in calls[0].args]


class Pattern:
    """The lengths that a trace takes: symbols with their ranges, or numbers."""

    def __init__(self, lengths, ranges=None, guards=None):
        self.lengths, self.ranges, self.guards = lengths, ranges or {}, guards
        self.known = {}  # lengths -> whether they are taken

    @classmethod
    def of(cls, leaves):
        """Those of the arguments at hand alone."""
        axes = [(place, _may_differ(leaf)) for place, leaf in enumerate(leaves)]
        return cls([(place, axis, leaves[place].shape[axis]) for place, axis in axes if axis is not None])

    @classmethod
    def of_program(cls, program, leaves):
        named = {node.name: node.meta.get("val") for node in program.graph.nodes if node.op == "placeholder"}
        values = [named.get(name) for name in program.graph_signature.user_inputs if isinstance(name, str)]
        tensors = [place for place, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        values = [value for value in values if isinstance(value, torch.Tensor)]
        lengths, ranges = [], {}
        for place, value in zip(tensors, values, strict=True):
            axis = _may_differ(leaves[place])
            if axis is None:
                continue
            extent = value.shape[axis]
            if isinstance(extent, torch.SymInt) and extent.node.expr.is_Symbol:
                symbol = extent.node.expr
                ranges[symbol] = program.range_constraints[symbol]
                lengths.append((place, axis, symbol))
            else:  # a number, or what follows from others, which is taken as it was
                lengths.append((place, axis, int(leaves[place].shape[axis])))
        return cls(lengths, ranges, _guards_of(program))

    def takes(self, leaves):
        key = tuple(leaves[place].shape[axis] for place, axis, _ in self.lengths)
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            found = self.known[key] = self._fits(key) and self._keeps_guards(leaves)
        return found

    def _fits(self, extents):
        bound = {}
        for extent, (_, _, wanted) in zip(extents, self.lengths):
            if isinstance(wanted, int):
                if extent != wanted:
                    return False
            elif bound.setdefault(wanted, extent) != extent:
                return False
        return all(self.ranges[symbol].lower <= extent <= self.ranges[symbol].upper
                   for symbol, extent in bound.items())

    def _keeps_guards(self, leaves):
        if self.guards is None:
            return True
        check, places = self.guards
        try:
            check(*(leaves[place] for place in places))
        except Exception:  # AssertionError, or what a guard's expression raises
            return False
        return True
