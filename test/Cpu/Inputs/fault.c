//===- fault.c - A failed assertion of a kernel -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An assertion of a kernel that does not hold is what its function returns.
//
//===----------------------------------------------------------------------===//

#include "fault.h"

#include <stdio.h>

int main(void) {
  static float x[129], y[129];
  heddle_tensor in = {x, {1, 129}, {129, 1}}, out = {y, {1, 129}, {129, 1}};
  const char *fault = softmax_call(in, out);
  puts(fault ? fault : "no fault");
  return 0;
}
