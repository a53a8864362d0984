//===- EmitTurns.cpp - Rewrite: sums in turns -----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles that are added at different places never wait for each other: each
// place has a counter, or several where processes have parts of the tile, by
// where in it a part begins. So the parts take turns by themselves, and a tile
// that stands in several branches counts in one place.
//
//===----------------------------------------------------------------------===//

#include "Turns.h"

#include "ClusterSums.h"
#include "PlanConversions.h"
#include "ProcessEmitter.h"

#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Tile/Turns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

bool heddle::areftohopper::addsInTurns(const ProcessFacts &process,
                                       const KernelPlan &plan) {
  return llvm::any_of(process.reductions, [&](tile::ViewReduceOp sum) {
    auto found = plan.stores.find(sum);
    return tile::findTurn(sum) &&
           (found == plan.stores.end() || !found->second.isTma());
  });
}

/// With 1 for the axes that only the view has.
static SmallVector<int64_t> ofView(tile::ViewReduceOp sum,
                                   ArrayRef<int64_t> shape) {
  SmallVector<int64_t> extents(sum.getOffsets().size() - shape.size(), 1);
  llvm::append_range(extents, shape);
  return extents;
}

/// How instances share what they add to; of each view any of its sums says how
/// many places there are.
static llvm::MapVector<Value, std::pair<Counters, tile::InTurnOp>>
findSums(const KernelFacts &facts) {
  llvm::MapVector<Value, std::pair<Counters, tile::InTurnOp>> sums;
  for (const ProcessFacts &process : facts.processes)
    for (tile::ViewReduceOp op : process.reductions) {
      tile::InTurnOp turn = tile::findTurn(op);
      if (!turn)
        continue;
      ArrayRef<int64_t> shape =
          cast<RankedTensorType>(turn.getValue().getType()).getShape();
      auto whole = turn->getAttrOfType<DenseI64ArrayAttr>(tile::kWholeTile);
      auto &[own, any] = sums[op.getView()];
      if (!any) {
        any = turn;
        own.whole = ofView(op, whole ? whole.asArrayRef() : shape);
        own.least = own.whole;
      }
      for (auto [least, extent] : llvm::zip(own.least, ofView(op, shape)))
        least = std::min(least, extent);
    }
  return sums;
}

/// One more argument, which no caller passes.
static Value addArgument(OpBuilder &builder, hopper::KernelOp kernel,
                         Value added) {
  std::string base =
      kernel.getArgName(cast<BlockArgument>(added).getArgNumber()) + ".turns";
  SmallVector<Attribute> names;
  for (unsigned i = 0; i < kernel.getEntry().getNumArguments(); ++i)
    names.push_back(builder.getStringAttr(kernel.getArgName(i)));
  StringAttr name = builder.getStringAttr(base);
  for (unsigned number = 2; llvm::is_contained(names, name); ++number)
    name = builder.getStringAttr(base + std::to_string(number));
  names.push_back(name);
  kernel.setArgNamesAttr(builder.getArrayAttr(names));
  Value made = kernel.getEntry().addArgument(
      tile::ViewType::getRowMajor({ShapedType::kDynamic}, builder.getI32Type()),
      added.getLoc());
  kernel.setFunctionType(
      builder.getFunctionType(kernel.getEntry().getArgumentTypes(), {}));
  return made;
}

CountersMap heddle::areftohopper::emitCounters(OpBuilder &builder,
                                               const KernelFacts &facts,
                                               hopper::KernelOp kernel,
                                               const ValueMap &values) {
  CountersMap result;
  for (auto &[view, sum] : findSums(facts)) {
    auto &[counters, turn] = sum;
    Value added = values.find(view)->second.front();
    Location loc = turn.getLoc();
    Value count = values.find(turn.getPlaces())->second.front();
    if (int64_t parts = counters.parts(); parts > 1) {
      // The places are no more than the blocks, which 31 bits count.
      int64_t most = std::numeric_limits<int32_t>::max() / parts;
      hopper::RequireOp::create(
          builder, loc, arith::ConstantIndexOp::create(builder, loc, most),
          count, "a sum in turns has at most 2^31 - 1 parts of tiles",
          /*variant=*/true);
      count = arith::MulIOp::create(
          builder, loc, count,
          arith::ConstantIndexOp::create(builder, loc, parts));
    }
    counters.view = addArgument(builder, kernel, added);
    hopper::CountersOp::create(builder, loc, counters.view, count, added);
    result[view] = counters;
  }
  return result;
}

int64_t Counters::parts() const {
  int64_t product = 1;
  for (auto [extent, part] : llvm::zip(whole, least))
    product *= llvm::divideCeil(extent, part);
  return product;
}

Value Counters::placeOf(OpBuilder &builder, Location loc, Value place,
                        ValueRange offsets) const {
  auto constant = [&](int64_t number) {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  for (auto [offset, extent, part] : llvm::zip(offsets, whole, least)) {
    if (part == extent)
      continue;
    Value in = arith::RemUIOp::create(builder, loc, offset, constant(extent));
    Value number = arith::DivUIOp::create(builder, loc, in, constant(part));
    Value count = constant(llvm::divideCeil(extent, part));
    place = arith::MulIOp::create(builder, loc, place, count);
    place = arith::AddIOp::create(builder, loc, place, number);
  }
  return place;
}

std::optional<ProcessEmitter::Turn>
ProcessEmitter::turnOf(tile::ViewReduceOp sum) {
  tile::InTurnOp turn = tile::findTurn(sum);
  if (!turn)
    return std::nullopt;
  const Counters &own = counters.find(sum.getView())->second;
  Location loc = sum.getLoc();
  return Turn{loc, own.view,
              own.placeOf(builder, loc, scalar(turn.getPlace()),
                          scalars(sum.getOffsets())),
              scalar(turn.getTurn())};
}

void ProcessEmitter::awaitTurn(const Turn &turn) {
  hopper::AwaitTurnOp::create(builder, turn.loc, turn.counters, turn.place,
                              turn.number);
}

void ProcessEmitter::passTurn(const Turn &turn) {
  hopper::PassTurnOp::create(builder, turn.loc, turn.counters, turn.place);
}

/// The tile is converted before the turn has come. Of a cluster's sum each
/// block adds its part.
void ProcessEmitter::emitSum(tile::ViewReduceOp sum) {
  if (tile::InClusterOp cluster = tile::findCluster(sum)) {
    Location loc = sum.getLoc();
    ClusterPart part = *partOf(sum, cluster, processPlan.layouts);
    Value value =
        tile(sum.getValue(), cast<LayoutAttr>(part.whole.getEncoding()), loc);
    waitForScratchReaders(loc);
    Value total = emitExchange(
        builder, loc, part, sum.getKind(), value, scalar(cluster.getOwn()),
        (aref::ProcessOp(process.op).getSym() + ".part").str(),
        processPlan.scratch, [&] { emitSync(loc); });
    SmallVector<Value> offsets = scalars(sum.getOffsets());
    Value before = arith::MulIOp::create(
        builder, loc,
        hopper::ClusterRankOp::create(builder, loc, builder.getIndexType()),
        arith::ConstantIndexOp::create(builder, loc, part.extent()));
    // The tile's axes are the view's last ones.
    Value &along = offsets[offsets.size() - 2 + part.axis];
    along = arith::AddIOp::create(builder, loc, along, before);
    carryName(sum,
              tile::ViewReduceOp::create(builder, loc, sum.getKind(), total,
                                         scalar(sum.getView()), offsets));
    return;
  }
  std::optional<Turn> turn = turnOf(sum);
  if (!turn)
    return emitGeneric(*sum);
  Location loc = sum.getLoc();
  hopper::LayoutAttr wanted =
      wantedLayout(sum.getValueMutable(), processPlan.layouts, facts);
  Value value = wanted ? tile(sum.getValue(), wanted, loc)
                       : tileAsMade(sum.getValue(), loc);
  awaitTurn(*turn);
  emitSync(loc);
  auto made = tile::ViewReduceOp::create(builder, loc, sum.getKind(), value,
                                         scalar(sum.getView()),
                                         scalars(sum.getOffsets()));
  carryName(sum, made);
  emitSync(loc);
  passTurn(*turn);
}
