//===- LowerTurns.cpp - Turns and clusters that add to memory -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Iterations of the prange that add to one piece differ in the index that does
// not choose the piece: by it they take turns, or form clusters. What else
// these ask for is a rule of tile.in_turn and tile.in_cluster, which is asked
// when the kernel is whole.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "heddle/Dialect/Tile/Turns.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

/// The indices of `instances` on which `value` depends.
static void findIndices(Value value, tile::ParallelOp instances,
                        DenseSet<Value> &seen) {
  if (!value || !seen.insert(value).second)
    return;
  if (Operation *op = value.getDefiningOp())
    for (Value operand : op->getOperands())
      findIndices(operand, instances, seen);
}

FailureOr<Value> Lowering::byIndex(LaunchOp op, StringRef name, Value added,
                                   const Tensor &piece) {
  bool isInTurns = pins.sumsInTurns();
  auto instances = dyn_cast_or_null<tile::ParallelOp>(
      builder.getInsertionBlock()->getParentOp());
  if (!instances)
    return refuse(op, diag::task_pin,
                  "'" + name + "' is reduced " +
                      (isInTurns ? "in turns, and here in a loop or under a "
                                   "condition; a block has one turn"
                                 : "in a cluster, and here in a loop or under "
                                   "a condition; its blocks add up once"));
  DenseSet<Value> seen;
  for (const Axis &along : piece.axes)
    findIndices(along.offset, instances, seen);
  SmallVector<Value> left;
  for (Value index : instances.getBody().getArguments())
    if (!seen.contains(index))
      left.push_back(index);
  if (left.empty())
    return refuse(op, diag::task_pin,
                  "no two blocks add to one piece of '" + name +
                      "', so that there are no " +
                      (isInTurns ? "turns" : "clusters") +
                      "; leave out \"split_k\"");
  if (left.size() > 1)
    return refuse(op, diag::task_pin,
                  "blocks that add to one piece of '" + name + "' differ in " +
                      Twine(left.size()) + " indices of the prange; " +
                      (isInTurns ? "turns go by one" : "clusters go by one"));
  if (!isInTurns)
    return Value(tile::InClusterOp::create(builder, here, added.getType(),
                                           added, left[0], /*own=*/Value(),
                                           uint64_t(pins.clusterBlocks())));
  return Value(tile::InTurnOp::create(builder, here, added.getType(), added,
                                      left[0], /*place=*/Value(),
                                      /*places=*/Value()));
}

LogicalResult Lowering::checkTurns() {
  WalkResult result = kernel.walk([&](tile::ViewReduceOp sum) -> WalkResult {
    Operation *way = tile::findTurn(sum);
    if (!way)
      way = tile::findCluster(sum);
    if (!way)
      return success();
    Operation *other = nullptr;
    std::string reason = tile::whyNotByIndex(way, sum, other);
    if (reason.empty())
      return success();
    auto argument = cast<BlockArgument>(sum.getView());
    Report error =
        report(sum, diag::task_pin)
        << "'" << kernel.getArgName(argument.getArgNumber()) << "' is reduced "
        << (isa<tile::InTurnOp>(way) ? "in turns" : "in a cluster") << ", and "
        << reason << "; without \"split_k\" blocks add by atomics";
    if (other)
      error.attachNote(other->getLoc()) << "here";
    return LogicalResult(error);
  });
  return failure(result.wasInterrupted());
}
