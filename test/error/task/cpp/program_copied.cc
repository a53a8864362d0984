// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program is one.
// error: deleted|use of deleted
#include "heddle/task.h"
using namespace heddle::tasks;
void record(Program &program) {
  Program copy = program; // here
}
