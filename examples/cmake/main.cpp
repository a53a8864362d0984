//===- main.cpp - Launches a kernel of heddle's from C++ ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program fills two buffers on the GPU, calls `axpy_launch`, which heddle
// generates from axpy.mlir when the project is built, and compares each
// element. It shows all that a C++ project needs: the generated header, the
// runtime behind it, and no CUDA header. A missing device has an exit code of
// its own, because the package's tests run where there is no GPU, too.
//
//===----------------------------------------------------------------------===//

#include "axpy_kernel.h"

#include <cstdio>
#include <vector>

/// Exit code 0: right, 1: wrong, 2: no device.
int main() {
  const int64_t n = 5000;
  std::vector<float> x(n), y(n, 1.0f);
  for (int64_t i = 0; i < n; ++i)
    x[i] = float(i);
  if (!heddle_device_available()) {
    std::printf("no GPU: %s\n", heddle_last_error());
    return 2;
  }
  heddle_tensor device_x = {nullptr, {n}, {1}}, device_y = device_x;
  const size_t bytes = n * sizeof(float);
  bool ok =
      heddle_malloc(bytes, &device_x.data) == HEDDLE_OK &&
      heddle_malloc(bytes, &device_y.data) == HEDDLE_OK &&
      heddle_copy_to_device(device_x.data, x.data(), bytes) == HEDDLE_OK &&
      heddle_copy_to_device(device_y.data, y.data(), bytes) == HEDDLE_OK &&
      axpy_launch(/*stream=*/nullptr, 2.0f, device_x, device_y) == HEDDLE_OK &&
      heddle_copy_from_device(y.data(), device_y.data, bytes) == HEDDLE_OK;
  if (!ok) {
    std::printf("failed: %s\n", heddle_last_error());
    return 1;
  }
  for (int64_t i = 0; i < n; ++i)
    if (y[i] != 2 * x[i] + 1) {
      std::printf("launched, and element %ld is wrong: %g\n", long(i), y[i]);
      return 1;
    }
  std::printf("right\n");
  return 0;
}
