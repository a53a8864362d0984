//===- signed.c - Numbers below zero in a C program ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index of a kernel is a parameter of 32 bits in C, and keeps its sign on the way.
//
//===----------------------------------------------------------------------===//

#include "signed.h"

#include <stdio.h>

int main(void) {
  float x[] = {1, 2, 4, 8}, y[] = {0};
  heddle_tensor from = {x, {4}, {1}}, to = {y, {1}, {1}};
  const char *fault = between_call(from, to, -2, 3, -1);
  if (fault)
    puts(fault);
  else
    printf("the sum is %g\n", y[0]);
  return 0;
}
