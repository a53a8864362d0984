// RUN: heddle-opt %s --split-input-file --tile-join-iterations --verify-diagnostics -o /dev/null

tile.kernel @ragged(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: their number may not be a multiple of {{[248]}}, and nothing says that the array which is loaded from ends where the loop does [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %k step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      // expected-note @+1 {{it is this}}
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @halves(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: the place of a load moves by 256 an iteration, and its tile is 16 long [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %far = arith.muli %kk, %c16 : index
      // expected-note @+1 {{it is this}}
      %x = tile.load %a[%row, %far] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @unknown(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: nothing says by how much the place of a load moves [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %far = arith.remui %kk, %c64 : index
      // expected-note @+1 {{it is this}}
      %x = tile.load %a[%row, %far] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @diagonal(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: the place of a load moves along two axes [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      // expected-note @+1 {{it is this}}
      %x = tile.load %a[%kk, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @rows(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index, %p: !tile.ptr<f16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: iterations load from different arrays [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %view = arith.index_cast %kk : index to i64
      %there = tile.ptr_add %p, %view : !tile.ptr<f16>, i64
      %v = tile.make_view %there, [%m, %k], [%k, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
      // expected-note @+1 {{it is this}}
      %x = tile.load %v[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @lengths(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: its tiles are 16 and 32 long [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %far = arith.muli %kk, %c2 : index
      // expected-note @+1 {{it is this}}
      %q = tile.load %b[%far, %col] : !tile.view<?x?xf16> -> tensor<32x64xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @other(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: 'arith.addf' combines longer tiles with one that is not [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %t = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      // expected-note @+1 {{it is this}}
      %z = arith.addf %x, %t : tensor<64x16xf16>
      %d = tile.dot %z, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @crossed(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: 'arith.addf' combines tiles that get longer along two axes [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %u = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<16x16xf16>
      %v = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x16xf16>
      // expected-note @+1 {{it is this}}
      %z = arith.addf %u, %v : tensor<16x16xf16>
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @maximum(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: 'tile.reduce' treats one iteration's tile as a whole [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      // expected-note @+1 {{it is this}}
      %top = tile.reduce %x axis 1 : tensor<64x16xf16> -> tensor<64xf16> combine (%p: f16, %q: f16) {
        %o = arith.maximumf %p, %q : f16
        tile.yield %o : f16
      }
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @acts(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: 'tile.store' acts in each iteration [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      // expected-note @+1 {{it is this}}
      tile.store %zero, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @scaled(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: it carries more than sums of products, and only their terms may be grouped in another way [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %e = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      // expected-note @+1 {{it is this}}
      %d = arith.mulf %e, %zero : tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @limited(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: the products of one tile are {{64|32}}, and max_imprecise_acc is 16 [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s {max_imprecise_acc = 16 : i64} : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @squares(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %zz = tile.splat %f0 : f32 -> tensor<16x16xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: a product is neither a sum over longer tiles nor a longer tile [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %w = tile.load %a[%kk, %c0] : !tile.view<?x?xf16> -> tensor<16x16xf16>
      // expected-note @+1 {{it is this}}
      %g = tile.dot %w, %w, %zz : tensor<16x16xf16>, tensor<16x16xf16> -> tensor<16x16xf32>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @nonzero(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %one = arith.constant 1.0 : f16
    %ones = tile.splat %one : f16 -> tensor<64x16xf16>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: their number may not be a multiple of {{[248]}}, and behind the last one an operand of a product is not known to be zero [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %k step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %z = arith.addf %x, %ones : tensor<64x16xf16>
      // expected-note @+1 {{it is this}}
      %d = tile.dot %z, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @number(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: it carries more than sums of products, and only their terms may be grouped in another way [iterations-apart]}}
    %sum, %last = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero, %p = %c0) -> (tensor<64x64xf32>, index) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      // expected-note @+1 {{it is this}}
      %next = arith.addi %p, %c1 : index
      scf.yield %d, %next : tensor<64x64xf32>, index
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @apart(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: a sum of products is used before the loop ends [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      // expected-note @+1 {{it is this}}
      %d = tile.dot %x, %y, %zero : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %s : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @varying(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: 'tile.splat' makes another tile in each iteration [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %number = arith.index_cast %kk : index to i32
      %real = arith.sitofp %number : i32 to f16
      // expected-note @+1 {{it is this}}
      %tile = tile.splat %real : f16 -> tensor<64x16xf16>
      %z = arith.mulf %x, %tile : tensor<64x16xf16>
      %d = tile.dot %z, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @invariant(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop would be faster as one: a product that it adds up is not of longer tiles [iterations-apart]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%c0, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      // expected-note @+1 {{it is this}}
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

tile.kernel @joined(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %m: index, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c512 = arith.constant 512 : index
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i, %j) to (%m, %n) {
    %row = arith.muli %i, %c64 : index
    %col = arith.muli %j, %c64 : index
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    // expected-remark-re @+1 {{{{[0-9]+}} iterations of this loop are one, whose tiles are {{32|64}} long instead of 16 [iterations-joined]}}
    %sum = scf.for %kk = %c0 to %c512 step %c16 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %x = tile.load %a[%row, %kk] : !tile.view<?x?xf16> -> tensor<64x16xf16>
      %y = tile.load %b[%kk, %col] : !tile.view<?x?xf16> -> tensor<16x64xf16>
      %d = tile.dot %x, %y, %s : tensor<64x16xf16>, tensor<16x64xf16> -> tensor<64x64xf32>
      scf.yield %d : tensor<64x64xf32>
    }
    tile.store %sum, %c[%row, %col] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
