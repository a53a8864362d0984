// RUN: heddle-opt %s --split-input-file --verify-diagnostics

tile.kernel @other_shape(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' has operands and results of different shapes [not-well-formed]}}
  %0 = tile.inline_asm "neg.f32 $0, $1;", "=f,f" pack 1 (%t) : (f32) -> tensor<32xf32>
}

// -----

tile.kernel @memory(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: 'ld.global.f32' does more than to compute registers from registers [not-well-formed]}}
  %0 = tile.inline_asm "ld.global.f32 $0, [$1];", "=f,f" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @barrier(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: 'bar.sync' does more than to compute registers from registers [not-well-formed]}}
  %0 = tile.inline_asm "bar.sync 0;", "=f,f" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @label(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: 'again:' does more than to compute registers from registers [not-well-formed]}}
  %0 = tile.inline_asm "again: neg.f32 $0, $1;", "=f,f" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @special(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: '%laneid' is no register that it declares [not-well-formed]}}
  %0 = tile.inline_asm "mov.b32 $0, %laneid;", "=f,f" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @hidden(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: it declares '%r', which is what the compiler calls registers [not-well-formed]}}
  %0 = tile.inline_asm "{ .reg .b32 %r<4>; neg.f32 $0, $1; }", "=f,f" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @no_operand(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: '$2' is none of its operands [not-well-formed]}}
  %0 = tile.inline_asm "add.f32 $0, $1, $2;", "=f,f" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @unfinished(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: it ends within an instruction [not-well-formed]}}
  %0 = tile.inline_asm "neg.f32 $0, $1", "=f,f" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @clobber(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: the constraint '~{memory}' is not known [not-well-formed]}}
  %0 = tile.inline_asm "neg.f32 $0, $1;", "=f,f,~{memory}" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @count(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: its constraints name 1 results and 0 operands, and it has registers for 1 and 1 [not-well-formed]}}
  %0 = tile.inline_asm "mov.f32 $0, 0f00000000;", "=f" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @narrow(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: constraint 'h' has no room for 1 times f32 [not-well-formed]}}
  %0 = tile.inline_asm "mov.b16 $0, $1;", "=h,f" pack 1 (%t) : (f32) -> f32
}

// -----

tile.kernel @pack(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: it computes 3 elements at a time, which is no power of two up to 32 [not-well-formed]}}
  %0 = tile.inline_asm "neg.f32 $0, $1;", "=f,f" pack 3 (%t) : (f32) -> f32
}

// -----

tile.kernel @truth(%t: f32) {
  // expected-error @+1 {{'tile.inline_asm' is not taken: its operands and results are numbers of 8 to 64 bits, not i1 [not-well-formed]}}
  %0 = tile.inline_asm "mov.b32 $0, 1;", "=r,f" pack 1 (%t) : (f32) -> i1
}
