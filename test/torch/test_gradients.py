# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of thin matrices, gradients of gradients, and derivatives of forward mode, beside those
of torch.einsum on dense tensors in float64."""

import unittest

import torch
from torch.autograd import forward_ad

import heddle.sparse
from heddle import _sparse_bags
from tensors import dense, stored, thin, whole

# Subscripts, and for each operand its layout.
EINSUMS = (
    ("ij,j->i", ("csr", "strided")),
    ("ij,jk->ik", ("csr", "strided")),
    ("ij,jk->ik", ("csc", "strided")),
    ("ij,jk->ik", ("coo", "strided")),
    ("ij,jk->ik", ("csr", "csr")),
    ("ij,jk,kl->il", ("csr", "strided", "strided")),
    ("ij,ik,jk->ij", ("csr", "strided", "strided")),
    ("i,ij,j->", ("strided", "csr", "strided")),
)


def parts_of(subscripts, layouts, density=0.2):
    """Dense tensors of the operands, those of sparse ones thin."""
    extents = dict(zip("ijkl", (9, 7, 5, 4)))
    names = subscripts.partition("->")[0].split(",")
    return [dense(*(extents[index] for index in name), seed=place) if layout == "strided"
            else thin(*(extents[index] for index in name), seed=place, density=density)
            for place, (name, layout) in enumerate(zip(names, layouts))]


def penalty(found, inputs):
    """A number that depends on the gradients: its own gradients are of second order."""
    weights = dense(*found.shape, seed=8) if found.dim() else dense(1, seed=8)[0]
    gradients = torch.autograd.grad((found.square() * weights).sum(), inputs, create_graph=True)
    total = sum((gradient.coalesce() if gradient.layout == torch.sparse_coo else gradient).values().square().sum()
                if gradient.layout != torch.strided else gradient.square().sum() for gradient in gradients)
    return torch.autograd.grad(total + sum(value.square().sum() for value in inputs if value.layout == torch.strided), inputs)


class Gradients(unittest.TestCase):
    def near(self, found, wanted):
        self.assertEqual(found.shape, wanted.shape)
        self.assertLess(float((found - wanted).abs().max()), 1e-9 * (1 + float(wanted.abs().max())))

    def test_products_that_reach_few_elements(self):
        """Rows of an operand that no product reaches have gradients of zero, and keep their places."""
        for density in (0.01, 0.1, 0.4):
            for subscripts in ("ij,jk->ik", "ij,jk,kl->il"):
                count = subscripts.count(",") + 1
                parts = parts_of(subscripts, ["csr"] * count, density)
                for layout in ("csr", "narrow"):
                    with self.subTest(subscripts=subscripts, density=density, layout=layout):
                        leaves = [stored(part, layout).requires_grad_() for part in parts]
                        heddle.sparse.einsum(subscripts, *leaves).to_dense().sum().backward()
                        others = [part.clone().requires_grad_() for part in parts]
                        torch.einsum(subscripts, *others).sum().backward()
                        for leaf, other, part in zip(leaves, others, parts):
                            self.assertEqual(leaf.grad.values().numel(), leaf.values().numel())
                            self.near(leaf.grad.to_dense(), other.grad * (part != 0))

    def test_an_operator_whose_products_reach_few_elements(self):
        parts = [thin(40, 40, seed=seed, density=0.02) for seed in range(3)]
        for subscripts in ("ij,ik,kj->ij", "jk,ij,ik->jk"):
            kept = [heddle.sparse.Tensor.of(part.to_sparse_csr()) for part in parts]
            found = heddle.sparse.einsum(subscripts, *kept)
            self.assertEqual(found.values.numel(), kept[0].values.numel())
            self.near(found.to_torch().to_dense(), torch.einsum(subscripts, *parts))

    def test_gradients_of_gradients(self):
        for subscripts, layouts in EINSUMS:
            parts = parts_of(subscripts, layouts)
            for wanted in ([place for place, layout in enumerate(layouts) if layout == "strided"], range(len(parts))):
                # PyTorch keeps no gradient of a CSC leaf, and adds none of sparse results to dense ones.
                if not wanted or "csc" in layouts and len(wanted) == len(parts):
                    continue
                with self.subTest(subscripts=subscripts, layouts=layouts, wanted=wanted):
                    leaves = [stored(part, layout).detach().requires_grad_(place in wanted)
                              for place, (part, layout) in enumerate(zip(parts, layouts))]
                    found = heddle.sparse.einsum(subscripts, *leaves, format="dense")
                    ours = penalty(found, [leaves[place] for place in wanted])
                    there = [torch.ones_like(part) if layout == "strided" else (part != 0).double()
                             for part, layout in zip(parts, layouts)]
                    others = [part.clone().requires_grad_(place in wanted) for place, part in enumerate(parts)]
                    made = torch.einsum(subscripts, *(other * mask for other, mask in zip(others, there)))
                    weights = dense(*made.shape, seed=8) if made.dim() else dense(1, seed=8)[0]
                    inputs = [others[place] for place in wanted]
                    gradients = torch.autograd.grad((made.square() * weights).sum(), inputs, create_graph=True)
                    total = sum(gradient.square().sum() for gradient in gradients)
                    total = total + sum(others[place].square().sum() for place in wanted if layouts[place] == "strided")
                    for one, other in zip(ours, torch.autograd.grad(total, inputs)):
                        self.near(whole(one), other)

    def test_hessians(self):
        matrix, x = thin(7, 7, density=0.5), dense(7)
        for quadratic, other in (
                (lambda x: heddle.sparse.einsum("i,ij,j->", x, matrix.to_sparse_csr(), x), lambda x: x @ matrix @ x),
                (lambda x: heddle.sparse.matmul(matrix.to_sparse_csr(), x).square().sum(), lambda x: (matrix @ x).square().sum())):
            self.near(torch.autograd.functional.hessian(quadratic, x), torch.autograd.functional.hessian(other, x))

    def test_bags_whose_gradients_have_gradients(self):
        table, positions, indices = dense(6, 4).requires_grad_(), torch.tensor([0, 2, 2, 5]), torch.tensor([1, 3, 0, 0, 5])
        self.assertTrue(torch.autograd.gradgradcheck(
            lambda table: _sparse_bags.bags(table, indices, positions, _sparse_bags.SUM, None, True).square(), (table,)))

    def test_forward_mode(self):
        a, b, c = thin(9, 7), dense(7, 5), dense(5, 4, seed=3)
        moves = dense(7, 5, seed=6), dense(5, 4, seed=7)
        matrix = a.to_sparse_csr()
        heddle.sparse.matmul(matrix, b)  # which later calls find again
        with forward_ad.dual_level():
            first, second = (forward_ad.make_dual(value, move) for value, move in zip((b, c), moves))
            for found, wanted in ((heddle.sparse.matmul(matrix, first), a @ moves[0]),
                                  (heddle.sparse.einsum("ij,jk,kl->il", matrix, first, second),
                                   a @ moves[0] @ c + a @ b @ moves[1])):
                self.near(forward_ad.unpack_dual(found).tangent, wanted)
            self.assertIsNone(forward_ad.unpack_dual(heddle.sparse.matmul(matrix, b)).tangent)
            with self.assertRaisesRegex(NotImplementedError, "no tangents in PyTorch's forward mode"):
                heddle.sparse.einsum("ij,ik,kj->ij", matrix, dense(9, 7), forward_ad.make_dual(dense(7, 7), dense(7, 7)))
            table = forward_ad.make_dual(dense(6, 4), dense(6, 4, seed=2))
            with self.assertRaisesRegex(NotImplementedError, "forward"):  # PyTorch's own operator has none
                _sparse_bags.bags(table, torch.tensor([1, 3]), torch.tensor([0]), _sparse_bags.SUM)

    def test_what_no_gradient_needs_may_be_written_to(self):
        matrix, x = thin(9, 7).to_sparse_csr(), dense(7, 5).requires_grad_()
        found = heddle.sparse.matmul(matrix, x)
        with torch.no_grad():
            x.add_(1)
        found.sum().backward()
        self.near(x.grad, matrix.to_dense().t() @ torch.ones(9, 5, dtype=torch.float64))
        y = dense(5, 4).requires_grad_()
        found = heddle.sparse.einsum("ij,jk,kl->il", matrix, x, y)
        with torch.no_grad():
            x.add_(1)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            found.sum().backward()


if __name__ == "__main__":
    unittest.main()
