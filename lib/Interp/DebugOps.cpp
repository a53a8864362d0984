//===- DebugOps.cpp - Assertions and printing -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs assertions and prints. A failed assertion is a diagnostic that names the
// element; a print writes nested lists to the caller's stream, or nothing
// without one. Tests compare both texts.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

static LogicalResult runAssert(Interpreter &interpreter, tile::AssertOp op) {
  const Datum &condition = interpreter.get(op.getCondition());
  for (auto [i, holds] : llvm::enumerate(condition.integers)) {
    if (holds)
      continue;
    Report error = report(op.getLoc(), diag::assertion_failed)
                   << "assertion failed: " << op.getMessage();
    if (!condition.shape.empty())
      error << " (at element " << i << " of " << condition.size() << ")";
    return error;
  }
  return success();
}

static void printElement(llvm::raw_ostream &stream, const Datum &datum,
                         int64_t index) {
  if (datum.isFloat())
    stream << llvm::format("%.9g", datum.floats[index]);
  else
    stream << datum.integers[index];
}

/// Nested lists: [[1, 2], [3, 4]].
static void print(llvm::raw_ostream &stream, const Datum &datum, size_t axis,
                  int64_t &index) {
  if (axis == datum.shape.size())
    return printElement(stream, datum, index++);
  stream << "[";
  for (int64_t i = 0; i < datum.shape[axis]; ++i) {
    stream << (i ? ", " : "");
    print(stream, datum, axis + 1, index);
  }
  stream << "]";
}

static LogicalResult runPrint(Interpreter &interpreter, tile::PrintOp op) {
  llvm::raw_ostream *stream = interpreter.getOutput();
  if (!stream)
    return success();
  *stream << op.getPrefix();
  for (auto [i, value] : llvm::enumerate(op.getValues())) {
    int64_t index = 0;
    *stream << (i ? ", " : ": ");
    print(*stream, interpreter.get(value), 0, index);
  }
  *stream << "\n";
  return success();
}

void heddle::interp::addDebugOps(Handlers &handlers) {
  handlers.add<tile::AssertOp>(runAssert);
  handlers.add<tile::PrintOp>(runPrint);
}
