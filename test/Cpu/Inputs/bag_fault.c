//===- bag_fault.c - Bags whose numbers are wrong -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers that are right, and wrong in each way that the program asserts.
//
//===----------------------------------------------------------------------===//

#include "bags.h"

#include <stdio.h>

static float table[9 * 8], out[4 * 8];

static const char *run(int part, int parts, int32_t *indices, int32_t *offsets) {
  heddle_tensor rows = {table, {9, 8}, {8, 1}}, names = {indices, {10}, {1}}, ends = {offsets, {5}, {1}},
                sums = {out, {4, 8}, {8, 1}};
  return bag_checked_part(part, parts, rows, names, ends, sums);
}

static void tell(const char *what, const char *fault) { printf("%s: %s\n", what, fault ? fault : "right"); }

int main(void) {
  int32_t indices[10] = {1, 2, 3, 8, 0, 0, 5, 7, 1, 4}, offsets[5] = {0, 3, 3, 9, 10};
  int i;
  for (i = 0; i < 9 * 8; ++i)
    table[i] = (float)(i / 8);
  tell("as they are", run(0, 1, indices, offsets));
  printf("sums: %g %g %g %g\n", out[0], out[8], out[16], out[24]);
  indices[5] = 9;
  tell("an index", run(0, 1, indices, offsets));
  tell("the half without it", run(0, 2, indices, offsets));
  tell("the half with it", run(1, 2, indices, offsets));
  indices[5] = -1;
  tell("a negative index", run(0, 1, indices, offsets));
  indices[5] = 0;
  offsets[1] = 4;
  tell("offsets", run(0, 1, indices, offsets));
  offsets[1] = 3;
  offsets[4] = 11;
  tell("the end", run(0, 1, indices, offsets));
  return 0;
}
