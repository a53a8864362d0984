// The machine hands slots over slowly, and takes boxes of 64 elements.
// RUN: sed 's/"tma_box_extent": {"value": 256/"tma_box_extent": {"value": 64/; s/"mbarrier": {"value": 104/"mbarrier": {"value": 400/' %S/../../machines/h200.json > %t.json
// RUN: heddle-opt %s --tile-join-iterations=machine=%t.json --canonicalize | FileCheck %s
// RUN: heddle-opt %s --tile-join-iterations --canonicalize | FileCheck %s --check-prefix=MEASURED

// The views end where the loop does, so an odd number of iterations is no harm:
// what the last one reads behind its own is zero. Where a slot is handed over
// in less time, the loop stays as it is.
// CHECK-LABEL: tile.kernel @product
// CHECK: scf.for %{{.*}} = %c0 to %{{.*}} step %c64
// CHECK: tile.load {{.*}} -> tensor<64x64xf16>
// CHECK: tile.load {{.*}} -> tensor<64x64xf16>
// CHECK: tile.dot {{.*}} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
// MEASURED-LABEL: tile.kernel @product
// MEASURED: step %c32
tile.kernel @product(%ap: !tile.ptr<f16>, %bp: !tile.ptr<f16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %a = tile.make_view %ap, [%m, %k], [%k, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
  %b = tile.make_view %bp, [%k, %n], [%n, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %kk = %c0 to %k step %c32 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<32x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// Iterations that are counted, tiles that are computed from, and one that is
// stored the other way round. The last of ceil(k / 32) iterations begins in the
// array, the next one behind it.
// CHECK-LABEL: tile.kernel @counted
// CHECK: scf.for %{{.*}} step %c2
// CHECK-DAG: tile.load {{.*}} -> tensor<64x64xf16>
// CHECK-DAG: tile.load {{.*}} -> tensor<64x64xi8>
// CHECK-DAG: arith.sitofp {{.*}} tensor<64x64xi8> to tensor<64x64xf16>
// CHECK-DAG: tile.trans {{.*}} : tensor<64x64xf16> -> tensor<64x64xf16>
// CHECK: tile.dot {{.*}} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
tile.kernel @counted(%ap: !tile.ptr<f16>, %bp: !tile.ptr<i8>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %depth = arith.index_cast %k : i32 to index
  %a = tile.make_view %ap, [%m, %depth], [%depth, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
  %b = tile.make_view %bp, [%n, %depth], [%depth, %c1] : !tile.ptr<i8> -> !tile.view<?x?xi8>
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %up = arith.addi %k, %c31 : i32
    %count = arith.divsi %up, %c32 : i32
    %end = arith.index_cast %count : i32 to index
    %sum = scf.for %step = %c0 to %end step %c1 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %number = arith.index_cast %step : index to i32
      %place = arith.muli %number, %c32 : i32
      %kk = arith.index_cast %place : i32 to index
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %bytes = tile.load %b[%col, %kk] : !tile.view<?x?xi8> -> tensor<64x32xi8>
      %y = arith.sitofp %bytes : tensor<64x32xi8> to tensor<64x32xf16>
      %yt = tile.trans %y, [1, 0] : tensor<64x32xf16> -> tensor<32x64xf16>
      %d = tile.dot %x, %yt, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// A whole number of joined iterations needs no end of an array, and scaled
// elements no zeros.
// CHECK-LABEL: tile.kernel @whole
// CHECK: scf.for {{.*}} step %c64
// CHECK: %[[TWO:.*]] = tile.splat %cst{{.*}} : f16 -> tensor<64x64xf16>
// CHECK: arith.addf %{{.*}}, %[[TWO]] : tensor<64x64xf16>
tile.kernel @whole(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f16
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %twos = tile.splat %two : f16 -> tensor<64x32xf16>
    %sum = scf.for %kk = %c0 to %c512 step %c32 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %more = arith.addf %x, %twos : tensor<64x32xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<32x64xf16>
      %d = tile.dot %more, %y, %s : tensor<64x32xf16>, tensor<32x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// Where the tensor core has enough to do, nothing is gained.
// CHECK-LABEL: tile.kernel @large
// CHECK: scf.for {{.*}} step %c32
// CHECK: tensor<128x32xf16>
tile.kernel @large(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c128 : index
    %col = arith.muli %j, %c128 : index
    %zero = tile.splat %f0 : f32 -> tensor<128x128xf32>
    %sum = scf.for %kk = %c0 to %c512 step %c32 iter_args(%s = %zero) -> (tensor<128x128xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<128x32xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<32x128xf16>
      %d = tile.dot %x, %y, %s : tensor<128x32xf16>, tensor<32x128xf16> -> tensor<128x128xf32>
      scf.yield %d : tensor<128x128xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<128x128xf32>, !tile.view<?x?xf32>
  }
}
