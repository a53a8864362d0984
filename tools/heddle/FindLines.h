//===- FindLines.h - The lines of a mapping in a kernel ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: pinned lines, and a kernel on the hopper rung, as its text says it. Out:
// whether the kernel has what each line says. Nothing of the schedule or of
// whoever keeps lines is used: this looks at rings, processes and instructions.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FINDLINES_H
#define HEDDLE_TOOLS_HEDDLE_FINDLINES_H

#include "heddle/Dialect/Hopper/Hopper.h"
#include "heddle/Dialect/Sched/Pins.h"

#include <string>
#include <vector>

namespace heddle::tool {

struct FoundLine {
  enum class Verdict {
    Found,
    Lost,   ///< the kernel has something else
    Unseen, ///< code does not show it, as a number of cycles
  };
  std::string line;
  mlir::Location place;
  Verdict verdict;
  std::string what; ///< is there instead, if it is lost
};

std::vector<FoundLine> findLines(llvm::ArrayRef<sched::Pin> pins,
                                 hopper::KernelOp kernel);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_FINDLINES_H
