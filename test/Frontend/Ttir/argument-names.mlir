// RUN: heddle-opt %s --ttir-to-tile | FileCheck %s
// `p = b_ptr` names the argument's place in Triton's text p, and the argument twice. The launch knows it as b_ptr.

// CHECK-LABEL: tile.kernel @k
// CHECK-SAME: %a_ptr: !tile.ptr<f32>, %b_ptr: !tile.ptr<f32>, %o_ptr: !tile.ptr<f32>
#place = loc("kernel.py":7:0)
#a = loc("a_ptr"(#place))
#b = loc("b_ptr"(#place))
tt.func public @k(%p: !tt.ptr<f32> loc("p"(#a)), %p_1: !tt.ptr<f32> loc("q"("p"(#b))),
                  %o_ptr: !tt.ptr<f32> loc("o_ptr"(#place))) {
  %x = tt.load %p : !tt.ptr<f32>
  %y = tt.load %p_1 : !tt.ptr<f32>
  %sum = arith.addf %x, %y : f32
  tt.store %o_ptr, %sum : !tt.ptr<f32>
  tt.return
}
