//===- HostScalar.cpp - What a host can compute at a launch -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/HostScalar.h"

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Hopper.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::hopper;

static bool isHostOperation(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::CeilDivUIOp,
             arith::CeilDivSIOp, arith::DivUIOp, arith::DivSIOp,
             arith::FloorDivSIOp, arith::RemUIOp, arith::RemSIOp,
             arith::MinUIOp, arith::MinSIOp, arith::MaxUIOp, arith::MaxSIOp,
             arith::ExtSIOp, arith::IndexCastOp, arith::IndexCastUIOp>(op);
}

/// Operations in the value's expression; kMostHostOperations + 1 where they are
/// more, or where one is not the host's.
static int64_t countOperations(Value value, DenseMap<Value, int64_t> &counts) {
  constexpr int64_t kNone = kMostHostOperations + 1;
  Type type = value.getType();
  if (!type.isIntOrIndex() ||
      (!type.isIndex() && type.getIntOrFloatBitWidth() > 64))
    return kNone;
  Operation *op = value.getDefiningOp();
  if (!op)
    return isa<tile::KernelOp, KernelOp>(
               cast<BlockArgument>(value).getOwner()->getParentOp())
               ? 1
               : kNone;
  auto dim = dyn_cast<tile::DimOp>(op);
  auto made = dim ? dim.getView().getDefiningOp<tile::MakeViewOp>() : nullptr;
  if (isa<arith::ConstantOp>(op) || (dim && !made))
    return 1;
  // Truth values have no arithmetic there.
  if (type.isInteger(1) || (!made && !isHostOperation(op)))
    return kNone;
  if (auto known = counts.find(value); known != counts.end())
    return known->second;
  int64_t count = int64_t(counts.size()) < kMostHostOperations ? 1 : kNone;
  counts[value] = kNone;
  SmallVector<Value> operands(op->getOperands());
  if (made)
    operands.assign({made.getExtents()[dim.getAxis()]});
  for (Value operand : operands)
    if (count < kNone)
      count = std::min(kNone, count + countOperations(operand, counts));
  return counts[value] = count;
}

bool heddle::hopper::isHostScalar(Value value) {
  DenseMap<Value, int64_t> counts;
  return countOperations(value, counts) <= kMostHostOperations;
}

bool heddle::hopper::isMadeAtLaunch(tile::MakeViewOp view) {
  Value pointer = view.getPtr();
  if (auto moved = pointer.getDefiningOp<tile::PtrAddOp>()) {
    if (!isHostScalar(moved.getOffset()))
      return false;
    pointer = moved.getPtr();
  }
  auto isKnown = [](Value value) { return isHostScalar(value); };
  return isa<BlockArgument>(pointer) &&
         llvm::all_of(view.getExtents(), isKnown) &&
         llvm::all_of(view.getStrides(), isKnown);
}

/// An extent of a view that a launch has yet to make, among what `value` is
/// made of; null if there is none.
static tile::DimOp findMadeExtent(Value value, KernelOp kernel,
                                  DenseSet<Value> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(value).second)
    return {};
  if (auto dim = dyn_cast<tile::DimOp>(op))
    for (auto made : kernel.getOps<MadeViewOp>())
      if (made.getView() == dim.getView())
        return dim;
  for (Value operand : op->getOperands())
    if (tile::DimOp found = findMadeExtent(operand, kernel, seen))
      return found;
  return {};
}

/// Whether TMA does more with the view than to load boxes at constant places
/// along its far axis.
static bool mayLieElsewhere(Operation *user, Value view, int64_t far) {
  if (isa<MadeViewOp, tile::DimOp, tile::LoadOp, CopyOp>(user))
    return false;
  auto load = dyn_cast<TmaLoadOp>(user);
  if (!load || load.getView() != view || !load.getRun().empty())
    return true;
  APInt place;
  return !matchPattern(load.getOffsets()[far], m_ConstantInt(&place)) ||
         place.countr_zero() < 30;
}

LogicalResult MadeViewOp::verify() {
  int64_t rank = getView().getType().getRank();
  if (int64_t(getExtents().size()) != rank ||
      int64_t(getStrides().size()) != rank)
    return reportOp(*this, diag::hopper_kernel)
           << "has " << getExtents().size() << " extents and "
           << getStrides().size() << " strides for " << rank << " axes";
  for (Value argument : {Value(getView()), Value(getPtr())})
    if (!isa<BlockArgument>(argument))
      return reportOp(*this, diag::hopper_kernel)
             << "makes an argument of the kernel of another one";
  auto isKnown = [](Value value) { return isHostScalar(value); };
  if (!isKnown(getOffset()) || !llvm::all_of(getExtents(), isKnown) ||
      !llvm::all_of(getStrides(), isKnown))
    return reportOp(*this, diag::grid_rule)
           << "has numbers that a host cannot compute: only extents, scalar "
              "arguments, constants, +, -, *, divisions, min and max";
  if (failed(tile::verifyFarAxis(*this, getFarAxis(), getView().getType())))
    return failure();
  if (std::optional<int64_t> far = getFarAxis())
    for (Operation *user : getView().getUsers())
      if (mayLieElsewhere(user, getView(), *far))
        return reportOp(*this, diag::hopper_kernel)
               << "has far axis " << *far
               << ", along which TMA accesses multiples of 2^30 only";
  if (getPtr().getType().getElementType() !=
      getView().getType().getElementType())
    return reportOp(*this, diag::hopper_kernel)
           << "makes a view of " << getView().getType().getElementType()
           << " of a pointer to " << getPtr().getType().getElementType();
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel)
    return success();
  for (auto made : kernel.getOps<MadeViewOp>())
    if (made != *this && made.getView() == getView())
      return reportOp(*this, diag::hopper_kernel)
             << "makes an argument that another one makes, too";
  DenseSet<Value> seen;
  SmallVector<Value> numbers{getOffset()};
  numbers.append(getExtents().begin(), getExtents().end());
  numbers.append(getStrides().begin(), getStrides().end());
  for (Value number : numbers)
    if (findMadeExtent(number, kernel, seen))
      return reportOp(*this, diag::grid_rule)
             << "asks for an extent of a view that the launch makes; write "
                "the number that this extent is";
  return success();
}

LogicalResult CountersOp::verify() {
  auto argument = dyn_cast<BlockArgument>(getView());
  tile::ViewType view = getView().getType();
  if (!argument || view.getRank() != 1 || !view.getElementType().isInteger(32))
    return reportOp(*this, diag::hopper_kernel)
           << "is of an argument of the kernel, a view of i32 of one axis";
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (kernel && (kernel.getMaker(argument.getArgNumber()) ||
                 kernel.getCounters(argument.getArgNumber()) != *this))
    return reportOp(*this, diag::hopper_kernel)
           << "makes an argument that another one makes, too";
  if (!isa<BlockArgument>(getAdded()) || getAdded() == getView())
    return reportOp(*this, diag::hopper_kernel)
           << "is for another argument of the kernel, to which blocks add";
  DenseSet<Value> seen;
  if (!isHostScalar(getCount()) ||
      (kernel && findMadeExtent(getCount(), kernel, seen)))
    return reportOp(*this, diag::grid_rule)
           << "has a count that a host cannot compute: only extents of "
              "arguments, scalar arguments, constants, +, -, *, divisions, "
              "min and max";
  return success();
}

LogicalResult RequireOp::verify() {
  for (Value side : {getValue(), getBound()})
    if (!isHostScalar(side))
      return reportOp(*this, diag::grid_rule)
             << "compares what a host cannot compute: only extents, scalar "
                "arguments, constants, +, -, *, divisions, min and max";
  return success();
}
