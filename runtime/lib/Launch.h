//===- Launch.h - A planned launch in the driver's terms ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A LaunchPlan goes in; a PreparedLaunch comes out, with tensor maps encoded
// and parameters packed as the driver takes them. A program launches a kernel
// on the same tensors many times, so prepared launches are kept by their
// arguments, and a repeated launch is one lookup and one call.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUNTIME_LIB_LAUNCH_H
#define HEDDLE_RUNTIME_LIB_LAUNCH_H

#include "Module.h"
#include "heddle/Manifest/LaunchPlan.h"
#include <memory>
#include <unordered_map>

namespace heddle::runtime {

/// All that cuLaunchKernel needs, encoded once and launched many times. Does
/// not change after prepareLaunch, so threads may share it.
struct PreparedLaunch {
  bool isNothing = false; ///< an empty grid
  CUfunction function = nullptr;
  unsigned grid[3] = {1, 1, 1};
  unsigned cluster[3] = {1, 1, 1};
  unsigned threads = 0;
  unsigned sharedBytes = 0;
  std::vector<CUtensorMap> storage; ///< one parameter each, raw bytes or a map
  /// A parameter whose address is that of the workspace and so many bytes.
  struct Place {
    size_t param = 0;
    uint64_t offset = 0;
    bool isTensorMap = false;
  };
  std::vector<Place> places;
  size_t workspaceBytes = 0; ///< for this step and what is behind it
  std::vector<manifest::LaunchPlan::Range> cleared; ///< of the workspace
  CUdevice device = 0;                              ///< which has the workspace
  std::unique_ptr<PreparedLaunch> then; ///< launched behind it, or null
};

/// Encodes the tensor maps and packs the parameters of a plan.
heddle_status prepareLaunch(const Driver &driver,
                            const manifest::Manifest &manifest,
                            const manifest::LaunchPlan &plan,
                            const Module &module, PreparedLaunch &launch);

/// Hands the launch to the driver.
heddle_status submit(const Driver &driver, const PreparedLaunch &launch,
                     CUstream stream, const std::string &kernel);

/// The last few launches of a kernel in one context, by their arguments. Not
/// thread safe: the kernel's mutex guards it.
class LaunchCache {
public:
  std::shared_ptr<const PreparedLaunch>
  find(const std::vector<uint64_t> &key) const;
  void insert(const std::vector<uint64_t> &key,
              std::shared_ptr<const PreparedLaunch> launch);

private:
  struct Slot {
    uint64_t hash = 0;
    std::vector<uint64_t> key;
    std::shared_ptr<const PreparedLaunch> launch;
  };
  std::vector<Slot> slots;
  std::unordered_map<uint64_t, size_t> slotOfHash;
  size_t next = 0; ///< free, or the oldest, replaced next
};

} // namespace heddle::runtime

#endif // HEDDLE_RUNTIME_LIB_LAUNCH_H
