// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// So is its mapping.
// error: deleted|use of deleted
#include "heddle/task.h"
using namespace heddle::tasks;
void record(Program &program) {
  Task<In<f32, 2>, Out<f32, 2>> task(program, "t", {"a", "b"});
  Variant leaf = task.leaf("l", [](In<f32, 2> a, Out<f32, 2> b) {
    b = a.read({"M", "N"});
  });
  Mapping map(program, "m", leaf);
  Mapping copy = map; // here
}
