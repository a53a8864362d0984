// Attention as FlashAttention-3 has it: two groups, and inside a group the product of the next block
// of keys, Q . K^T, is started before this one's, P . V, has ended. For examples/task/attention.mlir:
//
//   heddle explain examples/task/attention.mlir --mapping=examples/task/mappings/attention_fa3.mlir

task.mapping @fa3 entry @grid {
  task.instance @grid runs @grid on host calls [@block] {
    task.tune "U" = 128
    task.tune "D" = 128
  }
  task.instance @block runs @block on block memories [shared, global, global, global]
      calls [@start, @step, @end] {
    task.tune "W" = 128
  }
  task.instance @start runs @start_tile on block
  task.instance @step runs @step_tile on block memories [shared, shared, shared, none, none, none]
  task.instance @end runs @end_tile on block
  task.pin "order_of" of "loop" = "issued(dot)@1 < done(dot_2)"
}
