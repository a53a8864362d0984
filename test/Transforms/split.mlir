// RUN: heddle-opt %s --sched-name-ops --tile-split --split-input-file | FileCheck %s

// Rows are split; the right operand and K stay whole; a row vector's load is
// repeated for each sub-tile.
// CHECK-LABEL: tile.kernel @two_subtiles
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK-DAG: tile.load %a[%{{.*}}] {sched.of = "load_a", sched.op = "load_a.0", sched.sub = 0 : i64} : {{.*}} -> tensor<64x32xf16>
// CHECK-DAG: tile.load %a[%{{.*}}] {sched.of = "load_a", sched.op = "load_a.1", sched.sub = 1 : i64} : {{.*}} -> tensor<64x32xf16>
// CHECK-DAG: tile.load %b[%{{.*}}] {sched.op = "load_b"} : {{.*}} -> tensor<32x64xf16>
// CHECK-DAG: tile.dot {{.*}} {sched.of = "dot", sched.op = "dot.0", sched.sub = 0 : i64}
// CHECK-DAG: tile.dot {{.*}} {sched.of = "dot", sched.op = "dot.1", sched.sub = 1 : i64}
// CHECK: } {sched.loop = "loop"}
// CHECK-DAG: tile.load %bias{{.*}} {sched.of = "load_bias", sched.op = "load_bias.0"
// CHECK-DAG: tile.load %bias{{.*}} {sched.of = "load_bias", sched.op = "load_bias.1"
// CHECK: tile.store {{.*}} {sched.of = "store_c", sched.op = "store_c.0"
// CHECK: %[[C64:.*]] = arith.constant 64 : index
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[C64]]
// CHECK: tile.store {{.*}}%c[%[[ROW]], %{{.*}}] {sched.of = "store_c", sched.op = "store_c.1"
tile.kernel @two_subtiles(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %bias: !tile.view<?xf32>,
                          %c: !tile.view<?x?xf32>, %row: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %acc = scf.for %i = %c0 to %k step %c32 iter_args(%s = %zero) -> (tensor<128x64xf32>) {
    %x = tile.load %a[%row, %i] : !tile.view<?x?xf16> -> tensor<128x32xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
    %d = tile.dot %x, %y, %s : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
    scf.yield %d : tensor<128x64xf32>
  }
  %v = tile.load %bias[%c0] : !tile.view<?xf32> -> tensor<64xf32>
  %w = tile.expand_dims %v, 0 : tensor<64xf32> -> tensor<1x64xf32>
  %u = tile.broadcast %w : tensor<1x64xf32> -> tensor<128x64xf32>
  %o = arith.addf %acc, %u : tensor<128x64xf32>
  tile.store %o, %c[%row, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
}

// -----

// 64 rows are one wgmma: nothing to split.
// CHECK-LABEL: tile.kernel @whole
// CHECK-NOT: sched.sub
// CHECK: tile.store
tile.kernel @whole(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
  %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %d = tile.dot %x, %y, %zero : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
  tile.store %d, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// -----

// A row's maximum is split with the row, through a reduction, a loop and a
// conditional. The numbers of rows go on in the second sub-tile; those of columns
// stay whole, though both came from one iota.
tile.kernel @row_vectors(%a: !tile.view<?x?x?xf16>, %b: !tile.view<?x?xf16>,
                         %y: !tile.view<?xf32>, %row: index, %k: index, %mask: i1) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %none = tile.splat %f0 : f32 -> tensor<128xf32>
  %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
  %max = scf.for %i = %c0 to %k step %c32 iter_args(%m = %none) -> (tensor<128xf32>) {
    %x1 = tile.load %a[%c0, %row, %i] : !tile.view<?x?x?xf16> -> tensor<1x128x32xf16>
    %x = tile.reshape %x1 : tensor<1x128x32xf16> -> tensor<128x32xf16>
    %z = tile.load %b[%c0, %i] : !tile.view<?x?xf16> -> tensor<128x32xf16>
    %zt = tile.trans %z, [1, 0] : tensor<128x32xf16> -> tensor<32x128xf16>
    %s = tile.dot %x, %zt, %zero : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
    %t = scf.if %mask -> (tensor<128x128xf32>) {
      %n = tile.iota : tensor<128xi32>
      %rows = tile.expand_dims %n, 1 : tensor<128xi32> -> tensor<128x1xi32>
      %cols = tile.expand_dims %n, 0 : tensor<128xi32> -> tensor<1x128xi32>
      %rows2 = tile.broadcast %rows : tensor<128x1xi32> -> tensor<128x128xi32>
      %cols2 = tile.broadcast %cols : tensor<1x128xi32> -> tensor<128x128xi32>
      %below = arith.cmpi sle, %cols2, %rows2 : tensor<128x128xi32>
      %u = arith.select %below, %s, %zero : tensor<128x128xi1>, tensor<128x128xf32>
      scf.yield %u : tensor<128x128xf32>
    } else {
      scf.yield %s : tensor<128x128xf32>
    }
    %here = tile.reduce %t axis 1 : tensor<128x128xf32> -> tensor<128xf32>
        combine (%p: f32, %q: f32) {
      %l = arith.maximumf %p, %q : f32
      tile.yield %l : f32
    }
    %next = arith.maximumf %m, %here : tensor<128xf32>
    scf.yield %next : tensor<128xf32>
  }
  tile.store %max, %y[%row] : tensor<128xf32>, !tile.view<?xf32>
}
// CHECK-LABEL: tile.kernel @row_vectors
// CHECK: scf.for {{.*}} -> (tensor<64xf32>, tensor<64xf32>)
// CHECK: tile.load %a[%c0, %{{.*}}, %{{.*}}] {sched.of = "load_a", sched.op = "load_a.1"{{.*}} -> tensor<1x64x32xf16>
// CHECK: tile.reshape {{.*}} {sched.of = "reshape", sched.op = "reshape.0"{{.*}} -> tensor<64x32xf16>
// CHECK: tile.trans {{.*}} : tensor<128x32xf16> -> tensor<32x128xf16>
// CHECK: %[[FIRST:.*]] = scf.if {{.*}} -> (tensor<64x128xf32>)
// CHECK: } {sched.of = "if", sched.op = "if.0"
// CHECK: %[[SECOND:.*]] = scf.if {{.*}} -> (tensor<64x128xf32>)
// CHECK-DAG: tile.iota {sched.sub = 1 : i64} : tensor<128xi32>
// CHECK-DAG: %[[ROWS:.*]] = tile.iota {sched.sub = 1 : i64} : tensor<64xi32>
// CHECK-DAG: %[[C64:.*]] = arith.constant dense<64> : tensor<64xi32>
// CHECK-DAG: arith.addi %[[ROWS]], %[[C64]]
// CHECK: arith.select {{.*}} : tensor<64x128xi1>, tensor<64x128xf32>
// CHECK: } else {
// CHECK: } {sched.of = "if", sched.op = "if.1"
// CHECK: tile.reduce %[[FIRST]] axis 1 {sched.of = "reduce", sched.op = "reduce.0"{{.*}} : tensor<64x128xf32> -> tensor<64xf32>
// CHECK: tile.reduce %[[SECOND]] axis 1 {sched.of = "reduce", sched.op = "reduce.1"
// CHECK: tile.store {{.*}} {sched.of = "store_y", sched.op = "store_y.1"{{.*}} : tensor<64xf32>

// -----

// A tile that the loop carries whole is not repeated, though one of its users is.
// CHECK-LABEL: tile.kernel @carried_whole
// CHECK: scf.for {{.*}} -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>)
// CHECK: scf.yield {{.*}} : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>
tile.kernel @carried_whole(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %bias: !tile.view<?xf32>,
                           %c: !tile.view<?x?xf32>, %y: !tile.view<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %none = tile.splat %f0 : f32 -> tensor<64xf32>
  %acc, %last = scf.for %i = %c0 to %k step %c32 iter_args(%s = %zero, %v = %none)
      -> (tensor<128x64xf32>, tensor<64xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<128x32xf16>
    %z = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
    %d = tile.dot %x, %z, %s : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
    %w = tile.load %bias[%i] : !tile.view<?xf32> -> tensor<64xf32>
    scf.yield %d, %w : tensor<128x64xf32>, tensor<64xf32>
  }
  tile.store %acc, %c[%c0, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
  tile.store %last, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
}

// -----

// An update of memory happens once, whether or not its result is read.
// CHECK-LABEL: tile.kernel @update
// CHECK-COUNT-1: tile.atomic_rmw
// CHECK-NOT: tile.atomic_rmw
// CHECK: tile.store {{.*}} {sched.of = "store_c", sched.op = "store_c.1"
tile.kernel @update(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %p: !tile.ptr<f32>,
                    %c: !tile.view<?x?xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %x = tile.load %a[%row, %c0] : !tile.view<?x?xf16> -> tensor<128x32xf16>
  %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %d = tile.dot %x, %y, %zero : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  %f1 = arith.constant 1.0 : f32
  %ones = tile.splat %f1 : f32 -> tensor<8xf32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<8x!tile.ptr<f32>>
  %old = tile.atomic_rmw fadd, relaxed, gpu, %ps, %ones
    : tensor<8x!tile.ptr<f32>>, tensor<8xf32> -> tensor<8xf32>
  tile.store %d, %c[%row, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
}
