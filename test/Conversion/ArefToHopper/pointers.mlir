// RUN: heddle-opt %s --aref-to-hopper --split-input-file --verify-diagnostics | FileCheck %s

// Addresses, masks and values are alike, an element a lane.
// CHECK-LABEL: hopper.kernel @move(
// CHECK: %[[V:.*]] = tile.gather %{{.*}} : tensor<128x!tile.ptr<f32>, #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>>
// CHECK: tile.scatter %[[V]]
// CHECK-NOT: tile.print
tile.kernel @move(%p: !tile.ptr<f32>, %offsets: !tile.view<?xi32>) {
  %c0 = arith.constant 0 : index
  aref.process "main" warps 4 registers 0 {
    %o = tile.load %offsets[%c0] : !tile.view<?xi32> -> tensor<128xi32>
    %base = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
    %at = tile.ptr_add %base, %o : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
    %v = tile.gather %at : tensor<128x!tile.ptr<f32>> -> tensor<128xf32>
    // expected-remark @+1 {{nothing prints on sm_90a: run the program in the interpreter to see it [print-dropped]}}
    tile.print "v", %v : tensor<128xf32>
    tile.scatter %v, %at : tensor<128xf32>, tensor<128x!tile.ptr<f32>>
  }
}

// -----

// A view made in the body is read like an argument, but nobody promised its rows.
// CHECK-LABEL: hopper.kernel @made(
// CHECK: %[[VIEW:.*]] = tile.make_view %p
// CHECK: hopper.global_load %[[VIEW]][%{{.*}}] : !tile.view<?xf32>
tile.kernel @made(%p: !tile.ptr<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  aref.process "main" warps 4 registers 0 {
    %view = tile.make_view %p, [%n], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
    %v = tile.load %view[%c0] : !tile.view<?xf32> -> tensor<128xf32>
    // expected-remark @+1 {{[store-not-tma]}}
    tile.store %v, %view[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}

// -----

tile.kernel @chosen(%a: !tile.view<?xf32>, %b: !tile.view<?xf32>, %first: i1) {
  %c0 = arith.constant 0 : index
  aref.process "main" warps 4 registers 0 {
    %view = scf.if %first -> !tile.view<?xf32> {
      // expected-error @+1 {{hands on a view, which has no form on sm_90a; hand on its pointer and make the view where it is used}}
      scf.yield %a : !tile.view<?xf32>
    } else {
      scf.yield %b : !tile.view<?xf32>
    }
    %v = tile.load %view[%c0] : !tile.view<?xf32> -> tensor<128xf32>
    tile.store %v, %b[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}

// -----

// One that arguments alone decide is made by the launch: an argument more, whose
// rows may be promised.
// CHECK-LABEL: hopper.kernel @launched(
// CHECK-SAME: %n: i32, %[[MADE:[^:]*]]: !tile.view<?xf32>) source "launched" {{.*}} rows [2]
// CHECK: hopper.made_view %[[MADE]] of %p + %{{.*}}, [%{{.*}}], [%{{.*}}] : !tile.view<?xf32>, !tile.ptr<f32>
// CHECK: hopper.global_load %[[MADE]][%{{.*}}] vector 4
tile.kernel @launched(%p: !tile.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %end = arith.index_cast %n : i32 to index
  %q = tile.ptr_add %p, %c4 : !tile.ptr<f32>, index
  %view = tile.make_view %q, [%end], [%c1] : !tile.ptr<f32> -> !tile.view<?xf32>
  aref.process "main" warps 1 registers 0 {
    %v = tile.load %view[%c0] : !tile.view<?xf32> -> tensor<128xf32>
    // expected-remark @+1 {{[store-not-tma]}}
    tile.store %v, %view[%c0] : tensor<128xf32>, !tile.view<?xf32>
  }
}
