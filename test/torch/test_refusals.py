# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What calls of heddle.sparse say to operands that do not fit: whole sentences, with the operand
and its numbers. Programs on the command line have theirs in test/error."""

import unittest

import torch

import heddle.sparse
from tensors import dense, stored, thin


def rows(positions, coordinates, shape, index=torch.int64):
    """A CSR matrix of such arrays, whatever they hold."""
    return torch.sparse_csr_tensor(torch.tensor(positions, dtype=index), torch.tensor(coordinates, dtype=index),
                                   dense(len(coordinates)), shape, check_invariants=False)


A, B = stored(thin(9, 7), "csr"), dense(7, 5)
# Subscripts or None for matmul, operands, format, exception, sentence.
CALLS = (
    # Subscripts.
    ("ij,jk->im", (A, B), None, ValueError, "<einsum>:2:8: error: the result has the index m, which no operand has [einsum-indices]\n"
     "  %R = einsum.statement (i, m) += %T0(i, j) * %T1(j, k)\n       ^"),
    ("ij,jk->ii", (A, B), None, ValueError, "<einsum>:2:8: error: R has the index i twice; a diagonal is not supported yet [einsum-indices]\n"
     "  %R = einsum.statement (i, i) += %T0(i, j) * %T1(j, k)\n       ^"),
    ("ij,jk->ik", (A,), None, ValueError, "'ij,jk->ik' has 2 operands and 1 were given"),
    ("ij,j->i", (A, B), None, ValueError, "operand T1 has 2 axes and 1 indices"),
    ("i2,2k->ik", (A, B), None, ValueError,
     "indices are letters from a to z, or A to Z, which 'i2,2k->ik' does not keep to"),
    ("ii,ik->k", (stored(thin(7, 7), "csr"), B), None, NotImplementedError,
     "operand T0 is sparse and has the index i twice; give its diagonal as a vector"),
    # Sizes and types.
    (None, (A, B[:6]), None, ValueError, "j is 7 and, in T1, 6"),
    (None, (A, dense(7, 5, 2)), None, ValueError, "matmul takes matrices and vectors, not arrays of 2 and 3 axes"),
    (None, (A, B.float()), None, TypeError, "operand T1 has elements of float32 and T0 of float64"),
    (None, (A, B.int()), None, TypeError,
     "operand T1 has elements of int32; float16, bfloat16, float32 and float64 are supported"),
    (None, (A, B.to(torch.complex128)), None, TypeError,
     "operand T1 has elements of complex128; float16, bfloat16, float32 and float64 are supported"),
    (None, (A, B.to("meta")), None, TypeError,
     "operand T1 is on meta; heddle.sparse computes on CPUs and CUDA's GPUs: move it by .cpu()"),
    (None, (A, [[1.0]]), None, TypeError, "matmul takes matrices and vectors, not what is of type list"),
    # Formats.
    ("ij,jk->ik", (A, B), "csc", ValueError, "a result is 'dense' or 'csr', not 'csc'"),
    ("ij,j->i", (A, B[:, 0]), "csr", ValueError, "a result that is 'csr' has two indices, not 1"),
    (None, (torch.sparse_coo_tensor(torch.tensor([[0, 0], [1, 1]]), dense(2), (2, 7)), B), None, ValueError,
     "operand T0 is not coalesced; call coalesce()"),
    # Index arrays.
    (None, (rows([0, 2], [3, 1], (1, 7)), B), None, ValueError,
     "operand T0: coordinates of a row are not sorted, or repeated: in row 0, 1 follows 3"),
    (None, (rows([0, 1, 3], [0, 4, 4], (2, 7)), B), None, ValueError,
     "operand T0: coordinates of a row are not sorted, or repeated: in row 1, 4 follows 4"),
    (None, (rows([0, 1, 2], [0, 7], (2, 7)), B), None, ValueError,
     "operand T0: a coordinate is outside of the matrix: row 1 has 7, and 0 to 6 are there"),
    (None, (rows([0, 1], [-1], (1, 7), torch.int32), B), None, ValueError,
     "operand T0: a coordinate is outside of the matrix: row 0 has -1, and 0 to 6 are there"),
    (None, (rows([0, 2, 1, 3], [0, 1, 2], (3, 7)), B), None, ValueError,
     "operand T0: positions fall: row 1 begins at 2 and ends at 1"),
    (None, (rows([0, 1, 1], [0, 1], (2, 7)), B), None, ValueError,
     "operand T0: positions do not go from 0 to the number of elements, 2, but from 0 to 1"),
    (None, (rows([0, 1], [0], (2, 7)), B), None, ValueError,
     "operand T0: positions go from 0 to the number of elements, 1, in 3 steps"),
)


class Refusals(unittest.TestCase):
    def test_whole_sentences(self):
        for subscripts, operands, form, kind, sentence in CALLS:
            with self.subTest(subscripts=subscripts, sentence=sentence):
                with self.assertRaises(kind) as raised:
                    if subscripts is None:
                        heddle.sparse.matmul(*operands)
                    else:
                        heddle.sparse.einsum(subscripts, *operands, format=form)
                self.assertEqual(str(raised.exception), sentence)

    def test_a_result_that_no_memory_holds(self):
        column, row = (torch.sparse_coo_tensor(torch.tensor([[3]]), dense(1), (extent,)).coalesce()
                       for extent in (10**7, 5 * 10**7))
        with self.assertRaises(MemoryError) as raised:
            heddle.sparse.einsum("i,j->ij", column, row, format="dense")
        self.assertEqual(str(raised.exception), "the result has 10000000 x 50000000 elements of 8 bytes, more than the "
                                                "memory of this machine holds")


if __name__ == "__main__":
    unittest.main()
