//===- ExplainEinsum.h - heddle explain on the einsum rung ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the plan of an einsum program, why each entry is what it is, and the
// nests that were considered and lost.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_EXPLAINEINSUM_H
#define HEDDLE_TOOLS_HEDDLE_EXPLAINEINSUM_H

#include "EinsumOperands.h"
#include "Program.h"

namespace heddle::tool {

/// An exit code. Without `views` sizes are guessed. `certificates` is a file
/// for what was considered, or "".
int explainEinsum(Program &program, const OperandOptions &options,
                  llvm::ArrayRef<std::string> views,
                  llvm::StringRef certificates);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_EXPLAINEINSUM_H
