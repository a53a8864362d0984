# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's tensors as arguments of kernels, on the emulator."""

import pathlib
import unittest

import torch

import heddle
from tensors import dense

TRANSPOSE = pathlib.Path(__file__).resolve().parents[2] / "examples/transpose.mlir"


class Arguments(unittest.TestCase):
    def setUp(self):
        self.transpose = heddle.compile(TRANSPOSE)
        self.x, self.y = dense(64, 72, dtype=torch.float16), torch.zeros(72, 64, dtype=torch.float16)

    def test_a_launch(self):
        self.transpose.run(self.x, self.y)
        self.assertTrue(torch.equal(self.y, self.x.T))

    def test_numbers_that_are_negated_when_they_are_read(self):
        for x, y, name in ((torch._neg_view(self.x), self.y, "x"), (self.x, torch._neg_view(self.y), "y")):
            with self.assertRaisesRegex(TypeError, rf"argument '{name}' .* negated .* resolve_neg\(\)"):
                self.transpose.run(x, y)
        self.transpose.run(torch._neg_view(self.x).resolve_neg(), self.y)
        self.assertTrue(torch.equal(self.y, -self.x.T))

    def test_memory_that_was_given_back(self):
        for left in (0, 64):
            x = self.x.clone()
            x.untyped_storage().resize_(left)
            with self.assertRaisesRegex(
                    ValueError, f"argument 'x' has elements in 9216 bytes of a storage, of which {left} are left"):
                self.transpose.run(x, self.y)

    def test_tensors_without_memory(self):
        for x in (self.x.to("meta"), self.x.to_sparse_csr(), self.x.float().to_mkldnn()):
            with self.assertRaisesRegex(TypeError, "argument 'x' is a torch tensor (on meta|stored as torch.*)"):
                self.transpose.run(x, self.y)


if __name__ == "__main__":
    unittest.main()
