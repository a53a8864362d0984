//===- Datum.h - A run-time value of the oracle
//----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values that the interpreter computes with: scalars, tiles and views in
// one type. Floating point is held in double and integers in int64_t, whatever
// the element type. So an operation is written once for all formats, and
// Element rounds or wraps its result.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_INTERP_DATUM_H
#define HEDDLE_LIB_INTERP_DATUM_H

#include "Element.h"

#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>

namespace heddle::interp {

using Shape = llvm::SmallVector<int64_t, 4>;

/// Global memory as a view sees it; strides in elements.
struct Datum;
using DatumRef = std::shared_ptr<const Datum>;

/// How a view's coordinates become those of the view that it is made of.
struct ViewStep {
  DatumRef source; // a view
  bool isWindow = false;
  /// A window: whose number is at `axis` and whose place is at `position`.
  int64_t axis = 0, position = 0, stride = 1, dilation = 1, low = 0;
  /// A merge: axis `axis` stands for `count` ones.
  int64_t count = 1;
};

struct ViewData {
  int64_t base = 0; // a host address
  Shape shape;
  /// None of a view that is made of another one.
  Shape strides;
  std::optional<ViewStep> step;
  /// Made from a pointer by the program, so that its bounds prove nothing.
  bool checked = false;
};

/// A scalar (empty shape), a tile in row-major order, or a view. Immutable once
/// it is bound to an SSA value.
struct Datum {
  Datum(Element element, Shape shape);

  Element element;
  Shape shape;
  std::vector<double> floats;    // if element.isFloat()
  std::vector<int64_t> integers; // otherwise
  std::unique_ptr<ViewData> view;
  /// A tile that no sum takes: of a block to spare in a cluster.
  bool isSpare = false;

  size_t size() const {
    return element.isFloat() ? floats.size() : integers.size();
  }
  bool isFloat() const { return element.isFloat(); }
};

using DatumRef = std::shared_ptr<const Datum>;

/// Copies an element between data of one element type.
inline void copyElement(Datum &to, int64_t toIndex, const Datum &from,
                        int64_t fromIndex) {
  if (to.isFloat())
    to.floats[toIndex] = from.floats[fromIndex];
  else
    to.integers[toIndex] = from.integers[fromIndex];
}

/// Moves an element to or from memory.
inline void loadElement(Datum &to, int64_t index, const void *address) {
  if (to.isFloat())
    to.floats[index] = to.element.loadFloat(address);
  else
    to.integers[index] = to.element.loadInteger(address);
}
inline void storeElement(const Datum &from, int64_t index, void *address) {
  if (from.isFloat())
    from.element.storeFloat(from.floats[index], address);
  else
    from.element.storeInteger(from.integers[index], address);
}

int64_t countElements(llvm::ArrayRef<int64_t> shape);

/// Visits the index tuples of `shape` in row-major order, all but the last
/// axis; `visit(coordinates, flatIndexOfRow)`.
template <typename Visit>
void forEachRow(llvm::ArrayRef<int64_t> shape, Visit visit) {
  Shape coordinates(shape.size(), 0);
  int64_t rowSize = shape.empty() ? 1 : shape.back();
  int64_t total = countElements(shape);
  for (int64_t flat = 0; flat < total; flat += rowSize) {
    visit(llvm::ArrayRef<int64_t>(coordinates), flat);
    for (size_t axis = shape.size(); axis-- > 1;) {
      if (++coordinates[axis - 1] < shape[axis - 1])
        break;
      coordinates[axis - 1] = 0;
    }
  }
}

} // namespace heddle::interp

#endif // HEDDLE_LIB_INTERP_DATUM_H
