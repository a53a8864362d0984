//===- MarkApart.cpp - Updates in place that iterations have apart ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop with products that loads a tile, computes another of it and stores
// that where the first came from: `y += x w`, block by block. Out: where no
// iteration touches what another stores, both accesses say so, and their order
// does not show: one process may load ahead of what another one stores.
//
// Rows lie a stride apart, and what moves along a row stays in front of the
// next one, or whole rows move. Where the view's end along the row is another
// number than the stride, a launch checks that it is not above it.
//
//===----------------------------------------------------------------------===//

#include "AddressForms.h"
#include "LaunchValues.h"
#include "LoopParts.h"
#include "Signs.h"

#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"

namespace heddle {
#define GEN_PASS_DEF_MARKAPART
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

class Marker {
public:
  Marker(tile::KernelOp kernel, tile::ParallelOp parallel, bool mayAssume)
      : parallel(parallel), mayAssume(mayAssume), forms(kernel), signs(forms),
        values(kernel, parallel, forms) {}

  void mark(scf::ForOp loop);

private:
  bool areApart(tile::LoadOp load);
  bool endsBefore(Value end, const Polynomial &place, const Polynomial &stride);
  bool isAtMost(const Polynomial &least, const Polynomial &most);
  bool isSteady(const Polynomial &number, std::optional<unsigned> index = {});

  tile::ParallelOp parallel;
  bool mayAssume;
  AddressForms forms;
  Signs signs;
  LaunchValues values;
  scf::ForOp loop;
  int64_t marks = 0;
  std::vector<Signs::Demand> demands;
};

} // namespace

/// The part of a polynomial with one unknown, divided by it; nothing if it is
/// not linear in it.
static std::optional<Polynomial> factorOf(const Polynomial &number,
                                          unsigned unknown) {
  Polynomial factor;
  for (const auto &[product, coefficient] : number.terms()) {
    auto count = llvm::count(product, unknown);
    if (count > 1)
      return std::nullopt;
    if (count == 0)
      continue;
    Product others = product;
    others.erase(llvm::find(others, unknown));
    factor.add(others, coefficient);
  }
  return factor;
}

/// Whether the loop changes nothing in it, but its own index.
bool Marker::isSteady(const Polynomial &number, std::optional<unsigned> index) {
  return llvm::all_of(number.terms(), [&](const auto &term) {
    return llvm::all_of(term.first, [&](unsigned unknown) {
      return unknown == index ||
             loop.isDefinedOutsideOfLoop(forms.valueOf(unknown));
    });
  });
}

bool Marker::isAtMost(const Polynomial &least, const Polynomial &most) {
  if (std::optional<int64_t> room = (most - least).asConstant())
    return *room >= 0;
  if (!mayAssume || !forms.isHost(least) || !forms.isHost(most))
    return false;
  demands.push_back({least, most});
  return true;
}

/// Whether places along a row, of which `place` is the tile's first, end in
/// front of the next row: of an end that is the least of several numbers, one
/// is enough.
bool Marker::endsBefore(Value end, const Polynomial &place,
                        const Polynomial &stride) {
  Operation *op = end.getDefiningOp();
  if (isa_and_present<arith::IndexCastOp, arith::ExtSIOp>(op))
    return endsBefore(op->getOperand(0), place, stride);
  if (isa_and_present<arith::MinSIOp>(op))
    return endsBefore(op->getOperand(0), place, stride) ||
           endsBefore(op->getOperand(1), place, stride);
  // Nothing is in front of 0.
  if (auto most = dyn_cast_if_present<arith::MaxSIOp>(op);
      most && forms.scalar(most.getRhs()).isZero())
    return endsBefore(most.getLhs(), place, stride);
  std::vector<Signs::Demand> before = demands;
  if (isAtMost(forms.scalar(end) + place, stride))
    return true;
  demands = before;
  return false;
}

bool Marker::areApart(tile::LoadOp load) {
  auto view = load.getView().getDefiningOp<tile::MakeViewOp>();
  auto type = cast<RankedTensorType>(load.getResult().getType());
  std::optional<Form> pointer =
      view ? forms.formOf(view.getPtr()) : std::nullopt;
  std::optional<int64_t> step = forms.scalar(loop.getStep()).asConstant();
  std::vector<Signs::Demand> ignored;
  Polynomial index = forms.scalar(loop.getInductionVar());
  if (!pointer || !step || *step <= 0 || index.terms().size() != 1 ||
      !signs.isNotNegative(forms.scalar(loop.getLowerBound()), ignored) ||
      !ignored.empty())
    return false;
  unsigned number = index.terms().begin()->first.front();

  // The rows, and what a row has; other axes have one place each.
  int64_t leading = view.getExtents().size() - type.getRank();
  std::optional<int64_t> row, column;
  Polynomial first = pointer->start, stride;
  for (auto [axis, distance, offset] :
       llvm::enumerate(view.getStrides(), load.getOffsets())) {
    Polynomial apart = forms.scalar(distance), place = forms.scalar(offset);
    first = first + apart * place;
    if (int64_t(axis) < leading || type.getDimSize(axis - leading) == 1) {
      if (std::optional<Polynomial> moves = factorOf(place, number);
          !moves || !moves->isZero())
        return false;
    } else if (apart.asConstant() == 1 && !column) {
      column = axis;
    } else if (!row) {
      row = axis;
      stride = apart;
    } else {
      return false;
    }
  }
  std::optional<Polynomial> moves = factorOf(first, number);
  if (!row || !column || !moves || moves->isZero() ||
      !isSteady(first, number) || !isSteady(stride))
    return false;
  // A view that the iteration makes begins where its first column is.
  Polynomial place = forms.scalar(load.getOffsets()[*column]);
  std::optional<Polynomial> within = factorOf(place, number);
  bool isLocal = loop->isProperAncestor(view);
  Polynomial ahead = place;
  if (moves->asConstant()) {
    // Along the row, which has to hold all columns up to the last iteration's.
    if (moves->asConstant() != 1 || *step < type.getDimSize(*column - leading))
      return false;
    if (isLocal)
      ahead = ahead + index;
    else if (within->asConstant() != 1)
      return false;
  } else {
    std::optional<Polynomial> rows = moves->dividedBy(stride);
    std::optional<int64_t> each = rows ? rows->asConstant() : std::nullopt;
    if (!within || !within->isZero() || !each || *each <= 0 ||
        *each * *step < type.getDimSize(*row - leading))
      return false;
  }
  if (isLocal)
    return endsBefore(view.getExtents()[*column], ahead, stride);
  return signs.isNotNegative(place, ignored) && ignored.empty() &&
         endsBefore(view.getExtents()[*column], Polynomial(), stride);
}

void Marker::mark(scf::ForOp found) {
  loop = found;
  for (Operation *around = loop->getParentOp(); around != parallel;
       around = around->getParentOp())
    if (isa<LoopLikeOpInterface>(around))
      return;
  for (auto load : loop.getBody()->getOps<tile::LoadOp>())
    for (auto store : loop.getBody()->getOps<tile::StoreOp>()) {
      demands.clear();
      if (!storesWhereLoaded(store, load))
        continue;
      SetVector<Operation *> made;
      BackwardSliceOptions options;
      options.filter = [&](Operation *op) {
        return op->getBlock() == loop.getBody();
      };
      (void)getBackwardSlice(store.getValue(), &made, options);
      if (!made.contains(load) || !areApart(load))
        continue;
      OpBuilder builder(parallel);
      Location loc = store.getLoc();
      for (const Signs::Demand &demand : demands) {
        Value holds = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::sle,
            values.build(builder, loc, demand.least, true),
            values.build(builder, loc, demand.most, true));
        tile::AssertOp::create(
            builder, loc, holds,
            "rows that the kernel updates in place do not overlap",
            /*assumed=*/true);
      }
      auto number = builder.getI64IntegerAttr(marks++);
      load->setAttr(tile::kApartAttr, number);
      store->setAttr(tile::kApartAttr, number);
    }
}

namespace {

struct MarkApartPass : heddle::impl::MarkApartBase<MarkApartPass> {
  using MarkApartBase::MarkApartBase;

  void runOnOperation() override {
    getOperation().walk([&](tile::KernelOp kernel) {
      auto parallels = kernel.getOps<tile::ParallelOp>();
      if (!llvm::hasSingleElement(parallels))
        return;
      Marker marker(kernel, *parallels.begin(), assume);
      kernel.walk([&](scf::ForOp loop) {
        if (multiplies(loop))
          marker.mark(loop);
      });
    });
  }
};

} // namespace
