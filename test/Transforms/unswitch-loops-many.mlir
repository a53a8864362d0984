// Each condition doubles the loops that stand in it; six would make 64.
// RUN: heddle-opt %s --tile-unswitch-loops > %t.mlir
// RUN: grep -c scf.for %t.mlir | FileCheck %s
// CHECK: {{^}}33{{$}}
tile.kernel @many(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %k: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %i0 = arith.constant 1 : index
  %on0 = arith.cmpi sgt, %n, %i0 : index
  %i1 = arith.constant 2 : index
  %on1 = arith.cmpi sgt, %n, %i1 : index
  %i2 = arith.constant 3 : index
  %on2 = arith.cmpi sgt, %n, %i2 : index
  %i3 = arith.constant 4 : index
  %on3 = arith.cmpi sgt, %n, %i3 : index
  %i4 = arith.constant 5 : index
  %on4 = arith.cmpi sgt, %n, %i4 : index
  %i5 = arith.constant 6 : index
  %on5 = arith.cmpi sgt, %n, %i5 : index
  tile.parallel (%i) to (%n) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %s0 = scf.if %on0 -> (tensor<64x64xf32>) {
        %d0 = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d0 : tensor<64x64xf32>
      } else {
        scf.yield %s : tensor<64x64xf32>
      }
      %s1 = scf.if %on1 -> (tensor<64x64xf32>) {
        %d1 = tile.dot %a, %b, %s0 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d1 : tensor<64x64xf32>
      } else {
        scf.yield %s0 : tensor<64x64xf32>
      }
      %s2 = scf.if %on2 -> (tensor<64x64xf32>) {
        %d2 = tile.dot %a, %b, %s1 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d2 : tensor<64x64xf32>
      } else {
        scf.yield %s1 : tensor<64x64xf32>
      }
      %s3 = scf.if %on3 -> (tensor<64x64xf32>) {
        %d3 = tile.dot %a, %b, %s2 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d3 : tensor<64x64xf32>
      } else {
        scf.yield %s2 : tensor<64x64xf32>
      }
      %s4 = scf.if %on4 -> (tensor<64x64xf32>) {
        %d4 = tile.dot %a, %b, %s3 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d4 : tensor<64x64xf32>
      } else {
        scf.yield %s3 : tensor<64x64xf32>
      }
      %s5 = scf.if %on5 -> (tensor<64x64xf32>) {
        %d5 = tile.dot %a, %b, %s4 : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d5 : tensor<64x64xf32>
      } else {
        scf.yield %s4 : tensor<64x64xf32>
      }
      scf.yield %s5 : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
