// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nor those of a Reduce, while others add to it.
// error: no member named .read.
#include "heddle/task.h"
using namespace heddle::tasks;
void record(Program &program) {
  Task<In<f32, 2>, Reduce<f32, 2>> task(program, "t", {"a", "b"});
  task.leaf("l", [](In<f32, 2> a, Reduce<f32, 2> b) {
    b += b.read({"M", "N"}); // here
  });
}
