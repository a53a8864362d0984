//===- Tensor.h - A tensor in its storage -----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays of positions, coordinates and values for any Format, made from
// elements and turned back into them, and the check that arrays from elsewhere
// keep the rules which kernels rely on.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_TENSOR_H
#define HEDDLE_SPARSE_TENSOR_H

#include "heddle/Sparse/Statement.h"

namespace heddle::sparse {

/// Integers of 32 or 64 bits.
class IndexArray {
public:
  explicit IndexArray(int bits = 64) : bits(bits) {}
  void resize(int64_t count) { bytes.resize(size_t(count) * bits / 8); }
  int64_t size() const { return int64_t(bytes.size()) * 8 / bits; }
  int64_t get(int64_t i) const;
  void set(int64_t i, int64_t value);
  void push(int64_t value);
  void *data() { return bytes.data(); }
  int width() const { return bits; }

private:
  int bits;
  std::vector<char> bytes;
};

/// One element: its coordinates by axis, and its value.
struct Entry {
  std::vector<int64_t> coordinates;
  double value = 0;
  /// The oracle's: how large the numbers are that it was computed from. Errors
  /// are judged by it, or by the value where that is larger.
  double scale = 0;
};

struct Tensor {
  Format format;
  Element element = Element::F32;
  std::vector<int64_t> extents;        ///< by axis
  std::vector<IndexArray> positions;   ///< by level; empty if it has none
  std::vector<IndexArray> coordinates; ///< by level; empty if it has none
  std::vector<char> values;

  int64_t extentOfLevel(int level) const { return extents[format.axes[level]]; }
  int64_t valueCount() const {
    return int64_t(values.size()) / sizeOf(element);
  }
  double value(int64_t position) const;
  void setValue(int64_t position, double value);
  /// How many positions a level has.
  int64_t countOfLevel(int level) const;

  /// Entries may come in any order; two with equal coordinates are not
  /// allowed. Empty, and `error` says why, if the storage would exceed
  /// `mostBytes`.
  static bool build(const Format &format, Element element,
                    const std::vector<int64_t> &extents,
                    std::vector<Entry> entries, Tensor &tensor,
                    std::string &error, int64_t mostBytes = int64_t(1) << 34);

  /// Everything stored, in the order of storage, zeros too.
  std::vector<Entry> entries() const;

  /// Empty if the arrays are those of a tensor; else the first rule broken.
  std::string findFault() const;
};

/// Positions, coordinates and values that the tensor stores.
int64_t wordsOf(const Tensor &tensor);

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_TENSOR_H
