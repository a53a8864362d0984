// RUN: %expect 3 heddle compile %examples/gemm.mlir --mapping=%s --emit=sched
// expect: 6:3: error: parameter "BM" is 64 here, and the mapping binds it to 128, too [task-mapping]

task.mapping @plan_of_gemm entry @gemm {
  task.tune "BM" = 128
  task.tune "BM" = 64
}
