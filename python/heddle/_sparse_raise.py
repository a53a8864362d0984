# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which nodes of a graph of PyTorch's become einsums, and what is called in their place.

find_replacement(node) gives a function and its arguments, None for a node that has nothing to
do with sparsity, or raises Stays with the reason. Shapes, types and layouts are those that
torch.export has found (node.meta["val"]); the graph has no operators that write in place.
"""

import operator

import torch

from . import _sparse_bags, _sparse_edges, _sparse_enable, _sparse_torch

aten = torch.ops.aten
_KINDS = (torch.float32, torch.float64)
_ROWS = (*_KINDS, torch.float16, torch.bfloat16)  # of tables
_SPARSE = (torch.sparse_csr, torch.sparse_csc, torch.sparse_coo, torch.sparse_bsr, torch.sparse_bsc)
_ZEROS = (aten.zeros.default, aten.zeros_like.default, aten.new_zeros.default)


class Differs(Exception):
    """A number that is part of what is called differs between calls of one trace."""


class Stays(Exception):
    """Why a node that heddle might have taken stays."""


def _value(node):
    return node.meta.get("val") if isinstance(node, torch.fx.Node) else None


def _is_tensor(node):
    return isinstance(_value(node), torch.Tensor)


def _argument(node, name, place, default=None):
    if name in node.kwargs:
        return node.kwargs[name]
    return node.args[place] if len(node.args) > place else default


def _is_call(node, *targets):
    return isinstance(node, torch.fx.Node) and node.op == "call_function" and node.target in targets


# --- Products with sparse tensors ---------------------------------------------


def _with_fallback(name, function, operator):
    """The function where it takes its operands, else PyTorch's operator, and the reason is kept."""

    def run(*arguments, **options):
        try:
            return function(*arguments, **options)
        except (_sparse_enable.Declined, NotImplementedError, ValueError, TypeError) as reason:
            _sparse_enable.note(name, str(reason))
        return operator(*arguments, **options)

    run.__name__ = f"heddle_{name}"
    return run


def _multiply(a, b):
    subscripts = {(2, 2): "ij,jk->ik", (2, 1): "ij,j->i", (1, 2): "j,jk->k"}.get((a.dim(), b.dim()))
    _sparse_enable.need(subscripts, f"a product of {a.dim()} and {b.dim()} axes")
    layouts = {a.layout, b.layout}
    _sparse_enable.need(torch.strided in layouts or layouts == {torch.sparse_csr}, "a sparse result that is no CSR matrix")
    return _sparse_enable.contract(subscripts, (a, b), "dense" if torch.strided in layouts else "csr",
                                   _sparse_torch.einsum)


def _add_product(other, a, b, *, beta=1, alpha=1):
    _sparse_enable.need(other.layout is torch.strided, "a sum with a sparse matrix")
    product = _multiply(a, b)
    _sparse_enable.need(product.layout is torch.strided, "a sum with a sparse product")
    product = product if alpha == 1 else product * alpha
    return product if beta == 0 else product + (other if beta == 1 else other * beta)


def _without_gradients(function):
    def run(*arguments, **options):
        tensors = [value for value in arguments if isinstance(value, torch.Tensor)]
        _sparse_enable.need(not (torch.is_grad_enabled() and any(value.requires_grad for value in tensors)),
                            "a gradient is wanted")
        return function(*arguments, **options)

    return run


def _linear(x, weight, bias=None):
    product = _sparse_enable.contract("ij,kj->ik", (x, weight), "dense", _sparse_torch.einsum)
    return product if bias is None else product + bias


_PRODUCTS = {
    aten.mm.default: _multiply,
    aten.matmul.default: _multiply,
    aten.mv.default: _multiply,
    aten._sparse_mm.default: _multiply,
    aten.addmm.default: _add_product,
    aten.linear.default: _linear,
    aten.sparse_sampled_addmm.default: _without_gradients(_sparse_enable.sampled_addmm),
    aten._sparse_mm_reduce_impl.default: _without_gradients(_sparse_enable.mm_reduce),
}
_CALLS = {target: _with_fallback(str(target).removeprefix("aten.").partition(".")[0], function, target)
          for target, function in _PRODUCTS.items()}


def _of_sparse_tensors(node):
    operands = [argument for argument in (*node.args, *node.kwargs.values()) if _is_tensor(argument)]
    if not any(_value(operand).layout in _SPARSE for operand in operands):
        return None
    call = _CALLS.get(node.target)
    if call is None:
        raise Stays("no einsum for this operator on sparse tensors")
    for operand in operands:
        if _value(operand).dtype not in _KINDS:
            raise Stays(f"elements of {_value(operand).dtype}")
        if _value(operand).layout in (torch.sparse_bsr, torch.sparse_bsc):
            raise Stays("a matrix of blocks")
    if node.kwargs:
        return _with_keywords(call, node.kwargs), tuple(node.args)
    return call, tuple(node.args)


def _with_keywords(call, options):
    def run(*arguments):
        return call(*arguments, **options)

    run.__name__ = call.__name__
    return run


# --- Edge lists ----------------------------------------------------------------


def _is_zeros(node):
    return _is_call(node, *_ZEROS) or (_is_call(node, aten.full.default, aten.full_like.default, aten.new_full.default)
                                       and node.args[-1] == 0)


def _vector_of(node, length):
    """The vector that `node` has as a column, or None."""
    if _is_call(node, aten.unsqueeze.default) and node.args[1] in (1, -1) and _value(node.args[0]).dim() == 1:
        return node.args[0]
    if _is_call(node, aten.view.default, aten.reshape.default) and tuple(_value(node).shape) == (length, 1):
        return node.args[0] if _value(node.args[0]).dim() == 1 else None
    return None


def _repeated_vector(node, length):
    """The vector that `node` repeats in each column, or None."""
    if _is_call(node, aten.expand.default, aten.expand_as.default):
        return _vector_of(node.args[0], length)
    if _is_call(node, aten.repeat.default) and len(node.args[1]) == 2 and node.args[1][0] == 1:
        return _vector_of(node.args[0], length)
    return _vector_of(node, length) if _value(node).shape[1] == 1 else None


def _selected(node):
    """(tensor, indices) if the node selects rows, else None."""
    if _is_call(node, aten.index_select.default) and node.args[1] in (0, -_value(node.args[0]).dim()):
        return node.args[0], node.args[2]
    if _is_call(node, aten.index.Tensor) and len(node.args[1]) == 1 and _value(node.args[1][0]).dtype in (
            torch.int64, torch.int32):
        return node.args[0], node.args[1][0]
    if _is_call(node, aten.embedding.default) and _argument(node, "padding_idx", 2, -1) == -1 and not _argument(
            node, "sparse", 4, False):
        return node.args[0], node.args[1]
    return None


def _messages(node):
    """(tensor, weights, indices) of messages that are rows of a tensor, each times a number."""
    length = _value(node).shape[0]
    candidates = [(node, None)]
    if _is_call(node, aten.mul.Tensor):
        candidates = [(a, _vector_of(b, length)) for a, b in (node.args, node.args[::-1])
                      if isinstance(a, torch.fx.Node) and isinstance(b, torch.fx.Node)]
    for rows, weights in candidates:
        found = _selected(rows)
        if found and _value(found[0]).dim() == 2 and _value(found[1]).dim() == 1 and (weights or rows is node):
            if weights is None or _value(weights).dtype == _value(rows).dtype:
                return found[0], weights, found[1]
    return node, None, None  # whatever they are, they are added up


def _check_sum(base, messages):
    for node in (base, messages):
        if _value(node).dtype not in _KINDS:
            raise Stays(f"elements of {_value(node).dtype}")
    if _value(messages).dim() != 2:
        raise Stays(f"messages of {_value(messages).dim()} axes; rows of a matrix are taken")
    if _value(base).shape[1] != _value(messages).shape[1] or _value(base).dtype != _value(messages).dtype:
        raise Stays("messages that are wider or narrower than the rows that they are added to")


def _sum_of_rows(base, target, messages):
    _check_sum(base, messages)
    x, weights, source = _messages(messages)
    rows = _value(base).shape[0]
    if not isinstance(rows, int):
        raise Differs(f"{rows} rows")
    return _sparse_edges.add_rows, (None if _is_zeros(base) else base, x, weights, source, target, rows)


def _index_add(node):
    base, axis, target, messages = (_argument(node, name, place)
                                    for place, name in enumerate(("self", "dim", "index", "source")))
    if _value(messages).dim() < 2:
        return None  # sums of numbers: no product with a matrix
    if axis not in (0, -_value(base).dim()):
        raise Stays(f"sums along axis {axis}")
    if _argument(node, "alpha", 4, 1) != 1:
        raise Stays("messages times alpha")
    return _sum_of_rows(base, target, messages)


def _scatter_add(node):
    base, axis, places, messages = (_argument(node, name, place)
                                    for place, name in enumerate(("self", "dim", "index", "src")))
    if _value(messages).dim() < 2:
        return None
    if axis not in (0, -_value(base).dim()):
        raise Stays(f"sums along axis {axis}")
    if _value(messages).dim() == 2:
        target = _repeated_vector(places, _value(messages).shape[0])
        if target is None or _value(places).shape != _value(messages).shape:
            raise Stays("places that differ between the columns")
        return _sum_of_rows(base, target, messages)
    raise Stays(f"messages of {_value(messages).dim()} axes; rows of a matrix are taken")


def _scatter_reduce(node):
    if _value(node).dim() < 2:
        return None
    how = _argument(node, "reduce", 4)
    if how != "sum":
        raise Stays(f"reduce={how!r}; sums are taken")
    if not _argument(node, "include_self", 5, True) and not _is_zeros(_argument(node, "self", 0)):
        raise Stays("include_self=False")
    return _scatter_add(node)


def _index_put(node):
    base, places, messages = node.args[:3]
    if not _argument(node, "accumulate", 3, False) or _value(base).dim() < 2:
        return None
    if len(places) != 1 or places[0] is None or _value(places[0]).dim() != 1 or _value(
            places[0]).dtype not in (torch.int64, torch.int32):
        raise Stays("places of more than one axis")
    return _sum_of_rows(base, places[0], messages)


# --- Bags -----------------------------------------------------------------------


def _table_name(node):
    """What errors call a table: its place in the user's model, or its argument."""
    return str(node.target if node.op == "get_attr" else node.name).removeprefix("model.")


def _embedding_bag(node):
    names = ("weight", "indices", "offsets", "scale_grad_by_freq", "mode", "sparse", "per_sample_weights",
             "include_last_offset", "padding_idx")
    defaults = (None, None, None, False, 0, False, None, False, None)
    table, indices, offsets, by_frequency, mode, is_sparse, weights, includes_last, padding = (
        _argument(node, name, place, default) for place, (name, default) in enumerate(zip(names, defaults)))
    if _value(table).dtype not in _ROWS:
        raise Stays(f"elements of {_value(table).dtype}")
    if by_frequency or is_sparse:
        raise Stays("scale_grad_by_freq or sparse gradients")
    if any(user.target is not operator.getitem or user.args[1] != 0 for user in node.users):
        raise Stays("more than its sums is used")
    return _first_of_bags, (table, indices, offsets, mode, weights, includes_last, -1 if padding is None else padding,
                            _table_name(table))


def _first_of_bags(*arguments):
    return (_sparse_bags.bags(*arguments),)


def _sum_of_embeddings(node):
    inner, axes = node.args[0], _argument(node, "dim", 1)
    found = _selected(inner) if isinstance(inner, torch.fx.Node) else None
    if not found or _value(found[0]).dim() != 2 or _value(found[1]).dim() != 2 or len(inner.users) != 1:
        return None
    if list(axes or ()) not in ([1], [-2]) or _argument(node, "keepdim", 2, False) or node.kwargs.get("dtype"):
        return None
    if _value(inner).dtype not in _ROWS:
        raise Stays(f"elements of {_value(inner).dtype}")
    mode = _sparse_bags.MEAN if node.target is aten.mean.dim else _sparse_bags.SUM
    return _sparse_bags.fixed_bags, (*found, mode, _table_name(found[0]))


_RULES = {
    aten.index_add.default: _index_add,
    aten.scatter_add.default: _scatter_add,
    aten.scatter_reduce.two: _scatter_reduce,
    aten.index_put.default: _index_put,
    aten.embedding_bag.padding_idx: _embedding_bag,
    aten._embedding_bag.default: _embedding_bag,
    aten.sum.dim_IntList: _sum_of_embeddings,
    aten.mean.dim: _sum_of_embeddings,
}


def find_replacement(node):
    found = _of_sparse_tensors(node)
    if found is None and node.target in _RULES:
        found = _RULES[node.target](node)
    return found
