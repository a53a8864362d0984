//===- BodyKey.h - Processes that do the same -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a process. Out: a text that two processes share if and only if they are
// the same program but for what they use from outside, and that in order. A
// graph of streams has dozens of processes and few kinds of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_COMPILED_BODYKEY_H
#define HEDDLE_LIB_SIMULATOR_COMPILED_BODYKEY_H

#include "WriteProcess.h"

namespace heddle::simulator {

struct BodyKey {
  std::string text;
  std::vector<mlir::Value> outside;      ///< in the order of first use
  std::vector<mlir::Operation *> inside; ///< operations in order
};

BodyKey keyOf(aref::ProcessOp process, ConsumerOf consumerOf,
              ConsumerCount consumerCount);

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_COMPILED_BODYKEY_H
