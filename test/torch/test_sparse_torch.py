# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.sparse on PyTorch's tensors: results, gradients, and what is refused."""

import contextlib
import io
import pathlib
import re
import unittest
import unittest.mock

import torch

import heddle.sparse
from heddle import _sparse_torch
from tensors import dense, stored, thin, whole


# Operands are sparse where the layouts say so; einsum of torch is the reference.
EINSUMS = (
    ("ij,j->i", ("csr", "strided")),
    ("ij,jk->ik", ("csr", "strided")),
    ("ij,jk->ik", ("csc", "strided")),
    ("ij,jk->ik", ("coo", "strided")),
    ("ij,kj->ik", ("csr", "strided")),
    ("ji,jk->ik", ("csr", "strided")),
    ("ij,jk->ik", ("strided", "csr")),
    ("ij,ik->jk", ("csr", "strided")),
    ("ij->i", ("csr",)),
    ("ij->j", ("coo",)),
    ("ij,i,j->ij", ("csr", "strided", "strided")),
    ("ij,ik,jk->ij", ("csr", "strided", "strided")),
    ("ij,ij->ij", ("csr", "csr")),
    ("ij,jk->ik", ("csr", "csr")),
    ("ij,jk,kl->il", ("csr", "strided", "strided")),
    ("ijk,jl,kl->il", ("coo", "strided", "strided")),
    ("ij,ij->", ("csr", "strided")),
    ("ij->", ("csr",)),
    ("i,i->", ("strided", "strided")),
)
EXTENTS = {"i": 9, "j": 7, "k": 5, "l": 3}


def operands_of(subscripts, layouts, dtype=torch.float64):
    inputs = subscripts.split("->")[0].split(",")
    return [stored((dense if layout == "strided" else thin)(*(EXTENTS[index] for index in indices), dtype=dtype,
                                                            seed=number), layout)
            for number, (indices, layout) in enumerate(zip(inputs, layouts))]


class SparseTorch(unittest.TestCase):
    def near(self, found, wanted, most=1e-12):
        self.assertEqual(found.shape, wanted.shape)
        self.assertEqual(found.dtype, wanted.dtype)
        self.assertLessEqual(float((whole(found) - wanted).abs().max()) if wanted.numel() else 0, most)

    def test_results(self):
        for dtype, most in ((torch.float64, 1e-12), (torch.float32, 1e-4)):
            for subscripts, layouts in EINSUMS:
                with self.subTest(subscripts=subscripts, layouts=layouts, dtype=dtype):
                    operands = operands_of(subscripts, layouts, dtype)
                    found = heddle.sparse.einsum(subscripts, *operands)
                    self.assertIsInstance(found, torch.Tensor)
                    self.near(found, torch.einsum(subscripts, *map(whole, operands)), most)

    def test_short_elements(self):
        """Sums are float32: only the result is rounded, once."""
        for dtype in (torch.float16, torch.bfloat16):
            for subscripts, layouts in EINSUMS:
                with self.subTest(subscripts=subscripts, layouts=layouts, dtype=dtype):
                    operands = operands_of(subscripts, layouts, dtype)
                    found = whole(heddle.sparse.einsum(subscripts, *operands))
                    self.assertEqual(found.dtype, dtype)
                    wanted = torch.einsum(subscripts, *(whole(operand).double() for operand in operands))
                    allowed = wanted.abs() * torch.finfo(dtype).eps / 2 + 1e-5
                    self.assertTrue(bool(((found.double() - wanted).abs() <= allowed).all()))

    def test_blocks_and_batches(self):
        a, batch = thin(8, 6), torch.stack([thin(8, 6, seed=seed) for seed in range(3)])
        batch += (a != 0) * 9  # as many elements in each of them
        batch *= a != 0
        cases = [("ij,jk->ik", a.to_sparse_bsr((2, 3))), ("ij,jk->ik", a.to_sparse_bsc((4, 2))),
                 ("bij,jk->bik", batch.to_sparse_bsr((2, 2))), ("bij,jk->bik", batch.to_sparse_csr())]
        for subscripts, matrix in cases:
            with self.subTest(subscripts=subscripts, layout=matrix.layout):
                b = dense(6, 5).requires_grad_()
                found = heddle.sparse.einsum(subscripts, matrix, b)
                wanted = torch.einsum(subscripts, matrix.to_dense(), b)
                self.near(found, wanted)
                grads = [torch.autograd.grad(result.square().sum(), b)[0] for result in (found, wanted)]
                self.near(*grads)
        matrix = a.to_sparse_bsr((2, 3))
        before = heddle.sparse.matmul(matrix, dense(6, 5))
        matrix.values().mul_(2)
        self.near(heddle.sparse.matmul(matrix, dense(6, 5)), before * 2)
        with self.assertRaisesRegex(TypeError, "T0 is torch.sparse_bsr of 2 axes, which takes no gradient here"):
            heddle.sparse.matmul(matrix.requires_grad_(), dense(6, 5))

    def test_axes_without_names_and_diagonals(self):
        a, x, y = thin(9, 7).to_sparse_csr(), dense(7, 3, 5), dense(2, 9, 7)
        square, cube = dense(6, 6), dense(4, 6, 6)
        cases = [("ij,j...->i...", (a, x)), ("...ij,jk->...ik", (y, dense(7, 3))), ("i...,i...->i", (y, y)),
                 ("...j,kj", (y, dense(3, 7))), ("ii->i", (square,)), ("ii->", (square,)), ("ii", (square,)),
                 ("...ii->...i", (cube,)), ("bii,ij->bj", (cube, dense(6, 3))), ("...,...->...", (x, x))]
        for subscripts, operands in cases:
            with self.subTest(subscripts=subscripts):
                self.near(heddle.sparse.einsum(subscripts, *operands), torch.einsum(subscripts, *map(whole, operands)))
        given = dense(6, 6).requires_grad_()
        heddle.sparse.einsum("ii,i->", given, dense(6)).backward()
        self.near(given.grad, torch.diag(dense(6)))
        refused = [
            (NotImplementedError, "T0 is sparse and has the index i twice", "ii->i", (thin(6, 6).to_sparse_csr(),)),
            (ValueError, "i is 9 and 7 in T0", "ii->i", (dense(9, 7),)),
            (ValueError, "T1 has 1 axes, fewer than 'jk...' has indices", "ij,jk...->ik...", (a, dense(7))),
            (ValueError, "T1 has `...` more than once", "ij,j......->i...", (a, x)),
        ]
        for kind, text, subscripts, operands in refused:
            with self.assertRaisesRegex(kind, text):
                heddle.sparse.einsum(subscripts, *operands)

    def test_narrow_indices_and_views(self):
        a, b = thin(9, 7).to_sparse_csr(), dense(5, 7).t()
        narrow = torch.sparse_csr_tensor(a.crow_indices().int(), a.col_indices().int(), a.values(), a.shape)
        found = heddle.sparse.matmul(narrow, b)
        self.near(found, a.to_dense() @ b)
        self.assertEqual(heddle.sparse.matmul(narrow, narrow.to_dense().t().to_sparse_csr()).layout, torch.sparse_csr)

    def test_gradients_of_dense_operands(self):
        for subscripts, layouts in EINSUMS:
            operands = operands_of(subscripts, layouts)
            if "strided" not in layouts or heddle.sparse.einsum(subscripts, *operands).layout != torch.strided:
                continue
            with self.subTest(subscripts=subscripts, layouts=layouts):
                places = [place for place, layout in enumerate(layouts) if layout == "strided"]

                def function(*given, operands=operands, places=places, subscripts=subscripts):
                    now = list(operands)
                    for place, value in zip(places, given):
                        now[place] = value
                    return heddle.sparse.einsum(subscripts, *now)

                given = [operands[place].clone().requires_grad_() for place in places]
                self.assertTrue(torch.autograd.gradcheck(function, given, atol=1e-6))

    def test_gradients_of_values(self):
        """By differences, since torch's own check has no such matrices in all versions."""
        for subscripts, layouts in EINSUMS:
            if layouts[0] != "csr":
                continue
            with self.subTest(subscripts=subscripts, layouts=layouts):
                a, *rest = operands_of(subscripts, layouts)
                found = heddle.sparse.einsum(subscripts, a, *rest)
                weights = dense(*found.shape, seed=5)

                def total(matrix):
                    return float((whole(heddle.sparse.einsum(subscripts, matrix, *rest)) * weights).sum())

                leaf = a.detach().clone().requires_grad_()
                made = heddle.sparse.einsum(subscripts, leaf, *rest)
                if made.layout == torch.strided:
                    (made * weights).sum().backward()
                else:
                    found = made.detach()
                    rows = torch.repeat_interleave(torch.arange(found.shape[0]), found.crow_indices().diff())
                    made.backward(torch.sparse_csr_tensor(found.crow_indices(), found.col_indices(),
                                                          weights[rows, found.col_indices()], found.shape))
                self.assertEqual(leaf.grad.layout, torch.sparse_csr)
                for place in range(0, a.values().numel(), 3):
                    values = [a.values().clone(), a.values().clone()]
                    values[0][place] += 1e-4
                    values[1][place] -= 1e-4
                    above, below = (total(torch.sparse_csr_tensor(a.crow_indices(), a.col_indices(), value, a.shape))
                                    for value in values)
                    self.assertAlmostEqual((above - below) / 2e-4, float(leaf.grad.values()[place]), places=6)

    def test_training_goes_down(self):
        graph = (thin(60, 60, density=0.1) != 0).float().to_sparse_csr()
        features, target = dense(60, 12, dtype=torch.float32), dense(60, 4, dtype=torch.float32, seed=3)
        first = (dense(12, 8, dtype=torch.float32, seed=4) * 0.3).requires_grad_()
        second = (dense(8, 4, dtype=torch.float32, seed=5) * 0.3).requires_grad_()
        optimizer, losses = torch.optim.Adam([first, second], lr=0.02), []
        for _ in range(40):
            hidden = torch.relu(heddle.sparse.einsum("ij,jk,kl->il", graph, features, first))
            loss = (heddle.sparse.matmul(graph, hidden @ second) - target).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(float(loss))
        self.assertLess(losses[-1], 0.8 * losses[0])

    def test_the_lines_of_the_page(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs/sparse.md"
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        names = {}
        self.addCleanup(heddle.sparse.disable)
        for block in blocks[blocks.index(next(block for block in blocks if "import torch" in block)):]:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(block, names)
        self.assertEqual(names["weights"].grad.shape, (12, 8))

    def test_what_is_refused(self):
        a, b = thin(9, 7).to_sparse_csr(), dense(7, 5)
        unsorted = torch.sparse_csr_tensor(torch.tensor([0, 2, 2]), torch.tensor([1, 3]), dense(2), (2, 7))
        unsorted.col_indices()[:] = torch.tensor([3, 1])
        twice = torch.sparse_coo_tensor(torch.tensor([[0, 0], [1, 1]]), dense(2), (2, 7))
        cases = [
            (ValueError, "not sorted, or repeated", (unsorted, b)),
            (ValueError, r"call coalesce\(\)", (twice, b)),
            (TypeError, "T1 has elements of float32 and T0 of float64", (a, b.float())),
            (TypeError, "T1 has elements of int32; float16, bfloat16, float32 and float64 are supported", (a, b.int())),
            (ValueError, "j is 7 and, in T1, 6", (a, b[:6])),
        ]
        for kind, text, operands in cases:
            with self.assertRaisesRegex(kind, text):
                heddle.sparse.matmul(*operands)
        import numpy

        with self.assertRaisesRegex(TypeError, "T1 is no torch tensor"):
            heddle.sparse.matmul(a, numpy.ones((7, 5)))

    def test_memory_that_was_given_back(self):
        for subscripts in ("ij,jk->ik", "jk,ji->ik"):
            a, b = thin(9, 7).to_sparse_csr(), dense(7, 5)
            operands = (a, b) if subscripts[0] == "i" else (b, thin(7, 9).to_sparse_csr())
            heddle.sparse.einsum(subscripts, *operands)
            b.untyped_storage().resize_(0)  # as sharded training does between its steps
            place = [operand is b for operand in operands].index(True)
            for _ in range(2):
                with self.assertRaisesRegex(ValueError, f"operand T{place} has elements in 280 bytes of a storage, of which 0 are left"):
                    heddle.sparse.einsum(subscripts, *operands)
        for part, known in (("values", False), ("values", True), ("col_indices", False), ("crow_indices", False)):
            a, b = thin(9, 7).to_sparse_csr(), dense(7, 5)
            if known:
                heddle.sparse.matmul(a, b)
            getattr(a, part)().untyped_storage().resize_(8)
            for _ in range(2):
                with self.assertRaisesRegex(ValueError, r"operand T0 has elements in \d+ bytes .* 8 are left"):
                    heddle.sparse.matmul(a, b)

    def test_a_matrix_without_some_of_its_values(self):
        positions, coordinates = torch.tensor([0, 1, 2]), torch.tensor([0, 1])
        for values in (dense(1), dense(3)):
            a = torch.sparse_csr_tensor(positions, coordinates, values, (2, 7), check_invariants=False)
            with self.assertRaisesRegex(ValueError, rf"T0: there are 2 coordinates and {len(values)} values"):
                heddle.sparse.matmul(a, dense(7, 5))

    def test_arrays_that_make_no_matrix(self):
        b, one = dense(7, 5), torch.tensor([0, 1])
        with self.assertRaisesRegex(ValueError, "a csr tensor has 2 index arrays, not 1"):
            heddle.sparse.Tensor("csr", (one,), dense(1), (1, 7))
        with self.assertRaisesRegex(ValueError, "a coo tensor has 1 index array, not 2"):
            heddle.sparse.Tensor("coo", (one, one), dense(1), (1, 7))
        narrow = heddle.sparse.Tensor("csr", (one.to(torch.int16), one[:1].to(torch.int16)), dense(1), (1, 7))
        with self.assertRaisesRegex(ValueError, "positions and coordinates are torch.int16, not int32 or int64"):
            heddle.sparse.matmul(narrow, b)
        with self.assertRaisesRegex(TypeError, "compile takes a module or a function, not what is of type int"):
            heddle.sparse.compile(3)

    def test_a_matrix_that_changes_is_checked_again(self):
        a, b = thin(9, 7).to_sparse_csr(), dense(7, 5)
        heddle.sparse.matmul(a, b)
        a.col_indices()[0] = 99
        with self.assertRaisesRegex(ValueError, "outside of the matrix"):
            heddle.sparse.matmul(a, b)

    def checks_of(self, function):
        """How often index arrays are looked at while a function runs."""
        with unittest.mock.patch.object(_sparse_torch, "_fault_of_rows", wraps=_sparse_torch._fault_of_rows) as check:
            function()
        return check.call_count

    def test_a_parameter_is_checked_once(self):
        weight, b = torch.nn.Parameter(thin(9, 7).to_sparse_csr()), dense(7, 5)
        self.assertEqual(self.checks_of(lambda: heddle.sparse.matmul(weight, b)), 1)
        with torch.no_grad():
            self.assertEqual(self.checks_of(lambda: heddle.sparse.matmul(weight, b)), 0)
            weight.values().mul_(2)
            self.assertEqual(self.checks_of(lambda: heddle.sparse.matmul(weight, b)), 1)
        (heddle.sparse.matmul(weight, b) * dense(9, 5)).sum().backward()
        self.assertLess(float((whole(weight.grad) - (whole(weight) != 0) * (dense(9, 5) @ b.t())).abs().max()), 1e-12)

    def test_other_values_on_a_pattern_that_was_checked(self):
        a, b = thin(9, 7).to_sparse_csr(), dense(7, 5)

        def product():
            other = torch.sparse_csr_tensor(a.crow_indices(), a.col_indices(), dense(a.values().numel()), a.shape)
            found = heddle.sparse.matmul(other, b)
            self.assertLess(float((found - whole(other) @ b).abs().max()), 1e-12)

        heddle.sparse.matmul(a, b)
        self.assertEqual(self.checks_of(product), 0)
        a.col_indices()[0] = 99
        with self.assertRaisesRegex(ValueError, "outside of the matrix"):
            product()
        a.col_indices()[0] = 0
        self.assertEqual(self.checks_of(product), 1)  # that of a says nothing any more
        # Of another shape, the same arrays are another pattern.
        with self.assertRaisesRegex(ValueError, "outside of the matrix"):
            heddle.sparse.matmul(torch.sparse_csr_tensor(a.crow_indices(), a.col_indices(), a.values(), (9, 2),
                                                         check_invariants=False), dense(2, 5))

    def test_a_result_on_the_pattern_of_an_operand(self):
        a, q, k = thin(9, 7).to_sparse_csr(), dense(9, 4), dense(7, 4, seed=2)
        found = heddle.sparse.einsum("ij,ik,jk->ij", a, q, k)
        self.assertEqual(found.col_indices().data_ptr(), a.col_indices().data_ptr())
        self.assertLess(float((whole(found) - whole(a) * (q @ k.t())).abs().max()), 1e-12)
        # Its pattern is known; so is that of its transposed matrix, which is the same by columns.
        self.assertEqual(self.checks_of(lambda: heddle.sparse.matmul(found, k)), 0)
        self.assertEqual(self.checks_of(lambda: heddle.sparse.matmul(found.t(), q)), 0)
        self.assertLess(float((heddle.sparse.matmul(found.t(), q) - whole(found).t() @ q).abs().max()), 1e-12)
        # A transposed pattern that was not checked is.
        self.assertEqual(self.checks_of(lambda: heddle.sparse.matmul(thin(9, 7, seed=4).to_sparse_csr().t(), q)), 1)
        for shape in ((0, 7), (9, 0)):
            empty = torch.zeros(shape, dtype=torch.float64).to_sparse_csr()
            made = heddle.sparse.einsum("ij,ik,jk->ij", empty, dense(shape[0], 4), dense(shape[1], 4))
            self.assertEqual((made.shape, made.values().numel()), (torch.Size(shape), 0))

    def test_parts_of_transposed_matrices(self):
        mask, heads = thin(12, 12).to_sparse_csr(), dense(12, 3, 4).transpose(0, 1)
        for q, k in zip(heads, heads):
            found = heddle.sparse.einsum("ij,ik,kj->ij", mask, q, k.t())
            self.assertLess(float((whole(found) - whole(mask) * (q @ k.t())).abs().max()), 1e-12)
            self.assertIn('order ["i", "j", "k"]', heddle.sparse.plan_of("ij,ik,kj->ij", mask, q, k.t()))


if __name__ == "__main__":
    unittest.main()
