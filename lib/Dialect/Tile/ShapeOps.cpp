//===- ShapeOps.cpp - Verifiers of the ops that move elements -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of TileShapeOps.td. Extents may still be names of parameters: a
// reshape compares the product of the numbers and the sorted names, and a cat
// refuses a name along its axis, where it would have to add extents.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/CheckedMath.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

LogicalResult IotaOp::verify() {
  RankedTensorType type = tileOf(getResult());
  if (type.getRank() != 1)
    return reportOp(*this, diag::rank_mismatch)
           << "counts along one axis, not " << type.getRank();
  if (!type.getElementType().isIntOrIndex())
    return reportOp(*this, diag::element_type)
           << "counts in integers, not in " << type.getElementType();
  return success();
}

LogicalResult UnsplatOp::verify() {
  RankedTensorType type = tileOf(getValue());
  if (!llvm::all_of(getExtents(type),
                    [](const Extent &extent) { return extent.isOne(); }))
    return reportOp(*this, diag::shape_mismatch)
           << "takes a tile of one element, not of "
           << spellExtents(getExtents(type));
  if (getResult().getType() != type.getElementType())
    return reportOp(*this, diag::result_type)
           << "gives " << type.getElementType() << ", not "
           << getResult().getType();
  return success();
}

LogicalResult TransOp::verify() {
  RankedTensorType from = tileOf(getValue());
  SmallVector<int64_t> sorted(getOrder());
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, from.getRank())))
    return reportOp(*this, diag::axis_order)
           << "orders axes [" << getOrder() << "] but the tile has "
           << from.getRank() << " axes, each to be named once";
  SmallVector<Extent> source = getExtents(from), extents;
  for (int64_t axis : getOrder())
    extents.push_back(source[axis]);
  return verifyResult(*this, getResult().getType(), extents,
                      from.getElementType());
}

/// The product of the extents: that of the numbers, and the sorted names.
static std::pair<int64_t, SmallVector<StringRef>>
countElements(RankedTensorType type) {
  int64_t product = 1;
  SmallVector<StringRef> names;
  for (const Extent &extent : getExtents(type)) {
    if (extent.name)
      names.push_back(extent.name.getValue());
    else
      product *= extent.size;
  }
  llvm::sort(names);
  return {product, names};
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = tileOf(getValue()), to = tileOf(getResult());
  if (from.getElementType() != to.getElementType())
    return reportOp(*this, diag::element_type)
           << "changes the element type from " << from.getElementType()
           << " to " << to.getElementType();
  if (countElements(from) != countElements(to))
    return reportOp(*this, diag::reshape_count)
           << "changes the number of elements from "
           << spellExtents(getExtents(from)) << " to "
           << spellExtents(getExtents(to));
  return success();
}

LogicalResult CatOp::verify() {
  RankedTensorType a = tileOf(getA()), b = tileOf(getB());
  if (a.getElementType() != b.getElementType() || a.getRank() != b.getRank())
    return reportOp(*this, diag::element_type)
           << "joins tiles of different kinds, " << a << " and " << b;
  if (failed(verifyAxis(*this, getAxis(), a.getRank())))
    return failure();
  SmallVector<Extent> extents = getExtents(a), others = getExtents(b);
  for (auto [axis, extent] : llvm::enumerate(extents)) {
    if (int64_t(axis) == int64_t(getAxis())) {
      if (extent.name || others[axis].name)
        return reportOp(*this, diag::named_extent)
               << "needs extents that are numbers along axis " << axis;
      extent.size += others[axis].size;
    } else if (!(extent == others[axis])) {
      return reportOp(*this, diag::shape_mismatch)
             << "joins " << spellExtents(getExtents(a)) << " and "
             << spellExtents(others) << " along axis " << getAxis()
             << ", but axis " << axis << " differs";
    }
  }
  return verifyResult(*this, getResult().getType(), extents,
                      a.getElementType());
}

LogicalResult JoinOp::verify() {
  RankedTensorType a = tileOf(getA());
  SmallVector<Extent> extents = getExtents(a);
  extents.push_back({2, {}});
  return verifyResult(*this, getResult().getType(), extents,
                      a.getElementType());
}

LogicalResult SplitOp::verify() {
  RankedTensorType type = tileOf(getValue());
  SmallVector<Extent> extents = getExtents(type);
  if (extents.empty() || extents.back().size != 2)
    return reportOp(*this, diag::shape_mismatch)
           << "splits a last axis of extent 2, but the tile is "
           << spellExtents(extents);
  extents.pop_back();
  return verifyResult(*this, getA().getType(), extents, type.getElementType());
}

LogicalResult TakeOp::verify() {
  RankedTensorType from = tileOf(getValue()), indices = tileOf(getIndices());
  if (!indices.getElementType().isIntOrIndex())
    return reportOp(*this, diag::element_type)
           << "takes integers as indices, not " << indices.getElementType();
  if (from.getRank() != indices.getRank())
    return reportOp(*this, diag::rank_mismatch)
           << "takes from a tile of " << from.getRank()
           << " axes with indices of " << indices.getRank();
  if (failed(verifyAxis(*this, getAxis(), from.getRank())))
    return failure();
  SmallVector<Extent> source = getExtents(from), chosen = getExtents(indices);
  for (size_t axis = 0; axis < source.size(); ++axis)
    if (axis != size_t(getAxis()) && !(source[axis] == chosen[axis]))
      return reportOp(*this, diag::shape_mismatch)
             << "takes along axis " << getAxis() << " from "
             << spellExtents(source) << " with indices of "
             << spellExtents(chosen) << ", but axis " << axis << " differs";
  return verifyResult(*this, getResult().getType(), chosen,
                      from.getElementType());
}

/// Extents with names are judged when they are numbers.
LogicalResult UnfoldOp::verify() {
  RankedTensorType from = tileOf(getSpan()), to = tileOf(getResult());
  if (from.getRank() != 1 || to.getRank() != 2)
    return reportOp(*this, diag::rank_mismatch)
           << "unfolds a tile of one axis to one of two, not of "
           << from.getRank() << " to " << to.getRank();
  if (from.getElementType() != to.getElementType())
    return reportOp(*this, diag::element_type)
           << "changes the element type from " << from.getElementType()
           << " to " << to.getElementType();
  int64_t size = getSize(), step = getStep();
  if (size < 1 || step < 1)
    return reportOp(*this, diag::shape_mismatch)
           << "has windows of " << size << " elements in steps of " << step
           << "; both are at least 1";
  Extent span = getExtents(from)[0], rows = getExtents(to)[0],
         columns = getExtents(to)[1];
  if (!columns.name && columns.size < size)
    return reportOp(*this, diag::shape_mismatch)
           << "puts windows of " << size << " elements into rows of "
           << columns.size << "; give the result at least " << size
           << " columns";
  if (span.name || rows.name)
    return success();
  int64_t needed = satAdd(satMul(rows.size - 1, step), size);
  APInt first;
  if (matchPattern(getFirst(), m_ConstantInt(&first)) &&
      (first.isNegative() || span.size < satAdd(first.getSExtValue(), needed)))
    return reportOp(*this, diag::shape_mismatch)
           << "has windows from " << first.getSExtValue() << " to "
           << satAdd(first.getSExtValue(), needed) << " in a span of "
           << span.size;
  if (span.size < needed)
    return reportOp(*this, diag::shape_mismatch)
           << "has " << rows.size << " windows of " << size
           << " elements in steps of " << step << ", which are " << needed
           << " elements, in a span of " << span.size;
  return success();
}
