//===- main.cpp - Sparse products of heddle's in a C++ program ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph's adjacency matrix times features (a dense result), and times itself
// (a sparse one, whose size only the run knows), on threads of the program.
// Both are compared with loops, bit by bit, since the numbers are small
// integers, and with one thread. The code was compiled when the project was
// built: the program needs no library of heddle's.
//
//===----------------------------------------------------------------------===//

#include "spgemm_kernel.h"
#include "spmm_kernel.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static void onThreads(void (*work)(void *, int), void *context, int parts) {
  std::vector<std::thread> threads;
  for (int part = 1; part < parts; ++part)
    threads.emplace_back(work, context, part);
  work(context, 0);
  for (std::thread &thread : threads)
    thread.join();
}

namespace {
struct Matrix {
  std::vector<int32_t> positions{0}, coordinates;
  std::vector<float> values;
};
} // namespace

/// Rows of 0 to 6 elements, of which some have none.
static Matrix makeMatrix(int64_t rows, int64_t columns) {
  Matrix made;
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < row % 7; ++i) {
      made.coordinates.push_back(int32_t((row + i * (columns / 7)) % columns));
      made.values.push_back(float(row % 3 + 1));
    }
    auto first = made.coordinates.begin() + made.positions.back();
    std::sort(first, made.coordinates.end());
    made.positions.push_back(int32_t(made.coordinates.size()));
  }
  return made;
}

static int failWith(const char *sentence) {
  std::printf("%s\n", sentence);
  return 1;
}

static int multiplyDense(const Matrix &a, int64_t n, int64_t width, int parts) {
  std::vector<float> b(size_t(n * width)), wanted(size_t(n * width));
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = float(i % 5) - 2;
  for (int64_t row = 0; row < n; ++row)
    for (int32_t at = a.positions[row]; at < a.positions[row + 1]; ++at)
      for (int64_t k = 0; k < width; ++k)
        wanted[row * width + k] +=
            a.values[at] * b[a.coordinates[at] * width + k];
  spmm_results c;
  if (const char *fault =
          spmm_call(onThreads, parts, a.positions.data(), a.coordinates.data(),
                    a.values.data(), n, n, b.data(), n, width, &c))
    return failWith(fault);
  bool isRight = c.C_val_count == n * width &&
                 std::equal(wanted.begin(), wanted.end(), c.C_val);
  std::free(c.C_val);
  return isRight ? 0 : failWith("the product with a dense matrix is wrong");
}

static int multiplySparse(const Matrix &a, int64_t n, int parts) {
  spgemm_results c;
  if (const char *fault = spgemm_call(
          onThreads, parts, a.positions.data(), a.coordinates.data(),
          a.values.data(), n, n, a.positions.data(), a.coordinates.data(),
          a.values.data(), n, n, &c))
    return failWith(fault);
  bool isRight = c.C_pos1_count == n + 1;
  for (int64_t row = 0; row < n && isRight; ++row) {
    std::vector<float> wanted(size_t(n), 0.0f), found = wanted;
    for (int32_t at = a.positions[row]; at < a.positions[row + 1]; ++at)
      for (int32_t to = a.positions[a.coordinates[at]];
           to < a.positions[a.coordinates[at] + 1]; ++to)
        wanted[a.coordinates[to]] += a.values[at] * a.values[to];
    for (int32_t at = c.C_pos1[row]; at < c.C_pos1[row + 1]; ++at)
      found[c.C_crd1[at]] = c.C_val[at];
    isRight = found == wanted;
  }
  std::free(c.C_pos1);
  std::free(c.C_crd1);
  std::free(c.C_val);
  return isRight ? 0 : failWith("the product with a sparse matrix is wrong");
}

int main() {
  const int64_t n = 500;
  Matrix a = makeMatrix(n, n);
  for (int parts : {1, 3})
    if (multiplyDense(a, n, 37, parts) || multiplySparse(a, n, parts))
      return 1;
  std::printf("both products are right\n");
  return 0;
}
