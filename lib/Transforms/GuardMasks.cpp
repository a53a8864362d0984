//===- GuardMasks.cpp - Masks that exclude nothing are not computed -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop with products that chooses between two tiles by a mask, which is a
// conjunction of linear bounds. Out: a conditional around the choice. One
// comparison of scalars says whether the mask holds for the whole tile; only
// where it does not are the mask and the choice computed, element by element.
// Later passes take such a conditional out of the loop where it turns at the
// loop's end, and the schedule does not count what few iterations do.
//
// The bounds must move with the loop: a mask that is the same in all iterations
// is computed once in front of it. And what is chosen must be computed: a tile
// that comes through a ring has to be read before its slot is released, so a
// cast of the choice becomes a choice of what is cast.
//
//===----------------------------------------------------------------------===//

#include "AddressForms.h"
#include "LaunchValues.h"

#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace heddle {
#define GEN_PASS_DEF_GUARDMASKS
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

static bool isLoaded(Value tile) {
  return tile::lookThroughRenaming(tile).getDefiningOp<tile::LoadOp>();
}

namespace {

/// A scalar bound: `least` <= `most` if a condition holds for a whole tile.
struct Bound {
  Polynomial least, most;
};

class Guard {
public:
  Guard(tile::KernelOp kernel, tile::ParallelOp parallel)
      : forms(kernel), values(kernel, parallel, forms) {}

  void run(scf::ForOp loop) {
    for (auto cast :
         llvm::make_early_inc_range(loop.getBody()->getOps<tile::CastOp>()))
      castFirst(cast, loop);
    for (auto select :
         llvm::make_early_inc_range(loop.getBody()->getOps<arith::SelectOp>()))
      if (std::optional<std::vector<Bound>> bounds = boundsOf(select, loop);
          bounds && !isLoaded(select.getTrueValue()))
        guard(select, *bounds, loop);
  }

private:
  void castFirst(tile::CastOp cast, scf::ForOp loop);
  std::optional<std::vector<Bound>> boundsOf(arith::SelectOp select,
                                             scf::ForOp loop);
  std::optional<Bound> boundOf(const Form &condition, ArrayRef<int64_t> shape,
                               scf::ForOp loop);
  void guard(arith::SelectOp select, ArrayRef<Bound> bounds, scf::ForOp loop);

  AddressForms forms;
  LaunchValues values;
};

} // namespace

/// cast(mask ? loaded : number) is mask ? cast(loaded) : the number, cast.
void Guard::castFirst(tile::CastOp cast, scf::ForOp loop) {
  auto select = cast.getOperand().getDefiningOp<arith::SelectOp>();
  if (!select || select->getBlock() != loop.getBody() || !select->hasOneUse() ||
      !isLoaded(select.getTrueValue()) || !boundsOf(select, loop))
    return;
  FloatAttr number;
  auto splat = select.getFalseValue().getDefiningOp<tile::SplatOp>();
  auto type = mlir::cast<RankedTensorType>(cast.getResult().getType());
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!splat || !element ||
      !matchPattern(splat.getValue(), m_Constant(&number)))
    return;
  APFloat other = number.getValue();
  bool isInexact = false;
  other.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &isInexact);
  if (isInexact)
    return;
  OpBuilder builder(cast);
  Location loc = cast.getLoc();
  Value otherScalar = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(element, other));
  Value otherTile = tile::SplatOp::create(builder, loc, type, otherScalar);
  auto copy = mlir::cast<tile::CastOp>(builder.clone(*cast));
  copy->setOperand(0, select.getTrueValue());
  Value made =
      arith::SelectOp::create(builder, select.getLoc(), select.getCondition(),
                              copy.getResult(), otherTile);
  cast.getResult().replaceAllUsesWith(made);
  cast.erase();
  select.erase();
}

/// The condition is start + the sum of factor * place > 0, and least where each
/// place is the first or the last.
std::optional<Bound> Guard::boundOf(const Form &condition,
                                    ArrayRef<int64_t> shape, scf::ForOp loop) {
  if (condition.base || !condition.wraps.empty() || !condition.start.isExact())
    return std::nullopt;
  Bound bound;
  int64_t reach = 1;
  for (auto [factor, extent] : llvm::zip(condition.factors, shape)) {
    std::optional<int64_t> number = factor.asConstant();
    if (!number)
      return std::nullopt;
    if (*number < 0)
      reach = satAdd(reach, satMul(satSub(0, *number), extent - 1));
  }
  if (reach == INT64_MAX)
    return std::nullopt;
  bound.least = Polynomial::constant(reach);
  bool moves = false;
  for (const auto &[product, coefficient] : condition.start.terms()) {
    Polynomial term;
    if (coefficient == INT64_MIN)
      return std::nullopt;
    term.add(product, std::abs(coefficient));
    (coefficient < 0 ? bound.least : bound.most) =
        (coefficient < 0 ? bound.least : bound.most) + term;
    for (unsigned unknown : product) {
      Value value = forms.valueOf(unknown);
      moves |= value == loop.getInductionVar();
      if (value != loop.getInductionVar() &&
          !loop.isDefinedOutsideOfLoop(value))
        return std::nullopt;
    }
  }
  return moves ? std::optional(bound) : std::nullopt;
}

std::optional<std::vector<Bound>> Guard::boundsOf(arith::SelectOp select,
                                                  scf::ForOp loop) {
  auto mask = dyn_cast<RankedTensorType>(select.getCondition().getType());
  // A constant would have to be made for it.
  if (!mask || select.getTrueValue().getDefiningOp<tile::SplatOp>())
    return std::nullopt;
  auto conditions = forms.conditionsOf(select.getCondition());
  if (!conditions || conditions->empty())
    return std::nullopt;
  std::vector<Bound> bounds;
  for (const Form &condition : *conditions) {
    std::optional<Bound> bound = boundOf(condition, mask.getShape(), loop);
    if (!bound)
      return std::nullopt;
    bounds.push_back(*bound);
  }
  return bounds;
}

/// Copies what tiles `value` is computed from in the loop to where the builder
/// stands.
static void copyTiles(OpBuilder &builder, Value value, scf::ForOp loop,
                      IRMapping &copies) {
  Operation *op = value.getDefiningOp();
  if (copies.contains(value) || !op || op->getBlock() != loop.getBody() ||
      !isa<RankedTensorType>(value.getType()) || !isPure(op) ||
      op->getNumRegions())
    return;
  for (Value operand : op->getOperands())
    copyTiles(builder, operand, loop, copies);
  builder.clone(*op, copies);
}

void Guard::guard(arith::SelectOp select, ArrayRef<Bound> bounds,
                  scf::ForOp loop) {
  Location loc = select.getLoc();
  OpBuilder builder(select);
  Value holds;
  for (const Bound &bound : bounds) {
    Value least = values.build(builder, loc, bound.least, /*isAtLaunch=*/false);
    Value most = values.build(builder, loc, bound.most, /*isAtLaunch=*/false);
    Value one = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                      least, most);
    holds = holds ? arith::AndIOp::create(builder, loc, holds, one).getResult()
                  : one;
  }
  auto branch = scf::IfOp::create(builder, loc, select.getType(), holds,
                                  /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, select.getTrueValue());
  builder.setInsertionPointToStart(branch.elseBlock());
  IRMapping copies;
  copyTiles(builder, select.getCondition(), loop, copies);
  Operation *copy = builder.clone(*select, copies);
  scf::YieldOp::create(builder, loc, copy->getResult(0));
  select.replaceAllUsesWith(branch.getResult(0));
  select.erase();
}

namespace {

struct GuardMasksPass : heddle::impl::GuardMasksBase<GuardMasksPass> {
  void runOnOperation() override {
    getOperation().walk([](tile::KernelOp kernel) {
      auto parallels = kernel.getOps<tile::ParallelOp>();
      if (!llvm::hasSingleElement(parallels))
        return;
      SmallVector<scf::ForOp> loops;
      kernel.walk([&](scf::ForOp loop) {
        if (!loop.getBody()->getOps<tile::DotOp>().empty() &&
            loop.getInductionVar().getType().isIndex())
          loops.push_back(loop);
      });
      Guard guard(kernel, *parallels.begin());
      for (scf::ForOp loop : loops)
        guard.run(loop);
    });
  }
};

} // namespace
