//===- PlanConversions.cpp - Decide: where a tile changes its layout
//--------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanConversions.h"

#include "CombineLayouts.h"
#include "MoveLayouts.h"
#include "SharedTile.h"
#include "StagedOperands.h"

#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Elementwise.h"
#include "heddle/Machine/Shuffle.h"
#include "heddle/Support/Diagnostics/Aref.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

LayoutAttr heddle::areftohopper::wantedLayout(OpOperand &operand,
                                              const LayoutMap &layouts,
                                              const KernelFacts &facts) {
  Operation *op = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type)
    return {};
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned controls = loop.getNumControlOperands();
    return index < controls
               ? LayoutAttr()
               : layouts.lookup(loop.getRegionIterArg(index - controls));
  }
  if (isa<tile::StoreOp>(op) || isUpdate(op))
    return layouts.stored.lookup(op);
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (!facts.isDirect(load))
      return collapseAxis(layouts.lookup(load.getResult()), 1);
    return rowsLayout(load,
                      load->getParentOfType<aref::ProcessOp>().getWarps());
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return layouts.lookup(loop.getBeforeArguments()[index]);
  if (isa<scf::ConditionOp>(op)) // operand 0 is the condition itself
    return layouts.lookup(op->getParentOp()->getResult(index - 1));
  if (isa<scf::YieldOp>(op)) {
    if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
      return layouts.lookup(loop.getRegionIterArg(index));
    if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
      return layouts.lookup(loop.getBeforeArguments()[index]);
    return layouts.lookup(op->getParentOp()->getResult(index));
  }
  if (auto dot = dyn_cast<tile::DotOp>(op)) {
    if (isByThreads(dot)) {
      auto process = dot->getParentOfType<aref::ProcessOp>();
      ProductLayouts wanted = layoutsByThreads(dot, process.getWarps());
      return &operand == &dot.getAMutable()   ? wanted.a
             : &operand == &dot.getBMutable() ? wanted.b
                                              : wanted.sums;
    }
    if (&operand == &dot.getAccMutable())
      return accumulatorLayout(type);
    bool takesRegisters = &operand == &dot.getAMutable() &&
                          !facts.homeOf(operand.get()) &&
                          !stageOperands(dot, facts).a;
    return takesRegisters ? operandALayout(type) : LayoutAttr();
  }
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return readLayout(reduce, layouts);
  if (isMovement(op))
    return planMovement(op, layouts).read[index];
  if (isa<tile::ExpandDimsOp, tile::BroadcastOp>(op))
    return operandLayout(op, layouts.lookup(op->getResult(0)));
  if (tile::isElementwise(op) && op->getNumResults())
    return computedLayout(op, layouts, facts);
  return {};
}

static int64_t bitsOf(Value tile) {
  return elementBits(cast<RankedTensorType>(tile.getType()).getElementType());
}

LayoutAttr heddle::areftohopper::computedLayout(Operation *op,
                                                const LayoutMap &layouts,
                                                const KernelFacts &facts) {
  LayoutAttr made = layouts.lookup(op->getResult(0));
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return made;
  Value operand = lookThroughStart(op->getOperand(0));
  LayoutAttr read = layouts.lookup(operand);
  if (!made || !read || made == read ||
      bitsOf(op->getResult(0)) >= bitsOf(operand) || isFree(read, made))
    return made;
  Type type = op->getResult(0).getType();
  return staysInWarp(read, made, type, facts.costs) ? read : made;
}

bool heddle::areftohopper::isFree(LayoutAttr from, LayoutAttr to) {
  machine::Conversion cost = classify(from, to);
  return cost == machine::Conversion::Same ||
         cost == machine::Conversion::RegisterPermutation;
}

bool heddle::areftohopper::staysInWarp(LayoutAttr from, LayoutAttr to,
                                       Type type, const machine::Costs &costs) {
  int64_t bits = elementBits(getElementTypeOrSelf(type));
  return isFree(from, to) ||
         machine::prefersShuffles(hopper::getLayout(from),
                                  hopper::getLayout(to), int(bits), costs);
}

hopper::SmemType heddle::areftohopper::scratchTile(RankedTensorType type,
                                                   bool plain) {
  auto order =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, type.getRank())));
  // Predicates take a byte each; indices have 32 bits on this machine, as have
  // registers of tf32, addresses 64.
  Type element = type.getElementType();
  if (element.isInteger(1))
    element = IntegerType::get(type.getContext(), 8);
  if (element.isIndex() || element.isTF32())
    element = IntegerType::get(type.getContext(), 32);
  if (isa<tile::PtrType>(element))
    element = IntegerType::get(type.getContext(), 64);
  int64_t rowBytes =
      type.getShape().back() * element.getIntOrFloatBitWidth() / 8;
  int64_t swizzle = type.getRank() == 2 && !plain ? widestSwizzle(rowBytes) : 0;
  // Several boxes lie one after the other in whole patterns of 8 rows.
  if (swizzle && rowBytes > swizzle && type.getDimSize(0) % 8)
    swizzle = 0;
  return hopper::SmemType::get(type.getContext(), type.getShape(), element,
                               order, swizzle);
}

ScratchPlaces
heddle::areftohopper::placeScratch(ArrayRef<RankedTensorType> tiles) {
  ScratchPlaces places;
  for (RankedTensorType type : tiles) {
    hopper::SmemType tile = scratchTile(type);
    places.offsets.push_back(llvm::alignTo(places.bytes, alignmentOf(tile)));
    places.bytes = places.offsets.back() + tile.getSizeBytes();
  }
  return places;
}

int64_t heddle::areftohopper::planConversions(const ProcessFacts &process,
                                              const LayoutMap &layouts,
                                              const KernelFacts &facts,
                                              bool remarks) {
  int64_t scratchBytes = 0;
  for (tile::DotOp dot : process.dots) {
    StagedOperands staged = stageOperands(dot, facts);
    scratchBytes = std::max(scratchBytes, staged.bytes);
    if (staged.any() && remarks)
      report(dot, diag::operand_staged)
          << "threads write "
          << (staged.a && staged.b ? "both operands"
              : staged.b           ? "operand b"
                                   : "operand a")
          << " to shared memory for each dot: " << staged.bytes
          << " B, and no overlap";
  }
  aref::ProcessOp(process.op).walk([&](Operation *op) {
    for (const Exchange &tiles : innerExchanges(op, layouts, facts)) {
      int64_t bytes = placeScratch(tiles).bytes;
      scratchBytes = std::max(scratchBytes, bytes);
      if (remarks)
        report(op, diag::layout_round_trip)
            << "results go through " << bytes
            << " B of shared memory: other warps hold what a thread "
            << "needs";
    }
  });
  aref::ProcessOp(process.op).walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      LayoutAttr wanted = wantedLayout(operand, layouts, facts);
      Value value = lookThroughStart(operand.get());
      LayoutAttr made = layouts.lookup(value);
      if (!wanted || !made || wanted == made ||
          !isa<RankedTensorType>(value.getType()))
        continue;
      auto type = cast<RankedTensorType>(value.getType());
      if (staysInWarp(made, wanted, type, facts.costs))
        continue;
      hopper::SmemType scratch = scratchTile(type);
      scratchBytes = std::max(scratchBytes, scratch.getSizeBytes());
      if (!remarks)
        continue;
      bool shuffle = classify(made, wanted) == machine::Conversion::WarpShuffle;
      report(op, diag::layout_round_trip)
          << "operand " << operand.getOperandNumber() << " goes through "
          << scratch.getSizeBytes() << " B of shared memory: other "
          << (shuffle ? "lanes" : "warps") << " hold what a thread needs";
    }
  });
  return scratchBytes;
}
