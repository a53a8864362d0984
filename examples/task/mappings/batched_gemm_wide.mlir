// Batched products with blocks of 128 x 256, the tile of large products. For
// examples/task/batched_gemm.mlir:
//
//   heddle explain examples/task/batched_gemm.mlir --mapping=examples/task/mappings/batched_gemm_wide.mlir

task.mapping @wide entry @grid {
  task.instance @grid runs @grid on host calls [@block] {
    task.tune "U" = 128
    task.tune "V" = 256
  }
  task.instance @block runs @block on block calls [@zero, @product, @round] {
    task.tune "W" = 64
  }
  task.instance @product runs @product on block memories [shared, shared, none]
  task.instance @zero runs @zero on block
  task.instance @round runs @round on block
}
