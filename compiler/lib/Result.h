//===- Result.h - The texts of one call -------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The struct behind the opaque heddle_result of compiler.h: messages, report,
// schedule and picture of one call, and the texts of each kernel. The result
// owns all of them, so a caller frees a call with one function, and text that
// comes with a failure is read like any other.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_COMPILER_LIB_RESULT_H
#define HEDDLE_COMPILER_LIB_RESULT_H

#include "heddle/compiler.h"

#include <string>
#include <vector>

struct heddle_result {
  struct Kernel {
    std::string name, ptx, manifest, certificate;
  };
  std::string messages;
  std::string report, schedule, picture;
  std::vector<Kernel> kernels;
};

#endif // HEDDLE_COMPILER_LIB_RESULT_H
