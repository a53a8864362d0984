//===- Statement.h - Formats, statements and nests as data ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the einsum rung says, without MLIR: for the planner, the oracle and the
// storage of tensors. Indices are numbers into Statement::indices.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SPARSE_STATEMENT_H
#define HEDDLE_SPARSE_STATEMENT_H

#include "heddle/Support/Scalars.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::sparse {

using heddle::Semiring, heddle::zeroOf;

/// How one level is stored. A List is compressed(nonunique): every element has
/// a coordinate of its own, and those of the levels below are Singletons.
enum class Level { Dense, Compressed, List, Singleton };

/// Sums of those of 16 bits are f32.
enum class Element { F16, BF16, F32, F64 };
int sizeOf(Element element);
std::string spell(Element element);
/// The number as an element holds it.
double roundTo(Element element, double value);

/// The levels of a tensor's storage, outermost first.
struct Format {
  std::vector<Level> levels;
  std::vector<int> axes; ///< axes[l]: the axis that level l stores
  int positionBits = 64, coordinateBits = 64;

  static Format dense(int rank);
  bool isDense() const;
  int rank() const { return int(levels.size()); }
  bool hasPositions(int level) const {
    return levels[level] == Level::Compressed || levels[level] == Level::List;
  }
  bool hasCoordinates(int level) const { return levels[level] != Level::Dense; }
};

/// A tensor and an index for each of its axes.
struct Access {
  std::string tensor;
  Format format;
  std::vector<int> indices;
  /// What is computed of each element, the first function first.
  std::vector<ScalarFunction> functions = {};
  /// It says where elements are; its values play no part.
  bool isMask = false;

  int indexOfLevel(int level) const { return indices[format.axes[level]]; }
  /// -1 if the access lacks `index`.
  int levelOfIndex(int index) const;
  bool has(int index) const { return levelOfIndex(index) >= 0; }
  /// Whether both are the same elements of the same tensor.
  bool isAlike(const Access &other) const {
    return tensor == other.tensor && indices == other.indices;
  }
};

struct Statement {
  std::vector<std::string> indices;
  Access result;
  std::vector<std::vector<Access>> terms;
  /// The result has the elements that it stores. It stands in each term, too,
  /// unless a factor there is the same access.
  std::optional<Access> mask = {};
  /// A number for each term, 1 where the list is shorter.
  std::vector<double> coefficients = {};
  Semiring semiring = Semiring::PlusTimes;
  /// What is computed of the result's elements, the first function first.
  std::vector<ScalarFunction> then = {};
  Element element = Element::F32;
  /// Another statement takes the elements of a sparse result for what they are:
  /// as a mask, or where its zero does not take the place of one that is
  /// missing. Then the result has no element that no product reaches.
  bool hasExactElements = false;

  bool isOutput(int index) const { return result.has(index); }
  double coefficientOf(int term) const {
    return term < int(coefficients.size()) ? coefficients[size_t(term)] : 1;
  }
  /// What an element of a dense result is that no product reaches.
  double emptyValue() const;
  /// Whether the functions leave the zero of the semiring as it is.
  bool keepsZero() const;
  /// Those of the term and of the result, in the order of Statement::indices.
  std::vector<int> indicesOf(int term) const;
};

enum class Into { Registers, Memory, Bitmap };
enum class Assemble { None, Same, CountFill, CountScatter };

/// The loops of one term; `einsum.nest` in docs/rationale/einsum.md.
struct Nest {
  std::string statement;
  int term = 0;
  std::vector<int> order;
  std::vector<std::string> loops; ///< "dense", "walk A", "merge A B"
  int parallel = -1;              ///< an index, or -1
  int64_t chunk = 1;
  int vector = -1;
  int width = 1;
  int64_t ahead = 0; ///< iterations that rows are asked for ahead; 0: not
  Into into = Into::Registers;
  Assemble assemble = Assemble::None;
  std::string pattern; ///< whose, for Assemble::Same
  std::map<std::string, std::string> because;
};

} // namespace heddle::sparse

#endif // HEDDLE_SPARSE_STATEMENT_H
