//===- MovingCopies.cpp - Copies whose tiles move along a loop --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MovingCopies.h"

#include "NumberWidths.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace heddle::tonvvm {

int64_t MovingCopy::elementBytes() {
  return view.getType().getElementType().getIntOrFloatBitWidth() / 8;
}

Value strideOf(tile::MakeViewOp view, int64_t axis) {
  Value stride = view.getStrides()[axis], whole = beforeCast(stride);
  return whole ? whole : stride;
}

/// `length` elements from `offset` on lie before `extent`.
bool MovingCopies::needsInside(Motion &motion, Value offset, Value extent,
                               int64_t length) {
  std::optional<Motion> begin = numbers.find(offset),
                        end = numbers.find(extent);
  if (!begin || !end)
    return false;
  int64_t bits = registerBits(offset.getType());
  std::optional<int64_t> beginStep = begin->constant(bits),
                         endStep = end->constant(bits);
  if (!beginStep || !endStep || (*beginStep && *endStep))
    return false;
  motion.addClaims(*begin);
  motion.addClaims(*end);
  if (*beginStep) {
    numbers.require(motion,
                    {offset, {}, *beginStep, {0, {}}, {-length, extent}});
    return true;
  }
  if (constantOf(offset) != 0)
    numbers.require(motion, {offset, {}, 0, {0, {}}});
  Claim claim{extent, {}, *endStep, {length, offset}};
  if (constantOf(offset) == 0)
    claim.least.number = {};
  claim.most.constant = llvm::maxIntN(unsigned(bits));
  numbers.require(motion, claim);
  return true;
}

/// Adds what the address moves on as `offset` does.
bool MovingCopies::addDistance(Motion &motion, Value offset, Value stride) {
  std::optional<Motion> begin = numbers.find(offset);
  std::optional<int64_t> step = begin->constant(registerBits(offset.getType()));
  if (!step)
    return false;
  if (*step)
    motion.step.push_back({*step, {stride}});
  return true;
}

std::optional<int64_t> MovingCopies::findStep(Value number,
                                              ArrayRef<unsigned> claims) {
  std::optional<Motion> motion = numbers.find(number);
  bool isClaimed = motion && llvm::all_of(motion->claims, [&](unsigned claim) {
                     return llvm::is_contained(claims, claim);
                   });
  return isClaimed ? motion->constant(registerBits(number.getType()))
                   : std::nullopt;
}

std::optional<MovingCopy> MovingCopies::find(hopper::CopyOp copy) {
  auto view = copy.getView().getDefiningOp<tile::MakeViewOp>();
  hopper::SmemType tile = copy.getTile().getType();
  if (!view || !copy.getUnderWay() || copy.getRows() ||
      !hopper::copiesInChunks(view.getType(), tile, threads))
    return std::nullopt;
  std::optional<Motion> motion = numbers.find(view.getPtr());
  if (!motion)
    return std::nullopt;
  tile::ViewType type = view.getType();
  int64_t missing = type.getRank() - int64_t(tile.getShape().size());
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    Value offset = copy.getOffsets()[axis], stride = strideOf(view, axis);
    std::optional<Motion> ofStride = numbers.find(stride);
    int64_t length = axis < missing ? 1 : tile.getShape()[axis - missing];
    if (!ofStride || !ofStride->stays() ||
        !needsInside(*motion, offset, view.getExtents()[axis], length) ||
        !addDistance(*motion, offset, stride))
      return std::nullopt;
    motion->addClaims(*ofStride);
  }
  return MovingCopy{copy, view, *motion};
}

} // namespace heddle::tonvvm
