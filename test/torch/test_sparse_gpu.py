# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.sparse's kernels of a GPU on tensors of PyTorch. Here tensors are in host memory, and a
launch goes to the emulator; with a GPU (test/gpu/sparse_tensors.py) all of it goes there."""

import logging
import unittest
from unittest import mock

import torch

import heddle.sparse
from heddle import _sparse_gpu, _sparse_rows, _sparse_torch
from tensors import dense, stored, thin, whole

SIZES = {"i": 11, "j": 9, "k": 7}
EINSUMS = (
    ("ij,jk->ik", ("csr", "strided")),
    ("ij,jk->ik", ("narrow", "strided")),
    ("ij,kj->ik", ("csr", "strided")),
    ("ij,j->i", ("csr", "strided")),
    ("ij,ik,jk->ij", ("csr", "strided", "strided")),
    ("ij,ik,jk->ij", ("narrow", "strided", "strided")),
    ("ij,i,j->ij", ("csr", "strided", "strided")),
)
MOST = {torch.float64: 1e-13, torch.float32: 2e-6, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def operands_of(subscripts, layouts, dtype=torch.float32, sizes=SIZES, density=0.3):
    inputs = subscripts.split("->")[0].split(",")
    return [stored(dense(*(sizes[index] for index in indices), dtype=dtype, seed=number) if layout == "strided" else
                   thin(*(sizes[index] for index in indices), dtype=dtype, seed=number, density=density), layout)
            for number, (indices, layout) in enumerate(zip(inputs, layouts))]


def _lengths(lengths, dtype=torch.float32, index=torch.int32, columns=200):
    """A matrix whose rows have so many elements."""
    positions = torch.tensor([0, *lengths]).cumsum(0).to(index)
    generator = torch.Generator().manual_seed(5)
    drawn = [torch.randperm(columns, generator=generator)[:length].sort().values for length in lengths]
    coordinates = torch.cat(drawn).to(index)
    return torch.sparse_csr_tensor(positions, coordinates, dense(len(coordinates), dtype=dtype), (len(lengths), columns))


class SparseGpu(unittest.TestCase):
    def near(self, found, subscripts, operands, scale=1.0):
        wanted = torch.einsum(subscripts, *(whole(operand).double() for operand in operands))
        size = torch.einsum(subscripts, *(whole(operand).double().abs() for operand in operands))
        self.assertEqual(found.shape, wanted.shape)
        self.assertEqual(found.dtype, operands[0].dtype)
        error = (whole(found).double() - wanted).abs() - scale * MOST[found.dtype] * size
        self.assertLessEqual(float(error.max()) if error.numel() else 0, 0)

    def compute(self, subscripts, operands, format=None):
        found = _sparse_gpu.compute(subscripts, operands, format)
        self.near(found, subscripts, operands)
        return found

    def test_results_of_each_type(self):
        for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
            for subscripts, layouts in EINSUMS:
                with self.subTest(subscripts=subscripts, layouts=layouts, dtype=dtype):
                    self.compute(subscripts, operands_of(subscripts, layouts, dtype))

    def test_extents(self):
        for extents in ({"i": 1}, {"k": 1}, {"k": 64}, {"k": 131}, {"k": 300}, {"j": 40, "k": 33}, {"i": 0}, {"k": 0},
                        {"j": 0}):
            for subscripts, layouts in (EINSUMS[0], EINSUMS[4]):
                with self.subTest(subscripts=subscripts, extents=extents):
                    self.compute(subscripts, operands_of(subscripts, layouts, sizes={**SIZES, **extents}))

    def test_sparsity(self):
        for density in (0.0, 1.0):
            for subscripts, layouts in (EINSUMS[0], EINSUMS[4]):
                with self.subTest(subscripts=subscripts, density=density):
                    self.compute(subscripts, operands_of(subscripts, layouts, density=density))

    def test_a_csr_result_shares_positions(self):
        operands = operands_of(*EINSUMS[5])
        found = self.compute(EINSUMS[5][0], operands)
        self.assertEqual(found.layout, torch.sparse_csr)
        self.assertEqual(found.col_indices().data_ptr(), operands[0].col_indices().data_ptr())

    def test_nothing_contiguous_is_copied(self):
        operands, launched = operands_of(*EINSUMS[1]), []
        call, readable, matrices = _sparse_gpu._find(EINSUMS[1][0], operands, None)
        names = call.names
        with mock.patch.object(call.compiled, "run", lambda *values: launched.extend(values)):
            call.run(readable, matrices)
        passed = dict(zip(names, launched))
        self.assertEqual(set(passed), {"T0_pos1", "T0_crd1", "T0_val", "T1", "R"})
        self.assertEqual(passed["T0_pos1"].data_ptr(), operands[0].crow_indices().data_ptr())
        self.assertEqual(passed["T0_crd1"].data_ptr(), operands[0].col_indices().data_ptr())
        self.assertEqual(passed["T0_val"].data_ptr(), operands[0].values().data_ptr())
        self.assertEqual(passed["T1"].data_ptr(), operands[1].data_ptr())

    def test_transposed_operands(self):
        matrix, _ = operands_of(*EINSUMS[0])
        self.compute("ij,jk->ik", [matrix, dense(5, 9, dtype=torch.float32).t()])
        self.compute("ij,jk->ik", [matrix, dense(9, 10, dtype=torch.float32)[:, ::2]])

    def test_a_call_is_compiled_once(self):
        operands = operands_of(*EINSUMS[0])
        self.compute(EINSUMS[0][0], operands)
        with mock.patch.object(_sparse_gpu.compiler, "compile", side_effect=AssertionError("compiled again")):
            self.compute(EINSUMS[0][0], operands)

    def test_a_written_matrix_is_checked_again(self):
        matrix, other = operands_of(*EINSUMS[0])
        self.compute("ij,jk->ik", [matrix, other])
        matrix.values().mul_(2)
        self.compute("ij,jk->ik", [matrix, other])
        matrix.col_indices()[0] = 100
        with self.assertRaisesRegex(ValueError, "operand T0: a coordinate is outside of 0 to 8"):
            _sparse_gpu.compute("ij,jk->ik", [matrix, other], None)

    def test_faults_of_rows(self):
        def fault(positions, coordinates):
            return _sparse_gpu.fault_of_rows(torch.tensor(positions), torch.tensor(coordinates, dtype=torch.int64), 2, 4)

        self.assertEqual(fault([0, 1, 3], [0, 1, 2]), "")
        self.assertEqual(fault([0, 2, 2], [0, 3]), "")
        self.assertEqual(fault([0, 0, 0], []), "")
        self.assertIn("in 3 steps", fault([0, 1, 3, 3], [0, 1, 2]))
        for positions in ([1, 1, 3], [0, 3, 2], [0, 1, 2]):
            self.assertIn("rise from 0 to the number of elements, 3", fault(positions, [0, 1, 2]))
        for coordinates in ([0, 1, 4], [-1, 1, 2]):
            self.assertEqual(fault([0, 1, 3], coordinates), "a coordinate is outside of 0 to 3")
        for coordinates in ([0, 2, 1], [0, 1, 1]):
            self.assertIn("not sorted, or repeated", fault([0, 1, 3], coordinates))

    def test_what_is_refused(self):
        matrix, other = operands_of(*EINSUMS[0])
        cases = (
            (TypeError, "operand T1 is on meta and T0 on cpu; move all to one device", "ij,jk->ik", [matrix, other.to("meta")]),
            (TypeError, "operand T1 has elements of torch.float64 and T0 of torch.float32", "ij,jk->ik",
             [matrix, other.double()]),
            (TypeError, "operand T1 has elements of torch.int64", "ij,jk->ik", [matrix, other.long()]),
            (ValueError, "j is 9 and, in T1, 11", "ij,jk->ik", [matrix, dense(11, 3, dtype=torch.float32)]),
            (ValueError, "operand T1 has 2 axes and 1 indices", "ij,j->i", [matrix, other]),
            (NotImplementedError, "have to be counted first", "ij,ij->ij", [matrix, matrix]),
            (NotImplementedError, "operand T0 is stored as torch.sparse_coo", "ij,ik,jk->ij",
             [stored(thin(11, 9, dtype=torch.float32), "coo"), dense(11, 3, dtype=torch.float32),
              dense(9, 3, dtype=torch.float32)]),
        )
        for kind, text, subscripts, operands in cases:
            with self.subTest(text=text), self.assertRaisesRegex(kind, text):
                _sparse_gpu.compute(subscripts, operands, None)

    def test_what_pytorch_computes(self):
        """A matrix by columns has no kernel; PyTorch has one, and a remark says so, once."""
        _sparse_gpu.declined.clear()
        operands = operands_of("ij,jk->ik", ("csc", "strided"))
        with self.assertLogs("heddle.sparse", logging.WARNING) as logged:
            self.compute("ij,jk->ik", operands)
            self.compute("ij,jk->ik", operands)
        self.assertEqual(len(logged.output), 1)
        self.assertIn("is computed by PyTorch", logged.output[0])
        self.assertEqual(sum(_sparse_gpu.declined.values()), 2)
        self.assertEqual([calls for name, _, calls in heddle.sparse.declined() if name == "ij,jk->ik on a GPU"], [2])

    def test_the_door_sends_tensors_of_gpus_here(self):
        """heddle.sparse sees a tensor that is not on the host; where that is a GPU it comes here."""
        operands = operands_of(*EINSUMS[0])
        elsewhere = mock.patch.object(_sparse_torch, "_find", side_effect=_sparse_torch.Elsewhere("T0", "cuda:0"))
        with elsewhere, mock.patch.object(_sparse_torch, "is_on_gpu", lambda value: True):
            self.near(heddle.sparse.matmul(*operands), "ij,jk->ik", operands)
            self.assertIn("einsum", heddle.sparse.plan_of("ij,jk->ik", *operands))
        with elsewhere, self.assertRaisesRegex(TypeError, "operand T0 is on cuda:0; heddle.sparse computes on CPUs and"):
            heddle.sparse.matmul(*operands)

    def test_rows_are_cut_by_their_lengths(self):
        """A row longer than twice what each warp has anyhow; the numbers of a mail graph do, those
        of a circuit, whose long rows end before the rest does, do not."""
        self.assertEqual(_sparse_rows.decide(353, 210000, 3168).limit, 0)
        self.assertEqual(_sparse_rows.decide(1383, 66000, 3168), _sparse_rows.Decision(
            168, "the longest row, of 1383 elements, is 173 turns of a warp, and each of 3168 warps has 21: "
            "longer rows are cut into parts of at most 168"))
        self.assertEqual(_sparse_rows.decide(64, 8, 3168).limit, 0)
        self.assertEqual(_sparse_rows.decide(65, 9, 3168).limit, 32)
        self.assertEqual(_sparse_rows.decide(0, 0, 3168).limit, 0)

    def test_warps_at_once(self):
        facts = mock.Mock(multi_processor_count=10, max_threads_per_multi_processor=2048, warp_size=32,
                          regs_per_multiprocessor=65536)
        with mock.patch("torch.cuda.get_device_properties", lambda device: facts):
            for registers, warps in ((64, 320), (16, 640), (80, 250)):
                kernel = mock.Mock(resources=lambda: {"registers": registers})
                self.assertEqual(_sparse_gpu.warps_at_once(kernel, "cuda"), warps)

    def test_parts_are_the_rows(self):
        matrix = _sparse_gpu.Matrix(_lengths([0, 1, 32, 33, 64, 65, 100, 0]), "T0")
        begins, targets, ends, rows = matrix.cut(32)
        self.assertEqual(begins.tolist(), [0, 0, 1, 33, 49, 66, 98, 130, 151, 173, 195, 220, 245, 270, 295, 295])
        self.assertEqual(targets.tolist(), [0, 1, 2, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 7])
        self.assertEqual((ends.tolist(), rows.tolist()), ([0, 2, 4, 7, 11], [3, 4, 5, 6]))

    def test_products_of_cut_rows(self):
        with mock.patch.object(_sparse_gpu, "_decide", lambda call, values, matrices: matrices[0].decide(1, 64)):
            for dtype in MOST:
                for lengths in ([0, 3, 200, 65, 64, 1, 0], [200], [0, 0, 130]):
                    for columns, index in ((64, torch.int32), (3, torch.int64), (131, torch.int32)):
                        with self.subTest(dtype=dtype, lengths=lengths, columns=columns):
                            matrix = _lengths(lengths, dtype, index)
                            other = dense(200, columns, dtype=dtype)
                            with mock.patch.object(_sparse_gpu.CutProduct, "run", autospec=True,
                                                   side_effect=_sparse_gpu.CutProduct.run) as cut:
                                first = self.compute("ij,jk->ik", [matrix, other])
                                again = _sparse_gpu.compute("ij,jk->ik", [matrix, other], None)
                            self.assertEqual(cut.call_count, 2)
                            self.assertTrue(torch.equal(first, again))
                            plan = _sparse_gpu.plan_of("ij,jk->ik", [matrix, other], None)
                            self.assertIn("longer rows are cut", plan)

    def test_a_matrix_of_another_device_is_not_described(self):
        # The backward pass puts its matrix together and trusts it, wherever that is.
        matrix = thin(4, 3, seed=1).to_sparse_csr()
        away = torch.sparse_csr_tensor(
            *(array.to("meta") for array in (matrix.crow_indices(), matrix.col_indices(), matrix.values())), (4, 3))
        self.assertIs(_sparse_torch.trust(away), away)

    def test_gradients(self):
        matrix, other = operands_of(*EINSUMS[0])
        other.requires_grad_()

        def gpu(subscripts, values, format, workers):
            return _sparse_gpu.compute(subscripts, values, format)

        with mock.patch("heddle._sparse_gradients.compute", gpu):
            heddle.sparse.matmul(matrix, other).square().sum().backward()
        found, other.grad = other.grad, None
        (whole(matrix) @ other).square().sum().backward()
        self.assertLessEqual(float((found - other.grad).abs().max()), 1e-4)


if __name__ == "__main__":
    unittest.main()
