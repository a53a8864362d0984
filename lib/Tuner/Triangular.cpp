//===- Triangular.cpp - Cholesky's factor and its inverse -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile is four columns by eight rows, eight vectors: each number that is
// loaded is used four or eight times. Tiles on the diagonal compute beyond the
// triangle too; what they add there are zeros, or numbers that nobody reads.
//
//===----------------------------------------------------------------------===//

#include "Triangular.h"

#include "Lanes.h"

using namespace heddle::tuner;

static constexpr size_t kLanes = Doubles::kCount;
/// Of a tile: its columns, and its rows.
static constexpr size_t kAcross = 4, kDown = 2 * kLanes;
static_assert(Floats::kCount == kDown, "a whole tile fills whole vectors");

void Square::resize(size_t size) {
  if (count == size)
    return;
  count = size;
  apart = wholeLanes(size);
  numbers.assign(apart * apart, 0);
}

namespace {

struct Tile {
  Doubles upper[kAcross], lower[kAcross];

  HEDDLE_IN_PLACE void clear() {
    for (size_t k = 0; k < kAcross; ++k)
      upper[k] = lower[k] = Doubles::all(0);
  }
  HEDDLE_IN_PLACE void load(const double *from, size_t stride) {
    for (size_t k = 0; k < kAcross; ++k) {
      upper[k] = Doubles::load(from + k * stride);
      lower[k] = Doubles::load(from + k * stride + kLanes);
    }
  }
  HEDDLE_IN_PLACE void store(double *to, size_t stride) const {
    for (size_t k = 0; k < kAcross; ++k) {
      upper[k].store(to + k * stride);
      lower[k].store(to + k * stride + kLanes);
    }
  }
  /// Column k loses left[k] times the eight numbers at `down`.
  HEDDLE_IN_PLACE void subtract(const double *down, const double *left) {
    Doubles above = Doubles::load(down), below = Doubles::load(down + kLanes);
    for (size_t k = 0; k < kAcross; ++k) {
      Doubles factor = Doubles::all(left[k]);
      upper[k] -= above * factor;
      lower[k] -= below * factor;
    }
  }
  HEDDLE_IN_PLACE void add(const double *down, const double *left) {
    Doubles above = Doubles::load(down), below = Doubles::load(down + kLanes);
    for (size_t k = 0; k < kAcross; ++k) {
      Doubles factor = Doubles::all(left[k]);
      upper[k] += above * factor;
      lower[k] += below * factor;
    }
  }
};

} // namespace

HEDDLE_WIDE_VECTORS bool heddle::tuner::factorise(Square &matrix) {
  size_t size = matrix.size(), stride = matrix.stride();
  for (size_t first = 0; first < size; first += kAcross) {
    // What the columns to the left take from these.
    size_t top = first / kDown * kDown;
    for (size_t row = top; row < size; row += kDown) {
      Tile tile;
      double *place = matrix.column(first) + row;
      tile.load(place, stride);
      const double *left = matrix.column(0);
      for (size_t k = 0; k < first; ++k, left += stride)
        tile.subtract(left + row, left + first);
      tile.store(place, stride);
    }
    // And what these take from one another.
    size_t last = std::min(size, first + kAcross);
    for (size_t k = first; k < last; ++k) {
      double *own = matrix.column(k), pivot = own[k];
      if (!(pivot > 0) || !std::isfinite(pivot))
        return false;
      double root = std::sqrt(pivot);
      Doubles scale = Doubles::all(1 / root);
      for (size_t row = top; row < size; row += kLanes)
        (Doubles::load(own + row) * scale).store(own + row);
      own[k] = root;
      for (size_t j = k + 1; j < last; ++j) {
        double *other = matrix.column(j);
        Doubles factor = Doubles::all(own[j]);
        for (size_t row = top; row < size; row += kLanes)
          (Doubles::load(other + row) - Doubles::load(own + row) * factor)
              .store(other + row);
      }
    }
  }
  return true;
}

HEDDLE_WIDE_VECTORS void heddle::tuner::invertFactor(const Square &factor,
                                                     Square &rows) {
  size_t size = factor.size(), stride = factor.stride();
  rows.resize(size);
  for (size_t first = 0; first < size; first += kAcross)
    for (size_t column = 0; column < first + kAcross; column += kDown) {
      Tile tile; // of four rows
      double *place = rows.column(first) + column;
      tile.clear();
      if (column + kDown > first) { // on the diagonal, which has ones
        tile.store(place, stride);
        for (size_t row = first; row < std::min(size, first + kAcross); ++row)
          rows(row, row) = 1;
        tile.load(place, stride);
      }
      for (size_t k = column; k < first; ++k)
        tile.subtract(rows.column(k) + column, factor.column(k) + first);
      size_t count = std::min(kAcross, size - first);
      for (size_t row = 0; row < count; ++row) {
        for (size_t k = 0; k < row; ++k) {
          Doubles other = Doubles::all(factor(first + row, first + k));
          tile.upper[row] -= tile.upper[k] * other;
          tile.lower[row] -= tile.lower[k] * other;
        }
        Doubles pivot = Doubles::all(factor(first + row, first + row));
        tile.upper[row] = tile.upper[row] / pivot;
        tile.lower[row] = tile.lower[row] / pivot;
      }
      tile.store(place, stride);
    }
}

void heddle::tuner::columnsOf(const Square &rows, Square &columns) {
  columns.resize(rows.size());
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t k = 0; k <= row; ++k)
      columns(row, k) = rows(k, row);
}

HEDDLE_WIDE_VECTORS void heddle::tuner::squareOf(const Square &rows,
                                                 Square &square) {
  size_t size = rows.size(), stride = rows.stride();
  square.resize(size);
  for (size_t first = 0; first < size; first += kAcross)
    for (size_t row = 0; row < first + kAcross; row += kDown) {
      Tile tile;
      tile.clear();
      for (size_t k = first; k < size; ++k)
        tile.add(rows.column(k) + row, rows.column(k) + first);
      tile.store(square.column(first) + row, stride);
    }
}

HEDDLE_WIDE_VECTORS void heddle::tuner::timesLower(const Square &inverse,
                                                   const Column &right,
                                                   size_t from, size_t to,
                                                   Column &product) {
  constexpr size_t kRows = 4 * kLanes;
  size_t stride = inverse.stride();
  for (; from + kRows <= stride && from < to; from += kRows) {
    Doubles sums[4];
    for (Doubles &sum : sums)
      sum = Doubles::all(0);
    const double *column = inverse.column(0) + from;
    size_t last = std::min(inverse.size(), from + kRows);
    for (size_t k = 0; k < last; ++k, column += stride) {
      Doubles factor = Doubles::all(right[k]);
      for (size_t part = 0; part < 4; ++part)
        sums[part] += Doubles::load(column + part * kLanes) * factor;
    }
    for (size_t part = 0; part < 4; ++part)
      sums[part].store(product.data() + from + part * kLanes);
  }
  for (; from < to; from += kLanes) {
    Doubles sum = Doubles::all(0);
    const double *column = inverse.column(0) + from;
    size_t last = std::min(inverse.size(), from + kLanes);
    for (size_t k = 0; k < last; ++k, column += stride)
      sum += Doubles::load(column) * Doubles::all(right[k]);
    sum.store(product.data() + from);
  }
}

Column heddle::tuner::timesLower(const Square &inverse, const Column &right) {
  Column product(inverse.stride(), 0);
  timesLower(inverse, right, 0, inverse.size(), product);
  return product;
}

HEDDLE_WIDE_VECTORS Column heddle::tuner::timesUpper(const Square &rows,
                                                     const Column &right) {
  Column product(rows.stride(), 0);
  for (size_t k = 0; k < rows.size(); ++k) {
    Doubles factor = Doubles::all(right[k]);
    const double *row = rows.column(k);
    for (size_t at = 0; at <= k; at += kLanes) {
      Doubles sum = Doubles::load(product.data() + at);
      sum += Doubles::load(row + at) * factor;
      sum.store(product.data() + at);
    }
  }
  return product;
}
