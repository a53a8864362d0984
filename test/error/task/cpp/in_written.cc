// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An In has no assignment.
// error: deleted|no viable overloaded
#include "heddle/task.h"
using namespace heddle::tasks;
void record(Program &program) {
  Task<In<f32, 2>, Out<f32, 2>> task(program, "t", {"a", "b"});
  task.leaf("l", [](In<f32, 2> a, Out<f32, 2> b) {
    a = a.read({"M", "N"}); // here
  });
}
