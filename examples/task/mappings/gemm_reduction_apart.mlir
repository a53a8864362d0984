// A product with the sums of its rows, where a process of its own makes the sums. For
// examples/task/gemm_reduction.mlir:
//
//   heddle explain examples/task/gemm_reduction.mlir --mapping=examples/task/mappings/gemm_reduction_apart.mlir

task.mapping @apart entry @grid {
  task.instance @grid runs @grid on host calls [@block] {
    task.tune "U" = 128
    task.tune "V" = 128
    task.pin "order" of "b" = #tile.order<0, 1>
  }
  task.instance @block runs @block on block calls [@zero, @product, @round, @kept] {
    task.tune "W" = 64
  }
  task.instance @product runs @product on block memories [shared, shared, none, none]
  task.instance @zero runs @zero on block
  task.instance @round runs @round on block
  task.instance @kept runs @kept on block
  task.pin "apart" = ["dot", "reduce"]
}
