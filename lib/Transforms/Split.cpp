//===- Split.cpp - Tiles to sub-tiles of a product's rows -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a distributed kernel. Out: the same program in which every tile reached
// from a dot's rows is a list of sub-tiles as high as one product of the
// machine's (64 rows for wgmma), as ordinary ops with {sched.sub = i}, so that
// the scheduler may give sub-tiles to different processes. A contraction is
// split only where the rows of its operands are, and memory adds up: then each
// sub-tile has an addend of the product. Small ops outside whose users are all
// split are repeated for each sub-tile, which keeps a bias vector out of the
// rings; so are numbers of rows and columns, whoever else reads them.
//
// Where a split axis meets an op that cannot follow it, nothing is split and a
// remark says which op.
//
//===----------------------------------------------------------------------===//

#include "MemoryOrder.h"
#include "SplitAxes.h"

#include "heddle/Analysis/FindCosts.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Exact.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Support/Diagnostics/Sched.h"
#include "heddle/Transforms/Passes.h"
#include "heddle/Transforms/SplitTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSet.h"

namespace heddle {
#define GEN_PASS_DEF_SPLIT
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;
using namespace heddle::split;

namespace {

/// Copies a kernel's body by the plan: each split value becomes its pieces.
class Splitter {
public:
  Splitter(const SplitPlan &plan, OpBuilder &builder)
      : plan(plan), builder(builder) {}

  void copyBlock(Block &block) {
    for (Operation &op : block) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        copyLoop(loop);
      else if (auto conditional = dyn_cast<scf::IfOp>(op))
        copyConditional(conditional);
      else if (auto yield = dyn_cast<scf::YieldOp>(op))
        scf::YieldOp::create(builder, op.getLoc(), expand(yield.getOperands()));
      else if (plan.joined.contains(&op))
        copyJoined(cast<tile::DotOp>(op));
      else if (isCopiedPerPiece(&op)) {
        if (plan.alsoWhole.contains(&op))
          builder.clone(op, whole);
        copyPieces(&op);
      } else // what parts of the columns have in common with all rows
        sched::forgetSubTile(builder.clone(op, whole));
    }
  }

  IRMapping whole; ///< unsplit values

private:
  bool isCopiedPerPiece(Operation *op) const {
    auto isOurs = [&](Value v) { return isDivided(plan, v); };
    return plan.repeated.contains(op) ||
           llvm::any_of(op->getOperands(), isOurs) ||
           llvm::any_of(op->getResults(), isOurs);
  }

  SmallVector<Value> expand(ValueRange values) {
    SmallVector<Value> result;
    for (Value value : values) {
      if (auto it = pieces.find(value); it != pieces.end())
        llvm::append_range(result, it->second);
      else
        result.push_back(whole.lookupOrDefault(value));
    }
    return result;
  }

  void copyLoop(scf::ForOp loop) {
    auto copy = scf::ForOp::create(
        builder, loop.getLoc(), whole.lookupOrDefault(loop.getLowerBound()),
        whole.lookupOrDefault(loop.getUpperBound()),
        whole.lookupOrDefault(loop.getStep()), expand(loop.getInitArgs()));
    copy->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    whole.map(loop.getInductionVar(), copy.getInductionVar());
    mapExpanded(loop.getRegionIterArgs(), copy.getRegionIterArgs());
    mapExpanded(loop.getResults(), copy.getResults());
    OpBuilder::InsertionGuard guard(builder);
    if (!copy.getBody()
             ->empty()) // a loop without iter_args comes with its yield
      copy.getBody()->getTerminator()->erase();
    builder.setInsertionPointToEnd(copy.getBody());
    copyBlock(*loop.getBody());
  }

  void copyConditional(scf::IfOp conditional) {
    SmallVector<Type> types;
    for (OpResult result : conditional.getResults())
      types.append(plan.axes.contains(result) ? plan.count : 1,
                   pieceType(result));
    auto copy = scf::IfOp::create(
        builder, conditional.getLoc(), types,
        whole.lookupOrDefault(conditional.getCondition()),
        /*addThenBlock=*/true, !conditional.getElseRegion().empty());
    copy->setDiscardableAttrs(conditional->getDiscardableAttrDictionary());
    mapExpanded(conditional.getResults(), copy.getResults());
    OpBuilder::InsertionGuard guard(builder);
    for (auto [from, to] :
         llvm::zip(conditional->getRegions(), copy->getRegions())) {
      if (from.empty())
        continue;
      to.front().clear();
      builder.setInsertionPointToEnd(&to.front());
      copyBlock(from.front());
    }
    if (sched::isUndivided(copy))
      separate(conditional, copy);
  }

  /// A conditional that is one op of the schedule becomes one for each
  /// sub-tile.
  void separate(scf::IfOp original, scf::IfOp copy) {
    SmallVector<int64_t> subs; // of each result; -1 if it is not split
    for (OpResult result : original.getResults())
      for (int64_t sub = 0, n = plan.axes.contains(result) ? plan.count : 1;
           sub < n; ++sub)
        subs.push_back(n == 1 ? -1 : sub);
    if (llvm::all_of(subs, [](int64_t sub) { return sub < 0; }))
      return;
    SmallVector<Value> replacements(copy.getNumResults());
    builder.setInsertionPoint(copy);
    for (int64_t sub = 0; sub < plan.count; ++sub) {
      SmallVector<unsigned> kept; // what is not split goes with the first
      for (auto [index, owner] : llvm::enumerate(subs))
        if (owner == sub || (owner < 0 && sub == 0))
          kept.push_back(index);
      scf::IfOp part = keepResults(copy, kept);
      name(part, original, sub);
      for (auto [index, result] : llvm::zip(kept, part.getResults()))
        replacements[index] = result;
    }
    mapExpanded(original.getResults(), replacements);
    builder.setInsertionPointAfter(copy);
    copy.erase();
  }

  /// A copy with some of the results, and the ops that these need.
  scf::IfOp keepResults(scf::IfOp from, ArrayRef<unsigned> kept) {
    auto clone = cast<scf::IfOp>(builder.clone(*from));
    SmallVector<Type> types;
    for (unsigned index : kept)
      types.push_back(from.getResult(index).getType());
    auto part = scf::IfOp::create(builder, from.getLoc(), types,
                                  from.getCondition(), /*addThenBlock=*/false,
                                  /*addElseBlock=*/false);
    part->setDiscardableAttrs(from->getDiscardableAttrDictionary());
    for (auto [to, region] :
         llvm::zip(part->getRegions(), clone->getRegions())) {
      to.takeBody(region);
      Operation *yield = to.front().getTerminator();
      yield->setOperands(llvm::map_to_vector(
          kept, [&](unsigned index) { return yield->getOperand(index); }));
      for (Operation &op :
           llvm::make_early_inc_range(llvm::reverse(to.front())))
        if (isOpTriviallyDead(&op))
          op.erase();
    }
    clone.erase();
    return part;
  }

  void mapExpanded(ValueRange originals, ValueRange copies) {
    size_t next = 0;
    for (Value original : originals) {
      if (!plan.axes.contains(original)) {
        whole.map(original, copies[next++]);
        continue;
      }
      pieces[original] = llvm::to_vector(copies.slice(next, plan.count));
      next += plan.count;
    }
  }

  /// One product for each piece of the contraction, each adding to the one
  /// before; they belong to no sub-tile.
  void copyJoined(tile::DotOp dot) {
    Value sum = whole.lookupOrDefault(dot.getAcc());
    StringRef base = sched::opName(dot);
    for (int64_t sub = 0; sub < plan.count; ++sub) {
      IRMapping mapping = whole;
      mapping.map(dot.getA(), pieces.find(dot.getA())->second[sub]);
      mapping.map(dot.getB(), pieces.find(dot.getB())->second[sub]);
      mapping.map(dot.getAcc(), sum);
      Operation *copy = builder.clone(*dot, mapping);
      copy->removeAttr(sched::kOriginal); // parts of one sum differ
      if (!base.empty())
        copy->setAttr(sched::kOpName, builder.getStringAttr(
                                          (base + ".part" + Twine(sub)).str()));
      sum = copy->getResult(0);
    }
    whole.map(dot.getResult(), sum);
  }

  void copyPieces(Operation *op) {
    for (int64_t sub = 0; sub < plan.count; ++sub) {
      IRMapping mapping = whole;
      for (Value operand : op->getOperands())
        if (auto it = pieces.find(operand); it != pieces.end())
          mapping.map(operand, it->second[sub]);
      Operation *copy = builder.clone(*op, mapping);
      shiftOffset(op, copy, sub);
      for (auto [original, result] :
           llvm::zip(op->getResults(), copy->getResults())) {
        result.setType(pieceType(original));
        pieces[original].push_back(result);
      }
      if (auto constant = dyn_cast<arith::ConstantOp>(copy))
        constant.setValueAttr(
            cast<SplatElementsAttr>(constant.getValue())
                .resizeSplat(cast<ShapedType>(constant.getType())));
      name(copy, op, sub);
      if (isa<tile::IotaOp>(op) && plan.axes.contains(op->getResult(0)) && sub)
        countFromFirstRow(op, sub);
    }
  }

  /// Sub-tiles of the next part of the columns go on where those of the part
  /// before end.
  void name(Operation *copy, Operation *original, int64_t sub,
            StringRef suffix = "") {
    StringRef base = sched::opName(original);
    if (auto part = original->getAttrOfType<IntegerAttr>(sched::kSubIndex)) {
      base.consume_back("." + std::to_string(part.getInt()));
      sub += part.getInt() * plan.count;
    }
    copy->removeAttr(sched::kOriginal);
    copy->setAttr(sched::kSubIndex, builder.getI64IntegerAttr(sub));
    if (base.empty())
      return;
    if (suffix.empty())
      return sched::nameSubTile(copy, base, sub);
    copy->setAttr(sched::kOpName,
                  builder.getStringAttr(base + "." + Twine(sub) + suffix));
  }

  /// The numbers of sub-tile `sub` go on where those before it end.
  void countFromFirstRow(Operation *iota, int64_t sub) {
    Value &piece = pieces[iota->getResult(0)].back();
    auto type = cast<RankedTensorType>(piece.getType());
    Value first = arith::ConstantOp::create(
        builder, iota->getLoc(),
        DenseElementsAttr::get(
            type,
            builder.getIntegerAttr(type.getElementType(), sub * plan.rows)));
    piece = arith::AddIOp::create(builder, iota->getLoc(), piece, first);
    name(piece.getDefiningOp(), iota, sub, ".from");
  }

  /// A load or store of sub-tile `sub` starts `sub * rows` further along the
  /// axis, and so do windows in their span. Only there: one value may be the
  /// offset along other axes too.
  void shiftOffset(Operation *op, Operation *copy, int64_t sub) {
    std::optional<unsigned> offset; // of the operand
    int64_t step = 1;
    auto pick = [&](Value accessed, OperandRange offsets, tile::ViewType view) {
      auto axis = plan.axes.find(accessed);
      if (axis != plan.axes.end())
        offset = offsets.getBeginOperandIndex() + axis->second +
                 view.getRank() -
                 cast<RankedTensorType>(accessed.getType()).getRank();
    };
    if (auto load = dyn_cast<tile::LoadOp>(op))
      pick(load.getResult(), load.getOffsets(), load.getView().getType());
    if (auto store = dyn_cast<tile::StoreOp>(op))
      pick(store.getValue(), store.getOffsets(), store.getView().getType());
    if (auto reduce = dyn_cast<tile::ViewReduceOp>(op))
      pick(reduce.getValue(), reduce.getOffsets(), reduce.getView().getType());
    if (auto unfold = dyn_cast<tile::UnfoldOp>(op);
        unfold && plan.axes.contains(unfold.getResult())) {
      offset = unfold.getFirstMutable().getOperandNumber();
      step = unfold.getStep();
    }
    if (!offset || sub == 0)
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copy);
    Value by = arith::ConstantIndexOp::create(builder, op->getLoc(),
                                              sub * plan.rows * step);
    copy->setOperand(*offset,
                     arith::AddIOp::create(builder, op->getLoc(),
                                           copy->getOperand(*offset), by));
  }

  Type pieceType(Value original) const {
    auto axis = plan.axes.find(original);
    if (axis == plan.axes.end())
      return original.getType();
    auto type = cast<RankedTensorType>(original.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[axis->second] = plan.rows;
    return RankedTensorType::get(shape, type.getElementType(),
                                 type.getEncoding());
  }

  const SplitPlan &plan;
  OpBuilder &builder;
  DenseMap<Value, SmallVector<Value>> pieces;
};

void rewrite(tile::KernelOp kernel, const SplitPlan &plan) {
  Block &old = kernel.getEntry();
  Region &region = kernel.getBody();
  Block *fresh = new Block();
  region.push_back(fresh);
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToEnd(fresh);
  Splitter splitter(plan, builder);
  for (BlockArgument argument : old.getArguments())
    splitter.whole.map(
        argument, fresh->addArgument(argument.getType(), argument.getLoc()));
  splitter.copyBlock(old);
  old.dropAllDefinedValueUses();
  old.erase();
}

/// Numbers of rows or of columns that are computed, such as the positions that
/// a causal mask compares with each other.
bool isNumbering(Operation *op) {
  if (!op->hasTrait<OpTrait::Elementwise>() || !isMemoryEffectFree(op) ||
      op->getNumResults() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.getRank() == 1;
}

/// One user for each tile made from no other, since users that share it may
/// split it along different axes, or not at all. Undone where nothing is split.
class SharedSources {
public:
  /// Numberings are computed for each user only if `separatesNumberings`.
  SharedSources(tile::KernelOp kernel, bool separatesNumberings) {
    SmallVector<Operation *> sources;
    kernel.walk([&](Operation *op) {
      if (StringRef name = sched::opName(op); !name.empty())
        names.insert(name);
      bool isSource = isa<tile::IotaOp, tile::SplatOp, arith::ConstantOp>(op) &&
                      isa<RankedTensorType>(op->getResult(0).getType());
      if (isSource || (separatesNumberings && isNumbering(op)))
        sources.push_back(op);
    });
    // Users first: each copy of one is a further user of its operands.
    if (separatesNumberings)
      std::reverse(sources.begin(), sources.end());
    for (Operation *source : sources)
      separate(source);
  }

  void join() {
    for (auto [copy, source] : llvm::reverse(copies)) {
      copy->replaceAllUsesWith(source);
      copy->erase();
    }
  }

private:
  void separate(Operation *source) {
    if (source->use_empty())
      return;
    OpBuilder builder(source);
    for (OpOperand &use : llvm::make_early_inc_range(
             llvm::drop_begin(source->getResult(0).getUses()))) {
      Operation *copy = builder.clone(*source);
      if (StringRef name = sched::opName(source); !name.empty())
        copy->setAttr(sched::kOpName, builder.getStringAttr(unused(name)));
      copy->removeAttr(sched::kOriginal);
      use.set(copy->getResult(0));
      copies.emplace_back(copy, source);
    }
  }

  std::string unused(StringRef base) {
    for (int count = 2;; ++count)
      if (std::string name = (base + "_" + Twine(count)).str();
          names.insert(name).second)
        return name;
  }

  llvm::StringSet<> names;
  SmallVector<std::pair<Operation *, Operation *>> copies; ///< of which source
};

struct SplitPass : heddle::impl::SplitBase<SplitPass> {
  using SplitBase::SplitBase;

  void runOnOperation() override {
    machine::Costs costs;
    if (failed(findCosts(getOperation(), machine, costs)))
      return signalPassFailure();
    getOperation().walk([&](tile::KernelOp kernel) {
      if (failed(checkMemoryOrder(kernel)))
        return signalPassFailure();
      SharedSources sources(kernel, /*separatesNumberings=*/false);
      SplitPlan plan = decideSplit(kernel, costs);
      for (Operation *op : accessesInOrder(kernel))
        op->setAttr(tile::kInOrderAttr, UnitAttr::get(&getContext()));
      if (plan.obstacle && splitWithNumberingsApart(kernel, costs))
        return;
      if (plan.obstacle)
        report(plan.obstacle, diag::not_split)
            << "tiles of @" << kernel.getSymName()
            << " stay whole: " << plan.reason;
      // Who needs sub-tiles says what stood in the way.
      if (plan.obstacle)
        kernel.walk([&](tile::DotOp dot) {
          int64_t height =
              cast<RankedTensorType>(dot.getResult().getType()).getDimSize(0);
          if (height > plan.rows && height % plan.rows == 0)
            dot->setAttr(tile::kWholeBecauseAttr,
                         LocationAttr(plan.obstacle->getLoc()));
        });
      if (plan.count > 1)
        rewrite(kernel, plan);
      else
        sources.join();
    });
  }

  /// Splits a kernel that has an obstacle where numberings are shared, and none
  /// where each user computes its own. Else everything is as it was.
  bool splitWithNumberingsApart(tile::KernelOp kernel,
                                const machine::Costs &costs) {
    SharedSources more(kernel, /*separatesNumberings=*/true);
    if (SplitPlan plan = decideSplit(kernel, costs); !plan.obstacle) {
      rewrite(kernel, plan);
      return true;
    }
    more.join();
    return false;
  }
};

} // namespace

static SplitObstacle splitTile(tile::KernelOp kernel, Value tile, int64_t axis,
                               int64_t extent, bool cutsColumns) {
  SharedSources sources(kernel, /*separatesNumberings=*/false);
  SplitPlan plan = decideSplitOf(tile, axis, extent, cutsColumns);
  if (plan.count > 1)
    rewrite(kernel, plan);
  else
    sources.join();
  return {plan.obstacle, plan.reason};
}

SplitObstacle heddle::splitAlong(tile::KernelOp kernel, Value tile,
                                 int64_t axis, int64_t extent) {
  return splitTile(kernel, tile, axis, extent, /*cutsColumns=*/false);
}

SplitObstacle heddle::splitColumns(tile::KernelOp kernel, tile::DotOp dot,
                                   int64_t columns) {
  return splitTile(kernel, dot.getResult(), 1, columns, /*cutsColumns=*/true);
}
