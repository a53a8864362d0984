//===- Triangular.h - Cholesky's factor and its inverse ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Libraries divide this work by the size of the processor's caches, and sum in
// another order where that differs. Here every element is one sum in the order
// that its comment says, on every machine: tiles of elements are computed at
// once, each of them over all its terms before it leaves the registers, so the
// size of the tiles changes no bit.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_TRIANGULAR_H
#define HEDDLE_LIB_TUNER_TRIANGULAR_H

#include <cstddef>
#include <vector>

namespace heddle::tuner {

/// Numbers of which only the first `size` count; zeros fill whole vectors.
using Column = std::vector<double>;

/// A square of numbers, column after column. Zeros behind each column and
/// behind the last one fill whole tiles.
class Square {
public:
  /// Nothing happens where that is the size, else all are zeros.
  void resize(size_t size);

  size_t size() const { return count; }
  /// From one column to the next.
  size_t stride() const { return apart; }
  double *column(size_t k) { return numbers.data() + k * apart; }
  const double *column(size_t k) const { return numbers.data() + k * apart; }
  double &operator()(size_t row, size_t at) { return column(at)[row]; }
  double operator()(size_t row, size_t at) const { return column(at)[row]; }

private:
  size_t count = 0, apart = 0;
  std::vector<double> numbers;
};

/// The lower triangle of `matrix` becomes its factor; what is above it is
/// anything afterwards. False where the matrix is not positive definite. Terms
/// are subtracted in the order of their columns.
bool factorise(Square &matrix);

// What is asked for is written to memory that may be used again: where it had
// that size before, with what the same function made.

/// The inverse of a lower factor, lower too, its rows as columns. Terms are
/// subtracted in their order.
void invertFactor(const Square &factor, Square &rows);

/// The columns of a lower triangle, from its rows. Above it are zeros.
void columnsOf(const Square &rows, Square &columns);

/// Of `rows`, the rows of a lower triangle as columns: each column's products
/// with those to the left of it, in the upper triangle. For the inverse of a
/// factor this is the inverse of the matrix that was factorised. Summed in the
/// order of the rows.
void squareOf(const Square &rows, Square &square);

/// inverse * right, of a lower triangle. Summed in the order of the columns.
Column timesLower(const Square &inverse, const Column &right);

/// Elements from `from`, a multiple of whole vectors, to `to` of the same
/// product.
void timesLower(const Square &inverse, const Column &right, size_t from,
                size_t to, Column &product);

/// transpose(lower) * right, from the rows of the lower triangle. Summed in the
/// order of the rows.
Column timesUpper(const Square &rows, const Column &right);

/// Of the first `count`, one element after the other.
inline double sumOfProducts(const Column &a, const Column &b, size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; ++k)
    sum += a[k] * b[k];
  return sum;
}

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_TRIANGULAR_H
