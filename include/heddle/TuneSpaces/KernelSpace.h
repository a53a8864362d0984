//===- KernelSpace.h - What may be chosen of a kernel ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program on the tile rung with one kernel. Out: a space for lib/Tuner
// whose points are its tile parameters and lines about its plan: the method of
// the schedule, the slots of rings, turns, blocks, bands. A point becomes the
// program with these values and lines, which is compiled like any other. What
// the passes before the schedule refuse, and what no schedule can be faster
// than, is known of every choice of tiles before anything is measured.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TUNESPACES_KERNELSPACE_H
#define HEDDLE_TUNESPACES_KERNELSPACE_H

#include "heddle/TileChoice/TileChoice.h"
#include "heddle/Tuner/Space.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace heddle::tunespaces {

/// Which choices are parameters of the space.
struct Choices {
  bool tiles = true;     ///< shape parameters that are tile shapes
  bool schedules = true; ///< how the table is found
  bool slots = true;     ///< of each ring that loads fill
  bool turns = true;     ///< whether a unit keeps the processes' order
  bool blocks = true;    ///< that share a multiprocessor
  bool bands = false;    ///< rows of instances side by side; matters to caches
};

class KernelSpace {
public:
  /// Errors: a program with several kernels, below the tile rung, or with
  /// nothing to choose ([tuner-kernel]). What the program's own mapping says
  /// stays and is no choice.
  static llvm::Expected<KernelSpace> make(mlir::ModuleOp module,
                                          const tilechoice::Options &options,
                                          const Choices &choices);

  const tuner::Space &space() const { return *points; }
  llvm::StringRef kernel() const { return name; }

  /// The passes' own sentence about the point's tiles, if they refuse them
  /// before a schedule is sought; "" if not.
  llvm::StringRef refusal(const tuner::Point &point) const;
  /// Cycles that the model expects of the point's tiles, by bounds.
  double estimate(const tuner::Point &point) const;
  /// Cycles that no launch with the point's tiles can take fewer than, by the
  /// model that predicts launches; 0 where that is not known.
  double least(const tuner::Point &point) const;

  /// The program with the point's values and lines.
  mlir::OwningOpRef<mlir::ModuleOp> configure(const tuner::Point &point) const;

  /// The parameters that are tiles, and of each combination why it is refused:
  /// "" for none. In the order of the values.
  const tilechoice::Choice &tiles() const { return choice; }

private:
  KernelSpace() = default;
  const tilechoice::Candidate &tilesOf(const tuner::Point &point) const;
  llvm::Error describe(const tilechoice::Options &options,
                       const Choices &choices);

  mlir::ModuleOp module;
  std::string name;
  std::vector<std::string> loops; ///< with turns of their own
  tilechoice::Choice choice;
  std::map<std::vector<int64_t>, size_t> byTiles; ///< index of a candidate
  std::optional<tuner::Space> points;
};

} // namespace heddle::tunespaces

#endif // HEDDLE_TUNESPACES_KERNELSPACE_H
