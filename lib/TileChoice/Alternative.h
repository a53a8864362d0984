//===- Alternative.h - What a launch may take instead -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program, and settings that differ from its own. Out: what it becomes
// with them on the nvvm rung, and its time as a launch computes it. Whoever
// joins alternatives in one kernel and whoever explains a launch share it, so
// that both speak of the same.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_ALTERNATIVE_H
#define HEDDLE_LIB_TILECHOICE_ALTERNATIVE_H

#include "Parts.h"

namespace heddle::tilechoice {

/// The program with other tiles, or with its sums in parts.
struct Alternative {
  std::string suffix;
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null if the sums are in parts
  std::optional<Parts> parts;
  Times times;
};

/// Failures are diagnostics.
mlir::FailureOr<Alternative> lowerAlternative(mlir::ModuleOp program,
                                              const Settings &settings,
                                              const Options &options);

/// The settings of each alternative that `others` ask for, as `coverSizes`.
mlir::FailureOr<std::vector<Settings>>
chooseSettings(mlir::ModuleOp program, const Options &options,
               const OtherTiles &others, Lowered *lowered = nullptr);

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_ALTERNATIVE_H
