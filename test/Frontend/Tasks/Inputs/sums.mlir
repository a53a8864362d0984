// Blocks that add to one piece, for mapping-edits.test.
task.mapping @sums entry @gemm {
  task.pin "split_k" = "atomics"
}
