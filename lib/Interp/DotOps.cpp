//===- DotOps.cpp - Matrix products ---------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix products, on which the oracle's speed depends. Blocks of the result
// stay in registers and the code is compiled for several instruction sets. Each
// sum runs over k in order all the same.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include <bit>

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

namespace {

constexpr int64_t kRows = 4, kColumns = 8; // one register block of the product

/// c += a . b for row-major doubles. Sums run over k in order, whatever the
/// vector width, so every machine gives the same result: the products of
/// formats narrower than f64 are exact, and so is contracting them. Those of
/// f64 are not, and no rung below multiplies them.
#ifdef __x86_64__
[[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#endif
void multiplyAdd(const double *__restrict a, const double *__restrict b,
                 double *__restrict c, int64_t m, int64_t n, int64_t k) {
  int64_t i = 0;
  for (; i + kRows <= m; i += kRows) {
    int64_t j = 0;
    for (; j + kColumns <= n; j += kColumns) {
      double sum[kRows][kColumns];
      for (int64_t r = 0; r < kRows; ++r)
        for (int64_t s = 0; s < kColumns; ++s)
          sum[r][s] = c[(i + r) * n + j + s];
      for (int64_t p = 0; p < k; ++p)
        for (int64_t r = 0; r < kRows; ++r)
          for (int64_t s = 0; s < kColumns; ++s)
            sum[r][s] += a[(i + r) * k + p] * b[p * n + j + s];
      for (int64_t r = 0; r < kRows; ++r)
        for (int64_t s = 0; s < kColumns; ++s)
          c[(i + r) * n + j + s] = sum[r][s];
    }
    for (int64_t r = i; r < i + kRows; ++r)
      for (int64_t p = 0; p < k; ++p)
        for (int64_t s = j; s < n; ++s)
          c[r * n + s] += a[r * k + p] * b[p * n + s];
  }
  for (; i < m; ++i)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t s = 0; s < n; ++s)
        c[i * n + s] += a[i * k + p] * b[p * n + s];
}

void multiplyAdd(const int64_t *a, const int64_t *b, int64_t *c, int64_t m,
                 int64_t n, int64_t k) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < n; ++j)
        c[i * n + j] = int64_t(uint64_t(c[i * n + j]) +
                               uint64_t(a[i * k + p]) * uint64_t(b[p * n + j]));
}

/// Each number of f32 without the low 13 bits of its fraction.
std::vector<double> cutToTf32(std::vector<double> values) {
  for (double &value : values)
    value = std::bit_cast<float>(std::bit_cast<uint32_t>(float(value)) &
                                 ~uint32_t(0x1FFF));
  return values;
}

LogicalResult runDot(Interpreter &interpreter, tile::DotOp op) {
  const Datum &a = interpreter.get(op.getA());
  const Datum &b = interpreter.get(op.getB());
  const Datum &acc = interpreter.get(op.getAcc());
  Datum result = interpreter.make(op.getResult());
  size_t axes = a.shape.size();
  int64_t m = a.shape[axes - 2], k = a.shape[axes - 1], n = b.shape[axes - 1];
  int64_t places = axes == 3 ? a.shape[0] : 1;
  auto multiplyAll = [&](const auto &ofA, const auto &ofB, auto &sums) {
    for (int64_t i = 0; i < places; ++i)
      multiplyAdd(ofA.data() + i * m * k, ofB.data() + i * k * n,
                  sums.data() + i * m * n, m, n, k);
  };
  if (a.isFloat()) {
    result.floats = acc.floats;
    if (op.getTf32())
      multiplyAll(cutToTf32(a.floats), cutToTf32(b.floats), result.floats);
    else
      multiplyAll(a.floats, b.floats, result.floats);
    result.element.round(result.floats);
  } else {
    result.integers = acc.integers;
    multiplyAll(a.integers, b.integers, result.integers);
    result.element.wrap(result.integers);
  }
  interpreter.set(op.getResult(), std::move(result));
  return success();
}

} // namespace

void heddle::interp::addDotOps(Handlers &handlers) {
  handlers.add<tile::DotOp>(runDot);
}
