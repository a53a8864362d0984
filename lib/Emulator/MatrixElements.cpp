//===- MatrixElements.cpp - Elements of matrix operands -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatrixElements.h"

#if defined(__x86_64__) && defined(__linux__)
// Products are exact, so a fused multiply-add gives the same bits as two steps
// and every clone the same result.
#define HEDDLE_VECTOR_CLONES                                                   \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HEDDLE_VECTOR_CLONES
#endif

HEDDLE_VECTOR_CLONES
void heddle::emulator::multiplyAccumulate(const double *a, const double *b,
                                          double *out, int m, int n, int k) {
  for (int row = 0; row < m; ++row) {
    double *__restrict sums = out + row * n;
    for (int i = 0; i < k; ++i) {
      double scale = a[row * k + i];
      const double *__restrict factors = b + i * n;
      for (int column = 0; column < n; ++column)
        sums[column] += scale * factors[column];
    }
  }
}
