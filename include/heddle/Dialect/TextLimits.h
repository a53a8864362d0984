//===- TextLimits.h - Refuses text that no parser should see ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands around every call of MLIR's parser. Before: text and the name that
// messages give it; failure is one error, see Support/Nesting.h. Behind: the
// program, whose names must be text that JSON can hold, because manifests,
// certificates and traces print them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_TEXTLIMITS_H
#define HEDDLE_DIALECT_TEXTLIMITS_H

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"
#include "heddle/Support/Nesting.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/JSON.h"

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

/// Names may have any bytes, as "\\FF" in MLIR's text.
inline llvm::LogicalResult checkNames(mlir::Operation *program) {
  bool isText = true;
  mlir::AttrTypeWalker walker;
  walker.addWalk([&](mlir::StringAttr text) {
    isText = isText && llvm::json::isUTF8(text.getValue());
  });
  mlir::WalkResult result = program->walk([&](mlir::Operation *op) {
    walker.walk(op->getAttrDictionary());
    for (mlir::Type type : op->getResultTypes())
      walker.walk(type);
    if (isText)
      return mlir::WalkResult::advance();
    report(op, diag::text_encoding)
        << "a name or another string of '" << op->getName()
        << "' is not UTF-8 text; spell it in other characters";
    return mlir::WalkResult::interrupt();
  });
  return llvm::failure(result.wasInterrupted());
}

} // namespace heddle

#endif // HEDDLE_DIALECT_TEXTLIMITS_H
