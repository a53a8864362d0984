//===- SharedLayout.cpp - Boxes and swizzles ---------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/SharedLayout.h"

namespace heddle::machine {

int64_t SharedLayout::boxRows() const {
  int64_t rows = 1;
  for (int i = 1; i < rank; ++i)
    rows *= shape[order[i]];
  return rows;
}

int64_t SharedLayout::row(const Coord &coord) const {
  int64_t result = 0;
  for (int i = rank - 1; i >= 1; --i)
    result = result * shape[order[i]] + coord[order[i]];
  return result;
}

int64_t SharedLayout::fixedOffset(const Coord &coord) const {
  int64_t column = coord[fastest()];
  int64_t inRow = column % boxWidth() * elementBytes;
  int64_t kept = swizzle ? inRow % 16 : inRow;
  return column / boxWidth() * boxBytes() + row(coord) * rowBytes() + kept;
}

int64_t SharedLayout::chunkOffset(const Coord &coord) const {
  if (!swizzle)
    return 0;
  int64_t chunk = coord[fastest()] % boxWidth() * elementBytes / 16;
  return (chunk ^ phase(row(coord))) * 16;
}

} // namespace heddle::machine
