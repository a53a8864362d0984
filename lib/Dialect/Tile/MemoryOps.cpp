//===- MemoryOps.cpp - Operations on views
//---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of dim, load and store, and the patterns that fold a reshape into
// the load or store beside it. A view may have more axes than a tile; without
// the folds, a program that adds or drops an axis of extent 1 would pay for a
// reshape of registers.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

LogicalResult DimOp::verify() {
  int64_t rank = getView().getType().getRank();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= rank)
    return reportOp(*this, diag::axis_range)
           << "asks for axis " << axis << " of a view with " << rank << " axes";
  return success();
}

LogicalResult heddle::tile::verifyViewAccess(Operation *op, ViewType view,
                                             size_t offsets, Type tileType) {
  auto tile = cast<RankedTensorType>(tileType);
  if (int64_t(offsets) != view.getRank())
    return reportOp(op, diag::rank_mismatch)
           << "has " << offsets << " offsets but the view has "
           << view.getRank() << " axes";
  if (tile.getRank() > view.getRank())
    return reportOp(op, diag::rank_mismatch)
           << "has a tile of " << tile.getRank() << " axes but the view has "
           << view.getRank();
  if (tile.getElementType() != view.getElementType())
    return reportOp(op, diag::element_type)
           << "has a tile of " << tile.getElementType()
           << " but the view's elements are " << view.getElementType();
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyViewAccess(*this, getView().getType(), getOffsets().size(),
                              getResult().getType())))
    return failure();
  if (!getRows())
    return success();
  auto rows = cast<RankedTensorType>(getRows().getType());
  auto tile = cast<RankedTensorType>(getResult().getType());
  ViewType view = getView().getType();
  if (tile.getRank() != 2 || rows.getRank() != 2 ||
      rows.getDimSize(0) != tile.getDimSize(0) || rows.getDimSize(1) != 1 ||
      !rows.getElementType().isInteger(64))
    return reportOp(*this, diag::rank_mismatch)
           << "takes rows of a tile of 2 axes from " << rows
           << "; that has a place for each row, a column of i64";
  if (isMapped(getView()) || view.getOrder().front() != view.getRank() - 1)
    return reportOp(*this, diag::rank_mismatch)
           << "takes rows of a view whose elements in a row are neighbours in "
              "memory, and that is no window or merge of another";
  return success();
}

LogicalResult StoreOp::verify() {
  if (failed(verifyWritten(*this, getView())))
    return failure();
  return verifyViewAccess(*this, getView().getType(), getOffsets().size(),
                          getValue().getType());
}

//===----------------------------------------------------------------------===//
// Leading axes of extent 1 need not be written
//===----------------------------------------------------------------------===//

/// Is `whole` the shape of `part` behind axes of extent 1?
static bool addsLeadingOnes(Type whole, Type part) {
  ArrayRef<int64_t> longer = cast<RankedTensorType>(whole).getShape();
  ArrayRef<int64_t> shorter = cast<RankedTensorType>(part).getShape();
  return longer.size() > shorter.size() &&
         cast<RankedTensorType>(part).hasStaticShape() &&
         longer.take_back(shorter.size()) == shorter &&
         llvm::all_of(longer.drop_back(shorter.size()),
                      [](int64_t extent) { return extent == 1; });
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  auto load = op.getValue().getDefiningOp<LoadOp>();
  if (!load || !load->hasOneUse() ||
      !addsLeadingOnes(load.getResult().getType(), op.getResult().getType()))
    return failure();
  // Where the load stands: what is stored in between must not be seen.
  rewriter.setInsertionPoint(load);
  auto narrow =
      LoadOp::create(rewriter, load.getLoc(), op.getResult().getType(),
                     load.getView(), load.getOffsets());
  narrow->setDiscardableAttrs(load->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, narrow);
  rewriter.eraseOp(load);
  return success();
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  auto reshape = op.getValue().getDefiningOp<ReshapeOp>();
  if (!reshape || !addsLeadingOnes(reshape.getResult().getType(),
                                   reshape.getValue().getType()))
    return failure();
  rewriter.modifyOpInPlace(
      op, [&] { op.getValueMutable().assign(reshape.getValue()); });
  return success();
}
