// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps its greatest elements is not added to.
// error: keeps its least or greatest
#include "heddle/task.h"
using namespace heddle::tasks;
void record(Program &program) {
  Task<In<i32, 2>, Reduce<i32, 2, Sum::Max>> task(program, "t", {"a", "b"});
  task.leaf("l", [](In<i32, 2> a, Reduce<i32, 2, Sum::Max> b) {
    b += a.read({"M", "N"}); // here
  });
}
