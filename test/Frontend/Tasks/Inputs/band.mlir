// Instances in bands of four, for turns.test.
task.mapping @band entry @row_sums {
  task.pin "block_order" = 4
}
