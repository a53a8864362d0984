//===- Pipeline.h - Every pass, in order ------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pipeline.cpp is the whole compiler as one list, with what holds between
// passes.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PIPELINE_PIPELINE_H
#define HEDDLE_PIPELINE_PIPELINE_H

#include "heddle/Machine/Costs.h"
#include "heddle/Pipeline/Rung.h"

namespace heddle::pipeline {

/// Of launches, by which a Triton program is raised: facts that its text does
/// not state and that each launch checks (signs of arguments, how many programs
/// the grid has); nothing; or the facts, with variants that assume nothing
/// behind.
enum class Assume { Checked, Nothing, Either };

/// What a user may decide about the way down.
struct LowerOptions {
  /// "auto" (in step, or the heuristic's where that is shorter), "heuristic",
  /// "exact", "in-step" (exact, with sub-tiles that do the same at equal
  /// distances), or a file with a sched.plan.
  std::string schedule = "auto";
  /// For which schedules are made: a name or a file. Empty: the default one.
  std::string machine;
  Assume assume = Assume::Checked;
  /// How many schedules a program may cost. Where shared memory overflows, each
  /// has fewer slots than the one before; one alone is taken as it is.
  int mostSchedules = 6;
  /// A hopper rung that is given is refused where it is known to go wrong.
  bool refusesFaulty = true;

  std::string machineName() const {
    return machine.empty() ? machine::kDefaultMachine : machine;
  }
};

/// Lowers `module` in place from rung `from` to rung `to` (at most Nvvm), with
/// the verifier after each pass that changes anything. Failures are
/// diagnostics.
mlir::LogicalResult lower(mlir::ModuleOp module, Rung from, Rung to,
                          const LowerOptions &options = {});

/// Makes of a tile program that was just read from TTIR what a person would
/// have written, where that can be proved.
mlir::LogicalResult raiseTtir(mlir::ModuleOp module,
                              const LowerOptions &options = {});

/// The first part of the way from tile to sched: sub-tiles and names, and no
/// schedule yet. Tiles may be left whole, to ask what that would cost.
mlir::LogicalResult split(mlir::ModuleOp module,
                          const LowerOptions &options = {},
                          bool isWhole = false);

/// Writes down what the operations of processes on units take, on a machine of
/// units, where the program does not say; declines what does not fit.
mlir::LogicalResult priceUnits(mlir::ModuleOp module,
                               const std::string &machine);

/// False: there are schedules for this machine, and no code.
bool isCodeMadeFor(const machine::Costs &costs);

} // namespace heddle::pipeline

#endif // HEDDLE_PIPELINE_PIPELINE_H
