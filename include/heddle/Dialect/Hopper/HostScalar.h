//===- HostScalar.h - What a host can compute at a launch ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a scalar of a kernel. Out: whether the host can compute it before a
// launch, as an expression of the manifest. Bounds that a launch checks,
// assertions and made views all ask here, so that none of them promises an
// expression that the manifest cannot spell.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_HOPPER_HOSTSCALAR_H
#define HEDDLE_DIALECT_HOPPER_HOSTSCALAR_H

#include "mlir/IR/Value.h"

namespace heddle::tile {
class MakeViewOp;
} // namespace heddle::tile

namespace heddle::hopper {

/// Operations of an expression, each counted as often as it stands there.
inline constexpr int64_t kMostHostOperations = 1024;

/// Whether `value` is integer arithmetic that a manifest can spell: dims and
/// scalar arguments of the kernel, constants, +, -, *, divisions, remainders,
/// min and max. Of kMostHostOperations at most.
bool isHostScalar(mlir::Value value);

/// Whether `view` is of what is behind an argument, and the host can compute
/// all of its numbers: a launch makes it, and may hand a descriptor over.
bool isMadeAtLaunch(tile::MakeViewOp view);

} // namespace heddle::hopper

#endif // HEDDLE_DIALECT_HOPPER_HOSTSCALAR_H
