// RUN: heddle explain %s --machine=h200 --problem=- | FileCheck %s

// What lanes exchange for a sum that is only read behind the loop costs the loop
// nothing.

tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x32xf32>
    %none = tile.splat %f0 : f32 -> tensor<64xf32>
    %x = tile.load %a[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %acc:2 = scf.for %kk = %c0 to %k step %bk iter_args(%l = %none, %n = %none) -> (tensor<64xf32>, tensor<64xf32>) {
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
      %d = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x32xf16> -> tensor<64x32xf32>
      // Carried: 16 additions a thread.
      // CHECK: "name": "reduce"
      // CHECK: "reservation": 16,
      // CHECK-NEXT: "latency": 21,
      // CHECK-NEXT: "issue": 16,
      %r = tile.reduce %d axis 1 : tensor<64x32xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
        %s = arith.addf %p, %q : f32
        tile.yield %s : f32
      }
      %l_next = arith.addf %l, %r : tensor<64xf32>
      %e = arith.negf %d : tensor<64x32xf32>
      // The largest so far is read at once.
      // CHECK: "name": "reduce_2"
      // CHECK: "reservation": 20,
      // CHECK-NEXT: "latency": 99,
      // CHECK-NEXT: "issue": 36,
      %t = tile.reduce %e axis 1 : tensor<64x32xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
        %s = arith.addf %p, %q : f32
        tile.yield %s : f32
      }
      %n_next = arith.maximumf %n, %t : tensor<64xf32>
      scf.yield %l_next, %n_next : tensor<64xf32>, tensor<64xf32>
    }
    %o = arith.addf %acc#0, %acc#1 : tensor<64xf32>
    tile.store %o, %c[%i] : tensor<64xf32>, !tile.view<?xf32>
  }
}
