// RUN: heddle-opt %s --ttir-to-tile | FileCheck %s
// Functions of libdevice by class: an instruction, a number's bits, a remainder, a norm. test/triton/library.py
// has all and says what each computes.

// CHECK-LABEL: tile.kernel @instructions
tt.func public @instructions(%p: !tt.ptr<f64>, %q: !tt.ptr<i32>) {
  %x = tt.load %p : !tt.ptr<f64>
  %i = tt.load %q : !tt.ptr<i32>
  // CHECK: %[[SUM:.*]] = tile.inline_asm "add.rz.f64 $0, $1, $2;", "=d,d,d" pack 1(%[[X:.*]], %[[X]]) : (f64, f64) -> f64
  %a = tt.extern_elementwise %x, %x {libname = "", libpath = "", pure = true, symbol = "__nv_dadd_rz"} : (f64, f64) -> f64
  // CHECK: %[[B:.*]] = tile.inline_asm "cvt.rp.f32.f64 $0, $1;", "=f,d" pack 1(%[[SUM]]) : (f64) -> f32
  %b = tt.extern_elementwise %a {libname = "", libpath = "", pure = true, symbol = "__nv_double2float_ru"} : (f64) -> f32
  // CHECK: tile.inline_asm "fma.rm.f32 $0, $1, $2, $3;", "=f,f,f,f" pack 1(%[[B]], %[[B]], %[[B]])
  %c = tt.extern_elementwise %b, %b, %b {libname = "", libpath = "", pure = true, symbol = "__nv_fmaf_rd"} : (f32, f32, f32) -> f32
  // CHECK: %[[MASK:.*]] = arith.constant 30583 : i32
  // CHECK: %[[PLACES:.*]] = arith.andi %[[I:.*]], %[[MASK]] : i32
  // CHECK: tile.inline_asm "prmt.b32 $0, $1, $2, $3;", "=r,r,r,r" pack 1(%[[I]], %[[I]], %[[PLACES]])
  %d = tt.extern_elementwise %i, %i, %i {libname = "", libpath = "", pure = true, symbol = "__nv_byte_perm"} : (i32, i32, i32) -> i32
  // CHECK: tile.inline_asm "cvt.rz.f32.u32 $0, $1;", "=f,r"
  %e = tt.extern_elementwise %d {libname = "", libpath = "", pure = true, symbol = "__nv_uint2float_rz"} : (i32) -> f32
  tt.store %p, %a : !tt.ptr<f64>
  tt.return
}

// Of f32 in f64, whose squares are in range; of f64 by a power of two.
// CHECK-LABEL: tile.kernel @norms
tt.func public @norms(%p: !tt.ptr<f32>, %q: !tt.ptr<f64>) {
  %x = tt.load %p : !tt.ptr<f32>
  %y = tt.load %q : !tt.ptr<f64>
  // CHECK: tile.cast %{{.*}} : f32 -> f64
  // CHECK: %[[ROOT:.*]] = math.sqrt %{{.*}} : f64
  // CHECK: tile.cast %{{.*}} : f64 -> f32
  %a = tt.extern_elementwise %x, %x, %x {libname = "", libpath = "", pure = true, symbol = "__nv_norm3df"} : (f32, f32, f32) -> f32
  // CHECK: arith.bitcast %{{.*}} : f64 to i64
  // CHECK: arith.minsi %{{.*}} : i64
  // CHECK: math.sqrt %{{.*}} : f64
  %b = tt.extern_elementwise %y, %y {libname = "", libpath = "", pure = true, symbol = "__nv_hypot"} : (f64, f64) -> f64
  tt.store %p, %a : !tt.ptr<f32>
  tt.return
}

// CHECK-LABEL: tile.kernel @bits
tt.func public @bits(%p: !tt.ptr<f64>, %q: !tt.ptr<i32>) {
  %x = tt.load %p : !tt.ptr<f64>
  // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f64 to i64
  // CHECK: %[[HIGH:.*]] = arith.shrui %[[BITS]], %{{.*}} : i64
  // CHECK: arith.trunci %[[HIGH]] : i64 to i32
  %a = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_double2hiint"} : (f64) -> i32
  // CHECK: math.ctlz %{{.*}} : i64
  // CHECK: arith.trunci %{{.*}} : i64 to i32
  %b = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_ilogb"} : (f64) -> i32
  // CHECK-COUNT-4: math.trunc %{{.*}} : f64
  // CHECK-NOT: math.trunc
  %c = tt.extern_elementwise %x, %x {libname = "", libpath = "", pure = true, symbol = "__nv_remainder"} : (f64, f64) -> f64
  tt.store %q, %b : !tt.ptr<i32>
  tt.return
}

// Of f64 by e^(-x^2) and a polynomial; of f32 rounded from it.
// CHECK-LABEL: tile.kernel @errors
tt.func public @errors(%p: !tt.ptr<f64>, %q: !tt.ptr<f32>) {
  %x = tt.load %p : !tt.ptr<f64>
  %y = tt.load %q : !tt.ptr<f32>
  // CHECK-NOT: math.erf
  // CHECK: math.copysign %{{.*}} : f64
  %a = math.erf %x : f64
  // CHECK: tile.cast %{{.*}} : f32 -> f64
  // CHECK: %[[RESULT:.*]] = tile.cast %{{.*}} : f64 -> f32
  %b = tt.extern_elementwise %y {libname = "", libpath = "", pure = true, symbol = "__nv_erfcxf"} : (f32) -> f32
  tt.store %p, %a : !tt.ptr<f64>
  // CHECK: tile.scatter %[[RESULT]]
  tt.store %q, %b : !tt.ptr<f32>
  tt.return
}
