//===- CarryMemory.cpp - What a loop updates in place it carries ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop with products that in each iteration loads a tile from a place
// that does not move, and stores it there again, as a state that lies in
// memory. Out: the tile is loaded in front, carried, and stored behind.
// Processes that share the loop do not keep an order in memory, while what a
// loop carries one process has.
//
// Nothing else in the loop may access what the store writes. The view is one
// that a launch makes, so that it may be read though the loop be empty.
//
//===----------------------------------------------------------------------===//

#include "AddressForms.h"
#include "LoopParts.h"
#include "Signs.h"

#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace heddle {
#define GEN_PASS_DEF_CARRYMEMORY
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

struct Update {
  tile::LoadOp load;
  tile::StoreOp store;
};

class Carrier {
public:
  Carrier(tile::KernelOp kernel, scf::ForOp loop)
      : kernel(kernel), loop(loop), forms(kernel), signs(forms) {}

  bool find();
  scf::ForOp carry();

private:
  bool isAlone(tile::StoreOp store);
  bool isInside(const Polynomial &rest);
  Value condition(OpBuilder &builder);

  tile::KernelOp kernel;
  scf::ForOp loop;
  AddressForms forms;
  Signs signs;
  Update update;
};

} // namespace

/// Whether the loop has only the update's own accesses to what it writes.
bool Carrier::isAlone(tile::StoreOp store) {
  tile::MemoryAccess written = *tile::memoryAccess(store);
  return !loop->walk([&](Operation *op) {
                std::optional<tile::MemoryAccess> access =
                    tile::memoryAccess(op);
                bool isOther = access && op != store && op != update.load &&
                               (tile::synchronises(op) ||
                                tile::mayConflict(*access, written));
                return isOther ? WalkResult::interrupt()
                               : WalkResult::advance();
              })
              .wasInterrupted();
}

bool Carrier::find() {
  for (auto load : loop.getBody()->getOps<tile::LoadOp>()) {
    auto view = load.getView().getDefiningOp<tile::MakeViewOp>();
    if (!view || view->getBlock() != &kernel.getEntry())
      continue;
    update.load = load;
    for (auto store : loop.getBody()->getOps<tile::StoreOp>())
      if (storesWhereLoaded(store, load) && load->isBeforeInBlock(store) &&
          isAlone(store) && llvm::all_of(load.getOffsets(), [&](Value offset) {
            return moveOut(loop, offset);
          })) {
        update.store = store;
        return true;
      }
  }
  return false;
}

/// Whether a number is not negative for any index of instances.
bool Carrier::isInside(const Polynomial &rest) {
  Polynomial least = rest;
  for (const auto &[product, coefficient] : rest.terms()) {
    std::optional<Polynomial> limit =
        coefficient < 0 && product.size() == 1
            ? signs.limitOf(forms.valueOf(product.front()))
            : std::nullopt;
    if (!limit)
      continue;
    least.add(product, -coefficient);
    least = least + Polynomial::constant(coefficient) *
                        (*limit - Polynomial::constant(1));
  }
  return least.isZero() || least.asConstant().value_or(-1) >= 0;
}

/// Which elements of the tile lie in the view; null if all do. The others are
/// loaded as 0, whatever was stored.
Value Carrier::condition(OpBuilder &builder) {
  auto view = update.load.getView().getDefiningOp<tile::MakeViewOp>();
  auto type = cast<RankedTensorType>(update.load.getResult().getType());
  auto index = type.clone(builder.getIndexType());
  Location loc = update.load.getLoc();
  int64_t leading = view.getExtents().size() - type.getRank();
  Value all;
  for (auto [axis, end, offset] :
       llvm::enumerate(view.getExtents(), update.load.getOffsets())) {
    int64_t own = int64_t(axis) - leading;
    int64_t extent = own < 0 ? 1 : type.getDimSize(own);
    if (isInside(forms.scalar(end) - forms.scalar(offset) -
                 Polynomial::constant(extent)))
      continue;
    Value left = arith::SubIOp::create(builder, loc, end, offset);
    Value place = own < 0 || extent == 1
                      ? tile::SplatOp::create(
                            builder, loc, index,
                            arith::ConstantIndexOp::create(builder, loc, 0))
                            .getResult()
                      : Value();
    if (!place) {
      place = tile::IotaOp::create(
          builder, loc,
          RankedTensorType::get({extent}, builder.getIndexType()));
      for (int64_t other = 0; other < type.getRank(); ++other) {
        if (other == own)
          continue;
        auto now = cast<RankedTensorType>(place.getType());
        SmallVector<int64_t> shape(now.getShape());
        shape.insert(shape.begin() + other, 1);
        place = tile::ExpandDimsOp::create(builder, loc, now.clone(shape),
                                           place, other);
      }
      if (place.getType() != index)
        place = tile::BroadcastOp::create(builder, loc, index, place);
    }
    Value here =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, place,
                              tile::SplatOp::create(builder, loc, index, left));
    all =
        all ? arith::AndIOp::create(builder, loc, all, here).getResult() : here;
  }
  return all;
}

/// The loop that takes the place of the old one.
scf::ForOp Carrier::carry() {
  IRRewriter rewriter(loop);
  Location loc = update.store.getLoc();
  Value inside = condition(rewriter);
  Operation *first = rewriter.clone(*update.load);
  Value stored = update.store.getValue();
  if (inside) {
    auto type = cast<RankedTensorType>(stored.getType());
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    zero = tile::SplatOp::create(rewriter, loc, type, zero);
    rewriter.setInsertionPoint(update.store);
    stored = arith::SelectOp::create(rewriter, loc, inside, stored, zero);
  }
  auto carried = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, first->getResult(0), /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return SmallVector<Value>{stored};
      }));
  update.load.getResult().replaceAllUsesWith(
      carried.getRegionIterArgs().back());
  rewriter.setInsertionPointAfter(carried);
  Value isAny =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                            carried.getLowerBound(), carried.getUpperBound());
  auto behind = scf::IfOp::create(rewriter, loc, isAny, /*withElse=*/false);
  rewriter.setInsertionPointToStart(behind.thenBlock());
  Operation *last = rewriter.clone(*update.store);
  cast<tile::StoreOp>(last).getValueMutable().assign(
      carried.getResults().back());
  rewriter.eraseOp(update.store);
  rewriter.eraseOp(update.load);
  return carried;
}

namespace {

struct CarryMemoryPass : heddle::impl::CarryMemoryBase<CarryMemoryPass> {
  void runOnOperation() override {
    getOperation().walk([](tile::KernelOp kernel) {
      SmallVector<scf::ForOp> loops;
      kernel.walk([&](scf::ForOp loop) {
        if (multiplies(loop) && tile::isOrderedLoop(loop))
          loops.push_back(loop);
      });
      // A loop in another comes first, and then is another operation.
      for (scf::ForOp loop : loops)
        while (loop) {
          Carrier carrier(kernel, loop);
          loop = carrier.find() ? carrier.carry() : scf::ForOp();
        }
    });
  }
};

} // namespace
