// RUN: heddle-opt %s --ttir-to-tile | FileCheck %s
// A `while` with products, whose end numbers alone decide, is a loop over the turns that a loop over these
// numbers counts in front of it.

// CHECK-LABEL: tile.kernel @shares
// CHECK: %[[TURNS:.*]]:2 = scf.while (%[[AT:.*]] = %[[FIRST:.*]], %[[TURN:.*]] = %{{.*}}) : (i32, index) -> (i32, index) {
// CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[AT]], %{{.*}} : i32
// CHECK: scf.condition(%[[MORE]]) %[[AT]], %[[TURN]] : i32, index
// CHECK: ^bb0(%[[AT2:.*]]: i32, %[[TURN2:.*]]: index):
// CHECK-NOT: tile.dot
// CHECK: %[[NEXT:.*]] = arith.minsi %{{.*}}, %{{.*}} : i32
// CHECK: %[[COUNT:.*]] = arith.addi %[[TURN2]], %{{.*}} : index
// CHECK: scf.yield %[[NEXT]], %[[COUNT]] : i32, index
// CHECK: %[[LOOP:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %[[TURNS]]#1 step %{{.*}} iter_args(%[[I:.*]] = %[[FIRST]], %{{.*}} = %{{.*}})
// CHECK: tile.dot
// CHECK: arith.minsi
// CHECK-NOT: scf.while
tt.func public @shares(%out: !tt.ptr<i32>, %c: !tt.ptr<f32>, %x: f16, %end: i32, %tile: i32) {
  %first = tt.get_program_id x : i32
  %a = tt.splat %x : f16 -> tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r:2 = scf.while (%i = %first, %s = %zero) : (i32, tensor<16x16xf32>) -> (i32, tensor<16x16xf32>) {
    %more = arith.cmpi slt, %i, %end : i32
    scf.condition(%more) %i, %s : i32, tensor<16x16xf32>
  } do {
  ^bb0(%i: i32, %s: tensor<16x16xf32>):
    %d = tt.dot %a, %a, %s : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %in = arith.remsi %i, %tile : i32
    %left = arith.subi %tile, %in : i32
    %behind = arith.addi %i, %left : i32
    %next = arith.minsi %behind, %end : i32
    scf.yield %next, %d : i32, tensor<16x16xf32>
  }
  %p = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  tt.store %p, %r#1 : tensor<16x16x!tt.ptr<f32>>
  tt.store %out, %r#0 : !tt.ptr<i32>
  tt.return
}

// The next block's number is read in front, too: the kernel never writes it.
// CHECK-LABEL: tile.kernel @list
// CHECK: %[[TURNS:.*]]:2 = scf.while
// CHECK: scf.condition
// CHECK-NOT: tile.dot
// CHECK: tile.gather
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[TURNS]]#1
// CHECK: tile.dot
// CHECK: tile.gather
// CHECK-NOT: scf.while
tt.func public @list(%out: !tt.ptr<i32>, %c: !tt.ptr<f32>, %x: f16, %end: i32, %list: !tt.ptr<i32>) {
  %first = tt.get_program_id x : i32
  %a = tt.splat %x : f16 -> tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r:2 = scf.while (%i = %first, %s = %zero) : (i32, tensor<16x16xf32>) -> (i32, tensor<16x16xf32>) {
    %more = arith.cmpi slt, %i, %end : i32
    scf.condition(%more) %i, %s : i32, tensor<16x16xf32>
  } do {
  ^bb0(%i: i32, %s: tensor<16x16xf32>):
    %d = tt.dot %a, %a, %s : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %at = tt.addptr %list, %i : !tt.ptr<i32>, i32
    %next = tt.load %at : !tt.ptr<i32>
    scf.yield %next, %d : i32, tensor<16x16xf32>
  }
  %p = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  tt.store %p, %r#1 : tensor<16x16x!tt.ptr<f32>>
  tt.store %out, %r#0 : !tt.ptr<i32>
  tt.return
}

// These stay: memory that the kernel writes decides, and nothing is multiplied.
// CHECK-LABEL: tile.kernel @stay
// CHECK-NOT: scf.for
// CHECK-COUNT-2: scf.while
// CHECK-NOT: scf.while
tt.func public @stay(%out: !tt.ptr<i32>, %c: !tt.ptr<f32>, %x: f16, %end: i32, %list: !tt.ptr<i32>) {
  %first = tt.get_program_id x : i32
  %a = tt.splat %x : f16 -> tensor<16x16xf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r:2 = scf.while (%i = %first, %s = %zero) : (i32, tensor<16x16xf32>) -> (i32, tensor<16x16xf32>) {
    %more = arith.cmpi slt, %i, %end : i32
    scf.condition(%more) %i, %s : i32, tensor<16x16xf32>
  } do {
  ^bb0(%i: i32, %s: tensor<16x16xf32>):
    %d = tt.dot %a, %a, %s : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %at = tt.addptr %list, %i : !tt.ptr<i32>, i32
    %next = tt.load %at : !tt.ptr<i32>
    scf.yield %next, %d : i32, tensor<16x16xf32>
  }
  %q = scf.while (%i = %r#0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %end : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %i : i32
    scf.yield %next : i32
  }
  %p = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  tt.store %p, %r#1 : tensor<16x16x!tt.ptr<f32>>
  tt.store %list, %q : !tt.ptr<i32>
  tt.return
}
