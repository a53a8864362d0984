// RUN: heddle-opt %s --ttir-to-tile --split-input-file --verify-diagnostics

tt.func public @called(%x: !tt.ptr<f32>) {
  // expected-error @+1 {{'tt.call' is not imported [ttir-operation]}}
  tt.call @other(%x) : (!tt.ptr<f32>) -> ()
  tt.return
}

// -----

// expected-error @+1 {{'outside' has no body [ttir-use]}}
tt.func private @outside(!tt.ptr<f32>)

// -----

// expected-error @+1 {{descriptor 'd' of 2 axes is not followed by 2 extents and 2 strides [ttir-use]}}
tt.func public @parts(%d: !tt.tensordesc<1x16xf32>, %n: i32) {
  tt.return
}

// -----

// expected-error @+1 {{the program reads a stride of descriptor 'd', which its view does not tell; pass it on its own [ttir-use]}}
tt.func public @stride(%d: !tt.tensordesc<16xf32>, %n: i32, %s: i64, %o: !tt.ptr<i64>) {
  tt.store %o, %s : !tt.ptr<i64>
  tt.return
}

// -----

tt.func public @last_stride(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  // expected-error @+1 {{the last stride of a descriptor is the constant 1; write 1 in place of a variable [ttir-use]}}
  %d = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <tensor<16xf32>>
  tt.return
}

// -----

tt.func public @numbers() {
  // expected-error @+1 {{a constant tile of different elements is not imported [ttir-use]}}
  %c = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
  tt.return
}

// -----

tt.func public @map_of_two(%r: tensor<64xi32>) {
  // expected-error @+1 {{a map_elementwise of several elements at a time is not imported; write it with operations on tiles [ttir-use]}}
  %y = "tt.map_elementwise"(%r) <{pack = 2 : i32}> ({
  ^bb0(%i: i32, %j: i32):
    tt.map_elementwise.return %i, %j : i32, i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
  tt.return
}

// -----

tt.func public @map_of_another(%r: tensor<64xi32>) {
  // expected-error @+1 {{a map_elementwise whose region does not take an element of each operand is not imported; write it with operations on tiles [ttir-use]}}
  %y = "tt.map_elementwise"(%r) <{pack = 1 : i32}> ({
  ^bb0(%i: i32, %j: i32):
    tt.map_elementwise.return %i : i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
  tt.return
}

// -----

tt.func public @map_of_other_shapes(%r: tensor<64xi32>, %s: tensor<32xi32>) {
  // expected-error @+1 {{a map_elementwise whose region does not take an element of each operand is not imported; write it with operations on tiles [ttir-use]}}
  %y = "tt.map_elementwise"(%r, %s) <{pack = 1 : i32}> ({
  ^bb0(%i: i32, %j: i32):
    tt.map_elementwise.return %j : i32
  }) : (tensor<64xi32>, tensor<32xi32>) -> tensor<64xi32>
  tt.return
}

// -----

tt.func public @map_to_two(%r: tensor<64xi32>) {
  %y = "tt.map_elementwise"(%r) <{pack = 1 : i32}> ({
  ^bb0(%i: i32):
    // expected-error @+1 {{a map_elementwise that does not return an element of each result is not imported; write it with operations on tiles [ttir-use]}}
    tt.map_elementwise.return %i, %i : i32, i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
  tt.return
}

// -----

tt.func public @map_to_nothing(%r: tensor<64xi32>) {
  // expected-error @+1 {{a map_elementwise without a result is not imported; write it with operations on tiles [ttir-use]}}
  "tt.map_elementwise"(%r) <{pack = 1 : i32}> ({
  ^bb0(%i: i32):
    "tt.map_elementwise.return"() : () -> ()
  }) : (tensor<64xi32>) -> ()
  tt.return
}

// -----

tt.func public @map_of_memory(%r: tensor<64xi32>, %p: !tt.ptr<i32>) {
  %y = "tt.map_elementwise"(%r) <{pack = 1 : i32}> ({
  ^bb0(%i: i32):
    // expected-error @+1 {{a map_elementwise with loops, accesses to memory or other effects is not imported; write it with operations on tiles [ttir-use]}}
    %v = tt.load %p : !tt.ptr<i32>
    tt.map_elementwise.return %v : i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
  tt.return
}

// -----

tt.func public @map_around(%r: tensor<64xi32>) {
  // expected-error @+1 {{a map_elementwise with loops is not imported; write it with operations on tiles [ttir-use]}}
  %y = "tt.map_elementwise"(%r) <{pack = 1 : i32}> ({
  ^bb0(%i: i32):
    cf.br ^bb1(%i : i32)
  ^bb1(%x: i32):
    %b = arith.cmpi sgt, %x, %i : i32
    cf.cond_br %b, ^bb1(%x : i32), ^bb2
  ^bb2:
    tt.map_elementwise.return %x : i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
  tt.return
}

// -----

tt.func public @assembly(%r: tensor<64xi32>) {
  // expected-error @+1 {{inline assembly is not imported where it has effects besides its results [ttir-use]}}
  %y = tt.elementwise_inline_asm "add.s32 $0, $1, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %r : tensor<64xi32> -> tensor<64xi32>
  tt.return
}

// -----

tt.func public @precision(%a: tensor<16x16xf32>) {
  // expected-error @+1 {{inputPrecision = bf16x9 is not imported; use tf32, tf32x3, bf16x3, bf16x6 or ieee [ttir-use]}}
  %d = tt.dot %a, %a, %a, inputPrecision = bf16x9 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @imprecise(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf32>) {
  // expected-error @+1 {{max_num_imprecise_acc is 32, but one dot sums 64 products and is not cut; give 64 or more [ttir-use]}}
  %d = tt.dot %a, %b, %c {maxNumImpreciseAcc = 32 : i32} : tensor<16x64xf8E5M2> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  tt.return
}

// -----

tt.func public @library(%x: tensor<16xf32>) {
  // expected-error @+1 {{the library function __nv_j0f has no equal among heddle's operations [ttir-use]}}
  %y = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_j0f"} : (tensor<16xf32>) -> tensor<16xf32>
  tt.return
}

// -----

tt.func public @blocks(%c: i1, %x: !tt.ptr<i32>, %n: i32) {
  cf.br ^bb1
^bb1:
  tt.store %x, %n : !tt.ptr<i32>
  // expected-error @+1 {{'cf.cond_br' does not end a conditional or return from one; write loops and branches as for, while, if and else [ttir-use]}}
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  tt.store %x, %n : !tt.ptr<i32>
  tt.return
}

// -----

tt.func public @result(%n: i32) -> i32 {
  // expected-error @+1 {{a kernel returns nothing; this returns 1 values [ttir-use]}}
  tt.return %n : i32
}

// -----

tt.func public @order(%x: !tt.ptr<i32>, %n: i32) {
  // expected-error @+1 {{an atomic add, seq_cst, gpu is not imported [ttir-use]}}
  %o = tt.atomic_rmw add, seq_cst, gpu, %x, %n : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// -----

tt.func public @unsigned(%n: i16, %x: !tt.ptr<f32>) {
  %l = arith.constant 0 : i16
  %s = arith.constant 1 : i16
  // expected-error @+1 {{a loop over 'i16' that compares without sign is not imported; count in i32 or i64 [ttir-use]}}
  scf.for unsigned %i = %l to %n step %s : i16 {
  }
  tt.return
}

// -----

tt.func public @carried(%x: !tt.ptr<f32>, %n: i32, %s: i64, %r: tensor<8xi32>) {
  %o = arith.constant 1 : i64
  // expected-error @+1 {{a descriptor that pads with NaN and is carried or gathers rows is not imported; pad with zero [ttir-use]}}
  %t = tt.make_tensor_descriptor %x, [%n, %n], [%s, %o] {padding = 2 : i32} : !tt.ptr<f32>, !tt.tensordesc<1x64xf32>
  %y = tt.descriptor_gather %t[%r, %n] : (!tt.tensordesc<1x64xf32>, tensor<8xi32>, i32) -> tensor<8x64xf32>
  tt.return
}

// -----

// expected-error @+1 {{a pointer to '!tt.ptr<f32>' is not imported; pass an address as i64 and cast it [ttir-use]}}
tt.func public @table(%x: !tt.ptr<!tt.ptr<f32>>) {
  tt.return
}

// -----

tt.func public @layout(%n: i32) {
  // expected-error @+1 {{tiles have known extents and no layout, unlike 'tensor<?xi32>' [ttir-use]}}
  %x = tt.splat %n : i32 -> tensor<?xi32>
  tt.return
}

// -----

tt.func public @fourth_axis(%x: !tt.ptr<i32>) {
  // expected-error @+1 {{a grid has the axes x, y and z, not 'w' [ttir-use]}}
  %i = tt.get_program_id w : i32
  tt.store %x, %i : !tt.ptr<i32>
  tt.return
}

// -----

tt.func public @two_axes(%x: !tt.ptr<i32>) {
  // expected-error @+1 {{a grid has the axes x, y and z, not 'xy' [ttir-use]}}
  %i = tt.get_num_programs xy : i32
  tt.store %x, %i : !tt.ptr<i32>
  tt.return
}

// -----

tt.func public @axis(%x: tensor<2x2x2x2x2x2xf32>) {
  // expected-error @+1 {{'tt.scan' has tiles of shapes that do not fit [ttir-use]}}
  %y = "tt.scan"(%x) <{axis = 6 : i32, reverse = false}> ({
  ^bb0(%a: f32, %b: f32):
    tt.scan.return %a : f32
  }) : (tensor<2x2x2x2x2x2xf32>) -> tensor<2x2x2x2x2x2xf32>
  tt.return
}

// -----

tt.func public @order(%x: tensor<2x2x2x2x2x2xf32>) {
  // expected-error @+1 {{'tt.trans' has tiles of shapes that do not fit [ttir-use]}}
  %y = tt.trans %x {order = array<i32: 0, 1, 2, 3, 4, 4>} : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xf32>
  tt.return
}

// -----

tt.func public @turned(%x: tensor<2x2x2x2x2x2xf32>) {
  // expected-error @+1 {{a tile of 6 axes takes part here, of which more than 5 cannot be joined; use fewer [ttir-use]}}
  %y = tt.trans %x {order = array<i32: 5, 4, 3, 2, 1, 0>} : tensor<2x2x2x2x2x2xf32> -> tensor<2x2x2x2x2x2xf32>
  tt.return
}
