//===- Plan.h - What a generated kernel is about ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rings with their ends, processes, and the loops that they share: decided
// first, then written process by process, each in a way of its own. A mistake
// is made where one is written, not in a kernel that was right.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_PLAN_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_PLAN_H

#include "Writer.h"

namespace heddle::adversary {

enum class Fill { Tma, Copy, Store, Number };
enum class Use { Multiply, MultiplyLate, Load, Store, Number };

struct RingPlan {
  std::string name;
  int depth = 1;
  Fill fill = Fill::Tma;
  std::vector<Use> uses; ///< of each consumer
  int producer = 0;      ///< processes
  std::vector<int> consumers;
  int64_t slotBytes = 0, offset = 0;
  std::string a, b; ///< types of its tiles; b may be missing
  int64_t aBytes = 0, bBytes = 0;
  int fullArrivals = 1, emptyArrivals = 1;
  bool goesOn = false; ///< copies end while their threads do other things
  bool isAsync() const {
    for (Use use : uses)
      if (use == Use::Multiply || use == Use::MultiplyLate || use == Use::Store)
        return true;
    return false;
  }
};

struct ProcessPlan {
  std::string name;
  int firstWarp = 0, warps = 4;
  bool elected = false;
};

/// Points that loops run over.
struct SpacePlan {
  enum Kind { Times, Extent, Steps, Scalar, Ceil, Far, Workers, Received };
  Kind kind = Times;
  int64_t times = 3, step = 1;
  int view = 0, scalar = 0;
  std::string type = "index"; ///< of the loop's index
};

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_PLAN_H
