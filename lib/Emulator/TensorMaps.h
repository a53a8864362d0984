//===- TensorMaps.h - Tensor maps in memory ----------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 128 bytes of a tensor map and their fields. Each field has a bit that
// says whether it was set, so that a map made by the kernel, which starts as
// zeros, is known to be complete before it is used.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_TENSORMAPS_H
#define HEDDLE_LIB_EMULATOR_TENSORMAPS_H

#include "Type.h"

#include "heddle/Emulator/TensorMap.h"

namespace heddle::emulator {

/// The fields that tensormap.replace knows; those with an axis come last.
enum class TensorMapField : uint8_t {
  Address,
  Rank,
  Format,
  Interleave,
  Swizzle,
  Fill,
  Box,    ///< [5]
  Dim,    ///< [5]
  Stride, ///< [4], of the axes but the fastest
  Step,   ///< [5]
};

/// How many axes a field has; 1 for those that belong to the whole map.
int axesOf(TensorMapField field);

/// Writes one field in the encoding of PTX (the rank less one, modes by their
/// numbers). False with a sentence when the value is out of range or the bytes
/// hold neither zeros nor a tensor map.
bool replaceField(uint8_t *bytes, TensorMapField field, int axis,
                  uint64_t value, std::string &error);

/// The type in which a reduction computes; None where TMA has no reduction.
Type reductionType(TensorMap::Format format);

/// `address` after the swizzle of shared memory tiles: bits 4-6 are exchanged
/// with the 128-byte row they are in (fewer bits for narrower swizzles).
inline uint64_t swizzled(uint64_t address, int swizzleBytes) {
  uint64_t mask = uint64_t(swizzleBytes / 16 - (swizzleBytes != 0));
  return address ^ ((address >> 7 & mask) << 4);
}

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_TENSORMAPS_H
