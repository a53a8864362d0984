//===- StructureOps.cpp - Parameters, instances and workers ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters, workers and tile.parallel. Instances run in row-major order, and
// there is one worker with number 0, so that a distributed program runs here as
// well. A grid beyond the hardware's limit is an error before its first
// instance.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Run.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::interp;

/// What a grid of thread blocks can hold along its first axis.
static constexpr int64_t kMostInstances = (int64_t(1) << 31) - 1;

static LogicalResult runParallel(Interpreter &interpreter,
                                 tile::ParallelOp op) {
  Shape bounds = interpreter.getIntegers(op.getBounds());
  int64_t instances = 1;
  for (auto [axis, bound] : llvm::enumerate(bounds)) {
    if (bound < 0)
      return report(op.getLoc(), diag::loop_step)
             << "bound " << axis << " of the parallel instances is " << bound
             << "; it must be at least 0";
    if (__builtin_mul_overflow(instances, bound, &instances) ||
        instances > kMostInstances)
      return report(op.getLoc(), diag::loop_step)
             << "there are more than " << kMostInstances
             << " parallel instances";
  }
  Block &body = op.getBody().front();
  for (int64_t number = 0; number < instances; ++number) {
    int64_t rest = number;
    for (size_t axis = bounds.size(); axis-- > 0; rest /= bounds[axis])
      interpreter.setInteger(body.getArgument(axis), rest % bounds[axis]);
    if (failed(interpreter.runBlock(body)))
      return failure();
    if (!interpreter.isScratchZero())
      return report(op.getLoc(), diag::scratch_left)
             << "instance " << number
             << " leaves its scratch memory other than zero";
  }
  return success();
}

static LogicalResult runScratch(Interpreter &interpreter, tile::ScratchOp op) {
  constexpr int64_t kMostBytes = int64_t(1) << 32;
  int64_t count = interpreter.getInteger(op.getCount());
  int64_t size = op.getType().getElementType().getIntOrFloatBitWidth() / 8;
  if (count < 0 || count > kMostBytes / size)
    return report(op.getLoc(), diag::scratch_left)
           << "scratch memory has 0 to " << kMostBytes / size
           << " elements here, not " << count;
  Datum address = interpreter.make(op.getResult());
  address.integers[0] = interpreter.addScratch(count * size);
  interpreter.set(op.getResult(), std::move(address));
  return success();
}

void heddle::interp::addStructureOps(Handlers &handlers) {
  handlers.add<tile::ParamValueOp>(
      [](Interpreter &interpreter, tile::ParamValueOp op) {
        interpreter.setInteger(op.getResult(),
                               interpreter.getParameter(op.getParam()));
        return success();
      });
  handlers.add<tile::WorkerIdOp>(
      [](Interpreter &interpreter, tile::WorkerIdOp op) {
        interpreter.setInteger(op.getResult(), interpreter.getWorker());
        return success();
      });
  handlers.add<tile::WorkerCountOp>(
      [](Interpreter &interpreter, tile::WorkerCountOp op) {
        interpreter.setInteger(op.getResult(), interpreter.getWorkers());
        return success();
      });
  handlers.add<tile::ParallelOp>(runParallel);
  handlers.add<tile::ScratchOp>(runScratch);
}
