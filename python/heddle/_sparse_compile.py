# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.sparse.compile: a model traced by torch.export, with its sparse products by heddle.

In: a module and its arguments. Out: PyTorch's graph of it with nodes replaced by einsums, and
a remark for each sparse operation that stays. _sparse_raise decides node by node; here the
model is traced, once for each kind of arguments, and the graph rewritten. _sparse_shapes says
which arguments are of one kind.
"""

import logging
import pathlib
import re
import types

import torch
from torch.utils import _pytree

from . import _sparse_enable, _sparse_shapes
from ._sparse_raise import Stays, find_replacement

_log = logging.getLogger("heddle.sparse")
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_OTHERS = (str(pathlib.Path(torch.__file__).parent), __file__)  # files that are not the user's


class _Outer(torch.nn.Module):
    """The model as a submodule: a buffer of the name `graph` would be one of the traced module's
    own attributes otherwise. A function becomes a module."""

    def __init__(self, model):
        super().__init__()
        if isinstance(model, types.FunctionType):
            # torch.export keeps the lines of functions of this name, which the remarks say.
            code = model.__code__.replace(co_name="forward")
            copy = types.FunctionType(code, model.__globals__, "forward", model.__defaults__, model.__closure__)
            copy.__kwdefaults__ = model.__kwdefaults__
            model = copy
        self.model = model

    def forward(self, *arguments, **options):
        return self.model(*arguments, **options)


class _AsItStands:
    """A module whose sparse operators are heddle's while it runs."""

    def __init__(self, module):
        self.module = module

    def __call__(self, *arguments, **options):
        was_enabled = _sparse_enable.is_enabled()
        _sparse_enable.enable()
        try:
            return self.module(*arguments, **options)
        finally:
            if not was_enabled:
                _sparse_enable.disable()


def _place(node):
    """FILE:LINE of the user's program that a node comes from."""
    frames = [(file, line) for file, line in _FRAME.findall(node.meta.get("stack_trace") or "")
              if not file.startswith(_OTHERS)]
    return ":".join(frames[-1]) if frames else "the model"


def _name(node):
    return str(node.target).removeprefix("aten.").partition(".")[0]


def rewrite(module):
    """Replaces nodes of a traced module in place; gives the remarks."""
    remarks, graph = [], module.graph
    for node in list(graph.nodes):
        if node.op != "call_function":
            continue
        try:
            replacement = find_replacement(node)
        except Stays as reason:
            remarks.append(f"{_place(node)}: {_name(node)} stays with PyTorch: {reason}")
            continue
        if replacement:
            function, arguments = replacement
            with graph.inserting_before(node):
                made = graph.call_function(function, arguments)
            made.meta = node.meta
            node.replace_all_uses_with(made)
            graph.erase_node(node)
    graph.eliminate_dead_code()
    graph.lint()
    module.recompile()
    return remarks


class Compiled(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.outer = _Outer(model)
        self.remarks = []
        self._traces = {}  # what all traces depend on -> [(the Pattern of lengths, the traced module)]

    def _export(self, arguments, options, shapes):
        """(program, rewritten module, remarks)"""
        program = torch.export.export(self.outer, arguments, options, strict=False,
                                      dynamic_shapes=shapes).run_decompositions({})
        module = program.module(check_guards=False)
        # It would check its arguments at each call, as a Pattern does; small sums take less time than that.
        for key, hook in list(module._forward_pre_hooks.items()):
            if getattr(hook, "__name__", "") == "_check_input_constraints_pre_hook":
                del module._forward_pre_hooks[key]
                module._forward_pre_hooks_with_kwargs.pop(key, None)
        return program, module, rewrite(module)

    def _export_with_symbols(self, arguments, options):
        """The same with lengths that may differ. None: it is not traced, or not rewritten, so."""
        shapes = _sparse_shapes.symbols_for(arguments, options)
        if shapes is None:
            return None
        try:
            return self._export(arguments, options, shapes)
        except Exception as error:  # whatever tracing may raise; the trace with fixed lengths decides
            _log.debug("not traced with lengths that differ: %s", error)
            return None

    def _trace(self, arguments, options, leaves):
        """(Pattern or None, module)"""
        pattern = None
        try:
            found = self._export_with_symbols(arguments, options)
            if found:
                pattern = _sparse_shapes.Pattern.of_program(found[0], leaves)
                pattern = pattern if pattern.takes(leaves) else None  # else each call would trace anew
            _, module, remarks = found or self._export(arguments, options, None)
        except Exception as error:  # whatever tracing a program of the user's may raise
            first = (str(error).strip().splitlines() or [""])[0]
            remarks = ["the model runs as it stands, under enable(), since torch.export does not trace it: "
                       f"{type(error).__name__}: {first}"]
            module = _AsItStands(self.outer)
        for remark in remarks:
            _log.info("remark: %s", remark)
        self.remarks += [remark for remark in remarks if remark not in self.remarks]
        return pattern or _sparse_shapes.Pattern.of(leaves), module

    def _modes(self):
        return tuple(module.training for module in self.outer.modules())

    def forward(self, *arguments, **options):
        leaves, tree = _pytree.tree_flatten((arguments, options))
        key = (tree, self._modes(), *map(_sparse_shapes.kind_of, leaves))
        # In tuples, which keep the traced modules out of this one's submodules.
        traces = self._traces.setdefault(key, [])
        for pattern, module in traces:
            if pattern.takes(leaves):
                return module(*arguments, **options)
        traces.append(self._trace(arguments, options, leaves))
        return traces[-1][1](*arguments, **options)
