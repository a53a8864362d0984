//===- EmitTurns.cpp - Counters that blocks wait for ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A counter is read with acquire and raised with release, both by the first
// thread of a process. The copy engine is another proxy than that thread, so
// its accesses of global memory stand between fences: what it adds comes behind
// a turn that has come, and before one that is passed.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;

namespace heddle::tonvvm {

static Value counterAddress(Code &code, Value counters, Value place) {
  return code.advance(counters,
                      code.mul(code.resize(place, code.builder.getI64Type(),
                                           /*isSigned=*/false),
                               4));
}

LogicalResult Emitter::emitAwaitTurn(hopper::AwaitTurnOp op) {
  Code code(builder, op.getLoc());
  auto wait = [&] {
    code.awaitCount(counterAddress(code, viewPointer(op.getCounters()),
                                   scalar(op.getPlace())),
                    code.resize(scalar(op.getTurn()), builder.getI32Type(),
                                /*isSigned=*/false));
  };
  if (threads.isSingle())
    wait();
  else
    code.ifThen(threads.first, wait);
  return success();
}

LogicalResult Emitter::emitPassTurn(hopper::PassTurnOp op) {
  Code code(builder, op.getLoc());
  auto pass = [&] {
    code.raiseCount(counterAddress(code, viewPointer(op.getCounters()),
                                   scalar(op.getPlace())));
  };
  if (threads.isSingle())
    pass();
  else
    code.ifThen(threads.first, pass);
  return success();
}

} // namespace heddle::tonvvm
