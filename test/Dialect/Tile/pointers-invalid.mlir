// RUN: heddle-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{a pointer is to integers or floating point, not to 'index'}}
tile.kernel @pointee(%p: !tile.ptr<index>) {
}

// -----

tile.kernel @ptr_add(%p: !tile.ptr<f16>) {
  %i = tile.iota : tensor<64xi32>
  // expected-error@+1 {{has offsets (64) and addresses (a scalar) of different shapes}}
  %q = tile.ptr_add %p, %i : !tile.ptr<f16>, tensor<64xi32>
}

// -----

tile.kernel @ptr_cast(%p: i64) {
  // expected-error@+1 {{needs a !tile.ptr or a tile of them, not 'i64'}}
  %q = tile.ptr_cast %p : i64 -> !tile.ptr<f16>
}

// -----

tile.kernel @int_to_ptr(%p: i32) {
  // expected-error@+1 {{converts between addresses and i64, not 'i32'}}
  %q = tile.int_to_ptr %p : i32 -> !tile.ptr<f16>
}

// -----

tile.kernel @gather_element(%p: !tile.ptr<f16>) {
  // expected-error@+1 {{has a result of 'f32' but addresses of 'f16'}}
  %q = tile.gather %p : !tile.ptr<f16> -> f32
}

// -----

tile.kernel @gather_mask(%p: !tile.ptr<f16>) {
  %m = arith.constant dense<true> : tensor<4xi1>
  // expected-error@+1 {{has a mask (4) and addresses (a scalar) of different shapes}}
  %q = tile.gather %p mask %m : tensor<4xi1> : !tile.ptr<f16> -> f16
}

// -----

tile.kernel @gather_other(%p: !tile.ptr<f16>, %o: f16) {
  // expected-error@+1 {{has `other`, which only a mask makes visible}}
  %q = tile.gather %p other %o : f16 : !tile.ptr<f16> -> f16
}

// -----

tile.kernel @scatter(%p: !tile.ptr<f16>, %v: f32) {
  // expected-error@+1 {{has a value of 'f32' but addresses of 'f16'}}
  tile.scatter %v, %p : f32, !tile.ptr<f16>
}

// -----

tile.kernel @rmw(%p: !tile.ptr<f16>, %v: f16) {
  // expected-error@+1 {{cannot add elements of 'f16'}}
  %o = tile.atomic_rmw add, relaxed, gpu, %p, %v : !tile.ptr<f16>, f16 -> f16
}

// -----

tile.kernel @cas(%p: !tile.ptr<i8>, %v: i8) {
  // expected-error@+1 {{exchanges elements of 16 bits or more, not of 'i8'}}
  %o = tile.atomic_cas relaxed, gpu, %p, %v, %v : !tile.ptr<i8>, i8
}

// -----

tile.kernel @make_view(%p: !tile.ptr<f16>, %n: index) {
  // expected-error@+1 {{has 1 strides but the view has 2 axes}}
  %v = tile.make_view %p, [%n, %n], [%n] : !tile.ptr<f16> -> !tile.view<?x?xf16>
}

// -----

tile.kernel @view_gather(%v: !tile.view<?x?xf16>, %n: index) {
  %rows = tile.iota : tensor<16xi32>
  // expected-error@+1 {{has 16 row numbers for a tile of 32x8}}
  %t = tile.view_gather %v[%rows, %n] : !tile.view<?x?xf16>, tensor<16xi32> -> tensor<32x8xf16>
}

// -----

tile.kernel @view_reduce(%v: !tile.view<?xi32>, %n: index) {
  %t = tile.iota : tensor<16xi32>
  // expected-error@+1 {{cannot exchange, because nothing returns what was there}}
  tile.view_reduce exchange, %t, %v[%n] : tensor<16xi32>, !tile.view<?xi32>
}

// -----

tile.kernel @far(%p: !tile.ptr<f16>, %n: index) {
  // expected-error@+1 {{has far axis 1, which is no axis of the view or its fastest one}}
  %v = tile.make_view %p, [%n, %n], [%n, %n] {far_axis = 1 : i64} : !tile.ptr<f16> -> !tile.view<?x?xf16>
}
