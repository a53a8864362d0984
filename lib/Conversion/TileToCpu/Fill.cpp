//===- Fill.cpp - Whole tiles, row by row ---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a tile, and where it goes: its place, a view, or addresses. Out: loops
// over its rows, and over vectors in a row. What lies behind the elements that
// anybody asks for is left out.
//
//===----------------------------------------------------------------------===//

#include "DenseKernel.h"

#include "heddle/Support/Diagnostics/Sparse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::dense;

static ArrayRef<int64_t> shapeOf(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}

/// No lane is behind the row, where addresses need not be any.
int64_t DenseKernel::stepOf(Value tile) {
  int64_t lanes = lanesOf(getElementTypeOrSelf(tile.getType()), processor);
  while (shapeOf(tile).back() % lanes != 0)
    lanes /= 2;
  return lanes;
}

LogicalResult DenseKernel::loop(Value end, int64_t step, LoopBody body) {
  auto made = scf::ForOp::create(builder, loc, number(0), end, number(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(made.getBody()->getTerminator());
  return body(made.getInductionVar());
}

/// Elements of the tile before the end of the view.
Value DenseKernel::remaining(const End &end) {
  return sub(views.at(end.view).extents[end.axis], scalars.lookup(end.offset));
}

SmallVector<Value> DenseKernel::limitsOf(Value tile, Operation *before) {
  SmallVector<Value> limits;
  for (auto [axis, extent] : llvm::enumerate(shapeOf(tile))) {
    std::optional<SmallVector<End>> ends =
        findDemand(tile, int64_t(axis), before);
    Value limit = number(extent);
    if (ends && !ends->empty()) {
      Value last;
      for (const End &end : *ends) {
        Value one = remaining(end);
        last = last ? most(last, one) : one;
      }
      limit = least(limit, most(last, number(0)));
    }
    limits.push_back(limit);
  }
  return limits;
}

/// The loads whose elements an expression takes from memory as it goes.
LogicalResult DenseKernel::findRows(Value root, Values at,
                                    RowContext &context) {
  Operation *op = root.getDefiningOp();
  if (!op || findAccess(root))
    return success();
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (load.getRows())
      return refuse(*op) << " of rows that memory names";
    FailureOr<Row> row =
        findRow(op, load.getView(), load.getOffsets(), root, at);
    if (succeeded(row))
      context.rows[op] = *row;
    return row;
  }
  bool isFollowed = goesByElement(op) ||
                    isa<tile::StageOp, tile::PtrAddOp, tile::GatherOp>(op);
  if (!isFollowed)
    return success();
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) &&
        failed(findRows(operand, at, context)))
      return failure();
  return success();
}

LogicalResult DenseKernel::forEachRow(Values roots, Values limits,
                                      RowBody body) {
  SmallVector<Value> starts(limits.size(), number(0));
  return forEachRow(roots, starts, limits, body);
}

LogicalResult DenseKernel::forEachRow(Values roots, Values starts,
                                      Values limits, RowBody body) {
  if (limits.size() == 1) {
    SmallVector<Value> at = {number(0)};
    RowContext context;
    for (Value root : roots)
      if (failed(findRows(root, at, context)))
        return failure();
    return body(at, context);
  }
  SmallVector<Value> row;
  std::function<LogicalResult()> nest = [&]() -> LogicalResult {
    if (row.size() + 1 == limits.size()) {
      SmallVector<Value> at(row);
      at.push_back(number(0));
      RowContext context;
      for (Value root : roots)
        if (failed(findRows(root, at, context)))
          return failure();
      return body(at, context);
    }
    auto made = scf::ForOp::create(builder, loc, starts[row.size()],
                                   limits[row.size()], number(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(made.getBody()->getTerminator());
    row.push_back(made.getInductionVar());
    LogicalResult done = nest();
    row.pop_back();
    return done;
  };
  return nest();
}

LogicalResult DenseKernel::fill(Value tile, const Access &to, Values limits) {
  int64_t count = stepOf(tile);
  return forEachRow(
      {tile}, limits,
      [&](Values at, const RowContext &context) -> LogicalResult {
        return loop(limits.back(), count, [&](Value column) -> LogicalResult {
          SmallVector<Value> first(at);
          first.back() = column;
          Value value = lanes(tile, first, count, context);
          if (!value)
            return failure();
          store(value, elementAt(to, first));
          return success();
        });
      });
}

LogicalResult DenseKernel::copyTile(const Access &from, const Access &to,
                                    Value tile, Values limits) {
  int64_t count = stepOf(tile);
  return forEachRow({}, limits, [&](Values at, const RowContext &) {
    return loop(limits.back(), count, [&](Value column) {
      SmallVector<Value> first(at);
      first.back() = column;
      store(loadLanes(from, first, count), elementAt(to, first));
      return success();
    });
  });
}

/// Elements in row-major order get other coordinates, one by one.
LogicalResult DenseKernel::fillReshaped(tile::ReshapeOp op) {
  Access to = *findAccess(op.getResult());
  std::optional<Access> from = findAccess(op.getValue());
  auto coordinates = [&](Value position, ArrayRef<int64_t> shape) {
    SmallVector<Value> at(shape.size());
    for (int64_t axis = int64_t(shape.size()) - 1; axis >= 0; --axis) {
      Value extent = number(shape[axis]);
      at[axis] = arith::RemUIOp::create(builder, loc, position, extent);
      position = arith::DivUIOp::create(builder, loc, position, extent);
    }
    return at;
  };
  int64_t count = cast<RankedTensorType>(op.getType()).getNumElements();
  return loop(number(count), 1, [&](Value position) -> LogicalResult {
    Value value;
    SmallVector<Value> at = coordinates(position, shapeOf(op.getValue()));
    value = from ? loadLanes(*from, at, 1)
                 : lanes(op.getValue(), at, 1, RowContext());
    if (!value)
      return failure();
    store(value, elementAt(to, coordinates(position, shapeOf(op.getResult()))));
    return success();
  });
}

/// Computes a tile into its place. The expression is what its operation says.
LogicalResult DenseKernel::materialize(Value tile) {
  const Place *place = plan.find(tile);
  Operation *op = tile.getDefiningOp();
  SmallVector<Value> limits = limitsOf(tile, op);
  Access to = accessPlace(*place, elementType(tile.getType()));
  // While it is computed it has no place.
  unsigned number = plan.placeOf.at(tile);
  plan.placeOf.erase(tile);
  LogicalResult done = fill(tile, to, limits);
  plan.placeOf[tile] = number;
  return done;
}

LogicalResult DenseKernel::convertStore(tile::StoreOp op) {
  if (!isa<RankedTensorType>(op.getValue().getType()))
    return refuse(*op) << " of one element";
  SmallVector<Value> limits;
  Value tile = op.getValue();
  int64_t missing =
      int64_t(op.getOffsets().size()) - int64_t(shapeOf(tile).size());
  for (auto [axis, extent] : llvm::enumerate(shapeOf(tile))) {
    End end{op.getView(), int64_t(axis) + missing,
            op.getOffsets()[axis + missing]};
    limits.push_back(least(number(extent), most(remaining(end), number(0))));
  }
  return forEachRow({tile}, limits, [&](Values at, const RowContext &context) {
    return storeRow(op, at, limits.back(), context);
  });
}

LogicalResult DenseKernel::convertScatter(tile::ScatterOp op) {
  Value tile = op.getValue();
  SmallVector<Value> limits, roots = {tile, op.getPtr()};
  if (op.getMask())
    roots.push_back(op.getMask());
  for (int64_t extent : shapeOf(tile))
    limits.push_back(number(extent));
  Type element = elementType(tile.getType());
  if (inMemory(element) != element)
    return refuse(*op) << " of elements of type " << element;
  int64_t count = stepOf(tile);
  return forEachRow(
      roots, limits,
      [&](Values at, const RowContext &context) -> LogicalResult {
        return loop(limits.back(), count, [&](Value column) -> LogicalResult {
          SmallVector<Value> first(at);
          first.back() = column;
          SmallVector<Value> parts;
          for (Value root : roots) {
            Value part = lanes(root, first, count, context);
            if (!part)
              return failure();
            if (!isa<VectorType>(part.getType()))
              part = LLVM::InsertElementOp::create(
                  builder, loc,
                  LLVM::PoisonOp::create(builder, loc,
                                         VectorType::get({1}, part.getType())),
                  part, word(0));
            parts.push_back(part);
          }
          if (parts.size() == 2)
            parts.push_back(arith::ConstantOp::create(
                builder, loc,
                DenseElementsAttr::get(
                    VectorType::get({count}, builder.getI1Type()), true)));
          unsigned bytes =
              isa<LLVM::LLVMPointerType>(element)
                  ? 8
                  : std::max(element.getIntOrFloatBitWidth() / 8, 1u);
          LLVM::masked_scatter::create(builder, loc, parts[0], parts[1],
                                       parts[2], bytes);
          return success();
        });
      });
}
