//===- SplitPlaces.h - Places counted in groups, along two axes --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a gather whose addresses divide a place by a constant: eight weights of 4
// bits share a word at `k / 8`, keys stand in groups of eight at `d / 8` and
// `d % 8`. Out: the same elements along one more axis, where the place is
// `c * group + rest`, quotient and remainder are each a place, and a box may be
// found. What several elements share is read once.
//
// The tile's first place has to be a multiple of c, and what bounds the places
// does: the second may be a demand, which a launch checks.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_SPLITPLACES_H
#define HEDDLE_LIB_TRANSFORMS_SPLITPLACES_H

#include "AddressForms.h"
#include "LaunchValues.h"
#include "Signs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace heddle {

class PlaceSplitter {
public:
  PlaceSplitter(AddressForms &forms, Signs &signs, LaunchValues &values,
                tile::ParallelOp parallel)
      : forms(forms), signs(signs), values(values), parallel(parallel) {}

  /// A gather in front of `gather` that has one axis more, and behind it the
  /// elements in their own axes; nothing if no axis can be split.
  struct Result {
    tile::GatherOp gather;
    tile::ReshapeOp joined;
    std::vector<Signs::Demand> demands;
  };
  std::optional<Result> split(tile::GatherOp gather);

private:
  int64_t divisorOf(mlir::Value value, int64_t axis);
  std::optional<Polynomial> startAlong(mlir::Value value, int64_t axis);
  std::optional<Polynomial> quotientOf(const Polynomial &number);
  std::optional<Polynomial> quotientOf(const Product &product,
                                       int64_t coefficient);
  Polynomial divided(const Polynomial &number, mlir::OpBuilder at);

  mlir::RankedTensorType splitType(mlir::RankedTensorType type, int64_t axis);
  mlir::Value splitTile(mlir::Value value, int64_t axis);
  mlir::Value splitOp(mlir::Operation *op, int64_t axis);
  mlir::Value splitDivided(mlir::Operation *op, int64_t axis, int64_t divisor,
                           bool isQuotient);
  mlir::Value splitCondition(mlir::arith::CmpIOp op, int64_t axis);
  mlir::Value splitCarried(mlir::BlockArgument argument, int64_t axis);
  mlir::Value splitElementwise(mlir::Operation *op, int64_t axis);
  mlir::Value spread(const Polynomial &number, mlir::RankedTensorType type);
  mlir::Value add(mlir::Value a, mlir::Value b);

  AddressForms &forms;
  Signs &signs;
  LaunchValues &values;
  tile::ParallelOp parallel;
  /// Numbers by divisors, so that equal ones look equal.
  std::map<std::pair<Polynomial, int64_t>, Polynomial> quotients;

  // Of the gather at hand.
  mlir::OpBuilder builder{static_cast<mlir::MLIRContext *>(nullptr)};
  int64_t by = 0; ///< c
  std::vector<Signs::Demand> demands;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> done;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_SPLITPLACES_H
