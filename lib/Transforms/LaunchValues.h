//===- LaunchValues.h - Numbers computed before the instances ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: polynomials over a kernel's scalars. Out: arithmetic that computes them,
// before the instances where a launch knows the numbers. There the host can
// evaluate it, which views for tensor maps and assertions need; inside of the
// instances it would be the device's.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_LAUNCHVALUES_H
#define HEDDLE_LIB_TRANSFORMS_LAUNCHVALUES_H

#include "AddressForms.h"

namespace heddle {

/// Builds what polynomials stand for.
class LaunchValues {
public:
  LaunchValues(tile::KernelOp kernel, tile::ParallelOp parallel,
               AddressForms &forms)
      : kernel(kernel), parallel(parallel), forms(forms) {}

  /// `value`, which a launch knows, before the instances.
  mlir::Value before(mlir::Value value);
  /// An index; before the instances (`isAtLaunch`), or where the builder stands
  /// and the unknowns are visible.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc,
                    const Polynomial &polynomial, bool isAtLaunch) {
    return build(builder, loc, polynomial, isAtLaunch, builder.getIndexType());
  }
  /// The same in i64, for distances in memory: an index is 32 bits wide on the
  /// device.
  mlir::Value buildDistance(mlir::OpBuilder &builder, mlir::Location loc,
                            const Polynomial &polynomial) {
    return build(builder, loc, polynomial, /*isAtLaunch=*/false,
                 builder.getI64Type());
  }

private:
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc,
                    const Polynomial &polynomial, bool isAtLaunch,
                    mlir::Type type);

  tile::KernelOp kernel;
  tile::ParallelOp parallel;
  AddressForms &forms;
  llvm::DenseMap<mlir::Value, mlir::Value> copies;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_LAUNCHVALUES_H
