//===- EmitKernel.cpp - Rewrite: a variant of a kernel
//----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmitKernel.h"

#include "FenceReads.h"

#include "HostAssertions.h"
#include "OrderMemory.h"
#include "ProcessEmitter.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Replicas.h"
#include "heddle/Dialect/Tile/Turns.h"

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
  hopper::GridOp::create(builder, loc, instances, plan.blocks,
                         /*each=*/plan.inlined != nullptr,
                         /*dealt=*/!plan.inlined && facts.isDealt, plan.teams);
  if (int64_t blocks = tile::clusterBlocks(facts.kernel); blocks > 1)
    hopper::ClusterOp::create(builder, loc, blocks);
}

static void emitProcess(OpBuilder &builder, const KernelFacts &facts,
                        const KernelPlan &plan, const CountersMap &counters,
                        unsigned index, const ValueMap &values) {
  auto op = aref::ProcessOp(facts.processes[index].op);
  const ProcessPlan &processPlan = plan.processes[index];
  auto process = hopper::ProcessOp::create(
      builder, op.getLoc(), op.getSym(), processPlan.firstWarp, op.getWarps(),
      processPlan.registers, processPlan.elected);
  if (Attribute leader = op->getAttr(kReplicaOf))
    process->setAttr(kReplicaOf, leader);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&process.getBody().emplaceBlock());
  ProcessEmitter(builder, facts, plan, counters, index, values).run();
}

/// A view that a launch makes is an argument like those that a caller passes.
static void emitMadeView(OpBuilder &builder, hopper::KernelOp kernel,
                         tile::MakeViewOp view, ValueMap &values) {
  Location loc = view.getLoc();
  auto asIndex = [&](Value value) -> Value {
    Value copy = values.find(value)->second.front();
    if (copy.getType().isIndex())
      return copy;
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      copy);
  };
  Value pointer = view.getPtr(), offset;
  if (auto moved = pointer.getDefiningOp<tile::PtrAddOp>()) {
    pointer = moved.getPtr();
    offset = asIndex(moved.getOffset());
  } else {
    offset = arith::ConstantIndexOp::create(builder, loc, 0);
  }
  auto argument = cast<BlockArgument>(values.find(pointer)->second.front());
  SmallVector<Attribute> names;
  for (unsigned i = 0; i < kernel.getEntry().getNumArguments(); ++i)
    names.push_back(builder.getStringAttr(kernel.getArgName(i)));
  std::string base = kernel.getArgName(argument.getArgNumber()) + ".view";
  StringAttr name = builder.getStringAttr(base);
  for (unsigned number = 2; llvm::is_contained(names, name); ++number)
    name = builder.getStringAttr(base + std::to_string(number));
  names.push_back(name);
  kernel.setArgNamesAttr(builder.getArrayAttr(names));
  BlockArgument made = kernel.getEntry().addArgument(view.getType(), loc);
  kernel.setFunctionType(
      builder.getFunctionType(kernel.getEntry().getArgumentTypes(), {}));
  values[view.getResult()] = {made};
  hopper::MadeViewOp::create(
      builder, loc, made, values.find(pointer)->second.front(), offset,
      llvm::map_to_vector(view.getExtents(), asIndex),
      llvm::map_to_vector(view.getStrides(), asIndex), view.getFarAxisAttr());
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
      plan.sharedBytes, plan.tmaArgs, plan.rowArgs, plan.multipleArgs);
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
    if (auto view = dyn_cast<tile::MakeViewOp>(op);
        view && facts.findArgument(view)) {
      emitMadeView(builder, kernel, view, values);
      continue;
    }
    Operation *copy = builder.clone(op);
    copy->removeAttr("tile.instances");
    for (OpOperand &operand : copy->getOpOperands())
      operand.set(values.find(operand.get())->second.front());
    for (auto [result, made] : llvm::zip(op.getResults(), copy->getResults()))
      values[result] = {made};
  }
  emitHostAssertions(builder, facts, values);
  emitRunLimits(builder, plan, values);
  emitGrid(builder, facts, plan, values);
  CountersMap counters = emitCounters(builder, facts, kernel, values);
  for (auto &[op, ring] : plan.rings)
    emitRing(builder, cast<aref::RingOp>(op), ring);
  for (unsigned index = 0; index < facts.processes.size(); ++index)
    emitProcess(builder, facts, plan, counters, index, values);
  orderMemory(kernel);
  fenceReads(kernel);
  return kernel;
}
