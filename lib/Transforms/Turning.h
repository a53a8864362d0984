//===- Turning.h - Conditions that turn once in a loop ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a conditional in a loop. Out: at which iteration its condition turns, and
// whether that is near the loop's end. The scheduler asks before the expansion
// what the steady iterations execute, and aref-split-iterations asks afterwards
// where to cut; with two analyses the plan would promise loops that are not
// made.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_TURNING_H
#define HEDDLE_LIB_TRANSFORMS_TURNING_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle {

/// On a conditional: the condition's value in the steady iterations of its
/// loop, for which a schedule is made.
inline constexpr llvm::StringLiteral kSteady = "sched.steady";

/// factor * iv + the sum of the terms.
struct Linear {
  int64_t factor = 0;
  int64_t constant = 0;
  llvm::SmallVector<std::pair<mlir::Value, bool>> terms; ///< true: subtracted
};

/// A condition that turns once as the induction variable grows.
struct Turning {
  Linear less; ///< iv < -less, or iv <= -less, before it turns; factor 1
  bool inclusive = false;
  bool first = false; ///< the outcome before it turns
};

/// How a conditional in a loop's body turns, if it does so a fixed distance
/// from the loop's end; nothing for a condition that stays the same throughout,
/// which would be hoisted.
std::optional<Turning> findTurningAtEnd(mlir::scf::IfOp conditional,
                                        mlir::scf::ForOp loop);

/// The same where the turn is a bounded distance from the end, as where the
/// rows of a triangle cross its diagonal.
std::optional<Turning> findTurningNearEnd(mlir::scf::IfOp conditional,
                                          mlir::scf::ForOp loop);

/// The only outcome that the steady iterations of a conditional's loop see: all
/// but a number at its end or its begin that is fixed or bounded, as where the
/// rows of a triangle cross its diagonal, or those of a band one of its edges.
std::optional<bool> steadyOutcome(mlir::scf::IfOp conditional);

/// Has the loop a tail, iterations near its end that every run of it has and
/// that take another branch?
bool hasTail(mlir::scf::ForOp loop);

/// Does a conditional stay in the loop's body when the ragged last iterations
/// have a loop of their own, and the tail has if `splitsTail`?
bool keepsBranch(mlir::scf::ForOp loop, bool splitsTail);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_TURNING_H
