//===- AddressForms.h - What a tile of numbers or addresses is --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile whose element at (i, j, ...) is start + a * i + b * j + ..., the
// factors being polynomials of scalars. What a loop adds up is written with its
// index: after n iterations a pointer has moved by n times its step.
//
// Index arithmetic is taken not to wrap: an address that did would lie outside
// the memory of its argument, which no program may touch.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_ADDRESSFORMS_H
#define HEDDLE_LIB_TRANSFORMS_ADDRESSFORMS_H

#include "Polynomial.h"

#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace heddle {

struct Form {
  mlir::Value base; ///< of addresses, a scalar one; null for numbers
  Polynomial start;
  llvm::SmallVector<Polynomial> factors; ///< by axis; none for a scalar

  /// Along `axis`, numbers from `end` on were replaced by others: `number %
  /// end` or `number < end ? number : 0`. The axis' factor counts as if they
  /// had not been.
  struct Wrap {
    int64_t axis;
    Polynomial start; ///< of the number; its factor is 1
    Polynomial end;
  };
  llvm::SmallVector<Wrap, 1> wraps;

  bool isUniform() const {
    return llvm::all_of(factors, [](const auto &f) { return f.isZero(); });
  }
  /// The axis along which a tile has consecutive numbers, the same along
  /// others; none where there is no such axis.
  std::optional<int64_t> runAxis() const;
};

class AddressForms {
public:
  explicit AddressForms(tile::KernelOp kernel) : kernel(kernel) {}

  /// The form of a scalar or tile of integers or addresses, if it has one.
  std::optional<Form> formOf(mlir::Value value);
  /// Of a scalar integer; it always has one.
  Polynomial scalar(mlir::Value value);

  /// The forms that must be above 0 for a tile of conditions to hold; nothing
  /// if the tile is no such conjunction.
  std::optional<std::vector<Form>> conditionsOf(mlir::Value mask);

  /// Those that are known of what else must hold, too.
  std::vector<Form> conditionsAmong(mlir::Value mask);

  mlir::Value valueOf(unsigned unknown) const { return unknowns[unknown]; }
  /// Whether arguments of the kernel alone decide it, so that a launch knows
  /// it.
  bool isHost(mlir::Value value);
  bool isHost(const Product &product);
  bool isHost(const Polynomial &polynomial);

private:
  std::optional<Form> compute(mlir::Value value);
  std::optional<Form> computeOp(mlir::Operation *op);
  std::optional<Form> carried(mlir::BlockArgument argument,
                              mlir::scf::ForOp loop);
  std::optional<Form> sum(mlir::Operation *op, int64_t sign);
  std::optional<Form> product(mlir::Operation *op);
  std::optional<Form> quotient(mlir::Operation *op);
  std::optional<Form> remainder(mlir::Operation *op);
  std::optional<Form> chosen(mlir::Operation *op);
  std::optional<Form> moved(mlir::Operation *op, Form form);

  tile::KernelOp kernel;
  llvm::DenseMap<mlir::Value, std::optional<Form>> known;
  llvm::DenseSet<mlir::Value> pending;
  std::vector<mlir::Value> unknowns;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::DenseMap<mlir::Value, bool> host;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_ADDRESSFORMS_H
