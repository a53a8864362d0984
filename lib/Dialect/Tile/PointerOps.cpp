//===- PointerOps.cpp - Verifiers of pointers, atomics and their views ----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers of TilePointerOps.td. Operands are scalars or tiles of any type
// there, so that one operation serves both. The relations that this leaves open
// are checked here: pointees, equal shapes, and the atomic updates that an
// element type has.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static LogicalResult verifyIsPointer(Operation *op, Type type) {
  if (isa<PtrType>(elementOf(type)))
    return success();
  return reportOp(op, diag::pointer_needed)
         << "needs a !tile.ptr or a tile of them, not " << type;
}

/// That values of `type` can be where `ptr` points.
static LogicalResult verifyPointsTo(Operation *op, Type ptr, StringRef name,
                                    Type type) {
  if (failed(verifyIsPointer(op, ptr)))
    return failure();
  Type pointee = cast<PtrType>(elementOf(ptr)).getElementType();
  if (elementOf(type) != pointee)
    return reportOp(op, diag::element_type)
           << "has " << name << " of " << elementOf(type)
           << " but addresses of " << pointee;
  return verifySameShape(op, name, type, "addresses", ptr);
}

LogicalResult PtrType::verify(function_ref<InFlightDiagnostic()> emitError,
                              Type elementType) {
  if (elementType.isIntOrFloat())
    return success();
  return Report(emitError(), diag::pointer_type)
         << "a pointer is to integers or floating point, not to "
         << elementType;
}

LogicalResult PtrAddOp::verify() {
  if (failed(verifyIsPointer(*this, getPtr().getType())))
    return failure();
  if (!elementOf(getOffset().getType()).isIntOrIndex())
    return reportOp(*this, diag::element_type)
           << "adds integers, not " << getOffset().getType();
  return verifySameShape(*this, "offsets", getOffset().getType(), "addresses",
                         getPtr().getType());
}

LogicalResult PtrCastOp::verify() {
  if (failed(verifyIsPointer(*this, getValue().getType())) ||
      failed(verifyIsPointer(*this, getResult().getType())))
    return failure();
  return verifySameShape(*this, "a result", getResult().getType(), "addresses",
                         getValue().getType());
}

static LogicalResult verifyIntAndPtr(Operation *op, Type integer, Type ptr) {
  if (failed(verifyIsPointer(op, ptr)))
    return failure();
  if (!elementOf(integer).isInteger(64))
    return reportOp(op, diag::element_type)
           << "converts between addresses and i64, not " << integer;
  return verifySameShape(op, "numbers", integer, "addresses", ptr);
}

LogicalResult IntToPtrOp::verify() {
  return verifyIntAndPtr(*this, getValue().getType(), getResult().getType());
}

LogicalResult PtrToIntOp::verify() {
  return verifyIntAndPtr(*this, getResult().getType(), getValue().getType());
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

LogicalResult GatherOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyPointsTo(*this, ptr, "a result", getResult().getType())))
    return failure();
  if (getOther() &&
      failed(verifyPointsTo(*this, ptr, "`other`", getOther().getType())))
    return failure();
  if (getOther() && !getMask())
    return reportOp(*this, diag::other_without_mask)
           << "has `other`, which only a mask makes visible";
  return verifyMask(*this, getMask(), ptr, "addresses");
}

LogicalResult ScatterOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyPointsTo(*this, ptr, "a value", getValue().getType())))
    return failure();
  return verifyMask(*this, getMask(), ptr, "addresses");
}

/// That the kind of update exists for the element type.
static LogicalResult verifyRmw(Operation *op, RmwKind kind, Type element) {
  bool floatOnly = kind == RmwKind::FAdd;
  bool either =
      kind == RmwKind::Exchange || kind == RmwKind::Min || kind == RmwKind::Max;
  if (either || isa<FloatType>(element) == floatOnly)
    return success();
  return reportOp(op, diag::atomic_kind)
         << "cannot " << stringifyRmwKind(kind) << " elements of " << element;
}

LogicalResult AtomicRmwOp::verify() {
  Type ptr = getPtr().getType();
  if (failed(verifyPointsTo(*this, ptr, "a value", getValue().getType())) ||
      failed(verifyPointsTo(*this, ptr, "a result", getResult().getType())) ||
      failed(verifyRmw(*this, getKind(), elementOf(getValue().getType()))))
    return failure();
  return verifyMask(*this, getMask(), ptr, "addresses");
}

LogicalResult AtomicCasOp::verify() {
  Type element = elementOf(getValue().getType());
  if (failed(verifyPointsTo(*this, getPtr().getType(), "a value",
                            getValue().getType())))
    return failure();
  if (element.getIntOrFloatBitWidth() < 16)
    return reportOp(*this, diag::atomic_kind)
           << "exchanges elements of 16 bits or more, not of " << element;
  return verifyMask(*this, getMask(), getPtr().getType(), "addresses");
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

LogicalResult MakeViewOp::verify() {
  ViewType view = getResult().getType();
  if (getPtr().getType().getElementType() != view.getElementType())
    return reportOp(*this, diag::element_type)
           << "has an address of " << getPtr().getType().getElementType()
           << " but a view of " << view.getElementType();
  for (auto [name, count] : {std::pair("extents", getExtents().size()),
                             std::pair("strides", getStrides().size())})
    if (int64_t(count) != view.getRank())
      return reportOp(*this, diag::rank_mismatch)
             << "has " << count << " " << name << " but the view has "
             << view.getRank() << " axes";
  return verifyFarAxis(*this, getFarAxis(), view);
}

LogicalResult heddle::tile::verifyFarAxis(Operation *op,
                                          std::optional<int64_t> axis,
                                          ViewType view) {
  if (!axis || (*axis >= 0 && *axis < view.getRank() &&
                *axis != view.getOrder().front()))
    return success();
  return reportOp(op, diag::rank_mismatch)
         << "has far axis " << *axis
         << ", which is no axis of the view or its fastest one";
}

/// A tile of rows: 2 axes, of the view's elements, as many rows as numbers.
static LogicalResult verifyRows(Operation *op, ViewType view, Type rowsType,
                                Type tileType) {
  auto rows = cast<RankedTensorType>(rowsType),
       tile = cast<RankedTensorType>(tileType);
  if (view.getRank() != 2 || tile.getRank() != 2)
    return reportOp(op, diag::rank_mismatch)
           << "takes rows of a view and a tile of 2 axes, not of "
           << view.getRank() << " and " << tile.getRank();
  if (rows.getRank() != 1 || !rows.getElementType().isIntOrIndex())
    return reportOp(op, diag::element_type)
           << "takes a tile of row numbers, integers along one axis, not "
           << rows;
  if (tile.getElementType() != view.getElementType())
    return reportOp(op, diag::element_type)
           << "has a tile of " << tile.getElementType()
           << " but the view's elements are " << view.getElementType();
  if (!(getExtents(tile)[0] == getExtents(rows)[0]))
    return reportOp(op, diag::shape_mismatch)
           << "has " << spellExtents(getExtents(rows))
           << " row numbers for a tile of " << spellExtents(getExtents(tile));
  return success();
}

LogicalResult ViewGatherOp::verify() {
  return verifyRows(*this, getView().getType(), getRows().getType(),
                    getResult().getType());
}

LogicalResult ViewScatterOp::verify() {
  if (failed(verifyWritten(*this, getView())))
    return failure();
  return verifyRows(*this, getView().getType(), getRows().getType(),
                    getValue().getType());
}

LogicalResult ViewReduceOp::verify() {
  if (failed(verifyWritten(*this, getView())))
    return failure();
  if (getKind() == RmwKind::Exchange)
    return reportOp(*this, diag::atomic_kind)
           << "cannot exchange, because nothing returns what was there";
  if (failed(verifyRmw(*this, getKind(), getView().getType().getElementType())))
    return failure();
  return verifyViewAccess(*this, getView().getType(), getOffsets().size(),
                          getValue().getType());
}
