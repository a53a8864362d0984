// Some iterations multiply otherwise.
// RUN: %expect 0 heddle compile %s -o %t.ptx
// expect: 13:12: remark: loop 'loop' runs in program order, because it holds a tile.dot that some iterations leave out or replace [not-pipelined]
// expect: 18:17: note: here; iterations that do nothing else are skipped where numbers and memory that the kernel never writes decide
// expect: 7:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 18:17: remark: threads write operand b to shared memory for each dot: 8192 B, and no overlap [operand-staged]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%m) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%i, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%kk, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %first = arith.cmpi eq, %kk, %c0 : index
      %d = scf.if %first -> (tensor<64x64xf32>) {
        %once = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %once : tensor<64x64xf32>
      } else {
        %half = arith.addf %s, %s : tensor<64x64xf32>
        scf.yield %half : tensor<64x64xf32>
      }
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
