// As copied-sums.mlir, behind a loop whose loads are TMA's.
tile.kernel @added(%p: !tile.view<?x?xf16>, %q: !tile.view<?x?xf16>, %a: !tile.ptr<f16>, %b: !tile.ptr<f16>, %c: !tile.view<?x?xf32>, %n: i32, %k: i32, %apart: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %columns = arith.index_cast %n : i32 to index
  %depth = arith.index_cast %k : i32 to index
  %instances = arith.constant 2 : index
  tile.parallel (%i) to (%instances) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %terms = tile.dim %p, 1 : !tile.view<?x?xf16>
    %first = scf.for %kk = %c0 to %terms step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %p[%c0, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %q[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %next = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    %number = arith.index_cast %i : index to i64
    %wide = arith.extsi %apart : i32 to i64
    %far = arith.muli %number, %wide : i64
    %pa = tile.ptr_add %a, %far : !tile.ptr<f16>, i64
    %va = tile.make_view %pa, [%c64, %depth], [%depth, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
    %pb = tile.ptr_add %b, %far : !tile.ptr<f16>, i64
    %vb = tile.make_view %pb, [%depth, %columns], [%columns, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
    %sum = scf.for %kk = %c0 to %depth step %c64 iter_args(%acc = %first) -> (tensor<64x64xf32>) {
      %x = tile.load %va[%c0, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %vb[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %next = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %next : tensor<64x64xf32>
    }
    tile.view_reduce fadd, %sum, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
