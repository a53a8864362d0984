// RUN: heddle-opt %s --split-input-file --tile-fuse-loops --verify-diagnostics

tile.kernel @apart(%k: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %n: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-note @+1 {{the one before}}
    %acc = scf.for %j = %c0 to %row step %c64 iter_args(%a = %zero) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %end = arith.addi %row, %c64 : index
    // expected-remark @+1 {{this loop is not joined to the one before, which it carries on: the second does not begin where the first ends [loops-not-fused]}}
    %sum = scf.for %j = %c64 to %end step %c64 iter_args(%a = %acc) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %o[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @ragged(%k: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %n: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-note @+1 {{the one before}}
    %acc = scf.for %j = %c0 to %n step %c64 iter_args(%a = %zero) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %end = arith.addi %n, %c64 : index
    // expected-remark @+1 {{this loop is not joined to the one before, which it carries on: nothing says that the first goes to its end in whole steps [loops-not-fused]}}
    %sum = scf.for %j = %n to %end step %c64 iter_args(%a = %acc) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %o[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @steps(%k: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %n: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-note @+1 {{the one before}}
    %acc = scf.for %j = %c0 to %row step %c64 iter_args(%a = %zero) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %end = arith.addi %row, %c64 : index
    // expected-remark @+1 {{this loop is not joined to the one before, which it carries on: their steps differ [loops-not-fused]}}
    %sum = scf.for %j = %row to %end step %c32 iter_args(%a = %acc) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %o[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @used(%k: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %n: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-note @+1 {{the one before}}
    %acc = scf.for %j = %c0 to %row step %c64 iter_args(%a = %zero) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %end = arith.addi %row, %c64 : index
    // expected-remark @+1 {{this loop is not joined to the one before, which it carries on: a result of the first is used elsewhere too [loops-not-fused]}}
    %sum = scf.for %j = %row to %end step %c64 iter_args(%a = %acc) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %acc, %o[%c0, %row] : tensor<64x64xf32>, !tile.view<?x?xf32>
    tile.store %sum, %o[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @between(%k: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %n: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-note @+1 {{the one before}}
    %acc = scf.for %j = %c0 to %row step %c64 iter_args(%a = %zero) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %zero, %o[%c0, %row] : tensor<64x64xf32>, !tile.view<?x?xf32>
    %end = arith.addi %row, %c64 : index
    // expected-remark @+1 {{this loop is not joined to the one before, which it carries on: 'tile.store' stands between them [loops-not-fused]}}
    %sum = scf.for %j = %row to %end step %c64 iter_args(%a = %acc) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %o[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @load(%k: !tile.view<?x?xf16>, %o: !tile.view<?x?xf32>, %n: index, %rows: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%rows) {
    %row = arith.muli %i, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-note @+1 {{the one before}}
    %acc = scf.for %j = %c0 to %row step %c64 iter_args(%a = %zero) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %d = tile.dot %ks, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    %end = arith.addi %row, %c64 : index
    // expected-remark @+1 {{this loop is not joined to the one before, which it carries on: 'tile.load' of one has no counterpart in the other [loops-not-fused]}}
    %sum = scf.for %j = %row to %end step %c64 iter_args(%a = %acc) -> (tensor<64x64xf32>) {
      %ks = tile.load %k[%j, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %more = tile.load %k[%c64, %j] : !tile.view<?x?xf16> -> tensor<64x64xf16>
      %both = arith.addf %ks, %more : tensor<64x64xf16>
      %d = tile.dot %both, %ks, %a : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %o[%row, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
