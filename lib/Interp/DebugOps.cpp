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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

/// Where the program is: the instance, the numbers of the loops around, and
/// what a failed comparison of two numbers compared, as far as known.
static void describePlace(Interpreter &interpreter, tile::AssertOp op,
                          Report &error) {
  std::string place;
  auto add = [&](Value value, const char *what) {
    DatumRef datum = interpreter.find(value);
    if (datum && datum->integers.size() == 1)
      place = what + std::to_string(datum->integers[0]) +
              (place.empty() ? "" : ", ") + place;
  };
  for (Operation *around = op->getParentOp(); !isa<tile::KernelOp>(around);
       around = around->getParentOp())
    if (auto loop = dyn_cast<scf::ForOp>(around))
      add(loop.getInductionVar(), "loop at ");
    else if (auto parallel = dyn_cast<tile::ParallelOp>(around))
      for (Value index : llvm::reverse(parallel.getBody().getArguments()))
        add(index, "instance ");
  if (auto compare = op.getCondition().getDefiningOp<arith::CmpIOp>();
      compare && compare.getLhs().getType().isIntOrIndex()) {
    DatumRef left = interpreter.find(compare.getLhs());
    DatumRef right = interpreter.find(compare.getRhs());
    if (left && right)
      place += (place.empty() ? "" : ", ") +
               ("comparing " + std::to_string(left->integers[0])) + " with " +
               std::to_string(right->integers[0]);
  }
  if (!place.empty())
    error << " (" << place << ")";
}

static LogicalResult runAssert(Interpreter &interpreter, tile::AssertOp op) {
  const Datum &condition = interpreter.get(op.getCondition());
  for (auto [i, holds] : llvm::enumerate(condition.integers)) {
    if (holds)
      continue;
    Report error = report(op.getLoc(), diag::assertion_failed)
                   << "assertion failed: " << op.getMessage();
    if (!condition.shape.empty())
      error << " (at element " << i << " of " << condition.size() << ")";
    else
      describePlace(interpreter, op, error);
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
