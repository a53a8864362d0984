//===- Parts.h - Sums in parts, as a choice of launches ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program whose sums can be divided, with its tiles. Out: the two steps
// on the nvvm rung, into how many parts a launch divides the sums, and what it
// takes then in the model, both as a launch computes them of its arguments.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_PARTS_H
#define HEDDLE_LIB_TILECHOICE_PARTS_H

#include "Trials.h"

#include "heddle/Pipeline/Alternatives.h"
#include "heddle/Transforms/DivideSums.h"

namespace heddle::tilechoice {

/// One kernel in two steps.
struct Parts {
  std::string kernel;
  mlir::OwningOpRef<mlir::ModuleOp> first, second;
  pipeline::Steps steps;
  manifest::Expr cycles; ///< of both steps, and of the way between them

  /// The cycles without extents of workspaces.
  manifest::Expr cyclesOfArguments() const;
};

/// How far the two steps come: to bounds of their loops, or to the nvvm rung.
enum class PartsUntil { Bounds, Code };

/// `program` is on the tile rung with its parameters set, and stays as it is.
/// `suffix` tells its workspaces from others'. Without result, `obstacle` is
/// empty if diagnostics say what stands in the way, or says it.
std::optional<Parts> makeParts(mlir::ModuleOp program, const Options &options,
                               PartsUntil until, llvm::StringRef suffix,
                               SumObstacle &obstacle);

/// In a list of settings: sums are divided.
inline constexpr llvm::StringLiteral kPartsSetting = "parts=auto";

/// "_BM128_BN64".
std::string suffixOf(const Settings &settings);

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_PARTS_H
