//===- Trials.h - One combination of tiles -*- C++ -*- -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: values for a program's parameters. Out: why the compiler refuses them, or
// the time that it predicts. Each trial works on a copy with the real passes,
// so what is legal is decided in one place only; its diagnostics are kept back,
// because a refused candidate is no error of the user.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_TRIALS_H
#define HEDDLE_LIB_TILECHOICE_TRIALS_H

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Pipeline/Alternatives.h"
#include "heddle/TileChoice/OtherTiles.h"
#include "heddle/TileChoice/TileChoice.h"

#include "mlir/IR/OwningOpRef.h"

#include <optional>

namespace heddle::tilechoice {

/// What a launch takes with one choice of tiles, as it computes it.
struct LaunchTime {
  std::string refused; ///< why these tiles cannot be taken; empty if they can
  /// Cycles of all kernels; nothing where `kernel` takes a time that its
  /// arguments alone do not tell.
  std::optional<manifest::Expr> cycles;
  tile::KernelOp kernel;         ///< of the program as it was given
  bool isExecuted = false;       ///< in all kernels
  bool areInstancesAlike = true; ///< in all kernels
};

/// Puts values for parameters into copies of a program, and sees how far they
/// come. What the compiler says meanwhile is kept from the user.
class Trials {
public:
  Trials(mlir::ModuleOp module, const Options &options,
         const std::vector<std::string> &parameters)
      : module(module), options(options), parameters(parameters) {}

  /// As far as the problem, whose bounds are taken for intervals.
  Candidate bound(const std::vector<int64_t> &values);
  /// Scheduled, and lowered whole where there is code for the machine.
  Candidate solve(const std::vector<int64_t> &values);
  /// The same for launches of any size; cycles of what is worth a try. Nothing
  /// where some product goes by the instructions of threads, whose rate nobody
  /// has measured, nor, where `inRegisters`, if a process for each sub-tile has
  /// no registers for what it computes: one that has several sub-tiles computes
  /// them one after the other.
  std::optional<manifest::Expr>
  boundForLaunch(const std::vector<int64_t> &values, bool inRegisters);
  LaunchTime solveForLaunch(const std::vector<int64_t> &values);
  /// The same as boundForLaunch of the form with sums in parts; nothing where
  /// there is none.
  std::optional<manifest::Expr>
  boundInParts(const std::vector<int64_t> &values);

private:
  mlir::OwningOpRef<mlir::ModuleOp>
  instantiate(const std::vector<int64_t> &values);
  /// Null where the compiler refuses, with the reason.
  mlir::OwningOpRef<mlir::ModuleOp> split(const std::vector<int64_t> &values,
                                          std::string &refused);
  mlir::OwningOpRef<mlir::ModuleOp> schedule(const std::vector<int64_t> &values,
                                             int64_t &blocks,
                                             std::string &refused);
  mlir::LogicalResult lowerWhole(mlir::ModuleOp scheduled, int64_t &blocks);
  void estimateAll(mlir::ModuleOp lowered, int64_t blocks, Estimate &all) const;
  void estimateAll(mlir::ModuleOp lowered, int64_t blocks, LaunchTime &all);

  mlir::ModuleOp module;
  const Options &options;
  const std::vector<std::string> &parameters;
};

/// Does something to a module that is on the hopper rung on its way down.
using OnHopper = llvm::function_ref<void(mlir::ModuleOp)>;

/// Lowers `module` in place from sched to nvvm. `blocks` becomes how many
/// thread blocks share a multiprocessor, if that is more.
mlir::LogicalResult lowerToCode(mlir::ModuleOp module,
                                const pipeline::LowerOptions &lowering,
                                int64_t &blocks, OnHopper onHopper = {});

/// Cycles of each kernel, as a launch computes them.
struct Times : pipeline::Cycles {
  /// All kernels: what the model errs is less then.
  bool areExecuted = false;
};

/// Lowers `module`, on the tile rung or scheduled, in place to nvvm.
mlir::FailureOr<Times> lowerAndEstimate(mlir::ModuleOp module,
                                        const Options &options,
                                        OnHopper onHopper = {});

/// What a launch of a kernel takes, as it computes it.
struct KernelTime {
  manifest::Expr cycles;
  bool isExecuted = false; ///< see Execution.h
  /// As many iterations in each.
  bool areInstancesAlike = true;
};

/// Of `kernel`, split or scheduled.
std::optional<KernelTime> timeOfLaunch(tile::KernelOp kernel, int64_t blocks,
                                       const machine::Costs &costs);

/// All combinations of what is legal for each parameter.
std::vector<std::vector<int64_t>>
combinationsOf(const std::vector<std::vector<int64_t>> &legal);

/// Of the parameters that are tile shapes, those that the number of instances
/// depends on.
std::vector<std::string> findInstanceShapes(mlir::ModuleOp module);

struct Alternative;
/// What need not be lowered twice.
struct Lowered {
  /// All kernels of the program with its own tiles: can they be executed?
  bool canExecuteOwn = false;
  /// Their times, which take longer to find. Fails with a diagnostic.
  std::function<mlir::FailureOr<Times>()> own;
  /// By settings, one after the other with a space between.
  std::map<std::string, Alternative> others;
};

/// The few tiles that are worth having beside the program's own, the best
/// first, and a remark that names them. `lowered`, where it is given, knows the
/// program's own times and takes what was lowered on the way, without its
/// remarks. By default none where instances differ, as rows of a triangle do:
/// tiles take two seconds more to compile and gained a twenty-fifth at the
/// longest rows only.
mlir::FailureOr<std::vector<Settings>> coverSizes(mlir::ModuleOp module,
                                                  const Options &options,
                                                  const OtherTiles &others,
                                                  Lowered *lowered = nullptr);

/// Says that no launch can choose among the tiles of `kernel`; fails.
mlir::LogicalResult reportNoLaunchTime(tile::KernelOp kernel);

/// The open parameters of `module` and what else a choice begins with.
Choice beginChoice(mlir::ModuleOp module, const Options &options);

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_TRIALS_H
