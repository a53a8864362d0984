//===- EinsumKernel.h - An einsum as a GPU's kernel, run ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an einsum program of one statement with its plan, and operands. It is
// compiled to one kernel, launched twice on the emulator or the GPU, and
// compared with the oracle of einsums.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_EINSUMKERNEL_H
#define HEDDLE_TOOLS_HEDDLE_EINSUMKERNEL_H

#include "EinsumCheck.h"

#include "heddle/Run/Device.h"

namespace heddle::tool {

struct EinsumDevice {
  bool isGpu = false;
  EmulatorSettings settings;
};

/// `check` has been evaluated. An exit code.
int runEinsumKernel(Program &program, const EinsumDevice &device,
                    const sparse::Statement &statement,
                    std::vector<Operand> &operands, const EinsumCheck &check,
                    bool integers, unsigned repeat);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_HEDDLE_EINSUMKERNEL_H
