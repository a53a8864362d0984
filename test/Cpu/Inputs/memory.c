//===- memory.c - Products whose results are too large --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sparse product by a library that was compiled ahead of time, of sizes that
// no memory holds: it says so before it reads an operand, and gives nothing.
//
//===----------------------------------------------------------------------===//

#include "spmm_kernel.h"

#include <stdio.h>

static void try(int64_t rows, int64_t width) {
  spmm_results found;
  const char *fault =
      spmm_call(0, 1, 0, 0, 0, rows, 1, 0, 1, width, &found);
  puts(fault ? fault : "it ran");
  if (found.C_val)
    puts("there is a result");
}

int main(void) {
  try((int64_t)1 << 40, (int64_t)1 << 18);
  try((int64_t)1 << 40, (int64_t)1 << 40);
  return 0;
}
