//===- StageOperands.cpp - Operands that threads make get a place ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel split into sub-tiles, with names. Out: a tile.stage in front of
// each operand that the products of a pipelined loop take from shared memory
// and that no copy engine brings there as they take it: computed, carried,
// gathered, made outside of the loop, or loaded with the wrong axis contiguous;
// and what is gathered for products of threads, which another process may do.
// It stands here because the schedule must know what threads write, when, and
// in which process; below, the value is one of a ring like any other.
//
//===----------------------------------------------------------------------===//

#include "ExportProblem.h"
#include "NewNames.h"

#include "heddle/Analysis/FindCosts.h"
#include "heddle/Analysis/Products.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace heddle {
#define GEN_PASS_DEF_STAGEOPERANDS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

/// What lies in one place: elements that are not 16 bits wide are read along
/// the contraction only, so both directions need a place each.
using Place = std::pair<Value, int64_t>;

class Stager {
public:
  Stager(tile::KernelOp kernel, const machine::Costs &costs)
      : kernel(kernel), costs(costs), names(kernel) {
    for (tile::LoadOp load : operandsFromOutside(kernel))
      fromOutside.insert(load);
  }

  void run() {
    kernel.walk([&](tile::DotOp dot) {
      auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
      if (!loop || !isPipelined(loop))
        return;
      bool isByThreads = formOf(dot, costs) != ProductForm::Group;
      for (OpOperand *operand : {&dot.getAMutable(), &dot.getBMutable()})
        if (isByThreads ? isGathered(loop, *operand)
                        : needsPlace(loop, *operand))
          staged[placeOf(*operand)].push_back(operand);
    });
    for (auto &[place, operands] : staged)
      stage(place.first, operands);
  }

private:
  static int64_t bitsOf(OpOperand &operand) {
    return cast<RankedTensorType>(operand.get().getType())
        .getElementTypeBitWidth();
  }

  Place placeOf(OpOperand &operand) const {
    return {tile::lookThroughRenaming(operand.get()),
            bitsOf(operand) == 16 ? -1 : findContracted(operand).axis};
  }

  /// A of 16 bits comes from registers where threads make it, and of 8 bits
  /// where they narrow sums to it. Where there is tensor memory, any A may lie
  /// there.
  bool needsPlace(scf::ForOp loop, OpOperand &operand) const {
    auto dot = cast<tile::DotOp>(operand.getOwner());
    auto load =
        tile::lookThroughRenaming(operand.get()).getDefiningOp<tile::LoadOp>();
    bool isBrought =
        load && (load->getParentOp() == loop || fromOutside.contains(load));
    if (isBrought)
      return bitsOf(operand) == 8 &&
             load.getView().getType().getTileOrder(2).front() !=
                 findContracted(operand).axis;
    bool isA = &operand == &dot.getAMutable();
    if (isA && costs.tensorMemory.columns == 0 && isElsewhere(operand))
      return true;
    if (isNarrowedSum(operand, costs))
      return false;
    return !isA || (bitsOf(operand) != 16 && costs.tensorMemory.columns == 0);
  }

  /// Whether other threads hold what a thread needs of an operand in registers:
  /// it is transposed, or made for a sub-tile that the product does not belong
  /// to.
  static bool isElsewhere(OpOperand &operand) {
    Value value = operand.get();
    bool isTransposed = false;
    while (auto trans = value.getDefiningOp<tile::TransOp>()) {
      isTransposed = !isTransposed;
      value = trans.getValue();
    }
    Operation *maker = value.getDefiningOp();
    return isTransposed || (maker && maker->hasAttr(sched::kSubIndex) &&
                            !operand.getOwner()->hasAttr(sched::kSubIndex));
  }

  /// What an iteration gathers may be another process's work, whoever
  /// multiplies it.
  static bool isGathered(scf::ForOp loop, OpOperand &operand) {
    Operation *maker = tile::lookThroughRenaming(operand.get()).getDefiningOp();
    return isa_and_present<tile::GatherOp>(maker) &&
           maker->getParentOp() == loop;
  }

  /// Where `value` is made; a tile that a loop carries, or that comes from
  /// nothing, is staged for each iteration of the loop that multiplies it.
  void stage(Value value, ArrayRef<OpOperand *> operands) {
    Operation *dot = operands.front()->getOwner();
    Operation *maker = value.getDefiningOp();
    OpBuilder builder(kernel.getContext());
    if (maker)
      builder.setInsertionPointAfter(maker);
    else
      builder.setInsertionPointToStart(cast<BlockArgument>(value).getOwner());
    auto stage = tile::StageOp::create(builder, dot->getLoc(), value);
    bool hasName = maker && !sched::opName(maker).empty();
    names.name(stage, hasName ? maker : dot, ".staged");
    copies.clear();
    for (OpOperand *operand : operands)
      operand->set(renamed(operand->get(), value, stage.getResult()));
  }

  /// `value` with `to` in the place of `from`, which it renames.
  Value renamed(Value value, Value from, Value to) {
    if (value == from)
      return to;
    Operation *renaming = value.getDefiningOp();
    Value inner = renamed(renaming->getOperand(0), from, to);
    if (inner == renaming->getOperand(0))
      return value; // renames it already
    if (value.hasOneUse()) {
      renaming->setOperand(0, inner);
      return value;
    }
    Operation *&copy = copies[renaming];
    if (!copy) {
      OpBuilder builder(renaming->getContext());
      builder.setInsertionPointAfter(renaming);
      copy = builder.clone(*renaming);
      copy->setOperand(0, inner);
    }
    return copy->getResult(0);
  }

  tile::KernelOp kernel;
  const machine::Costs &costs;
  NewNames names;
  llvm::SmallDenseSet<Operation *> fromOutside;
  llvm::MapVector<Place, SmallVector<OpOperand *>> staged;
  DenseMap<Operation *, Operation *> copies; ///< of renamings, one place each
};

struct StageOperandsPass : heddle::impl::StageOperandsBase<StageOperandsPass> {
  using StageOperandsBase::StageOperandsBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    SmallVector<tile::KernelOp> kernels;
    getOperation().walk(
        [&](tile::KernelOp kernel) { kernels.push_back(kernel); });
    for (tile::KernelOp kernel : kernels)
      Stager(kernel, costs).run();
  }
};

} // namespace
