// RUN: heddle-opt %s --tile-distribute --sched-name-ops --tile-split --split-input-file --verify-diagnostics
// Updates that what is behind them may count on.

// The old value says who came first.
tile.kernel @used(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %count: !tile.ptr<i32>, %n: index, %turns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %blocks = arith.ceildivui %n, %c64 : index
  tile.parallel (%i) to (%blocks) {
    scf.for %turn = %c0 to %turns step %c1 {
      %row = arith.muli %turn, %c64 : index
      %column = arith.muli %i, %c64 : index
      %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
        // expected-note @+1 {{this is behind it, and another process has it}}
        %x = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %y = tile.load %b[%k, %column] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %p = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %p : tensor<64x64xf32>
      }
      tile.store %s, %c[%row, %column] : tensor<64x64xf32>, !tile.view<?x?xf32>
      // expected-error @+1 {{this update orders what the instance reads and writes before and behind it, and the processes of a pipelined kernel do not keep that order}}
      %old = tile.atomic_rmw add, acq_rel, gpu, %count, %one : !tile.ptr<i32>, i32 -> i32
      %is = arith.cmpi eq, %old, %one : i32
      tile.assert %is, "nobody else" : i1
    }
  }
}

// -----

// The counter is read in another place.
tile.kernel @seen(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %count: !tile.ptr<i32>, %n: index, %turns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %blocks = arith.ceildivui %n, %c64 : index
  tile.parallel (%i) to (%blocks) {
    scf.for %turn = %c0 to %turns step %c1 {
      %row = arith.muli %turn, %c64 : index
      %column = arith.muli %i, %c64 : index
      %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
        // expected-note @+1 {{this is behind it, and another process has it}}
        %x = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %y = tile.load %b[%k, %column] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %p = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %p : tensor<64x64xf32>
      }
      tile.store %s, %c[%row, %column] : tensor<64x64xf32>, !tile.view<?x?xf32>
      // expected-error @+1 {{this update orders what the instance reads and writes before and behind it, and the processes of a pipelined kernel do not keep that order}}
      %old = tile.atomic_rmw add, acq_rel, gpu, %count, %one : !tile.ptr<i32>, i32 -> i32
      %now = tile.gather %count : !tile.ptr<i32> -> i32
      tile.scatter %now, %count : i32, !tile.ptr<i32>
    }
  }
}

// -----

// Other devices may answer.
tile.kernel @system(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %count: !tile.ptr<i32>, %n: index, %turns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1 : i32
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %blocks = arith.ceildivui %n, %c64 : index
  tile.parallel (%i) to (%blocks) {
    scf.for %turn = %c0 to %turns step %c1 {
      %row = arith.muli %turn, %c64 : index
      %column = arith.muli %i, %c64 : index
      %s = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> (tensor<64x64xf32>) {
        // expected-note @+1 {{this is behind it, and another process has it}}
        %x = tile.load %a[%row, %k] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %y = tile.load %b[%k, %column] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %p = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %p : tensor<64x64xf32>
      }
      tile.store %s, %c[%row, %column] : tensor<64x64xf32>, !tile.view<?x?xf32>
      // expected-error @+1 {{this update orders what the instance reads and writes before and behind it, and the processes of a pipelined kernel do not keep that order}}
      %old = tile.atomic_rmw add, acq_rel, system, %count, %one : !tile.ptr<i32>, i32 -> i32
    }
  }
}
