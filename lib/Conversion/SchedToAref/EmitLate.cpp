//===- EmitLate.cpp - Stores under the next instance ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for instances, carrying the tiles that late stores read
//     the host's first product starts
//     if this is not the first instance
//       stores of the one before
//     the rest of the host, and of the instance
//   if there was an instance
//     stores of the last one
//
// Offsets are computed anew from the number of the instance that left the
// stores behind: products hide that, and no registers are held for it.
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

/// The stores of the instance before the one numbered `next`.
void ProcessEmitter::emitLateOf(LoopCode &instances, const Iteration &before,
                                Value next) {
  Location loc = instances.loop.getLoc();
  Iteration left;
  left.values = before.values;
  // There is one, so the maximum changes nothing; it says that offsets are not
  // negative.
  auto instance = arith::MaxSIOp::create(
      builder, loc, arith::SubIOp::create(builder, loc, next, instances.step),
      instances.lower);
  instance->setAttr(aref::kBefore, builder.getUnitAttr());
  left.inductionVar = instance;
  Scope scope;
  scope.outer = &instances.outer;
  scope.block = instances.loop.getBody();
  scope.loop = instances.loop;
  scope.step = instances.step;
  scope.current = &left;
  for (const Item &item : instances.table.late)
    emitRun(scope, item);
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
  emitLateOf(instances, due.before, due.inductionVar);
}

void ProcessEmitter::emitLastLate(LoopCode &instances, Iteration &last) {
  Location loc = instances.loop.getLoc();
  Value isAny = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      instances.lower, instances.upper);
  auto choice = scf::IfOp::create(builder, loc, isAny, /*withElse=*/false);
  choice->setAttr(aref::kLate, builder.getUnitAttr());
  Filling filling(instances.outer, choice);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(choice.thenBlock());
  Value extent =
      arith::SubIOp::create(builder, loc, instances.upper, instances.lower);
  Value trips =
      arith::CeilDivSIOp::create(builder, loc, extent, instances.step);
  Value way = arith::MulIOp::create(builder, loc, trips, instances.step);
  emitLateOf(instances, last,
             arith::AddIOp::create(builder, loc, instances.lower, way));
}
