//===- ResultNumbers.h - Guards the parser against huge numbers ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: program text. Out: an error at the place of a result number that is
// absurdly large. MLIR's parser allocates as many results as a name claims
// before it looks at the operation, so a line of text could take all memory;
// the text is therefore looked through before it is parsed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PIPELINE_RESULTNUMBERS_H
#define HEDDLE_LIB_PIPELINE_RESULTNUMBERS_H

#include "heddle/Support/Source.h"

#include "mlir/IR/MLIRContext.h"

namespace heddle::pipeline {

/// Diagnoses `%name#1000000000`: MLIR's parser makes room for so many results
/// before it looks whether the operation has them.
mlir::LogicalResult checkResultNumbers(const Source &source,
                                       mlir::MLIRContext &context);

} // namespace heddle::pipeline

#endif // HEDDLE_LIB_PIPELINE_RESULTNUMBERS_H
