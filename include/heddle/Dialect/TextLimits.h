//===- TextLimits.h - Refuses text that no parser should see ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands before every call of MLIR's parser. In: text and the name that
// messages give it; out: failure and one error, see Support/Nesting.h.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TEXTLIMITS_H
#define HEDDLE_DIALECT_TEXTLIMITS_H

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Nesting.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"

namespace heddle {

inline llvm::LogicalResult checkTextLimits(llvm::StringRef text,
                                           llvm::StringRef path,
                                           mlir::MLIRContext &context) {
  std::optional<TextFault> fault = findDeepNesting(text);
  if (!fault)
    return mlir::success();
  return report(mlir::FileLineColLoc::get(&context, path, fault->line,
                                          fault->column),
                diag::text_limits)
         << fault->message;
}

} // namespace heddle

#endif // HEDDLE_DIALECT_TEXTLIMITS_H
