// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum cannot be passed as what keeps its greatest.
// error: no match|no matching|no viable
#include "heddle/task.h"
using namespace heddle::tasks;
void record(Program &program) {
  Task<In<i32, 2>, Reduce<i32, 2, Sum::Max>> task(program, "t", {"a", "b"});
  Task<In<i32, 2>, Reduce<i32, 2>> other(program, "t", {"a", "b"});
  other.inner("i", [&](In<i32, 2> a, Reduce<i32, 2> b) {
    task(a, b); // here
  });
}
