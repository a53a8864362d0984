//===- EmitLate.cpp - Stores under the next instance ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if there is an instance
//     offsets of the last one
//   for instances, carrying the tiles that late stores read
//     the host's first product starts
//     if this is not the first instance
//       stores of the one before
//     the rest of the host, and of the instance
//   if there was an instance
//     stores of the last one
//
// Inside the loop, offsets are computed anew from the number of the instance
// that left the stores behind: products hide the divisions, and no registers
// are held. Behind the loop no product hides a division, so the last instance's
// offsets are computed in front of all instances, while the first loads are
// under way.
//
//===----------------------------------------------------------------------===//

#include "LoopCode.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::expander;

/// A value of `like`'s type for the first instance, which stores nothing.
Value ProcessEmitter::nothingYet(Value like) {
  Location loc = like.getLoc();
  auto tile = dyn_cast<RankedTensorType>(like.getType());
  TypedAttr zero =
      builder.getZeroAttr(tile ? tile.getElementType() : like.getType());
  if (!zero) {
    note(like.getDefiningOp(), "a late store reads what has no zero");
    return like;
  }
  Value value = arith::ConstantOp::create(builder, loc, zero);
  return tile ? tile::SplatOp::create(builder, loc, tile, value) : value;
}

/// The number of the instance before the one numbered `next`.
Value ProcessEmitter::instanceBefore(LoopCode &instances, Value next) {
  Location loc = instances.loop.getLoc();
  // There is one, so the maximum changes nothing; it says that offsets are not
  // negative.
  return arith::MaxSIOp::create(
      builder, loc, arith::SubIOp::create(builder, loc, next, instances.step),
      instances.lower);
}

void ProcessEmitter::emitLate(const Late &due) {
  LoopCode &instances = due.instances;
  Location loc = instances.loop.getLoc();
  Value isLeft = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       due.inductionVar, instances.lower);
  auto choice = scf::IfOp::create(builder, loc, isLeft, /*withElse=*/false);
  choice->setAttr(aref::kLate, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  Iteration left;
  left.values = due.before.values;
  left.inductionVar = instanceBefore(instances, due.inductionVar);
  left.inductionVar.getDefiningOp()->setAttr(aref::kBefore,
                                             builder.getUnitAttr());
  Scope scope = instances.scopeOf(left);
  for (const Item &item : instances.table.late)
    emitRun(scope, item);
}

/// The numbers that late stores read and that are computed from their
/// instance's; and that one, where it is read itself or to repeat what is none.
SmallVector<Value> ProcessEmitter::offsetsOfLate(LoopCode &instances) {
  llvm::SmallSetVector<Value, 4> offsets;
  for (const Item &item : instances.table.late)
    for (Value read : Facts::readsOf(item.op)) {
      Operation *def = read.getDefiningOp();
      bool isRepeated = def && def->getBlock() == instances.scope.block &&
                        facts.isRepeated(def) && !facts.isShared(def);
      if (isRepeated && read.getType().isIntOrIndexOrFloat())
        offsets.insert(read);
      else if (isRepeated || read == instances.loop.getInductionVar())
        offsets.insert(instances.loop.getInductionVar());
    }
  return offsets.takeVector();
}

/// Computes the offsets of the last instance's stores in front of all
/// instances.
void ProcessEmitter::emitLastOffsets(LoopCode &instances) {
  SmallVector<Value> offsets = offsetsOfLate(instances);
  if (offsets.empty())
    return;
  Location loc = instances.loop.getLoc();
  auto choice = scf::IfOp::create(builder, loc, ValueRange(offsets).getTypes(),
                                  hasInstance(instances), /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  {
    Filling filling(instances.outer, choice);
    builder.setInsertionPointToStart(choice.thenBlock());
    Value extent =
        arith::SubIOp::create(builder, loc, instances.upper, instances.lower);
    Value trips =
        arith::CeilDivSIOp::create(builder, loc, extent, instances.step);
    Value way = arith::MulIOp::create(builder, loc, trips, instances.step);
    Iteration last;
    last.inductionVar = instanceBefore(
        instances, arith::AddIOp::create(builder, loc, instances.lower, way));
    Scope scope = instances.scopeOf(last);
    SmallVector<Value> computed;
    for (Value offset : offsets)
      computed.push_back(resolve(scope, offset));
    scf::YieldOp::create(builder, loc, computed);
  }
  builder.setInsertionPointToStart(choice.elseBlock());
  SmallVector<Value> zeros;
  for (Value offset : offsets)
    zeros.push_back(arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(offset.getType())));
  scf::YieldOp::create(builder, loc, zeros);
  for (auto [offset, result] : llvm::zip(offsets, choice.getResults()))
    instances.lastOffsets[offset] = result;
}

Value ProcessEmitter::hasInstance(LoopCode &instances) {
  return arith::CmpIOp::create(builder, instances.loop.getLoc(),
                               arith::CmpIPredicate::slt, instances.lower,
                               instances.upper);
}

void ProcessEmitter::emitLastLate(LoopCode &instances, Iteration &last) {
  auto choice = scf::IfOp::create(builder, instances.loop.getLoc(),
                                  hasInstance(instances), /*withElse=*/false);
  choice->setAttr(aref::kLate, builder.getUnitAttr());
  Filling filling(instances.outer, choice);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  Iteration left;
  left.values = last.values;
  left.scratch = instances.lastOffsets;
  left.inductionVar = left.scratch.lookup(instances.loop.getInductionVar());
  Scope scope = instances.scopeOf(left);
  for (const Item &item : instances.table.late)
    emitRun(scope, item);
}
