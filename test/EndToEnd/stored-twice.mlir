// Two tiles of an instance go to places that overlap, and the second one stays. Where TMA stores the first, the threads
// that store the second wait until it is written; where threads store the first, they store the second, too, since a
// store by TMA is in no order with theirs. Where both begin at one place one process has them, though two multiply.
// DEFINE: %{views} = --view x=256x64 --view w=64x64 --view y=256x96 --view z=256x96 --scalar k=64 --scalar count=2
// DEFINE: %{run} = heddle run %t.one.mlir --device=emulator --ints --sms=1 %{views}
// DEFINE: %{both} = %{run} --order=fair 2>/dev/null | FileCheck %s && %{run} --order=adversarial --seed=1 2>/dev/null | FileCheck %s
// RUN: sed 's/FIRST/%acc/; s/SECOND/%again/; s/PLACE/%c32/; s/ROWS/64/g' %s > %t.one.mlir
// RUN: %{both}
// RUN: heddle compile %t.one.mlir --emit=hopper 2>/dev/null | FileCheck %s --check-prefix=BEHIND
// RUN: sed 's/FIRST/%again/; s/SECOND/%acc/; s/PLACE/%c32/; s/ROWS/64/g' %s > %t.one.mlir
// RUN: %{both}
// RUN: heddle compile %t.one.mlir --emit=hopper 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: sed 's/FIRST/%acc/; s/SECOND/%again/; s/PLACE/%c0/; s/ROWS/128/g' %s > %t.one.mlir
// RUN: %{both}
// RUN: heddle compile %t.one.mlir --emit=sched 2>/dev/null | FileCheck %s --check-prefix=TOGETHER
// CHECK: variant stored_twice (1 of
// CHECK: y (256x96xf32): equal to the oracle; right

// BEHIND: hopper.tma_store %{{.*}} to %y
// BEHIND: hopper.tma_store_wait 0 complete
// BEHIND-NEXT: hopper.sync 1 threads 128
// BEHIND-NEXT: hopper.global_store %{{.*}}, %y

// BEFORE: remark: threads store this tile: threads may have stored to the same place before, and only threads keep that in order [store-not-tma]
// BEFORE: hopper.kernel @stored_twice
// BEFORE: hopper.global_store %{{.*}}, %y
// BEFORE-NOT: hopper.tma_store %
// BEFORE: hopper.global_store %{{.*}}, %y

// TOGETHER: sched.entry "store_y.0" {{.*}} in "[[P:mma.[01]]]"
// TOGETHER-NEXT: sched.entry "store_y.1" {{.*}} in "[[P]]"
// TOGETHER: sched.entry "store_y_2" {{.*}} in "[[P]]"
tile.kernel @stored_twice(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %z: !tile.view<?x?xf32>, %k: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %m = arith.muli %i, %cROWS : index
    %zero = tile.splat %f0 : f32 -> tensor<ROWSx64xf32>
    %acc = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<ROWSx64xf32>) {
      %a = tile.load %x[%m, %c] : !tile.view<?x?xf16> -> tensor<ROWSx64xf16>
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<ROWSx64xf16>, tensor<64x64xf16> -> tensor<ROWSx64xf32>
      scf.yield %d : tensor<ROWSx64xf32>
    }
    %again = tile.load %z[%m, %c0] : !tile.view<?x?xf32> -> tensor<ROWSx64xf32>
    tile.store FIRST, %y[%m, %c0] : tensor<ROWSx64xf32>, !tile.view<?x?xf32>
    tile.store SECOND, %y[%m, PLACE] : tensor<ROWSx64xf32>, !tile.view<?x?xf32>
  }
}
