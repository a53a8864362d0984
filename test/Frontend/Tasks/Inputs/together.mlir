// What a kernel with a process for sums does not have.
task.mapping @together entry @gemm_reduction {
  task.pin "together" = ["dot", "reduce"]
}
