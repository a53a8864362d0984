// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nor does a comparison of two.
// error: has no value while the program is recorded
#include "heddle/task.h"
using namespace heddle::tasks;
void record(Program &program) {
  Task<In<f32, 2>, Out<f32, 2>> task(program, "t", {"a", "b"});
  task.inner("i", [&](In<f32, 2> a, Out<f32, 2> b) {
    if (a.extent(0) < a.extent(1)) // here
      task(a, b);
  });
}
