//===- main.cpp - Tunes a loop of its own from C++ ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program transposes a matrix in blocks, and asks heddle::tuner which block
// to time next. It shows all that a C++ project needs: a space as JSON, and a
// loop of proposals and times. Exit code 0 if the best block was found to be a
// point of the space, 1 with the tuner's sentence if not.
//
//===----------------------------------------------------------------------===//

#include <heddle/tuner.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

static const char *kSpace = R"({
  "input_parameters": {
    "rows":    {"parameter_type": "ordinal", "values": [1, 2, 4, 8, 16, 32, 64], "transform": "log", "parameter_default": 1},
    "columns": {"parameter_type": "ordinal", "values": [1, 2, 4, 8, 16, 32, 64], "transform": "log", "parameter_default": 1,
                "constraints": ["rows * columns <= 2048"]}
  },
  "design_of_experiment": {"number_of_samples": 4}
})";

static const size_t kSize = 512;

static double transposeSeconds(size_t rows, size_t columns) {
  static std::vector<float> from(kSize * kSize, 1.0f), to(kSize * kSize);
  double least = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < kSize; i += rows)
      for (size_t j = 0; j < kSize; j += columns)
        for (size_t y = i; y < std::min(i + rows, kSize); ++y)
          for (size_t x = j; x < std::min(j + columns, kSize); ++x)
            to[x * kSize + y] = from[y * kSize + x];
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  return least + 1e-9;
}

int main() {
  heddle_tuner *tuner;
  const char *point;
  double rows, columns, seconds;
  bool ok = heddle_tuner_create(kSpace, R"({"budget": 20})", &tuner) ==
            HEDDLE_TUNER_OK;
  while (ok && heddle_tuner_propose(tuner, &point) == HEDDLE_TUNER_OK)
    ok = heddle_tuner_number(tuner, "rows", &rows) == HEDDLE_TUNER_OK &&
         heddle_tuner_number(tuner, "columns", &columns) == HEDDLE_TUNER_OK &&
         heddle_tuner_tell(tuner,
                           transposeSeconds(size_t(rows), size_t(columns))) ==
             HEDDLE_TUNER_OK;
  ok = ok && heddle_tuner_best(tuner, &point, &seconds) == HEDDLE_TUNER_OK;
  if (ok)
    std::printf("%d blocks timed, the best is %s\n", heddle_tuner_told(tuner),
                point);
  else
    std::printf("failed: %s\n", heddle_tuner_message(tuner));
  heddle_tuner_destroy(tuner);
  return ok ? 0 : 1;
}
