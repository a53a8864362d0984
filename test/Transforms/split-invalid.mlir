// RUN: heddle-opt %s --tile-split --verify-diagnostics --split-input-file

tile.kernel @odd_rows(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<100x256xf32>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<100x96xf16>
  %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<96x256xf16>
  // expected-remark@below {{tiles of @odd_rows stay whole: a dot of 100 rows is no multiple of 64}}
  %d = tile.dot %x, %y, %zero : tensor<100x96xf16>, tensor<96x256xf16> -> tensor<100x256xf32>
  tile.store %d, %c[%c0, %c0] : tensor<100x256xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @mixed(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %z0 = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %z1 = tile.splat %f0 : f32 -> tensor<256x64xf32>
  %x0 = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x32xf16>
  %x1 = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<256x32xf16>
  %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %d0 = tile.dot %x0, %y, %z0 : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  // expected-remark@below {{dots of 128 and 256 rows stand in one kernel}}
  %d1 = tile.dot %x1, %y, %z1 : tensor<256x32xf16>, tensor<32x64xf16> -> tensor<256x64xf32>
  tile.store %d0, %c[%c0, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
  tile.store %d1, %c[%c0, %c0] : tensor<256x64xf32>, !tile.view<?x?xf32>
}

// -----

// The processes would have to add up their parts.
tile.kernel @column_sums(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x32xf16>
  %z = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %d = tile.dot %x, %z, %zero : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  // expected-remark@below {{it reduces along the axis that is split}}
  %s = tile.reduce %d axis 0 : tensor<128x64xf32> -> tensor<64xf32> combine (%p: f32, %q: f32) {
    %t = arith.addf %p, %q : f32
    tile.yield %t : f32
  }
  tile.store %s, %y[%c0] : tensor<64xf32>, !tile.view<?xf32>
}

// -----

tile.kernel @column_scan(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x32xf16>
  %z = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %d = tile.dot %x, %z, %zero : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  // expected-remark@below {{it scans along the axis that is split}}
  %s = tile.scan %d axis 0 : tensor<128x64xf32> -> tensor<128x64xf32> combine (%p: f32, %q: f32) {
    %t = arith.addf %p, %q : f32
    tile.yield %t : f32
  }
  tile.store %s, %c[%c0, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @rows_joined(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %y: !tile.view<?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x32xf16>
  %z = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %d = tile.dot %x, %z, %zero : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  // expected-remark@below {{a split axis is joined with another or cut}}
  %s = tile.reshape %d : tensor<128x64xf32> -> tensor<8192xf32>
  tile.store %s, %y[%c0] : tensor<8192xf32>, !tile.view<?xf32>
}

// -----

// Nothing is copied op by op inside a while loop.
tile.kernel @in_while(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %on: i1) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<128x64xf32>
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x32xf16>
  %z = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<32x64xf16>
  %d = tile.dot %x, %z, %zero : tensor<128x32xf16>, tensor<32x64xf16> -> tensor<128x64xf32>
  // expected-remark@below {{a split tile is used in its region}}
  scf.while : () -> () {
    scf.condition(%on)
  } do {
    tile.store %d, %c[%c0, %c0] : tensor<128x64xf32>, !tile.view<?x?xf32>
    scf.yield
  }
}

// -----

// Addends of a product, and what cannot be done with them.
tile.kernel @stored_addends(%k: !tile.view<?x?xf16>, %q: !tile.view<?x?xf16>, %dq: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %ks = tile.load %k[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x16xf16>
  %qs = tile.load %q[%c0, %c0] : !tile.view<?x?xf16> -> tensor<16x32xf16>
  %none = tile.splat %f0 : f32 -> tensor<128x32xf32>
  %s = tile.dot %ks, %qs, %none : tensor<128x16xf16>, tensor<16x32xf16> -> tensor<128x32xf32>
  %in = tile.cast %s : tensor<128x32xf32> -> tensor<128x32xf16>
  %t = tile.trans %in, [1, 0] : tensor<128x32xf16> -> tensor<32x128xf16>
  %zero = tile.splat %f0 : f32 -> tensor<32x16xf32>
  %d = tile.dot %t, %ks, %zero : tensor<32x128xf16>, tensor<128x16xf16> -> tensor<32x16xf32>
  // expected-remark@below {{tiles of @stored_addends stay whole: each sub-tile has an addend of what it uses, and only tile.view_reduce fadd adds them up}}
  tile.store %d, %dq[%c0, %c0] : tensor<32x16xf32>, !tile.view<?x?xf32>
}

// -----

// The largest of addends is not the largest of sums.
tile.kernel @largest_addends(%k: !tile.view<?x?xf16>, %q: !tile.view<?x?xf16>, %dq: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %ks = tile.load %k[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x16xf16>
  %qs = tile.load %q[%c0, %c0] : !tile.view<?x?xf16> -> tensor<16x32xf16>
  %none = tile.splat %f0 : f32 -> tensor<128x32xf32>
  %s = tile.dot %ks, %qs, %none : tensor<128x16xf16>, tensor<16x32xf16> -> tensor<128x32xf32>
  %in = tile.cast %s : tensor<128x32xf32> -> tensor<128x32xf16>
  %t = tile.trans %in, [1, 0] : tensor<128x32xf16> -> tensor<32x128xf16>
  %zero = tile.splat %f0 : f32 -> tensor<32x16xf32>
  %d = tile.dot %t, %ks, %zero : tensor<32x128xf16>, tensor<128x16xf16> -> tensor<32x16xf32>
  // expected-remark@below {{each sub-tile has an addend of what it uses}}
  tile.view_reduce max, %d, %dq[%c0, %c0] : tensor<32x16xf32>, !tile.view<?x?xf32>
}

// -----

// Squares of addends do not add up to the square.
tile.kernel @squared_addends(%k: !tile.view<?x?xf16>, %q: !tile.view<?x?xf16>, %dq: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %ks = tile.load %k[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x16xf16>
  %qs = tile.load %q[%c0, %c0] : !tile.view<?x?xf16> -> tensor<16x32xf16>
  %none = tile.splat %f0 : f32 -> tensor<128x32xf32>
  %s = tile.dot %ks, %qs, %none : tensor<128x16xf16>, tensor<16x32xf16> -> tensor<128x32xf32>
  %in = tile.cast %s : tensor<128x32xf32> -> tensor<128x32xf16>
  %t = tile.trans %in, [1, 0] : tensor<128x32xf16> -> tensor<32x128xf16>
  %zero = tile.splat %f0 : f32 -> tensor<32x16xf32>
  %d = tile.dot %t, %ks, %zero : tensor<32x128xf16>, tensor<128x16xf16> -> tensor<32x16xf32>
  // expected-remark@below {{each sub-tile has an addend of what it uses}}
  %square = arith.mulf %d, %d : tensor<32x16xf32>
  tile.view_reduce fadd, %square, %dq[%c0, %c0] : tensor<32x16xf32>, !tile.view<?x?xf32>
}

// -----

// What a product adds to would be added by each sub-tile.
tile.kernel @addends_and_more(%k: !tile.view<?x?xf16>, %q: !tile.view<?x?xf16>, %dq: !tile.view<?x?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %ks = tile.load %k[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x16xf16>
  %qs = tile.load %q[%c0, %c0] : !tile.view<?x?xf16> -> tensor<16x32xf16>
  %none = tile.splat %f0 : f32 -> tensor<128x32xf32>
  %s = tile.dot %ks, %qs, %none : tensor<128x16xf16>, tensor<16x32xf16> -> tensor<128x32xf32>
  %in = tile.cast %s : tensor<128x32xf32> -> tensor<128x32xf16>
  %t = tile.trans %in, [1, 0] : tensor<128x32xf16> -> tensor<32x128xf16>
  %more = tile.splat %f : f32 -> tensor<32x16xf32>
  // expected-remark@below {{a dot whose contraction is split adds to something}}
  %d = tile.dot %t, %ks, %more : tensor<32x128xf16>, tensor<128x16xf16> -> tensor<32x16xf32>
  tile.view_reduce fadd, %d, %dq[%c0, %c0] : tensor<32x16xf32>, !tile.view<?x?xf32>
}

// -----

tile.kernel @split_columns(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %f0 = arith.constant 0.0 : f32
  %x = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<128x16xf16>
  %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<16x32xf16>
  %none = tile.splat %f0 : f32 -> tensor<128x32xf32>
  %s = tile.dot %x, %y, %none : tensor<128x16xf16>, tensor<16x32xf16> -> tensor<128x32xf32>
  %in = tile.cast %s : tensor<128x32xf32> -> tensor<128x32xf16>
  %t = tile.trans %in, [1, 0] : tensor<128x32xf16> -> tensor<32x128xf16>
  %z = tile.load %a[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x32xf16>
  %zero = tile.splat %f0 : f32 -> tensor<64x128xf32>
  // expected-remark@below {{the right operand of a dot is split along columns}}
  %d = tile.dot %z, %t, %zero : tensor<64x32xf16>, tensor<32x128xf16> -> tensor<64x128xf32>
  tile.store %d, %c[%c0, %c0] : tensor<64x128xf32>, !tile.view<?x?xf32>
}
