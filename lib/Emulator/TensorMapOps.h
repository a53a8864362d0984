//===- TensorMapOps.h - Tensor maps that an instruction names ----*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the address of a tensor map, in parameters or global memory. Out: the map
// as the TMA unit sees it. Bulk copies ask here instead of reading the bytes,
// because a map that the kernel changed is valid only behind its proxy's
// fences.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_TENSORMAPOPS_H
#define HEDDLE_LIB_EMULATOR_TENSORMAPOPS_H

#include "ExecContext.h"

namespace heddle::emulator {

/// Reads the map at a generic address as the TMA unit does. False after
/// reporting that there is none, or that it changed without a fence.
bool fetchTensorMap(ExecContext &context, const Instruction &in, int lane,
                    uint64_t address, TensorMap &map);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_TENSORMAPOPS_H
