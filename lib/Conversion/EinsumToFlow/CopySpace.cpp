//===- CopySpace.cpp - Parallel copies of a part of a graph ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A primitive stands below a space if a stream that it reads and one that it
// makes walk it. Streams enter where the space is made, and leave where a
// primitive no longer makes streams that walk it: what sums over the space, or
// joins it with another one. Sums over the space itself are made in the copies
// as far as that goes, and then of these; and what is written is written by
// each copy. Types name spaces, so nothing else has to be known of the graph.
//
//===----------------------------------------------------------------------===//

#include "CopySpace.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <optional>

using namespace mlir;
using namespace heddle;
using namespace heddle::flow;

namespace {

class Copier {
public:
  Copier(GraphOp graph, const SpaceCopies &wanted, Value crd)
      : graph(graph), wanted(wanted), crd(crd), builder(graph.getContext()) {}

  /// What each copy would have; nothing is changed if that is too much.
  std::optional<TooManyPrimitives> run() {
    llvm::SetVector<Operation *> inside, behind;
    auto walksIt = [&](Value value) { return walks(value); };
    for (Operation &op : graph.getEntry())
      if (llvm::any_of(op.getOperands(), walksIt))
        (llvm::any_of(op.getResults(), walksIt) ? inside : behind).insert(&op);
    // Numbers of copies are small, so that this does not overflow.
    int64_t all = int64_t(graph.getEntry().getOperations().size()) +
                  int64_t(inside.size()) * (wanted.copies - 1);
    if (all > kMostPrimitives)
      return TooManyPrimitives{wanted.space, int64_t(inside.size())};
    for (Operation *op : inside)
      copy(op);
    for (Operation *op : behind) {
      if (sumInCopies(dyn_cast<ReduceOp>(op)) ||
          writeInCopies(dyn_cast<WriteOp>(op)))
        continue;
      for (OpOperand &operand : op->getOpOperands())
        if (inside.contains(operand.get().getDefiningOp()))
          operand.set(collect(operand.get()));
    }
    for (Operation *op : llvm::reverse(inside))
      op->erase();
    return std::nullopt;
  }

private:
  bool walks(Value value) const {
    auto type = dyn_cast<StreamType>(value.getType());
    return type && llvm::is_contained(type.getNest(), wanted.space);
  }

  StringAttr nameIn(StringAttr space, int64_t number) {
    return builder.getStringAttr(space.getValue() + "$" + Twine(number));
  }

  /// The type of a stream in a copy: the space and those below it are others.
  StreamType typeIn(StreamType type, int64_t number) {
    SmallVector<StringAttr> nest;
    bool isBelow = false;
    for (StringAttr space : type.getNest()) {
      isBelow |= space == wanted.space;
      nest.push_back(isBelow ? nameIn(space, number) : space);
    }
    return StreamType::get(graph.getContext(), type.getKind(),
                           type.getElement(), nest);
  }

  SmallVector<Type> typesIn(Value stream) {
    SmallVector<Type> types;
    for (int64_t number = 0; number < wanted.copies; ++number)
      types.push_back(typeIn(cast<StreamType>(stream.getType()), number));
    return types;
  }

  /// The stream in each copy; one that does not walk the space is in all.
  Value shareOf(Value value, int64_t number) {
    if (!walks(value))
      return value;
    SmallVector<Value> &list = shares[value];
    if (list.empty()) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(value);
      auto fork = ForkOp::create(builder, value.getLoc(), typesIn(value), value,
                                 builder.getI64IntegerAttr(wanted.chunk));
      list.assign(fork.getShares().begin(), fork.getShares().end());
    }
    return list[size_t(number)];
  }

  void copy(Operation *op) {
    builder.setInsertionPoint(op);
    for (int64_t number = 0; number < wanted.copies; ++number) {
      IRMapping mapping;
      for (Value operand : op->getOperands())
        mapping.map(operand, shareOf(operand, number));
      Operation *made = builder.clone(*op, mapping);
      for (auto [result, old] :
           llvm::zip_equal(made->getResults(), op->getResults())) {
        result.setType(typeIn(cast<StreamType>(old.getType()), number));
        shares[old].push_back(result);
      }
    }
  }

  Value collect(Value value) {
    Value &made = collected[value];
    if (!made) {
      builder.setInsertionPointAfterValue(value);
      made = CollectOp::create(builder, value.getLoc(), value.getType(),
                               shares[value], crd,
                               builder.getI64IntegerAttr(wanted.chunk));
    }
    return made;
  }

  /// The number that changes no other one when `reduce` combines the two;
  /// nullopt if it is not known.
  static std::optional<double> findNeutral(ReduceOp reduce) {
    Block &block = reduce.getBody().front();
    Operation *op = &block.front();
    if (!llvm::hasNItems(block, 2) ||
        !llvm::equal(op->getOperands(), block.getArguments()))
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, std::optional<double>>(op)
        .Case([](arith::AddFOp) { return 0.0; })
        .Case([](arith::MulFOp) { return 1.0; })
        .Case([](arith::MaximumFOp) { return -HUGE_VAL; })
        .Case([](arith::MinimumFOp) { return HUGE_VAL; })
        .Default([](Operation *) { return std::nullopt; });
  }

  /// Lets each copy sum its share over the space, and then sums what the copies
  /// have. False where that is another sum than one over this space alone, or
  /// where sums lie more than one level deep, whose streams nothing merges.
  bool sumInCopies(ReduceOp reduce) {
    if (!reduce || reduce.getKeys().size() > 1)
      return false;
    size_t keys = reduce.getKeys().size();
    ArrayRef<StringAttr> nest = reduce.getValue().getType().getNest();
    std::optional<double> neutral = findNeutral(reduce);
    if (nest[nest.size() - 1 - keys] != wanted.space || !neutral)
      return false;
    builder.setInsertionPoint(reduce);
    SmallVector<Value> sums, coordinates;
    for (int64_t number = 0; number < wanted.copies; ++number) {
      IRMapping mapping;
      for (Value operand : reduce->getOperands())
        mapping.map(operand, shareOf(operand, number));
      auto part = cast<ReduceOp>(builder.clone(*reduce, mapping));
      for (Value result : part->getResults())
        if (keys > 0)
          result.setType(typeWithLast(result, number));
      sums.push_back(part.getReduced());
      llvm::append_range(coordinates, part.getSorted());
    }
    Type type = reduce.getReduced().getType();
    if (keys > 0) {
      SmallVector<Type> types(sums.size() + 1, type);
      types[0] = reduce.getSorted()[0].getType();
      auto join = JoinOp::create(
          builder, reduce.getLoc(), types, builder.getStringAttr("union"),
          coordinates, sums,
          builder.getDenseI64ArrayAttr(SmallVector<int64_t>(sums.size(), 1)));
      reduce.getSorted()[0].replaceAllUsesWith(join.getCrd());
      sums.assign(join.getKept().begin(), join.getKept().end());
    }
    auto all = ComputeOp::create(builder, reduce.getLoc(), type, sums,
                                 builder.getF64FloatAttr(*neutral), UnitAttr());
    combineAll(reduce.getBody().front(), all.getBody(), sums.size());
    reduce.getReduced().replaceAllUsesWith(all.getValues());
    reduce.erase();
    return true;
  }

  /// Lets each copy write its share of what `write` gets. False for another
  /// operation.
  bool writeInCopies(WriteOp write) {
    if (!write)
      return false;
    SmallVector<Value> crds, values;
    for (size_t part = 0; part < write.getParts(); ++part)
      for (int64_t number = 0; number < wanted.copies; ++number) {
        for (Value crd : write.getCrdsOf(part))
          crds.push_back(shareOf(crd, number));
        values.push_back(shareOf(write.getValues()[part], number));
      }
    write.getCrdsMutable().assign(crds);
    write.getValuesMutable().assign(values);
    return true;
  }

  /// The stream's type with another space in place of the innermost one.
  StreamType typeWithLast(Value stream, int64_t number) {
    auto type = cast<StreamType>(stream.getType());
    SmallVector<StringAttr> nest(type.getNest());
    nest.back() = nameIn(nest.back(), number);
    return StreamType::get(graph.getContext(), type.getKind(),
                           type.getElement(), nest);
  }

  /// Fills a region that combines `count` numbers, as `two` does a pair.
  void combineAll(Block &two, Region &region, size_t count) {
    OpBuilder::InsertionGuard guard(builder);
    Block &block = region.emplaceBlock();
    Operation *combine = &two.front();
    for (size_t i = 0; i < count; ++i)
      block.addArgument(two.getArgument(0).getType(), combine->getLoc());
    builder.setInsertionPointToStart(&block);
    Value sum = block.getArgument(0);
    for (BlockArgument argument : block.getArguments().drop_front()) {
      IRMapping mapping;
      mapping.map(two.getArgument(0), sum);
      mapping.map(two.getArgument(1), argument);
      sum = builder.clone(*combine, mapping)->getResult(0);
    }
    YieldOp::create(builder, combine->getLoc(), sum);
  }

  GraphOp graph;
  const SpaceCopies &wanted;
  Value crd; ///< the coordinates that are dealt out
  OpBuilder builder;
  llvm::DenseMap<Value, SmallVector<Value>> shares;
  llvm::DenseMap<Value, Value> collected;
};

} // namespace

/// The coordinates of a space; null if the graph has none.
static Value findCoordinates(GraphOp graph, StringAttr space) {
  for (Operation &op : graph.getEntry())
    for (Value result : op.getResults())
      if (auto type = dyn_cast<StreamType>(result.getType()))
        if (type.isCrd() && type.getDepth() && type.getNest().back() == space)
          return result;
  return {};
}

std::optional<TooManyPrimitives>
heddle::copySpaces(GraphOp graph, std::vector<SpaceCopies> spaces) {
  auto depthOf = [&](const SpaceCopies &wanted) {
    Value crd = findCoordinates(graph, wanted.space);
    return crd ? cast<StreamType>(crd.getType()).getDepth() : 0;
  };
  llvm::stable_sort(spaces, [&](const SpaceCopies &a, const SpaceCopies &b) {
    return depthOf(a) > depthOf(b);
  });
  for (const SpaceCopies &wanted : spaces)
    if (Value crd = findCoordinates(graph, wanted.space);
        crd && wanted.copies > 1)
      if (auto tooMany = Copier(graph, wanted, crd).run())
        return tooMany;
  return std::nullopt;
}
