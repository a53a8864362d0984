# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle.torch, on tensors of the host; needs PyTorch."""

import unittest

import heddle
from heddle import _compiler_capi

try:
    import torch

    import heddle.torch
except ImportError as error:
    torch, missing = None, str(error)
    print("remark: heddle.torch is not tested: %s" % missing)
else:
    missing = ""

SCALE = """tile.kernel @scale(
    %x: !tile.view<?xf32>, %y: !tile.view<?xf32>, %s: f32) {
  %c128 = arith.constant 128 : index
  %n = tile.dim %x, 0 : !tile.view<?xf32>
  %blocks = arith.ceildivui %n, %c128 : index
  %ss = tile.splat %s : f32 -> tensor<128xf32>
  tile.parallel (%i) to (%blocks) {
    %at = arith.muli %i, %c128 : index
    %v = tile.load %x[%at] : !tile.view<?xf32> -> tensor<128xf32>
    %w = arith.mulf %v, %ss : tensor<128xf32>
    tile.store %w, %y[%at] : tensor<128xf32>, !tile.view<?xf32>
  }
}
"""


@unittest.skipIf(missing, missing)
class TorchTest(unittest.TestCase):
    def setUp(self):
        try:
            _compiler_capi.library()
        except OSError as error:
            self.skipTest(str(error))
        self.compiled = heddle.compile(SCALE)
        self.x = torch.randn(300)

    def test_host_tensors(self):
        y = torch.empty(300)
        self.compiled.run(self.x, y, 2.0)
        self.assertTrue(torch.equal(y, 2 * self.x))

    def test_an_operator_that_mutates(self):
        op = heddle.torch.custom_op("heddle_test::scale_into", self.compiled)
        y = torch.empty(300)
        self.assertIsNone(op(self.x, y, 3.0))
        self.assertTrue(torch.equal(y, 3 * self.x))
        torch.library.opcheck(op, (self.x, torch.zeros(300), 3.0))

    def test_an_operator_with_a_result(self):
        op = heddle.torch.custom_op(
            "heddle_test::scale", self.compiled, outputs={"y": lambda x, s: torch.empty_like(x)}
        )
        self.assertTrue(torch.equal(op(self.x, 3.0), 3 * self.x))
        torch.library.opcheck(op, (self.x, 3.0))

    def test_mistakes(self):
        with self.assertRaisesRegex(TypeError, "kernel 'scale' has no argument 'z'"):
            heddle.torch.custom_op("heddle_test::bad", self.compiled, outputs={"z": None})
        with self.assertRaisesRegex(TypeError, "kernel 'scale' has not a grid"):
            heddle.torch.custom_op("heddle_test::bad", self.compiled, grid=lambda *values: (1,))


if __name__ == "__main__":
    unittest.main()
