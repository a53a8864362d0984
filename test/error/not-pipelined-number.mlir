// A page's number that the kernel may write, too, is read by one process only.
// RUN: %expect 0 heddle compile %s -o %t.ptx
// expect: 17:12: remark: loop 'loop' runs in program order, because it holds a tile.dot and reads a number in each iteration that the kernel may write, too, and processes hand on tiles only [not-pipelined]
// expect: 20:15: note: here; a number from memory that the kernel does not write is read by each process for itself
// expect: 9:1: remark: @k stays one process, because it has no loop to pipeline [not-specialised]
// expect: 25:12: remark: threads write operand b to shared memory for each dot: 8192 B, and no overlap [operand-staged]
// expect: 24:12: remark: a number that 'hopper.global_load' reads is computed in 64 bits, because nothing says that it fits 32 [wide-index]
// expect: 24:12: remark: a number that 'hopper.global_load' reads is computed in 64 bits, because nothing says that it fits 32 [wide-index]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %pages: !tile.ptr<i32>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bk = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %three = arith.constant 3 : i32
  tile.parallel (%i) to (%c1) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %kk = %c0 to %k step %bk iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %n = arith.divui %kk, %bk : index
      %at = tile.ptr_add %pages, %n : !tile.ptr<i32>, index
      %page = tile.gather %at : !tile.ptr<i32> -> i32
      %number = arith.index_cast %page : i32 to index
      %row = arith.muli %number, %bk : index
      %x = tile.load %a[%c0, %kk] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load %b[%row, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    %last = tile.ptr_add %pages, %three : !tile.ptr<i32>, i32
    tile.scatter %three, %last : i32, !tile.ptr<i32>
  }
}
