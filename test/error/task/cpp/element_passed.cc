// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tensor of other elements.
// error: no match|no matching|no viable
#include "heddle/task.h"
using namespace heddle::tasks;
void record(Program &program) {
  Task<In<f32, 2>, Out<f32, 2>> task(program, "t", {"a", "b"});
  Task<In<f16, 2>, Out<f32, 2>> other(program, "t", {"a", "b"});
  other.inner("i", [&](In<f16, 2> a, Out<f32, 2> b) {
    task(a, b); // here
  });
}
