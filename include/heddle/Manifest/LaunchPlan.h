//===- LaunchPlan.h - From arguments to one concrete launch ------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the variant, evaluates the grid and packs the parameters. Pure
// arithmetic, shared by the runtime (which turns `TensorMap` into CUtensorMap)
// and the emulator (which interprets it), so both launch the same thing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MANIFEST_LAUNCHPLAN_H
#define HEDDLE_MANIFEST_LAUNCHPLAN_H

#include "heddle/Manifest/Manifest.h"

namespace heddle::manifest {

/// One argument value. Views: `address` (device or host), `shape`, `strides`
/// (elements, may not be negative). Scalars: raw little-endian bits.
struct ArgumentValue {
  ElementType element = ElementType::F16;
  uint64_t address = 0;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  uint64_t scalarBits = 0;
};

/// A concrete TMA tensor. Axes fastest first; strides[0] is the element size.
struct TensorMap {
  ElementType element = ElementType::F16;
  uint64_t address = 0;
  std::vector<int64_t> dims; ///< elements
  std::vector<int64_t> stridesBytes;
  std::vector<int> box;          ///< elements; of im2col mode, channels
  std::vector<int> steps;        ///< by axis; empty: 1 along all
  int pixels = 0;                ///< of im2col mode; 0: tiled mode
  std::vector<int> lower, upper; ///< im2col: corners, from axis 1 on
  int swizzleBytes = 0;
  int l2PromotionBytes = 0;

  bool operator==(const TensorMap &) const = default;
};

/// One packed parameter: either raw bytes or a tensor map.
struct ParamValue {
  bool isTensorMap = false;
  bool isTrapRecord = false; ///< the launcher fills in `bits`
  /// The address, in `bits` or the tensor map, is relative to the workspace,
  /// and the launcher adds where that begins.
  bool isInWorkspace = false;
  TensorMap tensorMap;
  int sizeBytes = 8;
  uint64_t bits = 0;
};

struct LaunchPlan {
  int variantIndex = 0;
  std::array<int64_t, 3> grid = {1, 1, 1}; ///< CTAs; any 0 = nothing to do
  std::vector<ParamValue> params;
  /// Of memory, aligned to kWorkspaceAlignment, that the launcher brings for
  /// all steps together and need not clear but where `cleared` says.
  int64_t workspaceBytes = 0;
  struct Range {
    int64_t begin = 0, bytes = 0; ///< in the workspace
  };
  std::vector<Range> cleared; ///< zero before the first step begins
  std::vector<LaunchPlan>
      then; ///< what is launched behind it: one step or none
};

inline constexpr int64_t kWorkspaceAlignment = 256;

/// The value of `expr` for these arguments (already checked against
/// `manifest`). False with a sentence in `error`: division by zero, overflow.
bool evaluate(const Expr &expr, const Manifest &manifest,
              const std::vector<ArgumentValue> &arguments, int smCount,
              int64_t &value, std::string &error);

/// Plans a launch of `manifest` on a device with `smCount` multiprocessors.
/// `arguments` are in the order of manifest.arguments. The stride of an axis of
/// extent 0 or 1 carries no meaning and is never looked at. Errors (false, one
/// sentence): wrong count, rank or element type, a base pointer that is null or
/// not aligned to its element, a negative stride, a fastest stride that is not
/// 1 (for an extent above 1), a dimension outside [0, 2^31-1], no variant that
/// fits, a grid beyond the hardware's limits, a workspace beyond 2^40 bytes.
bool planLaunch(const Manifest &manifest,
                const std::vector<ArgumentValue> &arguments, int smCount,
                LaunchPlan &plan, std::string &error);

} // namespace heddle::manifest

#endif // HEDDLE_MANIFEST_LAUNCHPLAN_H
