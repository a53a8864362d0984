# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Einsums as operators of PyTorch's graphs: torch.compile without a break, opcheck, gradients
of all operands, values of sparse ones included."""

import unittest

import torch

import heddle.sparse
from heddle._sparse_ops import sparse_einsum
from tensors import dense, stored, thin, whole

EXTENTS = {"i": 6, "j": 4, "k": 3, "l": 2}  # i and j are whole blocks of bsr
# With the first operand in each layout, the others strided.
EINSUMS = (
    "ij,j->i", "ij,i->j", "ij,jk->ik", "ji,jk->ik", "ij,kj->ik", "ij,ik->jk", "ij->i", "ij->j", "ij,j->ij", "ij,i->ij",
    "ij,i,j->i", "ij,jk,k->i", "ij,jk,kl->il", "ij,ik,jk->i", "ij,ik,jk->j", "ij,ij->i", "ij,ij->j", "ij,k->ik",
    "ij,ik->k", "ij,jk->k",
)
LAYOUTS = ("csr", "narrow", "csc", "coo", "bsr")


def made(subscripts, layout):
    first, *rest = subscripts.split("->")[0].split(",")
    shape = [EXTENTS[index] for index in first]
    sparse = heddle.sparse.Tensor.of(stored(thin(*shape, density=0.4), layout))
    return sparse, [dense(*(EXTENTS[index] for index in indices), seed=2 + place) for place, indices in enumerate(rest)]


def arguments(sparse, rest, subscripts, gradients=True):
    """The operator's, for a dense result."""
    arrays = [*sparse.arrays, *(value.clone().requires_grad_(gradients) for value in (sparse.values, *rest))]
    return arrays, subscripts, ",".join([sparse.layout] + ["strided"] * len(rest)), list(sparse.shape), -1


class Graphs(unittest.TestCase):
    def near(self, found, wanted):
        self.assertEqual(found.shape, wanted.shape)
        self.assertLessEqual(float((found - wanted).abs().max()) if wanted.numel() else 0, 1e-12)

    def test_results_and_gradients(self):
        unplanned = []
        for subscripts in EINSUMS:
            for layout in LAYOUTS:
                with self.subTest(subscripts=subscripts, layout=layout):
                    sparse, rest = made(subscripts, layout)
                    arrays, *others = arguments(sparse, rest, subscripts)
                    index = arrays[:len(sparse.arrays)]
                    try:
                        found = sparse_einsum(arrays, *others)
                    except NotImplementedError:
                        unplanned.append((subscripts, layout))
                        continue
                    self.near(found, torch.einsum(subscripts, whole(sparse.to_torch()), *rest))
                    self.assertTrue(torch.autograd.gradcheck(
                        lambda *given, index=index, others=others: sparse_einsum([*index, *given], *others),
                        arrays[len(index):]))
        self.assertEqual(unplanned, [])

    def test_values_where_a_pattern_has_elements(self):
        sparse = heddle.sparse.Tensor.of(stored(thin(5, 4, density=0.4), "csr"))
        a, b = dense(5, 3, seed=2), dense(4, 3, seed=3)
        found = heddle.sparse.einsum("ij,ik,jk->ij", sparse, a, b)
        self.assertIsInstance(found, heddle.sparse.Tensor)
        self.near(whole(found.to_torch()), whole(sparse.to_torch()) * (a @ b.t()))
        arrays = [*sparse.arrays, *(value.clone().requires_grad_() for value in (sparse.values, a, b))]
        others = "ij,ik,jk->ij", "csr,strided,strided", [5, 4], 0
        self.assertTrue(torch.autograd.gradcheck(
            lambda *given: sparse_einsum([*sparse.arrays, *given], *others), arrays[2:]))
        torch.library.opcheck(sparse_einsum, (arrays, *others))
        with self.assertRaisesRegex(NotImplementedError, "depends on the operands' values"):
            heddle.sparse.matmul(sparse, heddle.sparse.Tensor.of(stored(thin(4, 5), "csr")))

    def test_opcheck(self):
        for subscripts in EINSUMS:
            for layout in LAYOUTS:
                with self.subTest(subscripts=subscripts, layout=layout):
                    torch.library.opcheck(sparse_einsum, arguments(*made(subscripts, layout), subscripts))

    def test_compiled_whole(self):
        sparse = heddle.sparse.Tensor.of(stored(thin(60, 60), "csr"))
        first, second = dense(12, 8, seed=4).requires_grad_(), dense(8, 3, seed=5).requires_grad_()

        def layers(features):
            hidden = torch.relu(heddle.sparse.matmul(sparse, features @ first))
            return torch.log_softmax(heddle.sparse.matmul(sparse, hidden @ second), 1)

        compiled = torch.compile(layers, backend="aot_eager", fullgraph=True)
        for rows in (12, 12):
            features = dense(60, rows)
            wanted = layers(features)
            found = compiled(features)
            self.near(found, wanted)
            gradients = [torch.autograd.grad(result.square().sum(), (first, second)) for result in (found, wanted)]
            for mine, eager in zip(*gradients):
                self.near(mine, eager)

    def test_dynamic_sizes(self):
        compiled = torch.compile(lambda sparse, x: heddle.sparse.matmul(sparse, x) + 1, backend="aot_eager",
                                 fullgraph=True, dynamic=True)
        for rows, columns in ((5, 2), (9, 3), (17, 4)):
            sparse = heddle.sparse.Tensor.of(stored(thin(rows, rows), "csr"))
            x = dense(rows, columns)
            self.near(compiled(sparse, x), whole(sparse.to_torch()) @ x + 1)

    def test_arrays_that_are_no_matrix(self):
        sparse, rest = made("ij,jk->ik", "csr")
        sparse.arrays[1][0] = 99
        with self.assertRaisesRegex(ValueError, "outside of the matrix"):
            heddle.sparse.matmul(sparse, *rest)


if __name__ == "__main__":
    unittest.main()
