//===- ExpandRoles.cpp - A plan by roles to processes and rings -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and its plan by roles. Out: rings, and a process for each of the
// plan's.
//
//===----------------------------------------------------------------------===//

#include "ExpandRoles.h"

#include "RoleEmitter.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Sched.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

static void noteIdleRings(sched::PlanOp plan,
                          const llvm::StringMap<Value> &made) {
  for (auto ring : plan.getBody().getOps<sched::RingOp>())
    if (!made.contains(ring.getSym()))
      report(ring, diag::ring_idle)
          << "ring '" << ring.getSym()
          << "' carries nothing as control passes now: who would get from it "
             "reads for itself";
}

LogicalResult heddle::expander::expandByRoles(tile::KernelOp kernel,
                                              sched::PlanOp plan) {
  RoleFacts facts;
  if (failed(facts.collect(kernel, plan)))
    return failure();
  Block &entry = kernel.getEntry();
  SmallVector<Operation *> original;
  for (Operation &op : entry)
    if (!facts.isShared(&op))
      original.push_back(&op);
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToEnd(&entry);
  llvm::StringMap<Value> rings;
  for (const Message &message : facts.messages) {
    if (rings.contains(message.ring))
      continue;
    auto type = aref::RingType::get(builder.getContext(),
                                    payloadOf(facts, message));
    Operation *place =
        message.first ? message.first : scf::ForOp(message.loop).getOperation();
    rings[message.ring] = aref::RingOp::create(
        builder, place->getLoc(), type, builder.getStringAttr(message.ring),
        builder.getI64IntegerAttr(facts.depthOf(message.ring)));
  }
  noteIdleRings(plan, rings);
  for (auto [number, process] : llvm::enumerate(facts.processes)) {
    auto op = aref::ProcessOp::create(
        builder, kernel.getLoc(), process.getSymAttr(), process.getWarpsAttr(),
        process.getRegistersAttr(), process.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&op.getBody());
    if (failed(RoleEmitter(facts, unsigned(number), builder, rings).run(entry)))
      return failure();
  }
  for (Operation *op : llvm::reverse(original)) {
    op->dropAllDefinedValueUses();
    op->erase();
  }
  if (auto machine = plan->getAttrOfType<StringAttr>(sched::kMachine))
    kernel->setAttr(aref::kMachine, machine);
  plan.erase();
  return success();
}
