// RUN: heddle compile %s --emit=aref | FileCheck %s

// A scalar that the kernel reads and never writes is read by the process whose
// address it is part of; so nobody waits for anybody.
// CHECK: aref.process "load"
// CHECK: tile.gather {{.*}} : !tile.ptr<i32> -> i32
// CHECK: tile.make_view
// CHECK: aref.process "mma.0"
// CHECK-NOT: tile.gather
tile.kernel @chosen(%a: !tile.view<?x?xf16>, %b: !tile.ptr<f16>, %which: !tile.ptr<i32>,
                    %c: !tile.view<?x?xf32>, %stride: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %n = tile.dim %c, 1 : !tile.view<?x?xf32>
  %gm = arith.ceildivui %m, %c128 : index
  %gn = arith.ceildivui %n, %c128 : index
  tile.parallel (%i, %j) to (%gm, %gn) {
    %row = arith.muli %i, %c128 : index
    %col = arith.muli %j, %c128 : index
    %at = tile.ptr_add %which, %i : !tile.ptr<i32>, index
    %number = tile.gather %at : !tile.ptr<i32> -> i32
    %place = arith.index_cast %number : i32 to index
    %offset = arith.muli %place, %stride : index
    %p = tile.ptr_add %b, %offset : !tile.ptr<f16>, index
    %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
    %acc = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<128x64xf16>
      %view = tile.make_view %p, [%k, %n], [%n, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
      %y = tile.load %view[%kk, %col] : !tile.view<?x?xf16> -> tensor<64x128xf16>
      %d = tile.dot %x, %y, %s : tensor<128x64xf16>, tensor<64x128xf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    tile.store %acc, %c[%row, %col] : tensor<128x128xf32>, !tile.view<?x?xf32>
  }
}

// So is a tile that is marked as repeated: rows' places, which the loading process reads in each iteration.
// CHECK: aref.process "load"
// CHECK: scf.for
// CHECK: tile.gather {{.*}} {sched.repeated}
// CHECK: tile.load {{.*}} rows
// CHECK: aref.process "mma.0"
// CHECK-NOT: tile.gather

tile.kernel @repeated(%a: !tile.view<?x?xf16>, %b: !tile.ptr<f16>, %which: !tile.ptr<i64>,
                      %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %c64 : index
  %iota = tile.iota {sched.repeated} : tensor<64xi64>
  tile.parallel (%i) to (%gm) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %at = tile.ptr_add %which, %kk : !tile.ptr<i64>, index
      %table = tile.splat %at : !tile.ptr<i64> -> tensor<64x!tile.ptr<i64>>
      %places = tile.ptr_add %table, %iota {sched.repeated} : tensor<64x!tile.ptr<i64>>, tensor<64xi64>
      %ids = tile.gather %places {sched.repeated} : tensor<64x!tile.ptr<i64>> -> tensor<64xi64>
      %rows = tile.expand_dims %ids, 1 {sched.repeated} : tensor<64xi64> -> tensor<64x1xi64>
      %view = tile.make_view %b, [%c64, %c64], [%c0, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
      %y = tile.load %view[%c0, %c0] rows %rows : tensor<64x1xi64> : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// So is what a search finds in such numbers: each process searches for itself.
// CHECK: aref.process "load"
// CHECK: scf.while
// CHECK: tile.load
// CHECK: aref.process "mma.0"
// CHECK: scf.while
// CHECK: aref.start
tile.kernel @searched(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %starts: !tile.ptr<i32>,
                      %c: !tile.view<?x?xf32>, %count: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero32 = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  %m = tile.dim %a, 0 : !tile.view<?x?xf16>
  %k = tile.dim %a, 1 : !tile.view<?x?xf16>
  %gm = arith.ceildivui %m, %c64 : index
  tile.parallel (%i) to (%gm) {
    %row = arith.muli %i, %c64 : index
    %wanted = arith.index_cast %row : index to i32
    %place = scf.while (%at = %zero32) : (i32) -> i32 {
      %p = tile.ptr_add %starts, %at : !tile.ptr<i32>, i32
      %start = tile.gather %p : !tile.ptr<i32> -> i32
      %isBefore = arith.cmpi slt, %start, %wanted : i32
      scf.condition(%isBefore) %at : i32
    } do {
    ^bb0(%at: i32):
      %next = arith.addi %at, %c1 : i32
      scf.yield %next : i32
    }
    %limit = arith.minsi %place, %count : i32
    %wide = arith.index_cast %limit : i32 to index
    %end = arith.muli %wide, %c64 : index
    %col = arith.constant 0 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %end step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
