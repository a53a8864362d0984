//===- SharedAccess.cpp - Addresses of a register tile in shared memory -----===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedAccess.h"
#include "LinearIndex.h"

using namespace mlir;
using heddle::machine::Coord;
using heddle::machine::Layout;
using heddle::machine::SharedLayout;

namespace heddle::tonvvm {

SharedAccess::SharedAccess(Code &code, const Layout &layout,
                           const SharedLayout &shared, const Threads &threads,
                           Value base)
    : code(code), shared(shared) {
  fixed = code.advance(
      base, emitThreadSum(code, layout, threads, [&](const Coord &vector) {
        return shared.fixedOffset(vector);
      }));
  if (!shared.swizzle)
    return;
  // chunk(coord) exchanges two fields, and each is a plain sum.
  Value column = emitThreadSum(code, layout, threads, [&](const Coord &vector) {
    return vector[shared.fastest()] % shared.boxWidth() * shared.elementBytes /
           16 * 16;
  });
  Value phase = emitThreadSum(code, layout, threads, [&](const Coord &vector) {
    return shared.phase(shared.row(vector)) * 16;
  });
  chunk = code.bitXor(column, phase);
}

Value SharedAccess::pointer(const Coord &coord) {
  int64_t constant = shared.fixedOffset(coord);
  if (!shared.swizzle)
    return code.advance(fixed, constant);
  Value &pointer = pointers[shared.chunkOffset(coord)];
  if (!pointer)
    pointer =
        code.advance(fixed, code.bitXor(chunk, shared.chunkOffset(coord)));
  return code.advance(pointer, constant);
}

bool hasDisjointBits(const Layout &layout) {
  for (int axis = 0; axis < layout.rank; ++axis) {
    int64_t threads = 0;
    auto take = [&](int64_t bits) {
      bool free = (threads & bits) == 0;
      threads |= bits;
      return free;
    };
    for (const Coord &vector : layout.lane)
      if (!take(vector[axis]))
        return false;
    for (const Coord &vector : layout.warp)
      if (!take(vector[axis]))
        return false;
    for (int index = 0; index < layout.registerCount(); ++index)
      if (layout.registerCoordinate(index)[axis] & threads)
        return false;
  }
  return true;
}

/// Bytes of an element's offset before the swizzle, which keeps 16-byte chunks
/// whole.
static int64_t plainOffset(const SharedLayout &shared, const Coord &coord) {
  SharedLayout plain = shared;
  plain.swizzle = 0;
  return plain.fixedOffset(coord);
}

int64_t vectorWidth(const Layout &layout, const SharedLayout &shared) {
  int64_t limit = 16 / shared.elementBytes;
  auto isWhole = [&](int64_t width) {
    int64_t bytes = width * shared.elementBytes;
    if (layout.registerCount() % width || shared.rowBytes() % bytes)
      return false;
    auto isAligned = [&](const Coord &vector) {
      return plainOffset(shared, vector) % bytes == 0;
    };
    if (!llvm::all_of(layout.lane, isAligned) ||
        !llvm::all_of(layout.warp, isAligned))
      return false;
    for (int index = 0; index < layout.registerCount(); ++index) {
      Coord first = layout.registerCoordinate(index - index % width);
      Coord own = layout.registerCoordinate(index);
      first[shared.fastest()] += index % width;
      if (own != first || (index % width == 0 && !isAligned(own)))
        return false;
    }
    return true;
  };
  while (limit > 1 && !isWhole(limit))
    limit /= 2;
  return limit;
}

/// Matrix q of a group lies at the first one's coordinate plus the vectors of
/// q's bits.
static bool addGroup(MatrixPlan &plan, ArrayRef<Coord> coords,
                     int firstMatrix) {
  MatrixPlan::Group group;
  group.coord = coords[0];
  for (size_t q = 0; q < coords.size(); ++q) {
    for (int axis = 0; axis < plan.rows.rank; ++axis) {
      int64_t expected = coords[0][axis];
      for (int bit = 0; bit < 2; ++bit)
        if (q >> bit & 1)
          expected += plan.rows.lane[3 + bit][axis];
      if (coords[q][axis] != expected)
        return false;
    }
    group.firstRegister.push_back(2 * (firstMatrix + int(q)));
  }
  plan.groups.push_back(group);
  return true;
}

std::optional<MatrixPlan> planMatrices(const Layout &layout,
                                       const SharedLayout &shared) {
  if (layout.rank != 2 || shared.elementBytes != 2 || layout.reg.empty())
    return std::nullopt;
  // The lanes of a fragment: l % 4 along the pairs, l / 4 across them.
  int along = layout.reg[0] == Coord{0, 1} ? 1 : 0, across = 1 - along;
  auto unit = [](int axis, int64_t value) {
    Coord coord = {};
    coord[axis] = value;
    return coord;
  };
  if (layout.reg[0] != unit(along, 1) || layout.lane[0] != unit(along, 2) ||
      layout.lane[1] != unit(along, 4))
    return std::nullopt;
  for (int bit = 0; bit < 3; ++bit)
    if (layout.lane[2 + bit] != unit(across, int64_t(1) << bit))
      return std::nullopt;

  MatrixPlan plan;
  plan.transposed = shared.fastest() != along;
  if (shared.rowBytes() % 16)
    return std::nullopt;
  std::vector<Coord> coords;
  for (int index = 0; index < layout.registerCount(); index += 2)
    coords.push_back(layout.registerCoordinate(index));
  plan.rows = layout;
  int slow = plan.transposed ? along : across;
  for (int bit = 0; bit < 3; ++bit)
    plan.rows.lane[bit] = unit(slow, int64_t(1) << bit);
  plan.rows.lane[3] = plan.rows.lane[4] = {};
  for (int bit = 0; bit < 2 && size_t(1 << bit) < coords.size(); ++bit)
    for (int axis = 0; axis < 2; ++axis)
      plan.rows.lane[3 + bit][axis] =
          coords[size_t(1) << bit][axis] - coords[0][axis];
  for (const Coord &vector : {plan.rows.lane[3], plan.rows.lane[4]})
    for (int axis = 0; axis < 2; ++axis)
      if (vector[axis] < 0 || (vector[axis] & (vector[axis] - 1)))
        return std::nullopt;

  for (size_t first = 0; first < coords.size();) {
    size_t left = coords.size() - first, count = left >= 4   ? 4
                                                 : left >= 2 ? 2
                                                             : 1;
    if (!addGroup(plan, ArrayRef<Coord>(coords).slice(first, count),
                  int(first)))
      return std::nullopt;
    // The address must still be a sum over disjoint bits.
    Layout rows = plan.rows;
    for (int axis = 0; axis < 2; ++axis) {
      int64_t threads = 0;
      for (const Coord &vector : rows.lane)
        threads |= vector[axis];
      for (const Coord &vector : rows.warp)
        threads |= vector[axis];
      if (coords[first][axis] & threads)
        return std::nullopt;
    }
    first += count;
  }
  return plan;
}

} // namespace heddle::tonvvm
