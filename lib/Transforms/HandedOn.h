//===- HandedOn.h - Decide: what one conditional yields for the next --*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one loop of two chooses between their values by conditionals on one
// condition. A branch may need again what the same branch of an earlier
// conditional computed, as a masked tile whose maximum was asked for first.
// That conditional can yield it, with a value of the other branch in its place
// that only such branches read from then on. So it takes no more registers, and
// nothing is computed twice.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_HANDEDON_H
#define HEDDLE_LIB_TRANSFORMS_HANDEDON_H

#include "LoopPair.h"

#include "mlir/IR/IRMapping.h"

namespace heddle {

/// The bodies of a pair while they become one.
struct FusedBodies {
  const LoopPair &pair;
  /// What the branches of either read, in the one loop, as far as it is there.
  const mlir::IRMapping &inFirst, &inSecond;
  /// Values of the one loop that are held for others than branches.
  llvm::DenseSet<mlir::Value> held;
};

/// What a conditional that chooses between `chosen` yields besides, for those
/// that choose between `later`.
std::vector<LoopPair::Alternative>
chooseHandedOn(const FusedBodies &bodies,
               llvm::ArrayRef<LoopPair::Alternative> chosen,
               llvm::ArrayRef<LoopPair::Alternative> later);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_HANDEDON_H
