//===- Unrolled.h - What a process does for given trip counts -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a process and the values of its symbols. Out: its events in order, with
// slots, phases and bytes as numbers. The small model interleaves these lists
// and needs no interpreter of control flow in its states.
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
  int64_t stored = 0; ///< the number that it writes, if it writes one
};

using Symbols = std::map<std::string, int64_t>;

struct Unrolled {
  std::vector<Action> actions;
  bool isWhole = true; ///< else the last one reads a number to go on with
  /// No event uses a slot that the ring does not have or memory that the block
  /// does not have, or registers of a product that are in flight or gone.
  bool isFine = true;
};

/// The events of a process in order, given the numbers that it has read from
/// shared memory. Barriers are numbered ring by ring, slot by slot, full before
/// empty.
Unrolled unroll(const Protocol &protocol, const Process &process,
                const Symbols &symbols, const std::vector<int64_t> &read);

} // namespace heddle::check

#endif // HEDDLE_UNITTESTS_CHECK_UNROLLED_H
