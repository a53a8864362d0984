// RUN: heddle-opt %s --canonicalize --cse | FileCheck %s
// RUN: heddle-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS

// DIALECTS: Available Dialects:
// DIALECTS-SAME: {{.*}}arith,{{.*}}nvvm,{{.*}}scf

// CHECK-LABEL: func.func @twice
func.func @twice(%x: index) -> index {
  // CHECK: %[[SUM:.*]] = arith.addi
  // CHECK-NEXT: return %[[SUM]]
  %zero = arith.constant 0 : index
  %a = arith.addi %x, %x : index
  %b = arith.addi %x, %x : index
  %c = arith.addi %b, %zero : index
  return %c : index
}
