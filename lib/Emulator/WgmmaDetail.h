//===- WgmmaDetail.h - Facts of a wgmma instruction --------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decoded form of a wgmma. WgmmaOps.cpp decodes and issues it, Wgmma.cpp
// executes it when all four warps have come, and InFlight.cpp finds the
// registers that it uses meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_WGMMADETAIL_H
#define HEDDLE_LIB_EMULATOR_WGMMADETAIL_H

#include "Instruction.h"

namespace heddle::emulator {

struct WgmmaDetail : Detail {
  int n = 0;
  int k = 0;
  Type typeD = Type::F32;
  Type typeA = Type::F16;
  Type typeB = Type::F16;
  /// 0: A comes from shared memory. The sources are A's registers or its
  /// descriptor, B's descriptor and the scale-d predicate.
  uint32_t registersOfA = 0;
  bool negateA = false;
  bool negateB = false;
  bool transposeA = false; ///< M-major instead of K-major
  bool transposeB = false;
  bool saturates = false; ///< integers
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_WGMMADETAIL_H
