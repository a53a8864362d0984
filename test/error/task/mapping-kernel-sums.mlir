// A way to add up for a kernel that adds nothing up.
// RUN: %expect 3 heddle compile %examples/gemm.mlir --mapping=%s -o %t.ptx
// expect: 5:3: error: "split_k" says how blocks add to one piece, and the program reduces none of its arguments [task-mapping]
task.mapping @map entry @gemm {
  task.pin "split_k" = "atomics"
}
