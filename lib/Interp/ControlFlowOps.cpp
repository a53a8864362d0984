//===- ControlFlowOps.cpp - scf -------------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs scf.for, scf.if and scf.while. Carried values are shared references, so
// an iteration copies no tile. A step below 1 and unsigned bounds beyond 2^63
// are errors with the numbers in them.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

static void bindAll(Interpreter &interpreter, ValueRange values,
                    ArrayRef<DatumRef> data) {
  for (auto [value, datum] : llvm::zip_equal(values, data))
    interpreter.set(value, datum);
}

static SmallVector<DatumRef> getAll(Interpreter &interpreter,
                                    ValueRange values) {
  return llvm::map_to_vector(
      values, [&](Value value) { return interpreter.getRef(value); });
}

static LogicalResult runFor(Interpreter &interpreter, scf::ForOp op) {
  int64_t first = interpreter.getInteger(op.getLowerBound());
  int64_t end = interpreter.getInteger(op.getUpperBound());
  int64_t step = interpreter.getInteger(op.getStep());
  if (step <= 0)
    return report(op.getLoc(), diag::loop_step)
           << "the loop's step is " << step << "; it must be at least 1";
  if (op.getUnsignedCmp() && (first < 0 || end < 0))
    return report(op.getLoc(), diag::loop_step)
           << "the loop from " << uint64_t(first) << " to " << uint64_t(end)
           << " compares unsigned bounds beyond 2^63";
  SmallVector<DatumRef> carried = getAll(interpreter, op.getInitArgs());
  for (int64_t i = first; i < end;) {
    interpreter.setInteger(op.getInductionVar(), i);
    bindAll(interpreter, op.getRegionIterArgs(), carried);
    if (failed(interpreter.runBlock(*op.getBody())))
      return failure();
    carried = interpreter.getOperands(op.getBody()->getTerminator());
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  bindAll(interpreter, op.getResults(), carried);
  return success();
}

static LogicalResult runIf(Interpreter &interpreter, scf::IfOp op) {
  Block *block = interpreter.getInteger(op.getCondition()) ? op.thenBlock()
                                                           : op.elseBlock();
  if (!block)
    return success();
  if (failed(interpreter.runBlock(*block)))
    return failure();
  if (op.getNumResults() != 0)
    bindAll(interpreter, op.getResults(),
            interpreter.getOperands(block->getTerminator()));
  return success();
}

static LogicalResult runWhile(Interpreter &interpreter, scf::WhileOp op) {
  SmallVector<DatumRef> carried = getAll(interpreter, op.getInits());
  while (true) {
    bindAll(interpreter, op.getBeforeArguments(), carried);
    if (failed(interpreter.runBlock(*op.getBeforeBody())))
      return failure();
    scf::ConditionOp condition = op.getConditionOp();
    SmallVector<DatumRef> passed = getAll(interpreter, condition.getArgs());
    if (!interpreter.getInteger(condition.getCondition())) {
      bindAll(interpreter, op.getResults(), passed);
      return success();
    }
    bindAll(interpreter, op.getAfterArguments(), passed);
    if (failed(interpreter.runBlock(*op.getAfterBody())))
      return failure();
    carried = interpreter.getOperands(op.getAfterBody()->getTerminator());
  }
}

void heddle::interp::addControlFlowOps(Handlers &handlers) {
  handlers.add<scf::ForOp>(runFor);
  handlers.add<scf::IfOp>(runIf);
  handlers.add<scf::WhileOp>(runWhile);
}
