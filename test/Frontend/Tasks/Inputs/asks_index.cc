// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "heddle/task.h"
using namespace heddle::tasks;
int main() {
  Program program;
  Task<In<f32, 2>, Out<f32, 2>> copy(program, "copy", {"a", "b"});
  copy.inner("copy_block", [&](In<f32, 2> a, Out<f32, 2> b) {
    if (a.extent(0))
      copy(a, b);
  });
}
