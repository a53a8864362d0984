//===- TensorMap.h - A tensor map as the TMA unit reads it ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What cuTensorMapEncodeTiled puts into 128 opaque bytes and tensormap.replace
// changes there. The bytes are the emulator's own: kernels may only copy them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_EMULATOR_TENSORMAP_H
#define HEDDLE_EMULATOR_TENSORMAP_H

#include <array>
#include <cstdint>
#include <string>

namespace heddle::manifest {
struct TensorMap;
}

namespace heddle::emulator {

inline constexpr int kTensorMapBytes = 128;

struct TensorMap {
  /// Numbered as `tensormap.replace.tile.elemtype` does.
  enum class Format : uint8_t {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F32Ftz,
    F64,
    BF16,
    TF32,
    TF32Ftz,
  };

  Format format = Format::F16;
  int rank = 0;
  uint64_t address = 0;
  // Axes fastest first. strideBytes[0] is the element size, by definition.
  std::array<int64_t, 5> dims{}; ///< elements
  std::array<int64_t, 5> strideBytes{};
  std::array<int, 5> box{};   ///< elements of the tensor that a tile spans
  std::array<int, 5> steps{}; ///< every n-th of them is copied; [0] is ignored
  int swizzleBytes = 0;
  int interleaveBytes = 0;
  bool fillsNan = false; ///< outside the tensor, instead of zeros
  /// im2col mode: a tile has so many pixels of box[0] channels each; 0 in tiled
  /// mode. Axis 0 counts channels, the last one images, those between are the
  /// pixels' own, whose first places range from `lower` to the tensor's last
  /// place plus `upper`.
  int pixels = 0;
  std::array<int, 3> lower{}, upper{}; ///< of axes 1, 2, 3

  bool isIm2col() const { return pixels != 0; }
  int pixelAxes() const { return rank - 2; }

  int elementBytes() const;
  /// Elements of a tile along an axis, in shared memory.
  int tileExtent(int axis) const {
    return axis ? (box[axis] + steps[axis] - 1) / steps[axis] : box[axis];
  }
  int64_t tileBytes() const;
};

TensorMap fromManifest(const manifest::TensorMap &map);

/// The rules of cuTensorMapEncodeTiled. False with a sentence in `error`.
bool checkTensorMap(const TensorMap &map, std::string &error);

/// To 128 bytes and back. Reading fails, with a sentence that begins with a
/// verb, where the bytes are no tensor map or some field was never set.
void writeTensorMap(const TensorMap &map, uint8_t *bytes);
bool readTensorMap(const uint8_t *bytes, TensorMap &map, std::string &error);

} // namespace heddle::emulator

#endif // HEDDLE_EMULATOR_TENSORMAP_H
