//===- NestWriter.h - The loops of a nest -----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the body of one kernel for one nest: loops over extents, positions and
// merges in the nest's order, with the place of each operand in its arrays. A
// place is computed where it is used; the passes behind hoist it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_EINSUMTOTILE_NESTWRITER_H
#define HEDDLE_LIB_CONVERSION_EINSUMTOTILE_NESTWRITER_H

#include "KernelWriter.h"

#include <functional>

namespace heddle {

/// The arrays of one tensor inside of a kernel or a program; null where a level
/// has none.
struct Arrays {
  llvm::SmallVector<mlir::Value> positions, coordinates;
  mlir::Value values;
};

/// What a kernel of a nest gets.
struct NestArguments {
  llvm::SmallVector<Arrays> factors; ///< of the nest's term
  Arrays result;
  llvm::SmallVector<mlir::Value> extents; ///< by index of the statement
  /// Arrays are views, dense ones with the tensor's axes; else addresses.
  bool areViews = false;
};

class NestWriter {
public:
  NestWriter(mlir::OpBuilder &builder, mlir::Location loc,
             const sparse::Statement &statement, const sparse::Nest &nest,
             const NestArguments &arguments);

  /// Sums into a result whose places are known: dense ones, and those with the
  /// positions of an operand. If it `finishes` elements, the statement's
  /// functions are computed as they are written.
  void writeCompute(bool finishes);

  using Body = std::function<void()>;
  /// The loops over the first `count` indices of the order, the parallel one
  /// as instances; `body` stands inside of them.
  void writeOuterLoops(size_t count, const Body &body);
  /// The loops over the rest, in which nothing is carried.
  void writeLoops(size_t at, size_t end, const Body &body);

  /// Where every index is bound, and the result's last level is compressed: one
  /// element more in its row; and the element, at the next place of its row.
  void countElementOfRow();
  void writeElementOfRow(mlir::Value next);

  KernelWriter writer;
  /// The product of all factors where every index is bound.
  mlir::Value wholeProduct();
  const Place &coordinateOf(int index) const { return *coordinates[index]; }
  /// Where the result's level `level` is; for dense levels.
  Place resultPlace(int level);
  mlir::Value extent(int index) const { return arguments.extents[index]; }

private:
  /// Carries a sum: takes it before an iteration, returns it behind.
  using Step = std::function<mlir::Value(mlir::Value)>;

  const std::vector<sparse::Access> &factors() const {
    return statement.terms[nest.term];
  }
  bool isRow() const; ///< the vector axis belongs to the result

  Place placeOf(const sparse::Access &access, int factor, int level);
  bool isBound(const sparse::Access &access) const;
  /// Whether a product may have this factor behind a sum over others: not if
  /// the product does not distribute, nor if a sum of nothing would meet
  /// something that is not finite.
  bool distributes(const sparse::Access &access) const;
  mlir::Value rowOfResult();
  /// array[at] += 1; what was there.
  mlir::Value increment(mlir::Value array, mlir::Value at);
  mlir::Value multiplyByCoefficient(mlir::Value value);
  mlir::Value loadFactor(int factor);
  llvm::SmallVector<Place> coordinatesOf(const sparse::Access &access) const;

  void writeInstances(const Body &body);
  void writeOuter(size_t at);
  void writeRowTiles(const Body &body);
  void writeSum(size_t at);
  void addToResult(mlir::Value value);

  /// acc + the sum over the order from `at` on of the product of `pending`.
  mlir::Value sumFrom(size_t at, llvm::ArrayRef<int> pending, mlir::Value acc);
  mlir::Value loop(size_t at, mlir::Value acc, const Step &step);
  mlir::Value loopDense(int index, mlir::Value acc, const Step &step);
  mlir::Value loopPositions(int factor, int level, mlir::Value acc,
                            const Step &step);
  mlir::Value loopMerge(int index, llvm::ArrayRef<int> walked, mlir::Value acc,
                        const Step &step);
  /// Lanes over the last index, which is summed over.
  mlir::Value sumLanes(int index, llvm::ArrayRef<int> pending);
  std::pair<mlir::Value, mlir::Value> bounds(int factor, int level);
  mlir::Value
  forLoop(mlir::Value begin, mlir::Value end, mlir::Value step, mlir::Value acc,
          const std::function<mlir::Value(mlir::Value, mlir::Value)> &body);
  /// Factors with `index` at a level that is not dense.
  llvm::SmallVector<int> walkers(int index) const;

  const sparse::Statement &statement;
  const sparse::Nest &nest;
  const NestArguments &arguments;
  llvm::SmallVector<std::optional<Place>> coordinates; ///< by index
  /// By factor and level: where a walk of it is.
  llvm::SmallVector<llvm::SmallVector<std::optional<Place>>> walked;
  mlir::Value mask;    ///< of the lanes, in a tail
  mlir::Value rowTile; ///< which tile of a row an instance is for
  bool finishes = false;
};

/// Rows of a result whose elements are not known before: how many each has,
/// and what they are. `scratch` holds the bitmap, its bitmap, and for a fill
/// the row.
void writeCountKernel(NestWriter &nest, const sparse::Statement &statement,
                      const sparse::Nest &plan, const NestArguments &arguments,
                      mlir::ValueRange scratch);
void writeFillKernel(NestWriter &nest, const sparse::Statement &statement,
                     const sparse::Nest &plan, const NestArguments &arguments,
                     mlir::ValueRange scratch);

} // namespace heddle

#endif // HEDDLE_LIB_CONVERSION_EINSUMTOTILE_NESTWRITER_H
