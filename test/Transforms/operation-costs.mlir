// RUN: heddle explain %s --machine=h200 --problem=- | FileCheck %s
// RUN: heddle explain %s --problem=- | FileCheck %s
// RUN: heddle explain %s --schedule=heuristic --problem=- | FileCheck %s

// Cycles of a loop's operations, from machines/h200.json.

tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x32xf32>
    %x = tile.load %a[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x32xf32>) {
      // 4096 B at 64 B a cycle; 473 more until they are there.
      // CHECK: "name": "load_b"
      // CHECK: "reservation": 64,
      // CHECK-NEXT: "latency": 537,
      // CHECK-NEXT: "issue": 16,
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      // Four steps of (64 + 32) x 16 x 2 B at 128 B a cycle, more than 16 cycles
      // of products each.
      // CHECK: "name": "dot"
      // CHECK: "reservation": 96,
      // CHECK-NEXT: "latency": 163,
      // CHECK-NEXT: "issue": 72,
      %d = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
      // 16 elements a thread, 2 cycles a maximum; two exchanges of two rows each
      // take a shuffle of 4 and a maximum, and 24 + 5 cycles until they are there.
      // CHECK: "name": "reduce"
      // CHECK: "reservation": 40,
      // CHECK-NEXT: "latency": 119,
      // CHECK-NEXT: "issue": 56,
      %r = tile.reduce %d axis 1 : tensor<64x32xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
        %larger = arith.maximumf %p, %q : f32
        tile.yield %larger : f32
      }
      // Each row is worked on by four lanes.
      // CHECK: "name": "exp2"
      // CHECK-NEXT: "unit": 3,
      // CHECK-NEXT: "reservation": 16,
      // CHECK-NEXT: "latency": 33,
      // CHECK-NEXT: "issue": 16,
      %e = math.exp2 %r : tensor<64xf32>
      %e_column = tile.expand_dims %e, 1 : tensor<64xf32> -> tensor<64x1xf32>
      %e_all = tile.broadcast %e_column : tensor<64x1xf32> -> tensor<64x32xf32>
      // CHECK: "name": "mulf"
      // CHECK-NEXT: "unit": 2,
      // CHECK-NEXT: "reservation": 16,
      // CHECK-NEXT: "latency": 21,
      %scaled = arith.mulf %d, %e_all : tensor<64x32xf32>
      // CHECK: "name": "maximumf"
      // CHECK-NEXT: "unit": 2,
      // CHECK-NEXT: "reservation": 32,
      %positive = arith.maximumf %scaled, %zero : tensor<64x32xf32>
      // 6 instructions hide behind the reciprocal.
      // CHECK: "name": "divf"
      // CHECK-NEXT: "unit": 3,
      // CHECK-NEXT: "reservation": 128,
      // CHECK-NEXT: "latency": 145,
      // CHECK-NEXT: "issue": 128,
      %quotient = arith.divf %positive, %e_all : tensor<64x32xf32>
      // Two elements an instruction; back, each has its own.
      // CHECK: "name": "cast"
      // CHECK: "reservation": 16,
      // CHECK: "name": "cast_2"
      // CHECK: "reservation": 32,
      %narrow = tile.cast %quotient : tensor<64x32xf32> -> tensor<64x32xf16>
      %wide = tile.cast %narrow : tensor<64x32xf16> -> tensor<64x32xf32>
      // CHECK: "name": "addf"
      // CHECK: "handOverCycles": 104,
      %t = arith.addf %s, %wide : tensor<64x32xf32>
      scf.yield %t : tensor<64x32xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x32xf32>, !tile.view<?x?xf32>
  }
}
