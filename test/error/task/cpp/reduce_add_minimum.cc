// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is added to keeps no least element.
// error: not reduced by min
#include "heddle/task.h"
using namespace heddle::tasks;
void record(Program &program) {
  Task<In<i32, 2>, Reduce<i32, 2>> task(program, "t", {"a", "b"});
  task.leaf("l", [](In<i32, 2> a, Reduce<i32, 2> b) {
    b.minimum(a.read({"M", "N"})); // here
  });
}
