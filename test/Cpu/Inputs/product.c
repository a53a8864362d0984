//===- product.c - A product in a C program -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product by a library that was compiled ahead of time: two shares, whose result is compared
// with loops, bit by bit, since the numbers are small integers.
//
//===----------------------------------------------------------------------===//

#include "product.h"

#include <stdio.h>

enum { M = 70, N = 130, K = 33 };

int main(void) {
  static float a[M * K], b[K * N], c[M * N];
  heddle_tensor left = {a, {M, K}, {K, 1}}, right = {b, {K, N}, {N, 1}}, result = {c, {M, N}, {N, 1}};
  const char *fault;
  for (int i = 0; i < M * K; ++i)
    a[i] = (float)(i % 5 - 2);
  for (int i = 0; i < K * N; ++i)
    b[i] = (float)(i % 7 - 3);
  fault = gemm_part(0, 2, left, right, result);
  if (!fault)
    fault = gemm_part(1, 2, left, right, result);
  if (fault) {
    puts(fault);
    return 1;
  }
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k)
        sum += a[i * K + k] * b[k * N + j];
      if (sum != c[i * N + j]) {
        printf("element %d, %d is %g and not %g\n", i, j, c[i * N + j], sum);
        return 1;
      }
    }
  puts("the product is right");
  return 0;
}
