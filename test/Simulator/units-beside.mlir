// A branch that takes place beside what its process does next: 10, then 100 beside 30, then 100 behind the first
// 100, where the process waits for them to begin, and 5 beside that.
// RUN: heddle simulate %s --order=timed --machine=dae --view x=4 | FileCheck %s
// CHECK: 210 cycles
// CHECK-NEXT: p: busy for 200

// RUN: sed 's/ {aref.beside}//' %s > %t.mlir
// RUN: heddle simulate %t.mlir --order=timed --machine=dae --view x=4 | FileCheck %s --check-prefix=BEHIND
// BEHIND: 245 cycles
// BEHIND-NEXT: p: busy for 245
tile.kernel @k(%x: !tile.view<?xi64>) {
  %yes = arith.constant true
  %c1 = arith.constant 1 : i64
  aref.process "p" on "execute" {
    %a = arith.addi %c1, %c1 {aref.issue = 10 : i64} : i64
    scf.if %yes {
      %b = arith.addi %c1, %c1 {aref.issue = 100 : i64} : i64
    } {aref.beside}
    %c = arith.addi %c1, %c1 {aref.issue = 30 : i64} : i64
    scf.if %yes {
      %d = arith.addi %c1, %c1 {aref.issue = 100 : i64} : i64
    } {aref.beside}
    %e = arith.addi %c1, %c1 {aref.issue = 5 : i64} : i64
  }
}
