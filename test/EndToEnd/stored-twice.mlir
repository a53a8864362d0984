// Two tiles of an instance go to one place, and the second one stays. Where TMA stores the first, the threads that store
// the second wait until it is written; where threads store the first, they store the second, too, since a store
// by TMA is in no order with theirs.
// DEFINE: %{views} = --view x=128x64 --view w=64x64 --view y=128x64 --view z=128x64 --scalar k=64 --scalar count=2
// DEFINE: %{run} = heddle run %t.one.mlir --device=emulator --ints --sms=1 %{views}
// RUN: sed 's/FIRST/%acc/; s/SECOND/%again/' %s > %t.one.mlir
// RUN: %{run} --order=fair 2>/dev/null | FileCheck %s
// RUN: %{run} --order=adversarial --seed=1 2>/dev/null | FileCheck %s
// RUN: heddle compile %t.one.mlir --emit=hopper 2>/dev/null | FileCheck %s --check-prefix=BEHIND
// RUN: sed 's/FIRST/%again/; s/SECOND/%acc/' %s > %t.one.mlir
// RUN: %{run} --order=fair 2>/dev/null | FileCheck %s
// RUN: %{run} --order=adversarial --seed=1 2>/dev/null | FileCheck %s
// RUN: heddle compile %t.one.mlir --emit=hopper 2>&1 | FileCheck %s --check-prefix=BEFORE
// CHECK: variant stored_twice (1 of
// CHECK: y (128x64xf32): equal to the oracle; right

// BEHIND: hopper.tma_store %{{.*}} to %y
// BEHIND: hopper.tma_store_wait 0 complete
// BEHIND-NEXT: hopper.sync 1 threads 128
// BEHIND-NEXT: hopper.global_store %{{.*}}, %y

// BEFORE: remark: threads store this tile: threads may have stored to the same place before, and only threads keep that in order [store-not-tma]
// BEFORE: hopper.kernel @stored_twice
// BEFORE: hopper.global_store %{{.*}}, %y
// BEFORE-NOT: hopper.tma_store %
// BEFORE: hopper.global_store %{{.*}}, %y
tile.kernel @stored_twice(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %y: !tile.view<?x?xf32>, %z: !tile.view<?x?xf32>, %k: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %m = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %acc = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %a = tile.load %x[%m, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %again = tile.load %z[%m, %c0] : !tile.view<?x?xf32> -> tensor<64x64xf32>
    tile.store FIRST, %y[%m, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
    tile.store SECOND, %y[%m, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
