//===- SharedPlan.h - Decide: where rings, barriers and staging lie -*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pure function on plain data. Shared memory is laid out as
//
//   | ring 0: slot 0, slot 1, ... | ring 1 | scratch | staging | full, empty of
//   ring 0 | ... |
//
// Rings are what the schedule asked for and must fit, and so must scratch,
// through which tiles change their register layout. Staging for stores is what
// is left: each process gets one buffer, then each a second, in the order of
// the processes. Replicas get it together or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_SHAREDPLAN_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_SHAREDPLAN_H

#include "heddle/Machine/Limits.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace heddle::areftohopper {

/// The swizzle pattern repeats after 1024 bytes, so swizzled tiles start there.
inline constexpr int64_t kSwizzledAlignment = 1024;
inline constexpr int64_t kBarrierBytes = 8;

struct ElementRequest {
  int64_t bytes = 0, alignment = 1;
};

struct RingRequest {
  std::string name;
  int64_t depth = 1;
  std::vector<ElementRequest> elements;
};

/// Up to `count` buffers of `bytes`; fewer, or none, will do.
struct StagingRequest {
  std::string process;
  int64_t bytes = 0, count = 0;
  int leader = -1; // the process that it is a replica of, in front of it
};

/// One buffer that a process cannot do without.
struct ScratchRequest {
  std::string process;
  int64_t bytes = 0;
};

struct SharedRequest {
  std::vector<RingRequest> rings;
  std::vector<ScratchRequest> scratch;
  std::vector<StagingRequest> staging;
  int64_t limitBytes = 0;
};

struct RingPlacement {
  int64_t offset = 0, slotBytes = 0, full = 0, empty = 0;
  std::vector<int64_t> elements; // offsets in the slot
  /// The greatest depth at which everything required fits, all else equal; 0 if
  /// none.
  int64_t depthThatFits = 0;
};

struct SharedPlan {
  std::vector<RingPlacement> rings;
  std::vector<int64_t> scratch;              // offsets, one a request
  std::vector<std::vector<int64_t>> staging; // offsets, one list a request
  int64_t totalBytes = 0;
  bool fits = false;

  void print(llvm::raw_ostream &os, const SharedRequest &request) const;
};

SharedPlan planShared(const SharedRequest &request);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_SHAREDPLAN_H
