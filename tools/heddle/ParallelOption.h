//===- ParallelOption.h - --parallel of heddle simulate ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: "i:4,k:2:8", an index with its number of copies and how many coordinates
// in a row go to one. Out: the same in the plan, of each statement that has the
// index.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_PARALLELOPTION_H
#define HEDDLE_TOOLS_HEDDLE_PARALLELOPTION_H

#include "heddle/Dialect/Einsum/Einsum.h"

namespace heddle::tool {

/// Sets what entries of `plan` say about parallel indices; nothing if `text` is
/// empty. An exit code.
int setParallel(einsum::PlanOp plan, llvm::StringRef text);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_PARALLELOPTION_H
