//===- InstanceExpr.h - Numbers of one instance, as a launch knows --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a scalar that hangs on which instance computes it, as the end of a row of
// a triangle does, and the number of an instance. Out: the scalar as an
// expression over the launch's arguments. Of instances that differ a launch
// looks at a few that stand for all, so it can compare tiles of a triangle,
// too.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_INSTANCEEXPR_H
#define HEDDLE_LIB_TILECHOICE_INSTANCEEXPR_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Manifest/Manifest.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace heddle::tilechoice {

class InstanceExpr {
public:
  /// Of the instance `number` of `instances` in the loop `tiles` of `kernel`.
  /// Which worker does it is no matter: it counts as a worker's only one.
  InstanceExpr(tile::KernelOp kernel, mlir::scf::ForOp tiles,
               manifest::Expr number, manifest::Expr instances)
      : kernel(kernel), tiles(tiles), number(std::move(number)),
        instances(std::move(instances)) {}

  /// Nothing where it hangs on memory, on another loop's number, or on
  /// arithmetic that a launch has no operator for.
  std::optional<manifest::Expr> of(mlir::Value value) const;

private:
  std::optional<manifest::Expr> compute(mlir::Operation *op) const;

  tile::KernelOp kernel;
  mutable mlir::scf::ForOp tiles;
  manifest::Expr number, instances;
};

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_INSTANCEEXPR_H
