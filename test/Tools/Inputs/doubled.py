# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel of Triton with a number that is its own operand twice, again and again:
doubled.py OPERATION. As an expression it is 2^40 operations, in the text 40."""

import sys

LINES = 40

print("module {\n  tt.func public @k(%x_ptr: !tt.ptr<f32>, %out_ptr: !tt.ptr<f32>, %v0: i32) {")
for line in range(LINES):
    print(f"    %v{line + 1} = arith.{sys.argv[1]} %v{line}, %v{line} : i32")
print(f"""    %r = tt.make_range {{end = 32 : i32, start = 0 : i32}} : tensor<32xi32>
    %o = tt.splat %v{LINES} : i32 -> tensor<32xi32>
    %i = arith.addi %o, %r : tensor<32xi32>
    %x = tt.splat %x_ptr : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %p = tt.addptr %x, %i : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    %v = tt.load %p : tensor<32x!tt.ptr<f32>>
    %y = tt.splat %out_ptr : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
    %q = tt.addptr %y, %r : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
    tt.store %q, %v : tensor<32x!tt.ptr<f32>>
    tt.return
  }}
}}""")
