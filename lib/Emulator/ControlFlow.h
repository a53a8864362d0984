//===- ControlFlow.h - Where diverged lanes meet again -----------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a decoded entry. Out: the instruction at which the lanes of each branch
// meet again. It follows from the text alone: lanes that met wherever their
// program counters are equal would split aligned instructions that ptxas keeps
// whole.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_CONTROLFLOW_H
#define HEDDLE_LIB_EMULATOR_CONTROLFLOW_H

#include "Instruction.h"

namespace heddle::emulator {

/// Fills entry.reconvergence with the immediate post-dominator of every branch,
/// which is where ptxas makes the lanes of a warp meet.
void findReconvergence(Entry &entry);

/// A branch's targets besides the next instruction.
struct BranchDetail : Detail {
  std::vector<uint32_t> targets;
  bool isExit = false;
  bool isUniform = false; ///< never falls through
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_CONTROLFLOW_H
