//===- RegisterLayout.cpp - Attributes and types as plain layouts -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Hopper/RegisterLayout.h"

using namespace mlir;

namespace heddle::hopper {

/// Vector `index` of a flattened list.
static machine::Coord vectorAt(ArrayRef<int64_t> flat, size_t rank,
                               size_t index) {
  machine::Coord result = {};
  llvm::copy(flat.slice(index * rank, rank), result.begin());
  return result;
}

machine::Layout getLayout(LayoutAttr attr) {
  machine::Layout layout;
  size_t rank = attr.getTile().size();
  layout.rank = int(rank);
  for (size_t i = 0; i < layout.lane.size(); ++i)
    layout.lane[i] = vectorAt(attr.getLane(), rank, i);
  for (size_t i = 0; i < attr.getWarp().size() / rank; ++i)
    layout.warp.push_back(vectorAt(attr.getWarp(), rank, i));
  for (size_t i = 0; i < attr.getReg().size() / rank; ++i)
    layout.reg.push_back(vectorAt(attr.getReg(), rank, i));
  layout.tile = vectorAt(attr.getTile(), rank, 0);
  layout.rep = vectorAt(attr.getRep(), rank, 0);
  return layout;
}

LayoutAttr getLayoutAttr(MLIRContext *context, const machine::Layout &layout) {
  auto flatten = [&](ArrayRef<machine::Coord> vectors) {
    SmallVector<int64_t> flat;
    for (const machine::Coord &vector : vectors)
      flat.append(vector.begin(), vector.begin() + layout.rank);
    return flat;
  };
  return LayoutAttr::get(context, flatten(layout.lane), flatten(layout.warp),
                         flatten(layout.reg), flatten(layout.tile),
                         flatten(layout.rep));
}

std::optional<machine::Layout> getLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto attr = tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding())
                     : LayoutAttr();
  if (!attr)
    return std::nullopt;
  return getLayout(attr);
}

RankedTensorType getTileType(const machine::Layout &layout, Type elementType) {
  SmallVector<int64_t> shape;
  for (int axis = 0; axis < layout.rank; ++axis)
    shape.push_back(layout.extent(axis));
  return RankedTensorType::get(shape, elementType,
                               getLayoutAttr(elementType.getContext(), layout));
}

machine::SharedLayout getSharedLayout(SmemType type) {
  machine::SharedLayout layout;
  layout.rank = int(type.getShape().size());
  llvm::copy(type.getShape(), layout.shape.begin());
  llvm::copy(type.getOrder(), layout.order.begin());
  layout.swizzle = type.getSwizzle();
  layout.elementBytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  return layout;
}

} // namespace heddle::hopper
