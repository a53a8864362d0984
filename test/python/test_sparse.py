# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.sparse against SciPy: results, bits, and what it says to operands that do not fit."""

import base64
import contextlib
import gc
import io
import os
import pathlib
import re
import tempfile
import unittest
import unittest.mock

try:
    import numpy as np
    import scipy.sparse as sp
except ImportError:
    np = None

import heddle._cache
import heddle._sparse_program
import heddle.sparse


def matrix(rows, columns, dtype="float32", density=0.1, seed=0, layout="csr"):
    generator = np.random.default_rng(seed)
    there = generator.random((rows, columns)) < density
    return sp.csr_array(there * generator.standard_normal((rows, columns)).astype(dtype)).asformat(layout)


def dense(*shape, dtype="float32", seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@unittest.skipIf(np is None, "SciPy and NumPy are not installed")
class Sparse(unittest.TestCase):
    def near(self, found, wanted, dtype):
        found, wanted = (value.toarray() if sp.issparse(value) else value for value in (found, wanted))
        self.assertEqual(found.dtype, np.dtype(dtype))
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-4 if dtype == "float32" else 1e-12)

    def test_matrix_times_dense(self):
        for dtype in ("float32", "float64"):
            for layout in ("csr", "csc"):
                for width in (1, 7, 64, 130):
                    a, b = matrix(50, 40, dtype, layout=layout), dense(40, width, dtype=dtype)
                    self.near(heddle.sparse.matmul(a, b), a @ b, dtype)

    def test_vectors(self):
        a, x, y = matrix(50, 40), dense(40), dense(50)
        self.near(heddle.sparse.matmul(a, x), a @ x, "float32")
        self.near(heddle.sparse.matmul(y, a), a.T @ y, "float32")

    def test_sparse_times_sparse(self):
        a, b = matrix(50, 40), matrix(40, 300, seed=2)
        c = heddle.sparse.matmul(a, b)
        self.assertEqual(c.format, "csr")
        self.assertTrue(c.has_sorted_indices)
        self.near(c, a @ b, "float32")
        self.near(heddle.sparse.matmul(a, b, format="dense"), (a @ b).toarray(), "float32")

    def test_a_matrix_that_is_stored_again(self):
        a, b = matrix(50, 40), matrix(40, 30, seed=2)
        with self.assertLogs("heddle.sparse", "INFO") as logs:
            self.near(heddle.sparse.matmul(a.tocsc(), b), a @ b, "float32")
        self.assertRegex(logs.output[0], r"T. is stored again by . first, as T._by_., at each run: ")
        self.near(heddle.sparse.einsum("ij,ij->ij", a, a.tocsc()), a.multiply(a), "float32")

    def test_short_elements_and_sums_of_all(self):
        a, b = dense(50, 40, dtype="float16"), dense(40, 7, dtype="float16")
        wanted = a.astype("float64") @ b.astype("float64")
        found = heddle.sparse.matmul(a, b)
        self.assertEqual(found.dtype, np.float16)
        np.testing.assert_allclose(found, wanted, rtol=2**-11, atol=1e-5)
        self.near(heddle.sparse.einsum("ij,ij->", matrix(50, 40), dense(50, 40)),
                  np.sum(matrix(50, 40).multiply(dense(50, 40)), dtype="float32"), "float32")

    def test_products_where_a_has_elements(self):
        a, b, d = matrix(50, 40), dense(50, 33), dense(40, 33)
        c = heddle.sparse.einsum("ij,ik,jk->ij", a, b, d)
        self.assertEqual(c.nnz, a.nnz)
        self.near(c, a.multiply(b @ d.T), "float32")

    def test_the_same_bits_for_any_workers(self):
        a, b = matrix(500, 400), dense(400, 20)
        one = heddle.sparse.matmul(a, b, workers=1)
        for workers in (2, 3):
            self.assertEqual(one.tobytes(), heddle.sparse.matmul(a, b, workers=workers).tobytes())

    def test_a_result_outlives_its_program(self):
        a, b = matrix(50, 40), dense(40, 8)
        c = heddle.sparse.matmul(a, b)
        heddle._sparse_program.programs.clear()
        gc.collect()
        self.near(c, a @ b, "float32")

    def test_nothing(self):
        a = sp.csr_array((3, 4), dtype=np.float32)
        self.assertEqual(heddle.sparse.matmul(a, dense(4, 2)).tolist(), [[0, 0]] * 3)
        self.assertEqual(heddle.sparse.matmul(a, a.T.tocsr()).nnz, 0)

    def compilations(self, function):
        """How many programs a function compiles, of those that this process has not kept."""
        program = heddle._sparse_program
        program.programs.clear()
        with unittest.mock.patch.object(program, "_compile", wraps=program._compile) as compile_one:
            function()
        return compile_one.call_count

    def test_programs_on_disk(self):
        a, b, c = matrix(50, 40), dense(40, 8), matrix(40, 30, seed=2)

        def products():
            found = heddle.sparse.matmul(a, b)
            self.near(found, a @ b, "float32")
            self.near(heddle.sparse.matmul(a, c), a @ c, "float32")  # of several kernels, with a count
            return found.tobytes()

        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.dict(os.environ, {"HEDDLE_CACHE_DIR": folder}):
            self.assertEqual(self.compilations(products), 2)
            first = products()
            self.assertEqual(self.compilations(products), 0)
            self.assertEqual(products(), first)
            plan = heddle.sparse.plan_of("ij,jk->ik", a, b)
            self.assertIn("einsum.nest", plan)
            # Other sizes have another plan.
            self.assertEqual(self.compilations(lambda: heddle.sparse.matmul(a, dense(40, 9))), 1)
            # What is damaged, or of another processor, is compiled again.
            entries = list(pathlib.Path(folder).rglob("*.json"))
            self.assertEqual(len(entries), 3)
            for entry in entries:
                entry.write_text(entry.read_text(encoding="utf-8")[:-20], encoding="utf-8")
            self.assertEqual(self.compilations(products), 2)
            self.assertEqual(self.compilations(products), 0)
            with unittest.mock.patch.object(heddle._cache, "load", return_value={
                    "code": base64.b64encode(b"heddle sparse program 0\n{}\n").decode(), "plan": "", "remarks": ""}):
                self.assertEqual(self.compilations(products), 2)
        with unittest.mock.patch.dict(os.environ, {"HEDDLE_CACHE_DIR": "/proc/none"}), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(self.compilations(products), 2)
        self.assertIn("heddle: kernels are not kept, because", said.getvalue())

    def test_the_plan(self):
        text = heddle.sparse.plan_of("ij,jk->ik", matrix(50, 40), dense(40, 64))
        self.assertIn('einsum.nest "R" term 0 order ["i", "j", "k"]', text)

    def test_the_lines_of_the_page(self):
        page = pathlib.Path(__file__).resolve().parents[2] / "docs/sparse.md"
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        blocks = [block for block in blocks if "import torch" not in block]
        blocks = [block for block in blocks if "import numpy" in block]  # others need PyTorch
        self.assertEqual(len(blocks), 1)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            names = {}
            exec(blocks[0], names)
        self.assertIn("einsum.nest", printed.getvalue())
        self.near(names["C"], names["A"] @ names["B"], "float32")

    def test_arrays_with_gaps_between_elements(self):
        wanted, b = matrix(50, 40), dense(40, 8)
        for name in ("data", "indices", "indptr"):
            for step in (2, -1):
                a = wanted.copy()
                there = getattr(a, name)
                wide = np.zeros(len(there) * abs(step), there.dtype)
                wide[::step] = there
                setattr(a, name, wide[::step])
                with self.subTest(array=name, step=step):
                    self.near(heddle.sparse.matmul(a, b), wanted @ b, "float32")
                    a.data *= 2  # what was read before is not kept
                    self.near(heddle.sparse.matmul(a, b), 2 * (wanted @ b), "float32")

    def test_what_does_not_fit(self):
        a, b = matrix(50, 40), dense(40, 8)
        unsorted = sp.csr_array((a.data, a.indices.copy(), a.indptr), shape=a.shape)
        unsorted.indices[:2] = unsorted.indices[1::-1]
        unsorted.has_canonical_format = False
        cases = [
            (ValueError, "j is 40 and, in T1, 39", "ij,jk->ik", (a, b[:39])),
            (TypeError, "operand T1 has elements of float64 and T0 of float32", "ij,jk->ik",
             (a, b.astype("float64"))),
            (TypeError, "T1 has elements of int32; float16, bfloat16, float32 and float64 are supported", "ij,jk->ik",
             (a, b.astype("int32"))),
            (TypeError, "operand T0 is stored as coo", "ij,jk->ik", (a.tocoo(), b)),
            (ValueError, "has 2 operands and 1 were given", "ij,jk->ik", (a,)),
            (ValueError, "operand T1 has 2 axes and 1 indices", "ij,j->i", (a, b)),
            (ValueError, "which no operand has", "ij,jk->im", (a, b)),
            (ValueError, "a result that is 'csr' has two indices, not 1", "ij,j->i", (a, b[:, 0])),
            (ValueError, "indices are letters from a to z", "i2,2k->ik", (a, b)),
            (ValueError, "indices are letters from a to z", "éj,jk->ék", (a, b)),
            (TypeError, "subscripts are a text, not b'ij,jk->ik'", b"ij,jk->ik", (a, b)),
        ]
        for kind, text, subscripts, operands in cases:
            with self.assertRaisesRegex(kind, text):
                heddle.sparse.einsum(subscripts, *operands, format="csr" if "csr" in text else None)
        for workers in (-1, 1025, 2**40, 1.5, "2"):
            with self.assertRaisesRegex((TypeError, ValueError), "workers are a number from 0 to 1024, not "):
                heddle.sparse.matmul(a, b, workers=workers)
        with self.assertRaisesRegex(TypeError, "matmul takes matrices and vectors, not what is of type list"):
            heddle.sparse.matmul([[1.0]], b)
        # Sorted again by SciPy's flag, and refused where the arrays say otherwise.
        bad = sp.csr_array((a.data, a.indices, a.indptr), shape=a.shape)
        bad.indices = a.indices.copy()
        bad.indices[0] = 99
        with self.assertRaises(ValueError):
            heddle.sparse.matmul(bad, b)
        with self.assertRaisesRegex(ValueError, "matmul takes matrices and vectors"):
            heddle.sparse.matmul(b[0], b[0])


if __name__ == "__main__":
    unittest.main()
