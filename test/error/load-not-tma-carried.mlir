// A load whose slot is published an iteration later lives in registers between.
// RUN: %expect 0 heddle compile %s -o %t.ptx
// expect: 20:14: remark: threads copy this tile: its slot is published in the iteration after the one that loads it [load-not-tma]
tile.kernel @k(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %cst = arith.constant 0.000000e+00 : f32
  %zero = arith.constant 0.000000e+00 : f16
  %c1 = arith.constant 1 : index
  %0 = arith.muli %c1, %m {tile.instances} : index
  %1 = tile.worker_id : index
  %2 = tile.worker_count : index
  %3 = aref.ring "loads" depth 4 : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>]>
  aref.process "load" warps 4 registers 40 {
    %4 = aref.first_turn %3 : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>]>
    %first = tile.splat %zero : f16 -> tensor<64x64xf16>
    %5 = scf.for %i = %1 to %0 step %2 iter_args(%t = %4) -> (!aref.turn) {
      %6:2 = scf.for %kk = %c0 to %k step %c64 iter_args(%u = %t, %before = %first) -> (!aref.turn, tensor<64x64xf16>) {
        %token, %next = aref.acquire %3[%u] : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>]>
        %7 = tile.load %a[%i, %kk] {sched.op = "load_a"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %8 = tile.load %b[%kk, %c0] {sched.op = "load_b"} : !tile.view<?x?xf16> -> tensor<64x64xf16>
        aref.publish %3[%token], %before, %8 : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>]>, tensor<64x64xf16>, tensor<64x64xf16>
        scf.yield %next, %7 : !aref.turn, tensor<64x64xf16>
      }
      scf.yield %6#0 : !aref.turn
    }
  }
  aref.process "mma.0" warps 4 registers 240 {
    %4 = aref.first_turn %3 : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>]>
    %5 = scf.for %i = %1 to %0 step %2 iter_args(%t = %4) -> (!aref.turn) {
      %6 = tile.splat %cst : f32 -> tensor<64x64xf32>
      %7:2 = scf.for %kk = %c0 to %k step %c64 iter_args(%s = %6, %u = %t) -> (tensor<64x64xf32>, !aref.turn) {
        %token, %next, %values:2 = aref.get %3[%u] : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>]> -> tensor<64x64xf16>, tensor<64x64xf16>
        %8 = aref.start "tensor" (%x = %values#0 : tensor<64x64xf16>, %y = %values#1 : tensor<64x64xf16>, %z = %s : tensor<64x64xf32>) {
          %10 = tile.dot %x, %y, %z {sched.op = "dot"} : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
          aref.yield %10 : tensor<64x64xf32>
        } : !aref.flight<tensor<64x64xf32>>
        %9 = aref.await %8 pending 0 : !aref.flight<tensor<64x64xf32>> -> tensor<64x64xf32>
        aref.release %3[%token] after %9 : !aref.ring<[tensor<64x64xf16>, tensor<64x64xf16>]>, tensor<64x64xf32>
        scf.yield %9, %next : tensor<64x64xf32>, !aref.turn
      }
      tile.store %7#0, %c[%i, %c0] {sched.op = "store_c"} : tensor<64x64xf32>, !tile.view<?x?xf32>
      scf.yield %7#1 : !aref.turn
    }
  }
}
