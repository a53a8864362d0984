//===- Ladder.h - The way down of each target -------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rungs are a graph: a step leads from a rung to one below it, for the
// machines of one target. `registerTarget` is all that a new target needs: how
// its machines are described, and its steps, which may be passes of its own or
// those of others. Tools know no target; a program goes as far down as there
// are steps.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PIPELINE_LADDER_H
#define HEDDLE_PIPELINE_LADDER_H

#include "heddle/Machine/Costs.h"
#include "heddle/Machine/Target.h"
#include "heddle/Pipeline/Pipeline.h"

#include <functional>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace heddle::pipeline {

/// What a step may ask while it adds its passes.
struct StepRequest {
  const LowerOptions &options;
  /// Of the machine; without a name where its target's model is another.
  const machine::Costs &costs;
  int64_t kept = 0; ///< bytes of shared memory that rings leave free
};

/// From one rung to a lower one. The rung's verifier runs after its passes.
struct Step {
  Rung from = Rung::Tile, to = Rung::Sched;
  /// Empty for the step from einsum, which is no pass and the same everywhere.
  std::function<void(mlir::OpPassManager &, const StepRequest &)> addPasses;
};

/// Makes a target known to descriptions, and to `lower` its steps from above to
/// below, of which no two begin on one rung. Call before the first program.
void registerTarget(machine::Target target, std::vector<Step> steps);

/// The steps of a target from the top; none if it is not known.
const std::vector<Step> &stepsOf(const std::string &target);

/// The step of a target that begins on a rung; null if there is none.
const Step *findStep(const std::string &target, Rung from);

/// The lowest rung of a target.
Rung lastRung(const std::string &target);

/// The targets with a way down to nvvm, "a, b"; code is made for these.
std::string targetsWithCode();

/// The steps of machines of units, for targets of that model: loads that can
/// run ahead on units of one name, the rest on a unit of another.
void addTileToRoles(mlir::OpPassManager &manager, const StepRequest &request,
                    const std::string &access = "access",
                    const std::string &execute = "execute");
void addRolesToAref(mlir::OpPassManager &manager, const StepRequest &request);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_LADDER_H
