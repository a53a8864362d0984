//===- VerifyKernel.cpp - Verify: what must hold after the rewrite
//----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyKernel.h"

#include "heddle/Dialect/Aref/Aref.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

using namespace mlir;
using namespace heddle;

static Report internalError(Operation *op) {
  return report(op, diag::internal)
         << "bug in heddle: aref-to-hopper left the hopper rung broken: ";
}

static LogicalResult verifyOp(Operation *op) {
  if (isa<aref::ArefDialect>(op->getDialect()))
    return internalError(op) << "'" << op->getName() << "' remains";
  bool holdsTiles = false;
  for (Type type : op->getResultTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type)) {
      holdsTiles = true;
      if (!isa_and_present<hopper::LayoutAttr>(tile.getEncoding()))
        return internalError(op) << "'" << op->getName()
                                 << "' has a tile without a register layout";
    }
  auto process = op->getParentOfType<hopper::ProcessOp>();
  if (process && process.getElected() &&
      (holdsTiles ||
       isa<hopper::CopyOp, hopper::LocalStoreOp, hopper::SyncOp>(op)))
    return internalError(op) << "'" << op->getName()
                             << "' needs all threads of an elected process";
  return success();
}

LogicalResult heddle::areftohopper::verifyKernel(hopper::KernelOp kernel) {
  WalkResult result =
      kernel.walk([](Operation *op) { return WalkResult(verifyOp(op)); });
  return failure(result.wasInterrupted());
}
