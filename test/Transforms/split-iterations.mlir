// RUN: sed 's/ {aref.tail}//' %s | heddle-opt --aref-split-iterations | FileCheck %s
// RUN: heddle-opt %s --aref-split-iterations | FileCheck %s --check-prefix=TAIL

// The tail's mask leaves the loop: iterations before n - 63, then the rest, which
// starts on the loop's grid and goes on with what the first loop carried.
// CHECK-LABEL: tile.kernel @tail
// CHECK-DAG: %[[ONE_MORE:.*]] = arith.constant -63 : index
// CHECK: %[[TURN:.*]] = arith.addi %[[ONE_MORE]], %n
// CHECK: %[[AHEAD:.*]] = arith.subi %[[TURN]], %[[C0:.*]] : index
// CHECK: %[[POSITIVE:.*]] = arith.maxsi %[[AHEAD]],
// CHECK: %[[COUNT:.*]] = arith.ceildivsi %[[POSITIVE]], %[[STEP:.*]] : index
// CHECK: %[[DISTANCE:.*]] = arith.muli %[[COUNT]], %[[STEP]]
// CHECK: %[[MIDDLE:.*]] = arith.addi %[[C0]], %[[DISTANCE]]
// CHECK: %[[END:.*]] = arith.minsi %[[MIDDLE]], %n
// CHECK: %[[FIRST:.*]] = scf.for %{{.*}} = %[[C0]] to %[[END]] step %[[STEP]]
// CHECK-NOT: scf.if
// CHECK-NOT: arith.negf
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: %[[SECOND:.*]] = scf.for %{{.*}} = %[[MIDDLE]] to %n step %[[STEP]] iter_args(%{{.*}} = %[[FIRST]])
// CHECK-NOT: scf.if
// CHECK: arith.negf
// CHECK: arith.addf
// CHECK: tile.store %[[SECOND]]
tile.kernel @tail(%a: !tile.view<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  aref.process "main" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %n step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addi %i, %c64 : index
      %last = arith.cmpi sgt, %next, %n : index
      %y = scf.if %last -> (tensor<64xf32>) {
        %m = arith.negf %x : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      } else {
        scf.yield %x : tensor<64xf32>
      }
      %t = arith.addf %s, %y : tensor<64xf32>
      scf.yield %t : tensor<64xf32>
    }
    tile.store %sum, %a[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// The other way round: `less or equal` holds first, with the sides exchanged.
// CHECK-LABEL: tile.kernel @reversed
// CHECK: scf.for
// CHECK: arith.negf
// CHECK: scf.for
// CHECK-NOT: arith.negf
// CHECK: tile.store
tile.kernel @reversed(%a: !tile.view<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  aref.process "main" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %n step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %left = arith.subi %n, %i : index
      %whole = arith.cmpi sle, %c64, %left : index
      %y = scf.if %whole -> (tensor<64xf32>) {
        %m = arith.negf %x : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      } else {
        scf.yield %x : tensor<64xf32>
      }
      %t = arith.addf %s, %y : tensor<64xf32>
      scf.yield %t : tensor<64xf32>
    }
    tile.store %sum, %a[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// Nothing here turns at the loop's end: another bound, an equality, a product.
// CHECK-LABEL: tile.kernel @kept
// CHECK-COUNT-3: scf.if
// CHECK-NOT: scf.for
// CHECK: tile.store
tile.kernel @kept(%a: !tile.view<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  aref.process "main" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %n step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %other = arith.cmpi sgt, %i, %m : index
      %t = scf.if %other -> (tensor<64xf32>) {
        %u = arith.negf %s : tensor<64xf32>
        scf.yield %u : tensor<64xf32>
      } else {
        scf.yield %s : tensor<64xf32>
      }
      %equal = arith.cmpi eq, %i, %n : index
      %v = scf.if %equal -> (tensor<64xf32>) {
        %u = arith.negf %t : tensor<64xf32>
        scf.yield %u : tensor<64xf32>
      } else {
        scf.yield %t : tensor<64xf32>
      }
      %twice = arith.muli %i, %c64 : index
      %product = arith.cmpi sgt, %twice, %n : index
      %w = scf.if %product -> (tensor<64xf32>) {
        %u = arith.negf %v : tensor<64xf32>
        scf.yield %u : tensor<64xf32>
      } else {
        scf.yield %v : tensor<64xf32>
      }
      scf.yield %w : tensor<64xf32>
    }
    tile.store %sum, %a[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// The diagonal of a triangle: every run of the loop crosses it near its end. The
// plan says whether this tail gets a loop of its own, for each loop.
// CHECK-LABEL: tile.kernel @diagonal
// CHECK-COUNT-2: scf.for
// CHECK-NOT: scf.for
// TAIL-LABEL: tile.kernel @diagonal
// TAIL: aref.process "one"
// TAIL: %[[SUM:.*]] = scf.for
// TAIL-NOT: arith.negf
// TAIL: scf.for {{.*}} iter_args(%{{.*}} = %[[SUM]])
// TAIL-NOT: scf.if
// TAIL: arith.negf
// TAIL: aref.process "two"
// TAIL: scf.for
// TAIL: scf.for
tile.kernel @diagonal(%a: !tile.view<?xf32>, %first: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %below = arith.addi %first, %c64 : index
  %seen = arith.minsi %below, %n : index
  %end = arith.maxsi %seen, %c0 : index
  %all_see = arith.addi %first, %c1 : index
  aref.process "one" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %end step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addi %i, %c64 : index
      %crosses = arith.cmpi sgt, %next, %all_see : index
      %y = scf.if %crosses -> (tensor<64xf32>) {
        %m = arith.negf %x : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      } else {
        scf.yield %x : tensor<64xf32>
      }
      %t = arith.addf %s, %y : tensor<64xf32>
      scf.yield %t : tensor<64xf32>
    } {aref.tail}
    tile.store %sum, %a[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
  aref.process "two" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %end step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addi %i, %c64 : index
      %crosses = arith.cmpi sgt, %next, %all_see : index
      %y = scf.if %crosses -> (tensor<64xf32>) {
        %m = arith.negf %x : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      } else {
        scf.yield %x : tensor<64xf32>
      }
      %t = arith.addf %s, %y : tensor<64xf32>
      scf.yield %t : tensor<64xf32>
    } {aref.tail}
    %row = arith.addi %first, %c64 : index
    tile.store %sum, %a[%row] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// CHECK-LABEL: tile.kernel @one_of_two
// TAIL-LABEL: tile.kernel @one_of_two
// TAIL-NOT: aref.tail
// TAIL: aref.process "one"
// TAIL-COUNT-2: scf.for
// TAIL: aref.process "two"
// TAIL: scf.for
// TAIL-NOT: scf.for
tile.kernel @one_of_two(%a: !tile.view<?xf32>, %first: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  %below = arith.addi %first, %c64 : index
  %seen = arith.minsi %below, %n : index
  %end = arith.maxsi %seen, %c0 : index
  %all_see = arith.addi %first, %c1 : index
  aref.process "one" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %end step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addi %i, %c64 : index
      %crosses = arith.cmpi sgt, %next, %all_see : index
      %y = scf.if %crosses -> (tensor<64xf32>) {
        %m = arith.negf %x : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      } else {
        scf.yield %x : tensor<64xf32>
      }
      %t = arith.addf %s, %y : tensor<64xf32>
      scf.yield %t : tensor<64xf32>
    } {aref.tail}
    tile.store %sum, %a[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
  aref.process "two" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %end step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addi %i, %c64 : index
      %crosses = arith.cmpi sgt, %next, %all_see : index
      %y = scf.if %crosses -> (tensor<64xf32>) {
        %m = arith.negf %x : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      } else {
        scf.yield %x : tensor<64xf32>
      }
      %t = arith.addf %s, %y : tensor<64xf32>
      scf.yield %t : tensor<64xf32>
    }
    tile.store %sum, %a[%c64] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// Of a pipeline's step, one iteration may choose here and the next one there. The
// first loop ends before either condition turns; the second one asks again.
// TAIL-LABEL: tile.kernel @two(
// CHECK-LABEL: tile.kernel @two(
// CHECK: %[[PLACE:.*]] = arith.constant -127 : index
// CHECK: arith.addi %[[PLACE]], %n
// CHECK: %[[SOONER:.*]] = arith.addi %{{.*}}, %{{.*}}
// CHECK: %[[END:.*]] = arith.minsi %[[SOONER]], %n
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]]
// CHECK-NOT: scf.if
// CHECK-NOT: arith.negf
// CHECK: scf.yield
// CHECK: scf.for %{{.*}} = %[[SOONER]] to %n
// CHECK: scf.if
// CHECK: arith.negf
// CHECK-NOT: scf.if
// CHECK: math.absf
// CHECK: tile.store
tile.kernel @two(%a: !tile.view<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %f0 = arith.constant 0.0 : f32
  aref.process "main" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %n step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %next = arith.addi %i, %c64 : index
      %last = arith.cmpi sgt, %next, %n : index
      %after = arith.addi %next, %c64 : index
      %before_last = arith.cmpi sgt, %after, %n : index
      %y = scf.if %last -> (tensor<64xf32>) {
        %m = arith.negf %x : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      } else {
        scf.yield %x : tensor<64xf32>
      }
      %z = scf.if %before_last -> (tensor<64xf32>) {
        %m = math.absf %y : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      } else {
        scf.yield %y : tensor<64xf32>
      }
      %t = arith.addf %s, %z : tensor<64xf32>
      scf.yield %t : tensor<64xf32>
    }
    tile.store %sum, %a[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// Places that are multiples, counted in i32 as Triton counts: the loop ends a block
// behind the turn, or, below, nobody knows how far behind it.
// TAIL-LABEL: tile.kernel @blocks
// TAIL: %[[SUM:.*]] = scf.for
// TAIL-NOT: arith.negf
// TAIL: scf.for {{.*}} iter_args(%{{.*}} = %[[SUM]])
// TAIL-NOT: scf.if
// TAIL: arith.negf
// TAIL: tile.store
tile.kernel @blocks(%a: !tile.view<?xf32>, %block: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %turn_i32 = arith.muli %block, %c128 : i32
  %turn = arith.index_cast %turn_i32 : i32 to index
  %next = arith.addi %block, %c1 : i32
  %end_i32 = arith.muli %next, %c128 : i32
  %end = arith.index_cast %end_i32 : i32 to index
  aref.process "main" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %end step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %before = arith.cmpi slt, %i, %turn : index
      %y = scf.if %before -> (tensor<64xf32>) {
        scf.yield %x : tensor<64xf32>
      } else {
        %m = arith.negf %x : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      }
      %t = arith.addf %s, %y : tensor<64xf32>
      scf.yield %t : tensor<64xf32>
    } {aref.tail}
    tile.store %sum, %a[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}

// TAIL-LABEL: tile.kernel @half_way
// TAIL-COUNT-1: scf.for
// TAIL: scf.if
// TAIL-NOT: scf.for
tile.kernel @half_way(%a: !tile.view<?xf32>, %block: i32) {
  %c0 = arith.constant 0 : index
  %c64_i32 = arith.constant 64 : i32
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : i32
  %f0 = arith.constant 0.0 : f32
  %turn_i32 = arith.muli %block, %c64_i32 : i32
  %turn = arith.index_cast %turn_i32 : i32 to index
  %end_i32 = arith.muli %block, %c128 : i32
  %end = arith.index_cast %end_i32 : i32 to index
  aref.process "main" warps 4 registers 0 {
    %zero = tile.splat %f0 : f32 -> tensor<64xf32>
    %sum = scf.for %i = %c0 to %end step %c64 iter_args(%s = %zero) -> (tensor<64xf32>) {
      %x = tile.load %a[%i] : !tile.view<?xf32> -> tensor<64xf32>
      %before = arith.cmpi slt, %i, %turn : index
      %y = scf.if %before -> (tensor<64xf32>) {
        scf.yield %x : tensor<64xf32>
      } else {
        %m = arith.negf %x : tensor<64xf32>
        scf.yield %m : tensor<64xf32>
      }
      %t = arith.addf %s, %y : tensor<64xf32>
      scf.yield %t : tensor<64xf32>
    } {aref.tail}
    tile.store %sum, %a[%c0] : tensor<64xf32>, !tile.view<?xf32>
  }
}
