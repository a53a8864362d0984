// RUN: heddle-opt %s --split-input-file --tile-skip-iterations --canonicalize --cse | FileCheck %s

// The loop goes through the iterations that memory chose: they are counted in front of it, and each is looked for
// from the one before.
// CHECK-LABEL: tile.kernel @blocks
// CHECK: %[[COUNT:.*]] = scf.for %{{.*}} = %c0 to %{{.*}} step %c64 iter_args(%[[N:.*]] = %c0)
// CHECK-NOT: tile.dot
// CHECK: %[[ONE:.*]] = arith.select %{{.*}}, %c1, %c0 : index
// CHECK: arith.addi %[[N]], %[[ONE]]
// CHECK: scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1 iter_args(%[[S:.*]] = %{{.*}}, %[[FROM:.*]] = %c0)
// CHECK: %[[AT:.*]] = scf.while (%[[I:.*]] = %[[FROM]])
// CHECK: scf.if
// CHECK: tile.gather
// CHECK: arith.addi %{{.*}}, %c64
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %c64
// CHECK-NOT: scf.if
// CHECK: tile.load %x[%{{.*}}, %[[AT]]]
// CHECK: %[[D:.*]] = tile.dot %{{.*}}, %{{.*}}, %[[S]]
// CHECK: scf.yield %[[D]], %[[NEXT]]
tile.kernel @blocks(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %flags: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %k: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %block = arith.divui %c, %c64 : index
      %offset = arith.index_cast %block : index to i64
      %p = tile.ptr_add %flags, %offset : !tile.ptr<i32>, i64
      %flag = tile.gather %p : !tile.ptr<i32> -> i32
      %is = arith.cmpi ne, %flag, %no : i32
      %next = scf.if %is -> (tensor<64x64xf32>) {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      } else {
        scf.yield %s : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// The other branch multiplies.
// CHECK-LABEL: tile.kernel @near
// CHECK: scf.for
// CHECK: %[[NEAR:.*]] = arith.cmpi sle, %{{.*}}, %from
// CHECK: arith.select %[[NEAR]], %c1, %c0
// CHECK: scf.for
// CHECK: scf.while
// CHECK: arith.cmpi sgt, %{{.*}}, %from
// CHECK: tile.dot
tile.kernel @near(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %flags: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %far = arith.cmpi sgt, %c, %from : index
      %next = scf.if %far -> (tensor<64x64xf32>) {
        scf.yield %s : tensor<64x64xf32>
      } else {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        scf.yield %d : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// Of two conditions in one another, the inner one's number is read where the outer one holds.
// CHECK-LABEL: tile.kernel @both
// CHECK: scf.for
// CHECK: %[[FAR:.*]] = arith.cmpi sgt, %{{.*}}, %from
// CHECK: %[[BOTH:.*]] = scf.if %[[FAR]] -> (i1)
// CHECK: tile.gather
// CHECK: arith.select %[[BOTH]], %c1, %c0
// CHECK: scf.for
// CHECK: scf.while
// CHECK: scf.condition
// CHECK: tile.dot
// CHECK-NOT: scf.if
tile.kernel @both(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %flags: !tile.ptr<i32>, %y: !tile.view<?x?xf32>, %k: index, %from: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %far = arith.cmpi sgt, %c, %from : index
      %next = scf.if %far -> (tensor<64x64xf32>) {
        %p = tile.ptr_add %flags, %c : !tile.ptr<i32>, index
        %flag = tile.gather %p : !tile.ptr<i32> -> i32
        %is = arith.cmpi eq, %flag, %no : i32
        %inner = scf.if %is -> (tensor<64x64xf32>) {
          scf.yield %s : tensor<64x64xf32>
        } else {
          %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
          %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
          %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
          scf.yield %d : tensor<64x64xf32>
        }
        scf.yield %inner : tensor<64x64xf32>
      } else {
        scf.yield %s : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}

// -----

// A mask of two axes decides, of rows of memory: what it is made of is repeated by each process, in front of the loop
// and in the search.
// CHECK-LABEL: tile.kernel @documents
// CHECK: %[[ROWS:.*]] = tile.load %of[%{{.*}}] {sched.repeated}
// CHECK: scf.for
// CHECK: tile.load %of[%{{.*}}] {sched.repeated}
// CHECK: arith.cmpi eq, {{.*}} {sched.repeated}
// CHECK: tile.reduce
// CHECK: scf.for
// CHECK: scf.while
// CHECK: tile.load %of[%{{.*}}] {sched.repeated}
// CHECK: tile.reduce
// CHECK: tile.load %of[%{{[^]]*}}] :
// CHECK: tile.dot
tile.kernel @documents(%x: !tile.view<?x?xf16>, %w: !tile.view<?x?xf16>, %of: !tile.view<?xi32>, %y: !tile.view<?x?xf32>, %k: index, %count: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant 0 : i32
  %f0 = arith.constant 0.0 : f32
  tile.parallel (%i) to (%count) {
    %zero = tile.splat %f0 : f32 -> tensor<64x64xf32>
    %rows = tile.load %of[%i] : !tile.view<?xi32> -> tensor<64xi32>
    %left = tile.expand_dims %rows, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %sum = scf.for %c = %c0 to %k step %c64 iter_args(%s = %zero) -> (tensor<64x64xf32>) {
      %columns = tile.load %of[%c] : !tile.view<?xi32> -> tensor<64xi32>
      %above = tile.expand_dims %columns, 0 : tensor<64xi32> -> tensor<1x64xi32>
      %a0 = tile.broadcast %left : tensor<64x1xi32> -> tensor<64x64xi32>
      %b0 = tile.broadcast %above : tensor<1x64xi32> -> tensor<64x64xi32>
      %same = arith.cmpi eq, %a0, %b0 : tensor<64x64xi32>
      %ones = arith.extui %same : tensor<64x64xi1> to tensor<64x64xi32>
      %flat = tile.reshape %ones : tensor<64x64xi32> -> tensor<4096xi32>
      %most = tile.reduce %flat axis 0 : tensor<4096xi32> -> i32 combine (%p: i32, %q: i32) {
        %r = arith.maxsi %p, %q : i32
        tile.yield %r : i32
      }
      %is = arith.cmpi sgt, %most, %no : i32
      %next = scf.if %is -> (tensor<64x64xf32>) {
        %a = tile.load %x[%i, %c] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %b = tile.load %w[%c, %c0] : !tile.view<?x?xf16> -> tensor<64x64xf16>
        %d = tile.dot %a, %b, %s : tensor<64x64xf16>, tensor<64x64xf16> -> tensor<64x64xf32>
        %shown = arith.select %same, %d, %s : tensor<64x64xi1>, tensor<64x64xf32>
        scf.yield %shown : tensor<64x64xf32>
      } else {
        scf.yield %s : tensor<64x64xf32>
      }
      scf.yield %next : tensor<64x64xf32>
    }
    tile.store %sum, %y[%i, %c0] : tensor<64x64xf32>, !tile.view<?x?xf32>
  }
}
