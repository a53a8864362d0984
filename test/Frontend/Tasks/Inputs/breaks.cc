// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "heddle/task.h"
#include <iostream>
using namespace heddle::tasks;
int main() try {
  Program program;
  Task<In<f32, 2>, Out<f32, 2>> copy(program, "copy", {"a", "b"});
  copy.inner("copy_block", [&](In<f32, 2> a, Out<f32, 2> b) {
    for (Index k : srange(a.extent(0))) {
      copy(a, b);
      break;
    }
  });
} catch (const std::logic_error &error) {
  std::cerr << error.what() << "\n";
  return 1;
}
