//===- Structure.cpp - Where the ops of the protocol stand ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who produces and who consumes a ring must be plain from the text, since slots
// and arrivals are counted from it.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Aref/Aref.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Aref.h"
#include "heddle/Support/Diagnostics/Sched.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::aref;

LogicalResult heddle::aref::verifyStep(Operation *op) {
  Operation *around = op->getParentOp();
  while (isa_and_present<scf::ForOp, scf::IfOp, scf::WhileOp>(around))
    around = around->getParentOp();
  if (!isa_and_present<ProcessOp>(around)) {
    Report error = reportOp(op, diag::aref_placement);
    error << "stands ";
    if (around && op->getParentOfType<ProcessOp>())
      return error << "inside '" << around->getName()
                   << "'; in a process it may stand under scf.for, scf.if and "
                      "scf.while";
    return error << "outside every process";
  }
  for (Value operand : op->getOperands())
    if (isa<RingType>(operand.getType()) && !operand.getDefiningOp<RingOp>())
      return reportOp(op, diag::aref_placement)
             << "uses a ring that is not named directly; give it "
                "the result of its aref.ring";
  return success();
}

LogicalResult heddle::aref::verifyTop(Operation *op) {
  Operation *around = op->getParentOp();
  if (around && around->getName().getStringRef() == "tile.kernel")
    return success();
  return reportOp(op, diag::aref_placement)
         << "stands "
         << (around ? "inside '" + around->getName().getStringRef() + "'"
                    : "outside everything")
         << "; rings and processes stand in a tile.kernel itself";
}

/// A slot is filled by one process, which counts the turns.
static LogicalResult verifyProducer(RingOp ring) {
  ProcessOp producer;
  for (Operation *user : ring->getUsers()) {
    if (!isa<AcquireOp, CloseOp>(user))
      continue;
    auto process = user->getParentOfType<ProcessOp>();
    if (producer && process != producer)
      return reportOp(ring, diag::ring_producer)
             << "'" << ring.getSym() << "' has the producers '"
             << producer.getSym() << "' and '" << process.getSym()
             << "'; give each a ring of its own";
    producer = process;
  }
  return success();
}

LogicalResult heddle::aref::verifyRing(Operation *op) {
  auto ring = cast<RingOp>(op);
  for (Type type : ring.getRing().getType().getPayload())
    if (isa<ArefDialect>(type.getDialect()))
      return reportOp(ring, diag::ring_element)
             << "'" << ring.getSym() << "' carries " << type
             << "; only values go through a ring";
  return verifyProducer(ring);
}
