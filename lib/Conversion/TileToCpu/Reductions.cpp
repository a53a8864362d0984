//===- Reductions.cpp - Reductions of tiles -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: tile.reduce. Out: along the last axis a vector of partial results a row,
// whose halves are combined until one element is left; along another axis a row
// of results that each further row is combined with. The order is the same in
// every run.
//
//===----------------------------------------------------------------------===//

#include "DenseKernel.h"

#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::dense;

FailureOr<SmallVector<Value>> DenseKernel::combine(Region &combiner, Values a,
                                                   Values b, int64_t lanes) {
  Block &block = combiner.front();
  IRMapping values;
  for (auto [number, value] : llvm::enumerate(a))
    values.map(block.getArgument(number), value);
  for (auto [number, value] : llvm::enumerate(b))
    values.map(block.getArgument(a.size() + number), value);
  auto find = [&](Value value) -> Value {
    if (Value found = values.lookupOrNull(value))
      return found;
    // Constants and other scalars of the kernel.
    return vectorOf(scalars.lookup(value), lanes);
  };
  for (Operation &op : block.without_terminator()) {
    if (op.getNumRegions() || op.getNumResults() != 1)
      return refuse(op) << " in a combiner";
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(find(operand));
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Operation *made = builder.clone(op);
      values.map(op.getResult(0), vectorOf(made->getResult(0), lanes));
      continue;
    }
    if (!isa<arith::SelectOp>(op) && !goesByElement(&op))
      return refuse(op) << " in a combiner";
    // The combiner's scalars stand for vectors here.
    OperationState state(op.getLoc(), op.getName());
    state.addOperands(operands);
    for (Type type : op.getResultTypes())
      state.addTypes(vectorType(type, lanes));
    state.attributes = op.getAttrs();
    values.map(op.getResults(), builder.create(state)->getResults());
  }
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(find(value));
  return results;
}

/// Rows become elements.
LogicalResult DenseKernel::reduceRows(tile::ReduceOp op, Values limits) {
  SmallVector<Value> tiles(op.getValues());
  auto type = cast<RankedTensorType>(tiles[0].getType());
  int64_t extent = type.getShape().back(), count = stepOf(tiles[0]);
  for (Value tile : tiles)
    count = std::min(count, stepOf(tile));
  return forEachRow(
      tiles, limits,
      [&](Values at, const RowContext &context) -> LogicalResult {
        auto read = [&](Value column, SmallVector<Value> &values) {
          SmallVector<Value> first(at);
          first.back() = column;
          for (Value tile : tiles)
            if (Value value = lanes(tile, first, count, context))
              values.push_back(value);
          return success(values.size() == tiles.size());
        };
        SmallVector<Value> partial;
        if (failed(read(number(0), partial)))
          return failure();
        bool isRight = true;
        if (extent > count) {
          auto rest = scf::ForOp::create(
              builder, loc, number(count), number(extent), number(count),
              partial,
              [&](OpBuilder &, Location, Value column, ValueRange before) {
                SmallVector<Value> next;
                isRight = succeeded(read(column, next));
                FailureOr<SmallVector<Value>> both = failure();
                if (isRight)
                  both = combine(op.getCombiner(), SmallVector<Value>(before),
                                 next, count);
                isRight = succeeded(both);
                scf::YieldOp::create(builder, loc,
                                     isRight ? ValueRange(*both) : before);
              });
          partial.assign(rest.result_begin(), rest.result_end());
        }
        for (int64_t left = count; isRight && left > 1; left /= 2) {
          auto half = [&](int64_t first) {
            SmallVector<Value> halves;
            for (Value whole : partial) {
              SmallVector<int32_t> taken;
              for (int64_t lane = first; lane < first + left / 2; ++lane)
                taken.push_back(int32_t(lane));
              halves.push_back(left == 2
                                   ? Value(LLVM::ExtractElementOp::create(
                                         builder, loc, whole, word(first)))
                                   : LLVM::ShuffleVectorOp::create(
                                         builder, loc, whole, whole, taken));
            }
            return halves;
          };
          FailureOr<SmallVector<Value>> both =
              combine(op.getCombiner(), half(0), half(left / 2), left / 2);
          isRight = succeeded(both);
          if (isRight)
            partial = *both;
        }
        if (!isRight)
          return failure();
        for (auto [result, value] : llvm::zip(op.getResults(), partial)) {
          if (!isa<RankedTensorType>(result.getType()))
            scalars.map(result, value);
          else
            store(value, elementAt(*findAccess(result), at.drop_back()));
        }
        return success();
      });
}

/// The first row of the axis is stored, each further one combined with it.
LogicalResult DenseKernel::reduceAcross(tile::ReduceOp op, Values limits) {
  SmallVector<Value> tiles(op.getValues());
  int64_t axis = op.getAxis(), count = stepOf(tiles[0]);
  for (Value tile : tiles)
    count = std::min(count, stepOf(tile));
  int64_t extent = cast<RankedTensorType>(tiles[0].getType()).getDimSize(axis);
  auto pass = [&](bool isFirst) -> LogicalResult {
    SmallVector<Value> starts(limits.size(), number(0)), ends(limits);
    (isFirst ? ends : starts)[axis] = number(1);
    return forEachRow(
        tiles, starts, ends,
        [&](Values at, const RowContext &context) -> LogicalResult {
          return loop(limits.back(), count, [&](Value column) -> LogicalResult {
            SmallVector<Value> first(at), kept, next;
            first.back() = column;
            SmallVector<Value> place = first;
            place.erase(place.begin() + axis);
            for (Value tile : tiles)
              if (Value value = lanes(tile, first, count, context))
                next.push_back(value);
            if (next.size() != tiles.size())
              return failure();
            if (!isFirst) {
              for (Value result : op.getResults())
                kept.push_back(loadLanes(*findAccess(result), place, count));
              FailureOr<SmallVector<Value>> both =
                  combine(op.getCombiner(), kept, next, count);
              if (failed(both))
                return failure();
              next = *both;
            }
            for (auto [result, value] : llvm::zip(op.getResults(), next))
              store(value, elementAt(*findAccess(result), place));
            return success();
          });
        });
  };
  if (failed(pass(true)))
    return failure();
  return extent == 1 ? success() : pass(false);
}

LogicalResult DenseKernel::convertReduce(tile::ReduceOp op) {
  Value tile = op.getValues()[0];
  int64_t rank = cast<RankedTensorType>(tile.getType()).getRank();
  int64_t axis = op.getAxis();
  SmallVector<Value> limits;
  for (auto [at, extent] :
       llvm::enumerate(cast<RankedTensorType>(tile.getType()).getShape()))
    limits.push_back(number(extent));
  if (rank > 1) {
    // The results of all values are asked for alike.
    SmallVector<Value> asked = limitsOf(op.getResult(0), op);
    for (Value other : op.getResults().drop_front())
      for (auto [limit, more] : llvm::zip(asked, limitsOf(other, op)))
        limit = most(limit, more);
    for (int64_t at = 0; at < rank; ++at)
      if (at != axis)
        limits[at] = asked[at - (at > axis)];
  }
  return axis + 1 == rank ? reduceRows(op, limits) : reduceAcross(op, limits);
}
