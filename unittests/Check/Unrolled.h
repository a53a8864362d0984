//===- Unrolled.h - What a process does for given trip counts -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_CHECK_UNROLLED_H
#define HEDDLE_UNITTESTS_CHECK_UNROLLED_H

#include "heddle/Check/Protocol.h"

#include <map>

namespace heddle::check {

/// Granules of 16 B; the small model's shared memory has 64.
using Granules = uint64_t;

/// An event with its numbers.
struct Action {
  const Event *event = nullptr;
  int barrier = -1; ///< of Wait, Arrive, Expect, TmaLoad
  int64_t phase = 0;
  Granules reads = 0, writes = 0;
};

using Symbols = std::map<std::string, int64_t>;

/// The events of a process in order. Barriers are numbered ring by ring, slot
/// by slot, full before empty. False in `isFine` if an event uses a slot that
/// the ring does not have or memory that the block does not have.
std::vector<Action> unroll(const Protocol &protocol, const Process &process,
                           const Symbols &symbols, bool &isFine);

} // namespace heddle::check

#endif // HEDDLE_UNITTESTS_CHECK_UNROLLED_H
