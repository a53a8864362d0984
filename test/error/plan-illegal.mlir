// A table in which a product is issued before its operands are there.
// RUN: heddle compile %S/Inputs/product.mlir --schedule=heuristic --emit=sched -o %t.mlir
// RUN: sed 's/\(entry "dot" on "tensor" start\) [0-9]*/\1 300/' %t.mlir > %t.early.mlir
// RUN: %expect 3 heddle compile %S/Inputs/product.mlir --machine=h200 --schedule=%t.early.mlir -o %t.ptx
// expect: product.mlir:1:1: error: the table of loop 'loop' is no schedule: dependence 'load_a' -> 'dot' (distance 0) needs 705 cycles and has 300 [plan-illegal]
