// RUN: heddle-opt %s --split-input-file --ttir-to-tile | FileCheck %s

// Numbers of 32 bits without sign are counted as what they are.
// CHECK-LABEL: tile.kernel @unsigned
// CHECK: %[[END:.*]] = arith.extui %n : i32 to i64
// CHECK: %[[LAST:.*]] = arith.index_cast %[[END]] : i64 to index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[LAST]]
// CHECK: arith.index_cast %[[I]] : index to i32
tt.func public @unsigned(%n: i32, %x: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for unsigned %i = %c0 to %n step %c1 : i32 {
    tt.store %x, %i : !tt.ptr<i32>
  }
  tt.return
}

// -----

// A truth value takes a byte in memory and as an argument, whatever is in it but 0.
// CHECK-LABEL: tile.kernel @truth(%x: !tile.ptr<i8>, %flag: i8
// CHECK: %[[FLAG:.*]] = arith.cmpi ne, %flag, %{{.*}} : i8
// CHECK: %[[BYTE:.*]] = tile.gather %x : !tile.ptr<i8> -> i8
// CHECK: %[[TRUE:.*]] = arith.cmpi ne, %[[BYTE]], %{{.*}} : i8
// CHECK: %[[BOTH:.*]] = arith.andi %[[TRUE]], %[[FLAG]] : i1
// CHECK: %[[OUT:.*]] = arith.extui %[[BOTH]] : i1 to i8
// CHECK: tile.scatter %[[OUT]], %x : i8, !tile.ptr<i8>
tt.func public @truth(%x: !tt.ptr<i1>, %flag: i1) {
  %v = tt.load %x : !tt.ptr<i1>
  %b = arith.andi %v, %flag : i1
  tt.store %x, %b : !tt.ptr<i1>
  tt.return
}

// -----

// Six axes are one; a reduction along the third sees those before and behind it as one each.
// CHECK-LABEL: tile.kernel @axes
// CHECK: %[[CUBE:.*]] = tile.reshape %{{.*}} : tensor<64xi32> -> tensor<4x2x8xi32>
// CHECK: %[[SUM:.*]] = tile.reduce %[[CUBE]] axis 1 : tensor<4x2x8xi32> -> tensor<4x8xi32>
// CHECK: tile.reshape {{.*}} : tensor<4x8xi32> -> tensor<2x2x2x2x2xi32>
// CHECK: tile.broadcast {{.*}} : tensor<4x1x8xi32> -> tensor<4x2x8xi32>
tt.func public @axes(%x: !tt.ptr<i32>) {
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %c = tt.reshape %r : tensor<64xi32> -> tensor<2x2x2x2x2x2xi32>
  %s = "tt.reduce"(%c) <{axis = 2 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %o = arith.xori %a, %b : i32
    tt.reduce.return %o : i32
  }) : (tensor<2x2x2x2x2x2xi32>) -> tensor<2x2x2x2x2xi32>
  %e = tt.expand_dims %s {axis = 2 : i32} : tensor<2x2x2x2x2xi32> -> tensor<2x2x1x2x2x2xi32>
  %f = tt.broadcast %e : tensor<2x2x1x2x2x2xi32> -> tensor<2x2x2x2x2x2xi32>
  %g = arith.xori %f, %c : tensor<2x2x2x2x2x2xi32>
  %h = tt.reshape %g : tensor<2x2x2x2x2x2xi32> -> tensor<64xi32>
  %p = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %q = tt.addptr %p, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %q, %h : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// One thread takes the lock; all learn what was there.
// CHECK-LABEL: tile.kernel @lock
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: %[[OLD:.*]] = tile.atomic_cas acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} mask %[[FIRST]] : tensor<128xi1> : tensor<128x!tile.ptr<i32>>, tensor<128xi32>
// CHECK: tile.reduce %[[OLD]] axis 0 : tensor<128xi32> -> i32
tt.func public @lock(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %o = tt.atomic_cas acq_rel, gpu, %x, %c0, %c1 : (!tt.ptr<i32>, i32, i32) -> i32
  tt.store %y, %o : !tt.ptr<i32>
  tt.return
}

// -----

// A condition that became a number, and a condition again, is the condition.
// CHECK-LABEL: tile.kernel @conditions
// CHECK: %[[IS_BELOW:.*]] = arith.cmpi slt
// CHECK: tile.gather %{{.*}} mask %[[IS_BELOW]] :
// CHECK: tile.scatter %{{.*}}, %{{.*}} mask %[[IS_BELOW]] :
// CHECK: %[[OTHER:.*]] = arith.cmpi ne
// CHECK: tile.scatter %{{.*}}, %{{.*}} mask %[[OTHER]] :
tt.func public @conditions(%x: !tt.ptr<i32>, %n: i32) {
  %zeros = arith.constant dense<0> : tensor<64xi32>
  %ones = arith.constant dense<1> : tensor<64xi32>
  %twos = arith.constant dense<2> : tensor<64xi32>
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %ends = tt.splat %n : i32 -> tensor<64xi32>
  %below = arith.cmpi slt, %r, %ends : tensor<64xi32>
  %number = arith.select %below, %ones, %zeros : tensor<64xi1>, tensor<64xi32>
  %mask = arith.cmpi ne, %number, %zeros : tensor<64xi32>
  %p = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %q = tt.addptr %p, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %v = tt.load %q, %mask : tensor<64x!tt.ptr<i32>>
  %wide = arith.extui %below : tensor<64xi1> to tensor<64xi32>
  %again = arith.cmpi ne, %wide, %zeros : tensor<64xi32>
  tt.store %q, %v, %again : tensor<64x!tt.ptr<i32>>
  %either = arith.select %below, %ones, %twos : tensor<64xi1>, tensor<64xi32>
  %always = arith.cmpi ne, %either, %zeros : tensor<64xi32>
  tt.store %q, %v, %always : tensor<64x!tt.ptr<i32>>
  tt.return
}

// -----

// 64 bits without sign: the loop counts its iterations, none of an empty one.
// CHECK-LABEL: tile.kernel @unsigned_64
// CHECK: %[[NONE:.*]] = arith.cmpi uge, %lo, %hi : i64
// CHECK: %[[COUNT:.*]] = arith.ceildivui
// CHECK: %[[TURNS:.*]] = arith.select %[[NONE]], %c0_i64{{.*}}, %[[COUNT]] : i64
// CHECK: %[[END:.*]] = arith.index_cast %[[TURNS]] : i64 to index
// CHECK: scf.for %[[TURN:.*]] = %c0{{.*}} to %[[END]] step %c1
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[TURN]] : index to i64
// CHECK: %[[FAR:.*]] = arith.muli %[[NUMBER]], %st : i64
// CHECK: arith.addi %lo, %[[FAR]] : i64
tt.func public @unsigned_64(%o: !tt.ptr<i64>, %lo: i64, %hi: i64, %st: i64) {
  scf.for unsigned %i = %lo to %hi step %st : i64 {
    tt.store %o, %i : !tt.ptr<i64>
  }
  tt.return
}

// -----

// What lies outside is NaN.
// CHECK-LABEL: tile.kernel @padded
// CHECK: %[[TILE:.*]] = tile.load
// CHECK: %[[INSIDE:.*]] = arith.andi {{.*}} : tensor<8x64xi1>
// CHECK: %[[NAN:.*]] = arith.constant 0x7FC00000 : f32
// CHECK: %[[NANS:.*]] = tile.splat %[[NAN]]
// CHECK: arith.select %[[INSIDE]], %[[TILE]], %[[NANS]]
tt.func public @padded(%x: !tt.ptr<f32>, %n: i32, %s: i64) {
  %o = arith.constant 1 : i64
  %t = tt.make_tensor_descriptor %x, [%n, %n], [%s, %o] {padding = 2 : i32} : !tt.ptr<f32>, !tt.tensordesc<8x64xf32>
  %y = tt.descriptor_load %t[%n, %n] : !tt.tensordesc<8x64xf32> -> tensor<8x64xf32>
  tt.descriptor_store %t[%n, %n], %y : !tt.tensordesc<8x64xf32>, tensor<8x64xf32>
  tt.return
}

// -----

// A dot of three axes stays one; tile-split-batches takes it apart.
// CHECK-LABEL: tile.kernel @batch
// CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x16x32xf16>, tensor<2x32x16xf16> -> tensor<2x16x16xf32>
// CHECK-NOT: tile.dot
tt.func public @batch(%x: !tt.ptr<f32>) {
  %a = arith.constant dense<1.0> : tensor<2x16x32xf16>
  %b = arith.constant dense<1.0> : tensor<2x32x16xf16>
  %c = arith.constant dense<0.0> : tensor<2x16x16xf32>
  %d = tt.dot %a, %b, %c : tensor<2x16x32xf16> * tensor<2x32x16xf16> -> tensor<2x16x16xf32>
  %p = tt.splat %x : !tt.ptr<f32> -> tensor<2x16x16x!tt.ptr<f32>>
  tt.store %p, %d : tensor<2x16x16x!tt.ptr<f32>>
  tt.return
}

// -----

// A function of elements is on tiles: both sides of a conditional, and a choice. Where the
// program would not divide, it divides by 1.
// CHECK-LABEL: tile.kernel @mapped
// CHECK: %[[IS:.*]] = arith.cmpi ne
// CHECK: %[[DIVISOR:.*]] = arith.select %[[IS]], %[[RANGE:.*]], %{{.*}} : tensor<64xi1>, tensor<64xi32>
// CHECK: %[[QUOTIENT:.*]] = arith.divsi %{{.*}}, %[[DIVISOR]] : tensor<64xi32>
// CHECK: arith.select %[[IS]], %[[QUOTIENT]], %{{.*}} : tensor<64xi1>, tensor<64xi32>
tt.func public @mapped(%x: !tt.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c100 = arith.constant 100 : i32
  %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %m = "tt.map_elementwise"(%r) <{pack = 1 : i32}> ({
  ^bb0(%e: i32):
    %is = arith.cmpi ne, %e, %c0 : i32
    %q = scf.if %is -> (i32) {
      %d = arith.divsi %c100, %e : i32
      scf.yield %d : i32
    } else {
      scf.yield %e : i32
    }
    tt.map_elementwise.return %q : i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
  %p = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  tt.store %p, %m : tensor<64x!tt.ptr<i32>>
  tt.return
}
