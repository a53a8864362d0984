//===- Triangular.h - Cholesky's factor and its inverse ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eigen's own decompositions divide their work by the size of the processor's
// caches, and sum in another order where that differs. Here columns are added
// to columns, each element with the same operations on every machine; Eigen
// makes that vectors.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_TRIANGULAR_H
#define HEDDLE_LIB_TUNER_TRIANGULAR_H

#include <Eigen/Core>

#include <cmath>

namespace heddle::tuner {

using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

/// The lower triangle of `matrix` becomes its factor. False where the matrix is
/// not positive definite.
inline bool factorise(Matrix &matrix) {
  Eigen::Index size = matrix.rows();
  for (Eigen::Index k = 0; k < size; ++k) {
    double pivot = matrix(k, k);
    if (!(pivot > 0) || !std::isfinite(pivot))
      return false;
    double root = std::sqrt(pivot);
    Eigen::Index below = size - k;
    matrix.col(k).tail(below) *= 1 / root;
    matrix(k, k) = root;
    for (Eigen::Index j = k + 1; j < size; ++j)
      matrix.col(j).tail(size - j) -=
          matrix.col(k).tail(size - j) * matrix(j, k);
  }
  return true;
}

/// The inverse of a lower factor, which is lower too.
inline Matrix invertFactor(const Matrix &factor) {
  Eigen::Index size = factor.rows();
  Matrix inverse = Matrix::Identity(size, size);
  for (Eigen::Index j = 0; j < size; ++j)
    for (Eigen::Index k = j; k < size; ++k) {
      inverse(k, j) /= factor(k, k);
      Eigen::Index below = size - k - 1;
      inverse.col(j).tail(below) -= factor.col(k).tail(below) * inverse(k, j);
    }
  return inverse;
}

/// transpose(inverse) * inverse, of which the upper triangle: the inverse of
/// the matrix that was factorised.
inline Matrix squareOfInverse(const Matrix &inverse) {
  Eigen::Index size = inverse.rows();
  Matrix rows = inverse.transpose();
  Matrix square = Matrix::Zero(size, size);
  for (Eigen::Index k = 0; k < size; ++k)
    for (Eigen::Index j = 0; j <= k; ++j)
      square.col(j).head(j + 1) += rows.col(k).head(j + 1) * rows(j, k);
  return square;
}

/// inverse * right, of a lower triangle.
inline Column timesLower(const Matrix &inverse, const Column &right) {
  Column product = Column::Zero(right.size());
  for (Eigen::Index k = 0; k < right.size(); ++k) {
    Eigen::Index below = right.size() - k;
    product.tail(below) += inverse.col(k).tail(below) * right(k);
  }
  return product;
}

/// Some rows of the same product, with the same bits: each row is summed in the
/// order of its columns. They are zero before.
inline void addRowsOfProduct(const Matrix &inverse, const Column &right,
                             Eigen::Index from, Eigen::Index to,
                             Column &product) {
  for (Eigen::Index k = 0; k < to; ++k) {
    Eigen::Index begin = std::max(k, from), length = to - begin;
    product.segment(begin, length) +=
        inverse.col(k).segment(begin, length) * right(k);
  }
}

/// One element after the other.
inline double sumOfProducts(const Column &a, const Column &b) {
  double sum = 0;
  for (Eigen::Index k = 0; k < a.size(); ++k)
    sum += a(k) * b(k);
  return sum;
}

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_TRIANGULAR_H
