// Attention as FlashAttention-2 has it: no overlap inside a group, no iteration begins before the one
// before has ended, and the other group multiplies meanwhile. For examples/task/attention.mlir:
//
//   heddle explain examples/task/attention.mlir --mapping=examples/task/mappings/attention_fa2.mlir

task.mapping @fa2 entry @grid {
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
  task.pin "order_of" of "loop" = "done(*) <= issued(*)@1"
}
