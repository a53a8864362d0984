//===- NumbersAsTiles.cpp - Numbers made of tiles stay tiles -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a loop with products, or an instance with products, that makes numbers of
// tiles: a block's largest element, by which it is scaled, a decay that is the
// sum of a chunk, a test of whether a state has to be scaled anew. Out: the
// same with tiles of one element in place of these numbers, as far as they are
// computed with, are carried, decide between tiles or are stored. Tiles go from
// process to process; numbers are repeated in each, which would need the tiles
// that they are made of there. A conditional that such a number decides and
// that only computes is computed always, and its results are chosen. A number
// that decides where a loop reads, or how often another one turns, has to be
// one, and the loop stays as it is.
//
//===----------------------------------------------------------------------===//

#include "LoopParts.h"

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace heddle {
#define GEN_PASS_DEF_NUMBERSASTILES
#include "heddle/Transforms/Passes.h.inc"
} // namespace heddle

using namespace mlir;
using namespace heddle;

namespace {

bool isTile(Value value) { return isa<TensorType>(value.getType()); }

/// What a tile can have as its elements.
bool isElement(Value value) { return value.getType().isIntOrFloat(); }

/// Whether `op` makes one number of others, and does the same with tiles: it
/// has one name for both.
bool goesByElement(Operation *op) {
  return (op->hasTrait<OpTrait::Elementwise>() || isa<tile::CastOp>(op)) &&
         isMemoryEffectFree(op) && op->getNumResults() == 1 &&
         llvm::all_of(op->getOperands(), isElement) &&
         isElement(op->getResult(0));
}

/// Nothing in it has an effect, and none of it may go wrong where its condition
/// does not hold.
bool canAlwaysRun(scf::IfOp conditional) {
  return !conditional
              ->walk([&](Operation *op) {
                bool computes =
                    isa<scf::IfOp, scf::YieldOp, tile::YieldOp>(op) ||
                    (isPure(op) && !isa<tile::DotOp>(op) &&
                     !isa<scf::SCFDialect>(op->getDialect()));
                return computes ? WalkResult::advance()
                                : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The body of a loop or of an instance.
Block &bodyOf(Operation *around) { return around->getRegion(0).front(); }

/// The numbers that a body makes of tiles, with what is made of them.
class TileNumbers {
public:
  explicit TileNumbers(Operation *around)
      : around(around), loop(dyn_cast<scf::ForOp>(around)) {}

  /// Whether there are any, and all of them can be tiles.
  bool find() {
    findMakers(bodyOf(around));
    for (size_t next = 0; next < numbers.size(); ++next) {
      if (!isElement(numbers[next]))
        return false;
      for (OpOperand &use : numbers[next].getUses())
        if (!canRead(use))
          return false;
    }
    return !numbers.empty();
  }

  ArrayRef<Value> getNumbers() const { return numbers.getArrayRef(); }
  ArrayRef<scf::IfOp> getOpened() const { return opened.getArrayRef(); }

private:
  /// Adds what operations of the block make of tiles.
  void findMakers(Block &block) {
    for (Operation &op : block) {
      bool isMaker = sched::isScheduled(&op) &&
                     isa<tile::ReduceOp, tile::UnsplatOp, scf::IfOp>(op);
      for (Value result : op.getResults())
        if (isMaker && !isTile(result) && !result.use_empty())
          numbers.insert(result);
    }
  }

  /// Whether the operation stands in the loop's body, or will.
  bool isInBody(Operation *op) {
    Operation *parent = op->getParentOp();
    return parent == around ||
           (isa<scf::IfOp>(parent) && opened.contains(cast<scf::IfOp>(parent)));
  }

  /// Whether the user can read a tile instead. What it makes of the number is
  /// a number of the same kind.
  bool canRead(OpOperand &use) {
    Operation *user = use.getOwner();
    if (!around->isAncestor(user))
      return true; // there it is a number again
    if (!isInBody(user))
      return canReadInside(user);
    if (isa<scf::YieldOp>(user))
      return addHandedOn(user, use.getOperandNumber()), true;
    if (auto conditional = dyn_cast<scf::IfOp>(user))
      return canOpen(conditional);
    if (isa<tile::SplatOp>(user))
      return true;
    if (isa<tile::ScatterOp>(user))
      return use.getOperandNumber() == 0 && isElement(use.get());
    if (isa<arith::SelectOp>(user) && isTile(user->getResult(0)))
      return true;
    if (!goesByElement(user))
      return false;
    numbers.insert(user->getResult(0));
    return true;
  }

  /// In a conditional that one process has as a whole it is a number again.
  bool canReadInside(Operation *user) {
    while (!isInBody(user))
      user = user->getParentOp();
    auto conditional = dyn_cast<scf::IfOp>(user);
    if (!conditional || !canAlwaysRun(conditional))
      return false;
    addNumbersOf(conditional);
    return true;
  }

  void addNumbersOf(scf::IfOp conditional) {
    for (Value result : conditional.getResults())
      if (!isTile(result))
        numbers.insert(result);
  }

  void addHandedOn(Operation *yield, unsigned index) {
    numbers.insert(yield->getParentOp()->getResult(index));
    if (yield->getParentOp() == around)
      numbers.insert(loop.getRegionIterArg(index));
  }

  bool canOpen(scf::IfOp conditional) {
    if (!canAlwaysRun(conditional))
      return false;
    if (!opened.insert(conditional))
      return true;
    for (Region &region : conditional->getRegions())
      if (!region.empty())
        findMakers(region.front());
    addNumbersOf(conditional);
    return true;
  }

  Operation *around;
  scf::ForOp loop; ///< if it is one
  llvm::SetVector<Value> numbers;
  llvm::SetVector<scf::IfOp> opened; ///< outer ones first
};

/// Computes both branches, and chooses.
void openConditional(scf::IfOp conditional) {
  OpBuilder builder(conditional);
  Location loc = conditional.getLoc();
  Value holds = conditional.getCondition();
  Block *body = conditional->getBlock();
  SmallVector<Value> results[2];
  for (auto [region, values] : llvm::zip(conditional->getRegions(), results)) {
    if (region.empty())
      continue;
    Block &branch = region.front();
    llvm::append_range(values, branch.getTerminator()->getOperands());
    branch.getTerminator()->erase();
    body->getOperations().splice(Block::iterator(conditional),
                                 branch.getOperations());
  }
  /// x scaled by r in one branch alone is x scaled by r or 1, which a row of
  /// scales decides for all its elements at once.
  auto chooseScale = [&](Value scaled, Value plain, bool isThen) -> Value {
    auto product = scaled.getDefiningOp<arith::MulFOp>();
    if (!product || (product.getLhs() != plain && product.getRhs() != plain))
      return {};
    Value scale =
        product.getLhs() == plain ? product.getRhs() : product.getLhs();
    auto wide = scale.getDefiningOp<tile::BroadcastOp>();
    if (wide)
      scale = wide.getValue();
    auto type = cast<RankedTensorType>(scale.getType());
    Value one = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            type, builder.getFloatAttr(type.getElementType(), 1.0)));
    Value chosen = arith::SelectOp::create(
        builder, loc, holds, isThen ? scale : one, isThen ? one : scale);
    if (wide)
      chosen = tile::BroadcastOp::create(builder, loc, wide.getType(), chosen);
    return arith::MulFOp::create(builder, loc, plain, chosen,
                                 product.getFastmath());
  };
  for (auto [result, yes, no] :
       llvm::zip(conditional.getResults(), results[0], results[1])) {
    Value chosen;
    if (yes == no)
      chosen = yes;
    if (!chosen && isTile(result))
      chosen = chooseScale(yes, no, /*isThen=*/true);
    if (!chosen && isTile(result))
      chosen = chooseScale(no, yes, /*isThen=*/false);
    if (!chosen)
      chosen = arith::SelectOp::create(builder, loc, holds, yes, no);
    result.replaceAllUsesWith(chosen);
  }
  conditional.erase();
}

/// Puts tiles of one element in the place of a body's numbers.
class TileWriter {
public:
  TileWriter(Operation *around, ArrayRef<Value> numbers)
      : around(around), loop(dyn_cast<scf::ForOp>(around)),
        builder(around->getContext()), numbers(numbers.begin(), numbers.end()) {
  }

  void run() {
    if (loop)
      carry();
    SmallVector<Operation *> ops =
        llvm::map_to_vector(bodyOf(around), [](Operation &op) { return &op; });
    for (Operation *op : ops) {
      builder.setInsertionPoint(op);
      write(op);
    }
    for (Operation *op : llvm::reverse(replaced))
      op->erase();
  }

private:
  static RankedTensorType typeOf(Type element) {
    return RankedTensorType::get({1}, element);
  }

  /// Carried numbers are tiles in the loop, and numbers again behind it.
  void carry() {
    for (BlockArgument argument : loop.getRegionIterArgs()) {
      if (!numbers.contains(argument))
        continue;
      unsigned index = argument.getArgNumber() - 1;
      OpOperand &init = loop.getInitArgsMutable()[index];
      builder.setInsertionPoint(loop);
      Type element = argument.getType(), type = typeOf(element);
      init.set(
          tile::SplatOp::create(builder, around->getLoc(), type, init.get()));
      argument.setType(type);
      tiles[argument] = argument;
      Value result = loop.getResult(index);
      result.setType(type);
      if (result.use_empty())
        continue;
      builder.setInsertionPointAfter(loop);
      auto number =
          tile::UnsplatOp::create(builder, around->getLoc(), element, result);
      result.replaceAllUsesExcept(number, number);
    }
  }

  /// The number as a tile, wherever it comes from.
  Value tileOf(Value number) {
    if (Value made = tiles.lookup(number))
      return made;
    return tile::SplatOp::create(builder, around->getLoc(),
                                 typeOf(number.getType()), number);
  }

  /// It in each element of a tile.
  Value spread(Value number, RankedTensorType type) {
    Location loc = around->getLoc();
    Value made = tileOf(number);
    Type element = cast<RankedTensorType>(made.getType()).getElementType();
    for (int64_t rank = 2; rank <= type.getRank(); ++rank)
      made = tile::ExpandDimsOp::create(
          builder, loc,
          RankedTensorType::get(SmallVector<int64_t>(rank, 1), element), made,
          builder.getI64IntegerAttr(0));
    auto wide = RankedTensorType::get(type.getShape(), element);
    return made.getType() == wide
               ? made
               : tile::BroadcastOp::create(builder, loc, wide, made)
                     .getResult();
  }

  void write(Operation *op) {
    if (auto yield = dyn_cast<scf::YieldOp>(op)) {
      for (OpOperand &handed : yield->getOpOperands())
        if (isTile(loop.getRegionIterArg(handed.getOperandNumber())) &&
            !isTile(handed.get()))
          handed.set(tileOf(handed.get()));
      return;
    }
    if (auto conditional = dyn_cast<scf::IfOp>(op))
      return writeConditional(conditional);
    if (auto reduce = dyn_cast<tile::ReduceOp>(op);
        reduce && llvm::any_of(reduce.getResults(), [&](Value result) {
          return numbers.contains(result);
        }))
      return writeReduce(reduce);
    bool isNumber =
        op->getNumResults() == 1 && numbers.contains(op->getResult(0));
    if (auto only = dyn_cast<tile::UnsplatOp>(op); only && isNumber)
      return replace(op,
                     tile::ReshapeOp::create(builder, op->getLoc(),
                                             typeOf(only.getResult().getType()),
                                             only.getValue())
                         .getResult());
    if (llvm::none_of(op->getOperands(),
                      [&](Value operand) { return numbers.contains(operand); }))
      return;
    if (auto splat = dyn_cast<tile::SplatOp>(op)) {
      splat.replaceAllUsesWith(
          spread(splat.getValue(), cast<RankedTensorType>(splat.getType())));
      replaced.push_back(op);
    } else if (auto scatter = dyn_cast<tile::ScatterOp>(op)) {
      for (OpOperand &operand : scatter->getOpOperands())
        operand.set(tileOf(operand.get()));
    } else if (isNumber) {
      OperationState state(op->getLoc(), op->getName());
      for (Value operand : op->getOperands())
        state.operands.push_back(tileOf(operand));
      state.addTypes(typeOf(op->getResult(0).getType()));
      state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
      state.propertiesAttr = op->getPropertiesAsAttribute();
      replace(op, builder.create(state)->getResults());
    } else { // a tile that a number decides
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      for (OpOperand &operand : op->getOpOperands())
        if (numbers.contains(operand.get()))
          operand.set(spread(operand.get(), type));
    }
  }

  void replace(Operation *op, ValueRange made) {
    for (auto [number, tile] : llvm::zip(op->getResults(), made))
      tiles[number] = tile;
    replaced.push_back(op);
  }

  /// Along the last axis of the tile that was made one row of, while it has
  /// several; then along the row.
  void writeReduce(tile::ReduceOp reduce) {
    SmallVector<Value> values(reduce.getValues());
    Location loc = reduce.getLoc();
    auto along = [&](int64_t axis) {
      SmallVector<Type> types;
      for (Value value : values) {
        auto type = cast<RankedTensorType>(value.getType());
        SmallVector<int64_t> shape(type.getShape());
        shape.erase(shape.begin() + axis);
        types.push_back(RankedTensorType::get(shape, type.getElementType()));
      }
      auto part = tile::ReduceOp::create(builder, loc, types, values,
                                         builder.getI64IntegerAttr(axis));
      IRMapping mapping;
      reduce.getCombiner().cloneInto(&part.getCombiner(), mapping);
      values.assign(part.result_begin(), part.result_end());
    };
    if (auto row = values.front().getDefiningOp<tile::ReshapeOp>();
        row && values.size() == 1) {
      values.front() = row.getValue();
      auto type = cast<RankedTensorType>(row.getValue().getType());
      for (int64_t rank = type.getRank(); rank > 1; --rank)
        along(rank - 1);
    }
    for (Value &value : values) {
      auto type = cast<RankedTensorType>(value.getType());
      value = tile::ExpandDimsOp::create(
          builder, loc,
          RankedTensorType::get({1, type.getDimSize(0)}, type.getElementType()),
          value, builder.getI64IntegerAttr(0));
    }
    along(1);
    replace(reduce, values);
  }

  /// In it, numbers; of what it makes, tiles.
  void writeConditional(scf::IfOp conditional) {
    for (Region &region : conditional->getRegions()) {
      if (region.empty())
        continue;
      builder.setInsertionPointToStart(&region.front());
      for (auto [number, tile] :
           SmallVector<std::pair<Value, Value>>(tiles.begin(), tiles.end())) {
        auto isInside = [&](OpOperand &use) {
          return region.isAncestor(use.getOwner()->getParentRegion());
        };
        if (llvm::none_of(number.getUses(), isInside))
          continue;
        Value again = tile::UnsplatOp::create(
            builder, around->getLoc(),
            cast<RankedTensorType>(tile.getType()).getElementType(), tile);
        number.replaceUsesWithIf(again, isInside);
        if (number == tile) // a carried one, which is what was read
          again.getDefiningOp()->setOperand(0, tile);
      }
      Operation *yield = region.front().getTerminator();
      builder.setInsertionPoint(yield);
      for (OpOperand &handed : yield->getOpOperands())
        if (numbers.contains(conditional.getResult(handed.getOperandNumber())))
          handed.set(tile::SplatOp::create(builder, around->getLoc(),
                                           typeOf(handed.get().getType()),
                                           handed.get()));
    }
    for (Value result : conditional.getResults())
      if (numbers.contains(result)) {
        result.setType(typeOf(result.getType()));
        tiles[result] = result;
      }
  }

  Operation *around;
  scf::ForOp loop; ///< if it is one
  OpBuilder builder;
  DenseSet<Value> numbers;
  llvm::MapVector<Value, Value> tiles; ///< of numbers
  SmallVector<Operation *> replaced;
};

struct NumbersAsTilesPass
    : heddle::impl::NumbersAsTilesBase<NumbersAsTilesPass> {
  void runOnOperation() override {
    // Inner ones first, whose numbers may be those of the ones around.
    SmallVector<Operation *> places;
    getOperation().walk([&](Operation *op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (loop ? !loop.getBody()->getOps<tile::DotOp>().empty()
               : isa<tile::ParallelOp>(op) && multiplies(op))
        places.push_back(op);
    });
    for (Operation *around : places) {
      TileNumbers found(around);
      if (!found.find())
        continue;
      if (found.getOpened().empty()) {
        TileWriter(around, found.getNumbers()).run();
        continue;
      }
      for (scf::IfOp conditional : found.getOpened())
        openConditional(conditional);
      if (TileNumbers chosen(around); chosen.find())
        TileWriter(around, chosen.getNumbers()).run();
    }
  }
};

} // namespace
