// RUN: heddle-opt %s --sched-name-ops --tile-stage-operands | FileCheck %s
// RUN: heddle-opt %s --sched-name-ops --tile-stage-operands=machine=b200 | FileCheck %s --check-prefix=COLUMNS
// What threads make for products of a loop, and what comes with the wrong axis contiguous,
// has a place of its own; what a load brings as the product takes it has none.

// CHECK-LABEL: @computed
// The left operand of 16 bits stays in registers; two products share the right one, one
// of which reads it turned.
// CHECK: %[[MADE:.*]] = arith.mulf
// CHECK-NEXT: %[[STAGED:.*]] = tile.stage %[[MADE]] {sched.op = "mulf.staged"}
// CHECK: %[[TURNED:.*]] = tile.trans %[[STAGED]]
// CHECK: tile.dot %[[LEFT:.*]], %[[STAGED]],
// CHECK: tile.dot {{.*}}, %[[TURNED]],
// CHECK-NOT: tile.stage
tile.kernel @computed(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %s, %t = scf.for %i = %c0 to %k step %c64 iter_args(%p = %zero, %q = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %z = arith.mulf %y, %y : tensor<64x64xf16>
    %w = arith.addf %x, %x : tensor<64x64xf16>
    %zt = tile.trans %z, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %d = tile.dot %w, %z, %p : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %e = tile.dot %x, %zt, %q : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %d, %e : tensor<64x64xf32>, tensor<64x64xf32>
  }
  tile.store %s, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.store %t, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: @eight_bits
// Both orders of an operand of 8 bits, and a left operand that is computed, which tensor
// memory would take.
// CHECK: %[[Y:.*]] = tile.load %b
// CHECK: %[[STAGED:.*]] = tile.stage %[[Y]] {sched.op = "load_b.staged"}
// CHECK: %[[A:.*]] = tile.stage %{{.*}} {sched.op = "negf.staged"}
// CHECK: %[[YT:.*]] = tile.trans %[[Y]]
// CHECK: tile.dot %[[A]], %[[STAGED]],
// CHECK: tile.dot %{{.*}}, %[[YT]],
// COLUMNS-LABEL: @eight_bits
// COLUMNS: tile.stage {{.*}}load_b.staged
// COLUMNS-NOT: negf.staged
tile.kernel @eight_bits(%a: !tile.view<?x?xf8E4M3FN>, %b: !tile.view<?x?xf8E4M3FN>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %s, %t = scf.for %i = %c0 to %k step %c64 iter_args(%p = %zero, %q = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %n = arith.negf %x : tensor<64x64xf8E4M3FN>
    %yt = tile.trans %y, [1, 0] : tensor<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %d = tile.dot %n, %y, %p : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    %e = tile.dot %x, %yt, %q : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    scf.yield %d, %e : tensor<64x64xf32>, tensor<64x64xf32>
  }
  tile.store %s, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.store %t, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: @carried
// A tile that the loop carries is staged in each iteration, one from outside once.
// CHECK: %[[OUTSIDE:.*]] = tile.stage %{{.*}} {sched.op = "addf{{.*}}.staged"}
// CHECK: scf.for {{.*}} iter_args({{.*}}, %[[STATE:.*]] = %
// CHECK-NEXT: %[[HERE:.*]] = tile.stage %[[STATE]]
// CHECK: tile.dot {{.*}}, %[[HERE]],
// CHECK: tile.dot {{.*}}, %[[OUTSIDE]],
tile.kernel @carried(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %y = tile.load %b[%c0, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
  %once = arith.addf %y, %y : tensor<64x64xf16>
  %first = arith.mulf %y, %y : tensor<64x64xf16>
  %s, %t = scf.for %i = %c0 to %k step %c64 iter_args(%p = %zero, %state = %first) -> (tensor<64x64xf32>, tensor<64x64xf16>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %state, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %next = tile.cast %d : tensor<64x64xf32> -> tensor<64x64xf16>
    %e = tile.dot %x, %once, %p : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %e, %next : tensor<64x64xf32>, tensor<64x64xf16>
  }
  tile.store %s, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: @turned
// Operand a stays in registers, but not where it is transposed: other threads hold what a
// thread needs. The straight product of the same tile keeps its registers.
// CHECK: %[[IN:.*]] = tile.cast
// CHECK: %[[PLACE:.*]] = tile.stage %[[IN]]
// CHECK: %[[TURNED:.*]] = tile.trans %[[PLACE]]
// CHECK: tile.dot %[[IN]],
// CHECK: tile.dot %[[TURNED]],
tile.kernel @turned(%a: !tile.view<?x?xf16>, %b: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %s, %t = scf.for %i = %c0 to %k step %c64 iter_args(%p = %zero, %q = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load %b[%i, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %d = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %in = tile.cast %d : tensor<64x64xf32> -> tensor<64x64xf16>
    %turned = tile.trans %in, [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
    %e = tile.dot %in, %y, %p : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    %f = tile.dot %turned, %y, %q : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
    scf.yield %e, %f : tensor<64x64xf32>, tensor<64x64xf32>
  }
  tile.store %s, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.store %t, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}

// CHECK-LABEL: @narrowed
// A left operand of 8 bits that is narrowed from sums comes from registers, also where a
// conditional made it; turned, and narrowed from what was loaded, it has a place.
// CHECK: %[[P:.*]] = tile.cast
// CHECK-NOT: tile.stage %[[P]]
// CHECK: %[[Q:.*]] = tile.cast
// CHECK-NEXT: %[[LOADED:.*]] = tile.stage %[[Q]]
// CHECK: %[[R:.*]] = tile.cast
// CHECK-NEXT: %[[TURNED:.*]] = tile.stage %[[R]]
// CHECK: tile.dot %[[P]],
// CHECK: tile.dot %[[LOADED]],
// CHECK: %[[T:.*]] = tile.trans %[[TURNED]]
// CHECK: tile.dot %[[T]],
tile.kernel @narrowed(%a: !tile.view<?x?xf8E4M3FN>, %b: !tile.view<?x?xf8E4M3FN>, %h: !tile.view<?x?xf16>, %c: !tile.view<?x?xf32>, %k: index, %some: i1) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
  %s, %t, %u = scf.for %i = %c0 to %k step %c64 iter_args(%p = %zero, %q = %zero, %r = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
    %x = tile.load %a[%c0, %i] : !tile.view<?x?xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %y = tile.load %b[%c0, %i] : !tile.view<?x?xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %w = tile.load %h[%c0, %i] : !tile.view<?x?xf16> -> tensor<64x64xf16>
    %yt = tile.trans %y, [1, 0] : tensor<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %sums = tile.dot %x, %yt, %zero : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    %masked = scf.if %some -> (tensor<64x64xf32>) {
      %twice = arith.addf %sums, %sums : tensor<64x64xf32>
      scf.yield %twice : tensor<64x64xf32>
    } else {
      scf.yield %sums : tensor<64x64xf32>
    }
    %power = math.exp2 %masked : tensor<64x64xf32>
    %narrow = tile.cast %power : tensor<64x64xf32> -> tensor<64x64xf8E4M3FN>
    %rounded = tile.cast %w : tensor<64x64xf16> -> tensor<64x64xf8E4M3FN>
    %other = tile.cast %sums : tensor<64x64xf32> -> tensor<64x64xf8E4M3FN>
    %d = tile.dot %narrow, %yt, %p : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    %e = tile.dot %rounded, %yt, %q : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    %turned = tile.trans %other, [1, 0] : tensor<64x64xf8E4M3FN> -> tensor<64x64xf8E4M3FN>
    %f = tile.dot %turned, %yt, %r : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN> -> tensor<64x64xf32>
    scf.yield %d, %e, %f : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  tile.store %s, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.store %t, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  tile.store %u, %c[%c0, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
}
