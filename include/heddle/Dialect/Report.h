//===- Report.h - Emits what the catalogue lists ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   return report(op, diag::dot_shape) << "the dot multiplies " << ...;
//
// prints `FILE:LINE:COLUMN: error: the dot multiplies ... [dot-shape]`. Nothing
// in heddle calls emitError itself, so that no message is without an id.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_REPORT_H
#define HEDDLE_DIALECT_REPORT_H

#include "heddle/Support/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace heddle {

/// A message being written; sent, with its id, when it goes out of scope.
/// Converts to failure like mlir::InFlightDiagnostic.
class Report {
public:
  Report(mlir::InFlightDiagnostic &&diagnostic, const diag::Kind &kind)
      : diagnostic(std::move(diagnostic)), kind(&kind) {}
  Report(Report &&) = default;
  ~Report() {
    if (diagnostic.getUnderlyingDiagnostic())
      diagnostic << " [" << kind->id() << "]";
  }

  template <typename Arg> Report &operator<<(Arg &&arg) & {
    diagnostic << std::forward<Arg>(arg);
    return *this;
  }
  template <typename Arg> Report &&operator<<(Arg &&arg) && {
    diagnostic << std::forward<Arg>(arg);
    return std::move(*this);
  }

  mlir::Diagnostic &attachNote(mlir::Location location) {
    return diagnostic.attachNote(location);
  }

  operator mlir::LogicalResult() const { return diagnostic; }
  operator mlir::ParseResult() const { return diagnostic; }
  template <typename T> operator mlir::FailureOr<T>() const {
    return mlir::failure();
  }

private:
  mlir::InFlightDiagnostic diagnostic;
  const diag::Kind *kind;
};

/// A message about `location`.
inline Report report(mlir::Location location, const diag::Kind &kind) {
  return {kind.outcome == diag::Outcome::Remark ? mlir::emitRemark(location)
                                                : mlir::emitError(location),
          kind};
}

/// A message about `op`.
inline Report report(mlir::Operation *op, const diag::Kind &kind) {
  return {kind.outcome == diag::Outcome::Remark ? op->emitRemark()
                                                : op->emitError(),
          kind};
}

/// A message whose subject is `op`: "'tile.dot' ", to be continued by a verb.
inline Report reportOp(mlir::Operation *op, const diag::Kind &kind) {
  return report(op, kind) << "'" << op->getName() << "' ";
}

} // namespace heddle

#endif // HEDDLE_DIALECT_REPORT_H
