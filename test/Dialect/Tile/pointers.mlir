// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @addresses(%p: !tile.ptr<f16>, %n: i64)
tile.kernel @addresses(%p: !tile.ptr<f16>, %n: i64) {
  %i = tile.iota : tensor<64xi32>
  %s = tile.splat %p : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  // CHECK: tile.ptr_add %{{.*}}, %{{.*}} : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  %q = tile.ptr_add %s, %i : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  // CHECK: tile.ptr_cast %{{.*}} : !tile.ptr<f16> -> !tile.ptr<i16>
  %r = tile.ptr_cast %p : !tile.ptr<f16> -> !tile.ptr<i16>
  // CHECK: tile.ptr_to_int %{{.*}} : !tile.ptr<f16> -> i64
  %a = tile.ptr_to_int %p : !tile.ptr<f16> -> i64
  // CHECK: tile.int_to_ptr %{{.*}} : i64 -> !tile.ptr<f16>
  %b = tile.int_to_ptr %a : i64 -> !tile.ptr<f16>
}

// CHECK-LABEL: tile.kernel @accesses
tile.kernel @accesses(%q: !tile.ptr<f16>, %c: !tile.ptr<i32>) {
  %i = tile.iota : tensor<64xi32>
  %s = tile.splat %q : !tile.ptr<f16> -> tensor<64x!tile.ptr<f16>>
  %p = tile.ptr_add %s, %i : tensor<64x!tile.ptr<f16>>, tensor<64xi32>
  %m = arith.cmpi slt, %i, %i : tensor<64xi32>
  // CHECK: tile.gather %{{.*}} : tensor<64x!tile.ptr<f16>> -> tensor<64xf16>
  %v = tile.gather %p : tensor<64x!tile.ptr<f16>> -> tensor<64xf16>
  // CHECK: tile.gather %{{.*}} mask %{{.*}} : tensor<64xi1> other %{{.*}} : tensor<64xf16> : tensor<64x!tile.ptr<f16>> -> tensor<64xf16>
  %w = tile.gather %p mask %m : tensor<64xi1> other %v : tensor<64xf16>
    : tensor<64x!tile.ptr<f16>> -> tensor<64xf16>
  // CHECK: tile.gather %{{.*}} : !tile.ptr<f16> -> f16
  %x = tile.gather %q : !tile.ptr<f16> -> f16
  // CHECK: tile.scatter %{{.*}}, %{{.*}} mask %{{.*}} : tensor<64xi1> : tensor<64xf16>, tensor<64x!tile.ptr<f16>>
  tile.scatter %w, %p mask %m : tensor<64xi1> : tensor<64xf16>, tensor<64x!tile.ptr<f16>>
  // CHECK: tile.scatter %{{.*}}, %{{.*}} : f16, !tile.ptr<f16>
  tile.scatter %x, %q : f16, !tile.ptr<f16>
  %one = arith.constant 1 : i32
  // CHECK: tile.atomic_rmw add, relaxed, gpu, %{{.*}}, %{{.*}} : !tile.ptr<i32>, i32 -> i32
  %old = tile.atomic_rmw add, relaxed, gpu, %c, %one : !tile.ptr<i32>, i32 -> i32
  // CHECK: tile.atomic_rmw fadd, acq_rel, system, %{{.*}}, %{{.*}} mask %{{.*}} : tensor<64xi1> : tensor<64x!tile.ptr<f16>>, tensor<64xf16> -> tensor<64xf16>
  %olds = tile.atomic_rmw fadd, acq_rel, system, %p, %v mask %m : tensor<64xi1>
    : tensor<64x!tile.ptr<f16>>, tensor<64xf16> -> tensor<64xf16>
  // CHECK: tile.atomic_cas acquire, cta, %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<i32>, i32
  %was = tile.atomic_cas acquire, cta, %c, %one, %old : !tile.ptr<i32>, i32
}

// CHECK-LABEL: tile.kernel @views
tile.kernel @views(%p: !tile.ptr<f16>, %m: index, %k: index) {
  %c1 = arith.constant 1 : index
  // CHECK: %[[V:.*]] = tile.make_view %p, [%m, %k], [%k, %{{.*}}] : !tile.ptr<f16> -> !tile.view<?x?xf16>
  %v = tile.make_view %p, [%m, %k], [%k, %c1] : !tile.ptr<f16> -> !tile.view<?x?xf16>
  %rows = tile.iota : tensor<32xi32>
  // CHECK: %[[T:.*]] = tile.view_gather %[[V]][%[[R:.*]], %{{.*}}] : !tile.view<?x?xf16>, tensor<32xi32> -> tensor<32x128xf16>
  %t = tile.view_gather %v[%rows, %c1] : !tile.view<?x?xf16>, tensor<32xi32> -> tensor<32x128xf16>
  // CHECK: tile.view_scatter %[[T]], %[[V]][%[[R]], %{{.*}}] : tensor<32x128xf16>, !tile.view<?x?xf16>, tensor<32xi32>
  tile.view_scatter %t, %v[%rows, %c1] : tensor<32x128xf16>, !tile.view<?x?xf16>, tensor<32xi32>
  // CHECK: tile.view_reduce fadd, %[[T]], %[[V]][%m, %k] : tensor<32x128xf16>, !tile.view<?x?xf16>
  tile.view_reduce fadd, %t, %v[%m, %k] : tensor<32x128xf16>, !tile.view<?x?xf16>
}
