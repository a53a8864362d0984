// What an index needs beyond 32 bits: nothing, a question to the launch, or an
// i64 beside it.
// RUN: heddle-opt %s --hopper-narrow-numbers 2>/dev/null | FileCheck %s
// RUN: heddle-opt %s --hopper-narrow-numbers 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
!v = !tile.view<?xi32>

// Loops over an extent: the point behind the last one must be a number too.
// CHECK-LABEL: hopper.kernel @over_an_extent
// CHECK: %[[MOST:.*]] = arith.constant 2147483584 : index
// CHECK-NEXT: hopper.require variant %[[MOST]] at_least %{{.*}}, "indices of 32 bits hold the numbers at line
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
hopper.kernel @over_an_extent(%a: !v) source "over_an_extent" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = tile.dim %a, 0 : !v
  hopper.process "main" warps 0 + 4 registers 0 {
    scf.for %i = %c0 to %n step %c64 {
      hopper.sync 1 threads 128
    }
  }
}

// What is passed in 64 bits is not asked to be small. The point after the last
// one may be beyond 64 bits: iterations are counted.
// CHECK-LABEL: hopper.kernel @over_64_bits
// CHECK-NOT: hopper.require
// CHECK: arith.subi %{{.*}}, %{{.*}} : i64
// CHECK: arith.divui %{{.*}} : i64
// CHECK: scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i64 {
// CHECK: %[[O:.*]] = arith.muli %[[K]], %{{.*}} : i64
// CHECK: arith.addi %{{.*}}, %[[O]] : i64
// REMARK: 'scf.for' reads is computed in 64 bits
hopper.kernel @over_64_bits(%lo: i64, %hi: i64) source "over_64_bits" threads 128 shared 1024 tma [] {
  %c3 = arith.constant 3 : index
  %l = arith.index_cast %lo : i64 to index
  %h = arith.index_cast %hi : i64 to index
  hopper.process "main" warps 0 + 4 registers 0 {
    scf.for %i = %l to %h step %c3 {
      hopper.sync 1 threads 128
    }
  }
}

// A loop that ends at an extent runs in 32 bits, wherever it starts.
// CHECK-LABEL: hopper.kernel @starts_anywhere
// CHECK: %[[START:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: %[[MOST:.*]] = arith.constant 2147483647 : i64
// CHECK: %[[MIN:.*]] = arith.minsi %[[START]], %[[MOST]] : i64
// CHECK: %[[LOWER:.*]] = arith.index_cast %[[MIN]] : i64 to index
// CHECK: scf.for %{{.*}} = %[[LOWER]] to %{{.*}} step %{{.*}} {
// REMARK: 'scf.for' reads is computed in 64 bits
hopper.kernel @starts_anywhere(%a: !v, %b: !v) source "starts_anywhere" threads 128 shared 1024 tma [] {
  %c1 = arith.constant 1 : index
  %m = tile.dim %a, 0 : !v
  %n = tile.dim %b, 0 : !v
  %w = tile.worker_id : index
  hopper.process "main" warps 0 + 4 registers 0 {
    %start = arith.muli %w, %m : index
    scf.for %i = %start to %n step %c1 {
      hopper.sync 1 threads 128
    }
  }
}

// A comparison beyond 32 bits.
// CHECK-LABEL: hopper.kernel @compares
// CHECK: %[[W:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
// CHECK: arith.cmpi sgt, %[[W]], %{{.*}} : i64
// REMARK: 'arith.cmpi' reads is computed in 64 bits
hopper.kernel @compares(%a: !v, %n: i64) source "compares" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  %large = arith.constant 4294967296 : index
  %m = arith.index_cast %n : i64 to index
  hopper.process "main" warps 0 + 4 registers 0 {
    %x = arith.muli %m, %large : index
    %is = arith.cmpi sgt, %x, %c0 : index
    scf.if %is {
      hopper.sync 1 threads 128
    }
  }
}

// Coordinates far outside stay outside.
// CHECK-LABEL: hopper.kernel @far_away
// CHECK: %[[MAX:.*]] = arith.maxsi %{{.*}}, %{{.*}} : i64
// CHECK: %[[MIN:.*]] = arith.minsi %[[MAX]], %{{.*}} : i64
// CHECK: %[[AT:.*]] = arith.index_cast %[[MIN]] : i64 to index
// CHECK: hopper.global_load %{{.*}}[%[[AT]]]
!t = tensor<128xi32, #hopper.layout<lane = [1, 2, 4, 8, 16], warp = [32, 64], reg = [], tile = [128], rep = [1]>>
hopper.kernel @far_away(%a: !v, %b: !v, %n: i64) source "far_away" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  %at = arith.index_cast %n : i64 to index
  hopper.process "main" warps 0 + 4 registers 0 {
    %x = hopper.global_load %a[%at] : !v -> !t
    hopper.global_store %x, %b[%c0] : !t, !v
  }
}

// So do those of accesses of two elements, at multiples of two.
// CHECK-LABEL: hopper.kernel @far_away_in_twos
// CHECK: %[[MOST:.*]] = arith.constant 2147483646 : i64
// CHECK: %[[MIN:.*]] = arith.minsi %{{.*}}, %[[MOST]] : i64
// CHECK: %[[AT:.*]] = arith.index_cast %[[MIN]] : i64 to index
// CHECK: hopper.global_load %{{.*}}[%[[AT]]] vector 2
!pairs = tensor<256xi32, #hopper.layout<lane = [2, 4, 8, 16, 32], warp = [64, 128], reg = [1], tile = [256], rep = [1]>>
hopper.kernel @far_away_in_twos(%a: !v, %b: !v, %n: i64) source "far_away_in_twos" threads 128 shared 1024 tma [] rows [0] {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n1 = arith.index_cast %n : i64 to index
  hopper.process "main" warps 0 + 4 registers 0 {
    %at = arith.muli %n1, %c2 : index
    %x = hopper.global_load %a[%at] vector 2 : !v -> !pairs
    hopper.global_store %x, %b[%c0] : !pairs, !v
  }
}

// A product in 32 bits beside the same one in 64: what the launch is asked of
// the first holds for it wherever it stands, and is asked once.
// CHECK-LABEL: hopper.kernel @product_in_two_widths
// CHECK: %[[MOST:.*]] = arith.constant 2147483584 : index
// CHECK: hopper.require variant %[[MOST]] at_least
// CHECK: hopper.require variant %{{.*}} at_least
// CHECK-NOT: hopper.require
// CHECK: hopper.process
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
hopper.kernel @product_in_two_widths(%x: !tile.ptr<i32>, %a: i32, %b: i32, %v: !v) source "product_in_two_widths" threads 128 shared 1024 tma [] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %wide_a = arith.index_cast %a : i32 to index
  %wide_b = arith.index_cast %b : i32 to index
  %wide = arith.muli %wide_a, %wide_b : index
  hopper.made_view %v of %x + %c0, [%wide], [%c1] : !v, !tile.ptr<i32>
  hopper.process "main" warps 0 + 4 registers 0 {
    %product = arith.muli %a, %b : i32
    %n = arith.index_cast %product : i32 to index
    scf.for %i = %c0 to %n step %c64 {
      hopper.sync 1 threads 128
    }
  }
}

// What is only computed where a condition holds is not asked of launches, nor
// widened; in the other branch, and behind both, it is asked.
// CHECK-LABEL: hopper.kernel @where_it_is_computed
// CHECK-NOT: hopper.require
// CHECK: scf.if
// CHECK: arith.remui
// CHECK-LABEL: hopper.kernel @in_the_other_branch
// CHECK: hopper.require variant
// CHECK-LABEL: hopper.kernel @behind_the_branch
// CHECK: hopper.require variant
hopper.kernel @where_it_is_computed(%a: !v, %b: !v) source "where_it_is_computed" threads 128 shared 1024 tma [] {
  %c1 = arith.constant 1 : index
  %n = tile.dim %a, 0 : !v
  %m = tile.dim %b, 0 : !v
  hopper.process "main" warps 0 + 4 registers 0 {
    %some = arith.cmpi sge, %n, %c1 : index
    scf.if %some {
      %last = arith.subi %n, %c1 : index
      %part = arith.remui %last, %m : index
    }
  }
}
hopper.kernel @in_the_other_branch(%a: !v, %b: !v) source "in_the_other_branch" threads 128 shared 1024 tma [] {
  %c1 = arith.constant 1 : index
  %n = tile.dim %a, 0 : !v
  %m = tile.dim %b, 0 : !v
  hopper.process "main" warps 0 + 4 registers 0 {
    %some = arith.cmpi sge, %m, %c1 : index
    scf.if %some {
      hopper.sync 1 threads 128
    } else {
      %last = arith.subi %n, %c1 : index
      %part = arith.remui %last, %n : index
    }
  }
}
hopper.kernel @behind_the_branch(%a: !v, %b: !v) source "behind_the_branch" threads 128 shared 1024 tma [] {
  %c1 = arith.constant 1 : index
  %n = tile.dim %a, 0 : !v
  %m = tile.dim %b, 0 : !v
  hopper.process "main" warps 0 + 4 registers 0 {
    %some = arith.cmpi sge, %n, %c1 : index
    scf.if %some {
      %last = arith.subi %n, %c1 : index
      %part = arith.remui %last, %m : index
    }
    %last = arith.subi %n, %c1 : index
    %part = arith.remui %last, %m : index
  }
}
