//===- EmitKernel.cpp - Rewrite: a variant of a kernel
//----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitKernel.h"

#include "HostAssertions.h"
#include "OrderMemory.h"
#include "ProcessEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;

static void emitRing(OpBuilder &builder, aref::RingOp ring,
                     const RingPlan &plan) {
  hopper::RingOp::create(builder, ring.getLoc(), ring.getSym(), ring.getDepth(),
                         plan.place.offset, plan.place.slotBytes,
                         plan.place.full, plan.place.empty, plan.fullArrivals,
                         plan.emptyArrivals);
}

static void emitGrid(OpBuilder &builder, const KernelFacts &facts,
                     const KernelPlan &plan, const ValueMap &values) {
  Location loc = tile::KernelOp(facts.kernel).getLoc();
  Value instances =
      facts.instances
          ? values.find(facts.instances)->second.front()
          : arith::ConstantIndexOp::create(builder, loc, 1).getResult();
  hopper::GridOp::create(builder, loc, instances, plan.blocks);
}

static void emitProcess(OpBuilder &builder, const KernelFacts &facts,
                        const KernelPlan &plan, unsigned index,
                        const ValueMap &values) {
  auto op = aref::ProcessOp(facts.processes[index].op);
  const ProcessPlan &processPlan = plan.processes[index];
  auto process = hopper::ProcessOp::create(
      builder, op.getLoc(), op.getSym(), processPlan.firstWarp, op.getWarps(),
      processPlan.registers, processPlan.elected);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&process.getBody().emplaceBlock());
  ProcessEmitter(builder, facts, plan, index, values).run();
}

/// Scalars first, as they are; then rings, the grid and the processes.
hopper::KernelOp heddle::areftohopper::emitKernel(OpBuilder &builder,
                                                  const KernelFacts &facts,
                                                  const KernelPlan &plan) {
  auto source = tile::KernelOp(facts.kernel);
  Block &entry = source.getEntry();
  auto kernel = hopper::KernelOp::create(
      builder, source.getLoc(), plan.name, source.getFunctionType(),
      source.getArgNamesAttr(), source.getSymName(), plan.threads,
      plan.sharedBytes, plan.tmaArgs, plan.rowArgs);
  OpBuilder::InsertionGuard guard(builder);
  Block &body = kernel.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);

  ValueMap values;
  for (BlockArgument argument : entry.getArguments())
    values[argument] = {
        body.addArgument(argument.getType(), argument.getLoc())};
  for (Operation &op : entry) {
    if (op.getNumRegions() || isa<aref::RingOp>(op) ||
        (op.getNumResults() && repeatableSource(op.getResult(0))))
      continue;
    Operation *copy = builder.clone(op);
    copy->removeAttr("tile.instances");
    for (OpOperand &operand : copy->getOpOperands())
      operand.set(values.find(operand.get())->second.front());
    for (auto [result, made] : llvm::zip(op.getResults(), copy->getResults()))
      values[result] = {made};
  }
  emitHostAssertions(builder, facts, values);
  emitGrid(builder, facts, plan, values);
  for (auto &[op, ring] : plan.rings)
    emitRing(builder, cast<aref::RingOp>(op), ring);
  for (unsigned index = 0; index < facts.processes.size(); ++index)
    emitProcess(builder, facts, plan, index, values);
  orderMemory(kernel);
  return kernel;
}
