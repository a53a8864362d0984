//===- TensorMaps.h - What a tensor map must satisfy -------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_TENSORMAPS_H
#define HEDDLE_LIB_EMULATOR_TENSORMAPS_H

#include "heddle/Manifest/LaunchPlan.h"

namespace heddle::emulator {

/// The rules of cuTensorMapEncodeTiled. False with a sentence in `error`.
bool checkTensorMap(const manifest::TensorMap &map, std::string &error);

/// `address` after the swizzle of shared memory tiles: bits 4-6 are exchanged
/// with the 128-byte row they are in (fewer bits for narrower swizzles).
inline uint64_t swizzled(uint64_t address, int swizzleBytes) {
  uint64_t mask = uint64_t(swizzleBytes / 16 - (swizzleBytes != 0));
  return address ^ ((address >> 7 & mask) << 4);
}

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_TENSORMAPS_H
