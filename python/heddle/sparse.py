# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse einsums on SciPy's and NumPy's arrays and on PyTorch's tensors, on the CPU or a GPU.

    import heddle.sparse
    C = heddle.sparse.matmul(A, B)                  # CSR times dense, CSR times CSR
    S = heddle.sparse.einsum("ij,ik,jk->ij", A, B, D)   # products where A has elements

Operands are SciPy CSR or CSC arrays and NumPy arrays, or torch tensors (strided, CSR, CSC,
coalesced COO, BSR, BSC, batches), all of one type: float16, bfloat16, float32 or float64. Results of torch tensors are torch tensors, with
gradients by further einsums.
A program is compiled in process at its first use, by the operands' sizes, and
kept. docs/sparse.md has what einsums mean; what is not lowered yet raises
NotImplementedError with the reason.
"""

import sys

from ._sparse_subscripts import is_plain, simplify

__all__ = ["Tensor", "compile", "declined", "disable", "einsum", "enable", "matmul", "plan_of", "program"]

_MATRIX_PRODUCTS = {(2, 2): "ij,jk->ik", (2, 1): "ij,j->i", (1, 2): "j,jk->k"}
_torch_door = None  # found once: an import statement takes as long as a small product's loops


class Tensor:
    """A sparse tensor by its arrays, which torch.compile takes where it refuses PyTorch's own.

    layout: "csr" or "csc", with arrays (positions, coordinates); "coo", with (indices,), sorted
        and unique.
    Einsums of it are one operator of a graph, differentiable in `values`.
    """

    def __init__(self, layout, arrays, values, shape):
        if layout not in ("csr", "csc", "coo"):
            raise ValueError(f"a layout is 'csr', 'csc' or 'coo', not {layout!r}")
        self.layout, self.arrays, self.values, self.shape = layout, tuple(arrays), values, tuple(shape)
        if len(self.arrays) != (1 if layout == "coo" else 2):
            wanted = "1 index array" if layout == "coo" else "2 index arrays"
            raise ValueError(f"a {layout} tensor has {wanted}, not {len(self.arrays)}")

    @classmethod
    def of(cls, value):
        """That of a PyTorch tensor, whose memory it shares."""
        from . import _sparse_torch

        layout, arrays, values = _sparse_torch.index_arrays(value.detach())
        # Not as views of a sparse tensor, which torch.compile would refuse.
        *arrays, values = (array.new_empty(0).set_(array) for array in (*arrays, values))
        return cls(layout, arrays, values, value.shape)

    def to_torch(self):
        from . import _sparse_gradients

        return _sparse_gradients.assemble(self.layout, self.arrays, self.values, self.shape)


def _door(operands):
    """The module that takes these operands."""
    torch = sys.modules.get("torch")  # a tensor of it comes with it
    if torch is not None:
        for operand in operands:
            if not isinstance(operand, torch.Tensor):
                break
        else:
            return _torch_door or _open_torch_door()
        for operand in operands:
            if isinstance(operand, Tensor):
                from . import _sparse_ops

                return _sparse_ops
        are_torch = [isinstance(operand, torch.Tensor) for operand in operands]
        if any(are_torch):
            raise TypeError(f"operand T{are_torch.index(False)} is no torch tensor, and others are")
    from . import _sparse_numpy

    return _sparse_numpy


def _open_torch_door():
    global _torch_door
    from . import _sparse_torch

    _torch_door = _sparse_torch
    return _sparse_torch


def einsum(subscripts, *operands, format=None, workers=0):
    """The sum of products that `subscripts` says, as numpy.einsum writes it.

    subscripts: "ij,jk->ik"; without an arrow the result has the indices that occur once, sorted.
        `...` stands for axes that are not named, of the same extents in all operands; an index
        twice in a dense operand for its diagonal.
    operands: SciPy CSR or CSC arrays of two axes, NumPy arrays of any; or torch tensors; all of
        one type.
    format: "dense" or "csr"; None chooses csr if every operand is sparse, or one has elements
        at the result's indices.
    workers: threads; 0 is as many as the processor has, or one where the work is not worth
        waking others; for torch tensors at most torch.get_num_threads(). The result has the same
        bits for any.

    Gives a NumPy array or a scipy.sparse.csr_array, or a torch tensor, strided or CSR, that
    gradients go through. Raises ValueError for operands that do not
    fit, TypeError for their types, NotImplementedError for what is not lowered yet.
    """
    if not is_plain(subscripts):
        subscripts, operands = simplify(subscripts, operands)
    return _door(operands).einsum(subscripts, operands, format, workers)


def matmul(a, b, format=None, workers=0):
    """a @ b for two matrices, or a matrix and a vector; see einsum."""
    if _torch_door is not None:
        found = _torch_door.multiply_again(a, b, format, workers)
        if found is not None:
            return found
    try:
        ranks = (len(a.shape), len(b.shape))
    except AttributeError:
        odd = type(b if hasattr(a, "shape") else a).__name__
        raise TypeError(f"matmul takes matrices and vectors, not what is of type {odd}") from None
    subscripts = _MATRIX_PRODUCTS.get(ranks)
    if subscripts is None:
        raise ValueError(f"matmul takes matrices and vectors, not arrays of {ranks[0]} and {ranks[1]} axes")
    return _door((a, b)).einsum(subscripts, (a, b), format, workers)


def plan_of(subscripts, *operands, format=None):
    """The program with its plan, as `heddle compile --emit=einsum` writes it."""
    if not is_plain(subscripts):
        subscripts, operands = simplify(subscripts, operands)
    return _door(operands).plan_of(subscripts, operands, format)


def program(statements, workers=0):
    """A function of several statements, each a line, whose last one's result it gives.

    statements: as the einsum rung has them, without types: `S(i, j) += 0.5 * Q(i, d) * K(j, d)
        where M(i, j)`, `m(i) += S(i, j) over "max-plus"`, `H(i, k) += A(i, j) * B(j, k) + b(k)
        then relu`. A result is stored as the mask with its indices is, or a factor of its only
        term, and is dense otherwise.
    workers: as in einsum.

    The function takes a torch tensor on the CPU for each name that no statement gives, by that
    name. It has `plan_of`, with the same arguments, and no gradients.
    """
    from . import _sparse_statements

    return _sparse_statements.Statements(statements, workers)


def enable():
    """Computes PyTorch's own operators on sparse CPU tensors from now on: torch.sparse.mm, `@`,
    addmm, mv, sampled_addmm and their gradients, in programs as they stand. Operands that
    heddle does not take go to PyTorch's kernels; declined() has the reasons, docs/sparse.md
    the list."""
    from . import _sparse_enable

    _sparse_enable.enable()


def disable():
    """Gives PyTorch its operators back."""
    from . import _sparse_enable

    _sparse_enable.disable()


def declined():
    """(operator, reason, calls) of the calls that went to PyTorch's kernels, under enable() and of
    tensors on a GPU."""
    from . import _sparse_enable, _sparse_gpu

    return _sparse_enable.declined() + [
        (f"{name} on a GPU", reason, calls) for (name, reason), calls in _sparse_gpu.declined.items()]


def compile(model):
    """A module that computes as `model` does, with its sparse products by heddle.

    model: a torch.nn.Module or a function of tensors, which torch.export can trace. Taken are
        products with sparse tensors; edge lists, where rows are selected and added up by
        `index_add`, `scatter_add`, `index_put` or `scatter_reduce`, as products with a CSR
        matrix that is made of the list once; bags of embeddings. Parameters are shared with
        `model`, and gradients go through.

    The result's `remarks` say what stays with PyTorch, with file and line, and why; they are
    there from the first call on. Each new kind of argument (shape, type, layout) is traced anew;
    index tensors of one axis, and edge lists, may have another length at each call.
    """
    from . import _sparse_compile

    if not callable(model):
        raise TypeError(f"compile takes a module or a function, not what is of type {type(model).__name__}")
    return _sparse_compile.Compiled(model)
