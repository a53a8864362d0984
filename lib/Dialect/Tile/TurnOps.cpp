//===- TurnOps.cpp - Rules of sums in turns -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instance that waits for a turn which nobody passes waits for ever. So
// each place of the view has to have an instance for each turn, which is asked
// while there is a tile.parallel: below it the places are those, in parts.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Turns.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#define GET_OP_CLASSES
#include "heddle/Dialect/Tile/TileTurnOps.cpp.inc"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

InTurnOp heddle::tile::findTurn(ViewReduceOp sum) {
  return sum.getValue().getDefiningOp<InTurnOp>();
}

bool heddle::tile::takesTurns(Operation *kernel) {
  return kernel->walk([](InTurnOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static bool isNumber(Value value, const Extent &extent) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return !extent.name && number == uint64_t(extent.size);
  auto parameter = value.getDefiningOp<ParamValueOp>();
  return parameter && extent.name &&
         parameter.getParamAttr().getAttr() == extent.name;
}

/// The index that, times the tile's extent, is where the tile stands.
static BlockArgument blockOf(Value offset, const Extent &extent,
                             ParallelOp parallel) {
  auto indexOf = [&](Value value) -> BlockArgument {
    auto index = dyn_cast<BlockArgument>(value);
    return index && index.getOwner() == &parallel.getBody().front()
               ? index
               : BlockArgument();
  };
  if (extent.isOne())
    if (BlockArgument index = indexOf(offset))
      return index;
  auto product = offset.getDefiningOp<arith::MulIOp>();
  if (!product)
    return {};
  if (isNumber(product.getRhs(), extent))
    return indexOf(product.getLhs());
  return isNumber(product.getLhs(), extent) ? indexOf(product.getRhs())
                                            : BlockArgument();
}

static bool isMultiple(Value offset, const Extent &extent) {
  APInt number;
  return matchPattern(offset, m_ConstantInt(&number)) && !number.isNegative() &&
         (number == 0 ||
          (!extent.name && number.getSExtValue() % extent.size == 0));
}

/// What else of the kernel touches what `sum` adds to; null if nothing does.
static Operation *findOther(ViewReduceOp sum, ParallelOp parallel) {
  Origins added = findOrigins(sum.getView());
  Operation *found = nullptr;
  parallel->walk([&](Operation *op) {
    std::optional<MemoryAccess> access = memoryAccess(op);
    if (op == sum || !access || !access->origins.mayOverlap(added))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Why it is not known that each place has one instance for each turn; empty if
/// it is.
static std::string whyNotPlaced(InTurnOp turn, ViewReduceOp sum,
                                ParallelOp parallel) {
  SmallVector<BlockArgument> left(parallel.getBody().getArguments());
  llvm::erase(left, turn.getTurn());
  SmallVector<Extent> extents =
      getExtents(cast<RankedTensorType>(sum.getValue().getType()));
  size_t missing = sum.getOffsets().size() - extents.size();
  for (auto [axis, offset] : llvm::enumerate(sum.getOffsets())) {
    Extent extent = axis < missing ? Extent{1, {}} : extents[axis - missing];
    BlockArgument index = blockOf(offset, extent, parallel);
    if (!index && isMultiple(offset, extent))
      continue;
    auto *found = llvm::find(left, index);
    if (found == left.end())
      return ("its place along axis " + Twine(axis) +
              " is not an index of its own times the tile's extent there")
          .str();
    left.erase(found);
  }
  if (!left.empty())
    return ("instances that differ in index " +
            Twine(left.front().getArgNumber()) +
            " add at one place, too; turns go by one index")
        .str();
  return {};
}

std::string heddle::tile::whyNotInTurns(InTurnOp turn, ViewReduceOp sum,
                                        Operation *&other) {
  auto parallel = turn->getParentOfType<ParallelOp>();
  if (sum->getParentOp() != parallel || turn->getParentOp() != parallel)
    return "stands in a loop or under a condition; an instance has one turn";
  if (!isa<BlockArgument>(sum.getView()))
    return "adds to a view that is no argument of the kernel";
  if ((other = findOther(sum, parallel)))
    return "the kernel accesses the view elsewhere, too";
  return whyNotPlaced(turn, sum, parallel);
}

LogicalResult InTurnOp::verify() {
  auto parallel = (*this)->getParentOfType<ParallelOp>();
  if (!parallel == !getPlace())
    return reportOp(*this, diag::turn_rule)
           << (parallel ? "has its place from the indices of the tile.parallel "
                          "around it; leave out 'at'"
                        : "is in no tile.parallel, whose instances take turns");
  if (parallel &&
      !llvm::is_contained(parallel.getBody().getArguments(), getTurn()))
    return reportOp(*this, diag::turn_rule)
           << "takes turns by a number that is no index of the tile.parallel "
              "around it";
  for (Operation *user : getResult().getUsers()) {
    auto sum = dyn_cast<ViewReduceOp>(user);
    if (!sum)
      return reportOp(*this, diag::turn_rule)
             << "makes a tile for '" << user->getName()
             << "'; only tile.view_reduce waits for a turn";
    Operation *other = nullptr;
    std::string reason = parallel ? whyNotInTurns(*this, sum, other) : "";
    if (reason.empty())
      continue;
    Report error = reportOp(sum, diag::turn_rule)
                   << "is in turns, and " << reason;
    if (other)
      error.attachNote(other->getLoc()) << "here";
    return error;
  }
  return success();
}
