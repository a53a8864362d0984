//===- AssignLayouts.cpp - Decide: a register layout for every tile
//---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values are nodes; element-wise ops, loops, branches and flights are edges
// that want both ends alike; expand_dims, broadcast and reduce are edges with a
// sliced layout at one end. Layouts spread from anchors in four waves, each to
// a fixed point:
//
//   1. accumulators of the tensor core: the hardware says
//   2. register operands of the tensor core: better made where they are read.
//      Those of 8 bits, which no sum is like, hold theirs against the sums that
//      they are made of
//   3. what goes from one slot to another, whole rows of both; places of rows
//      that are copied, where they are read
//   4. coalesced rows for what is left, loads first
//
// The first layout to reach a node stays. An edge whose ends differ afterwards
// becomes a convert_layout where the value is used.
//
//===----------------------------------------------------------------------===//

#include "AssignLayouts.h"

#include "AccessLayouts.h"

#include "CombineLayouts.h"
#include "MoveLayouts.h"
#include "PlanConversions.h"
#include "SharedTile.h"
#include "StagedOperands.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Tile/Elementwise.h"
#include "heddle/Support/Diagnostics/Aref.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::areftohopper;
using hopper::LayoutAttr;

bool heddle::areftohopper::isUpdate(Operation *op) {
  return isa<tile::ScatterOp, tile::AtomicRmwOp, tile::AtomicCasOp,
             tile::ViewReduceOp>(op);
}

LayoutAttr heddle::areftohopper::operandLayout(Operation *op,
                                               LayoutAttr result) {
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
    return sliceAxis(result, expand.getAxis());
  auto broadcast = cast<tile::BroadcastOp>(op);
  auto from = cast<RankedTensorType>(broadcast.getValue().getType());
  auto to = cast<RankedTensorType>(broadcast.getResult().getType());
  for (int64_t axis = 0; axis < from.getRank(); ++axis)
    if (from.getDimSize(axis) != to.getDimSize(axis))
      result = collapseAxis(result, axis);
  return result;
}

namespace {

struct Edge {
  Value from, to;
  // expand_dims, broadcast, reduce or a movement: from is its operand, to its
  // result.
  Operation *slice = nullptr;
};

class Assigner {
public:
  Assigner(const ProcessFacts &process, const KernelFacts &facts,
           AccessBytes accessBytes)
      : process(process), facts(facts), accessBytes(accessBytes),
        warps(aref::ProcessOp(process.op).getWarps()) {}

  FailureOr<LayoutMap> run();

private:
  bool hasLayout(Value value) const;
  void link(Value from, Value to, Operation *slice = nullptr);
  LogicalResult collect(Operation *op);
  void collectFor(scf::ForOp loop);
  void collectUpdate(Operation *op);
  void collectIf(scf::IfOp branch);
  void collectReduce(tile::ReduceOp reduce);
  LogicalResult collectMovement(Operation *op);
  void collectWhile(scf::WhileOp loop);
  void anchor(Value value, LayoutAttr layout);
  void spread();
  LayoutAttr across(const Edge &edge, Value from) const;
  void anchorAccumulators();
  bool takesRegisters(tile::DotOp dot) const;
  void reserveNarrowOperands();
  void anchorOperands();
  llvm::SetVector<Value> findAlike(Value value) const;
  llvm::DenseSet<Value> findSliced() const;
  void anchorRows();
  void anchorStaged();
  void anchorRest();
  void chooseStored();

  const ProcessFacts &process;
  const KernelFacts &facts;
  AccessBytes accessBytes;
  int64_t warps;
  SmallVector<Edge> edges;
  SmallVector<Value> nodes; // in program order
  DenseSet<Value> known;
  DenseMap<Value, SmallVector<unsigned>> edgesOf;
  SmallVector<Value> worklist;
  SmallVector<Value> reserved; // by operands of 8 bits, before sums spread
  SmallVector<Operation *> updates;
  LayoutMap layouts;
};

RankedTensorType tileType(Value value) {
  if (auto flight = dyn_cast<aref::FlightType>(value.getType()))
    return dyn_cast<RankedTensorType>(flight.getValue());
  return dyn_cast<RankedTensorType>(value.getType());
}

/// Splats and their kin, tiles in slots and loads into slots are not in
/// registers.
bool Assigner::hasLayout(Value value) const {
  if (!tileType(value) || repeatableSource(value) || facts.homeOf(value))
    return false;
  auto load = value.getDefiningOp<tile::LoadOp>();
  return !load || !facts.isDirect(load);
}

void Assigner::link(Value from, Value to, Operation *slice) {
  for (Value value : {from, to})
    if (hasLayout(value) && known.insert(value).second)
      nodes.push_back(value);
  if (!hasLayout(from) || !hasLayout(to) || from == to)
    return;
  edgesOf[from].push_back(edges.size());
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, to, slice});
}

LogicalResult Assigner::collect(Operation *op) {
  for (Value result : op->getResults())
    link(result, result);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    collectFor(loop);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    collectIf(branch);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    collectWhile(loop);
  } else if (auto start = dyn_cast<aref::StartOp>(op)) {
    for (auto [argument, input] :
         llvm::zip(start.getBody().getArguments(), start.getInputs()))
      link(input, argument);
    link(
        cast<aref::YieldOp>(start.getBody().front().getTerminator()).getValue(),
        start.getFlight());
  } else if (auto await = dyn_cast<aref::AwaitOp>(op)) {
    link(await.getFlight(), await.getValue());
  } else if (auto dot = dyn_cast<tile::DotOp>(op)) {
    link(dot.getAcc(), dot.getResult());
    link(dot.getA(), dot.getA());
    link(dot.getB(), dot.getB());
  } else if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
    collectReduce(reduce);
  } else if (auto unfold = dyn_cast<tile::UnfoldOp>(op)) {
    link(unfold.getSpan(), unfold.getSpan());
    link(unfold.getResult(), unfold.getResult());
  } else if (isMovement(op)) {
    return collectMovement(op);
  } else if (isa<tile::ExpandDimsOp, tile::BroadcastOp>(op)) {
    link(op->getOperand(0), op->getResult(0), op);
  } else if (auto load = dyn_cast<tile::LoadOp>(op); load && load.getRows()) {
    link(load.getRows(), load.getRows());
  } else if (tile::isElementwise(op)) {
    for (Value operand : op->getOperands())
      if (tileType(operand))
        for (Value result : op->getResults())
          link(operand, result);
    for (Value result : op->getResults().drop_front())
      link(op->getResult(0), result);
  } else if (isUpdate(op)) {
    collectUpdate(op);
  } else if (auto assertion = dyn_cast<tile::AssertOp>(op)) {
    link(assertion.getCondition(), assertion.getCondition());
  } else if (llvm::any_of(op->getResults(),
                          [&](Value result) { return hasLayout(result); }) &&
             !isa<tile::LoadOp, aref::GetOp>(op)) {
    return report(op, diag::no_form)
           << "'" << op->getName() << "' on tiles has no form on sm_90a yet; "
           << "the rungs above run it in the interpreter only";
  }
  return success();
}

/// All tiles of an update are alike; the first stands for them.
void Assigner::collectUpdate(Operation *op) {
  updates.push_back(op);
  Value first;
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values)
      if (tileType(value) && hasLayout(value)) {
        first = first ? first : value;
        link(value, first);
      }
}

void Assigner::collectFor(scf::ForOp loop) {
  for (auto [init, argument, yielded, result] :
       llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(),
                 loop.getYieldedValues(), loop.getResults())) {
    link(argument, result);
    link(init, argument);
    link(yielded, argument);
  }
}

/// All operands are read in one layout, of which the results have a slice.
void Assigner::collectReduce(tile::ReduceOp reduce) {
  for (auto [value, result] :
       llvm::zip(reduce.getValues(), reduce.getResults())) {
    link(reduce.getValues().front(), value);
    link(value, result, reduce);
  }
}

LogicalResult Assigner::collectMovement(Operation *op) {
  if (std::string reason = whyNoMovement(op); !reason.empty())
    return report(op, diag::no_form) << "'" << op->getName() << "' " << reason;
  // These read several tiles in one layout.
  if (auto scan = dyn_cast<tile::ScanOp>(op)) {
    for (Value value : scan.getValues())
      link(scan.getValues().front(), value);
    return success();
  }
  if (auto histogram = dyn_cast<tile::HistogramOp>(op)) {
    if (histogram.getMask())
      link(histogram.getValue(), histogram.getMask());
    return success();
  }
  if (auto take = dyn_cast<tile::TakeOp>(op)) {
    link(take.getIndices(), take.getResult());
    return success();
  }
  for (Value operand : op->getOperands())
    for (Value result : op->getResults())
      link(operand, result, op);
  return success();
}

void Assigner::collectIf(scf::IfOp branch) {
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
    if (!region->empty())
      for (auto [yielded, result] :
           llvm::zip(region->front().getTerminator()->getOperands(),
                     branch.getResults()))
        link(yielded, result);
}

void Assigner::collectWhile(scf::WhileOp loop) {
  for (auto [argument, init, yielded] :
       llvm::zip(loop.getBeforeArguments(), loop.getInits(),
                 loop.getYieldOp().getResults())) {
    link(init, argument);
    link(yielded, argument);
  }
  for (auto [result, argument, passed] :
       llvm::zip(loop.getResults(), loop.getAfterArguments(),
                 loop.getConditionOp().getArgs())) {
    link(argument, result);
    link(passed, result);
  }
}

void Assigner::anchor(Value value, LayoutAttr layout) {
  if (layout && hasLayout(value) && layouts.try_emplace(value, layout).second)
    worklist.push_back(value);
}

/// The layout that `from`'s gives the other end; null where it says nothing.
LayoutAttr Assigner::across(const Edge &edge, Value from) const {
  LayoutAttr layout = layouts.lookup(from);
  if (!edge.slice)
    return layout;
  if (auto reduce = dyn_cast<tile::ReduceOp>(edge.slice))
    return from == edge.from
               ? sliceAxis(layout, reduce.getAxis())
               : unsliceAxis(tileType(edge.from), reduce.getAxis(), layout);
  if (isMovement(edge.slice))
    return acrossMovement(edge.slice, from, layout,
                          from == edge.from ? edge.to : edge.from);
  if (from == edge.to)
    return operandLayout(edge.slice, layout);
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(edge.slice))
    return expandAxis(layout, expand.getAxis());
  return {};
}

void Assigner::spread() {
  for (size_t next = 0; next < worklist.size(); ++next) {
    Value from = worklist[next];
    for (unsigned index : edgesOf[from]) {
      const Edge &edge = edges[index];
      anchor(edge.from == from ? edge.to : edge.from, across(edge, from));
    }
  }
  worklist.clear();
}

void Assigner::anchorAccumulators() {
  for (tile::DotOp dot : process.dots)
    anchor(dot.getResult(), isByThreads(dot)
                                ? layoutsByThreads(dot, warps).sums
                                : accumulatorLayout(tileType(dot.getResult())));
  spread();
}

bool Assigner::takesRegisters(tile::DotOp dot) const {
  return !isByThreads(dot) && hasLayout(lookThroughStart(dot.getA())) &&
         !stageOperands(dot, facts).a;
}

static bool isNarrow(Value value) {
  return elementBits(tileType(value).getElementType()) == 8;
}

/// Up to the conversion that narrows: no sum has the layout of such an operand,
/// and sums spread first.
void Assigner::reserveNarrowOperands() {
  auto reserve = [&](Value value, LayoutAttr layout) {
    if (isNarrow(value) && layouts.try_emplace(value, layout).second)
      reserved.push_back(value);
  };
  for (tile::DotOp dot : process.dots)
    if (Value a = lookThroughStart(dot.getA()); takesRegisters(dot))
      reserve(a, operandALayout(tileType(a)));
  for (size_t next = 0; next < reserved.size(); ++next) {
    Value value = reserved[next];
    for (unsigned index : edgesOf[value])
      if (const Edge &edge = edges[index]; !edge.slice)
        reserve(edge.from == value ? edge.to : edge.from,
                layouts.lookup(value));
  }
}

void Assigner::anchorOperands() {
  for (tile::DotOp dot : process.dots)
    if (isByThreads(dot)) {
      ProductLayouts wanted = layoutsByThreads(dot, warps);
      anchor(dot.getA(), wanted.a);
      anchor(dot.getB(), wanted.b);
    } else if (Value a = lookThroughStart(dot.getA()); takesRegisters(dot)) {
      anchor(a, operandALayout(tileType(a)));
    }
  worklist.append(reserved);
  spread();
}

/// Who copies a row makes its place, too.
void Assigner::anchorRows() {
  aref::ProcessOp(process.op).walk([&](tile::LoadOp load) {
    if (load.getRows() && facts.isDirect(load))
      anchor(load.getRows(), rowsLayout(load, warps));
  });
  spread();
}

/// A thread takes as many neighbours as it reads from a slot at once, and
/// writes them to the other slot, which runs the same way.
void Assigner::anchorStaged() {
  aref::ProcessOp(process.op).walk([&](tile::StageOp stage) {
    if (std::optional<SlotSource> source = findSlotSource(stage, facts)) {
      auto type = tileType(stage.getResult());
      int64_t bits =
          std::min<int64_t>(source->elementBits, type.getElementTypeBitWidth());
      int64_t runBytes = hopper::kAccessBytes * source->repeats *
                         type.getElementTypeBitWidth() / bits;
      int64_t bytes = source->run * type.getElementTypeBitWidth() / 8;
      anchor(stage.getResult(),
             source->run
                 ? runsAcross(type, source->order.front(), warps,
                              std::min(bytes, runBytes))
                 : coalescedLayout(type, source->order, warps, runBytes));
    }
  });
  spread();
}

/// The value and all that want its layout.
llvm::SetVector<Value> Assigner::findAlike(Value value) const {
  llvm::SetVector<Value> alike;
  alike.insert(value);
  for (size_t next = 0; next < alike.size(); ++next) {
    auto found = edgesOf.find(alike[next]);
    if (found != edgesOf.end())
      for (unsigned index : found->second)
        if (const Edge &edge = edges[index]; !edge.slice)
          alike.insert_range(ArrayRef<Value>{edge.from, edge.to});
  }
  return alike;
}

/// Values that become a slice of a larger tile, or that want the layout of one.
llvm::DenseSet<Value> Assigner::findSliced() const {
  llvm::DenseSet<Value> visited, sliced;
  for (Value value : nodes) {
    if (visited.contains(value))
      continue;
    llvm::SetVector<Value> alike = findAlike(value);
    visited.insert_range(alike);
    if (llvm::any_of(alike, [](Value value) {
          return llvm::any_of(
              value.getUsers(),
              llvm::IsaPred<tile::ExpandDimsOp, tile::BroadcastOp>);
        }))
      sliced.insert_range(alike);
  }
  return sliced;
}

/// What is sliced takes the layout of its user, so it comes last; loads come
/// first, then gathers, those of the longest runs in front.
void Assigner::anchorRest() {
  llvm::DenseSet<Value> sliced = findSliced();
  llvm::DenseMap<Value, int64_t> runs;
  for (Value value : nodes)
    if (auto gather = value.getDefiningOp<tile::GatherOp>())
      runs[value] = runBytes(gather);
  auto key = [&](Value value) {
    int rank = value.getDefiningOp<tile::LoadOp>() ? 0
               : runs.contains(value)              ? 1
                                                   : 2;
    return std::tuple(sliced.contains(value), rank, -runs.lookup(value));
  };
  SmallVector<Value> order = nodes;
  llvm::stable_sort(order, [&](Value a, Value b) { return key(a) < key(b); });
  for (Value value : order) {
    if (layouts.contains(value))
      continue;
    RankedTensorType type = tileType(value);
    LayoutAttr layout = defaultLayout(type, warps);
    // Of operands that have no layout to follow.
    if (auto reduce = value.getDefiningOp<tile::ReduceOp>())
      layout = sliceAxis(readLayout(reduce, layouts), reduce.getAxis());
    if (Operation *op = value.getDefiningOp(); op && isMovement(op))
      layout = planMovement(op, layouts)
                   .made[cast<OpResult>(value).getResultNumber()];
    if (auto gather = value.getDefiningOp<tile::GatherOp>())
      layout = gatherLayout(gather, warps, accessBytes.gathers);
    if (auto load = value.getDefiningOp<tile::LoadOp>())
      layout = accessLayout(load.getView().getType(), type, warps,
                            accessBytes.loads);
    anchor(value, layout);
    spread();
  }
}

/// A kernel with rings stores through TMA, or the few registers of a wgmma.
/// Only where it makes the view itself it changes the layout, in the memory
/// that stores through TMA would have taken.
void Assigner::chooseStored() {
  for (tile::StoreOp store : process.stores) {
    LayoutAttr made = layouts.lookup(lookThroughStart(store.getValue()));
    RankedTensorType type = tileType(store.getValue());
    auto coalesced = [&](int64_t bytes) {
      return storeLayout(store, made, warps, bytes,
                         int64_t(facts.costs.copy.sectorBytes));
    };
    LayoutAttr &stored = layouts.stored[store];
    stored = made && !facts.rings.empty() ? made : coalesced(accessBytes.loads);
    bool fits = facts.storesByThreads(store) &&
                scratchTile(type).getSizeBytes() <=
                    int64_t(facts.costs.shared.stagingBytes);
    if (LayoutAttr looking = fits ? coalesced(kLookingBytes) : LayoutAttr();
        lookingVector(store, looking) > 1)
      stored = looking;
  }
  for (Operation *op : updates) {
    LayoutAttr &layout = layouts.stored[op];
    RankedTensorType type;
    for (Value value : op->getOperands())
      if (auto tile = dyn_cast<RankedTensorType>(value.getType())) {
        type = tile;
        layout = layout ? layout : layouts.lookup(lookThroughStart(value));
      }
    // A layout that the results have already.
    if (op->getNumResults() && layouts.lookup(op->getResult(0)))
      layout = layouts.lookup(op->getResult(0));
    if (type && !layout)
      layout = defaultLayout(type, warps);
  }
}

FailureOr<LayoutMap> Assigner::run() {
  auto result =
      aref::ProcessOp(process.op).walk<WalkOrder::PreOrder>([&](Operation *op) {
        return WalkResult(collect(op));
      });
  if (result.wasInterrupted())
    return failure();
  reserveNarrowOperands();
  anchorAccumulators();
  anchorOperands();
  anchorRows();
  anchorStaged();
  anchorRest();
  // One op makes all of its results at once.
  for (auto [value, layout] : llvm::to_vector(layouts))
    if (Operation *op = value.getDefiningOp(); op && tile::isElementwise(op))
      layouts[value] = layouts.lookup(op->getResult(0));
  chooseStored();
  return std::move(layouts);
}

} // namespace

FailureOr<LayoutMap>
heddle::areftohopper::assignLayouts(const ProcessFacts &process,
                                    const KernelFacts &facts,
                                    AccessBytes accessBytes) {
  return Assigner(process, facts, accessBytes).run();
}
