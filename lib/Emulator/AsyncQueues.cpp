//===- AsyncQueues.cpp - Work issued but not yet done ---------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncQueues.h"

#include "SharedMemory.h"

#include <algorithm>

using namespace heddle::emulator;

bool BulkQueue::isDone(uint32_t thread, uint64_t groups,
                       bool readIsEnough) const {
  for (const BulkCopy &store : stores)
    if (store.warp * kLanes + store.lane == thread && store.group < groups &&
        !(readIsEnough && store.hasRead))
      return false;
  return true;
}

bool CopyQueue::isDone(uint32_t thread, uint64_t groups) const {
  for (const AsyncCopy &copy : copies)
    if (copy.warp * kLanes + copy.lane == thread && copy.group < groups &&
        !copy.isArrival)
      return false;
  return true;
}

void CopyQueue::settle(const SharedMemory &shared, uint32_t thread) {
  std::deque<Arrival> &list = arrivals[thread];
  auto isKnown = [&](const Arrival &arrival) {
    const std::vector<Mbarrier> &barriers = shared.barriers();
    return std::any_of(barriers.begin(), barriers.end(),
                       [&](const Mbarrier &barrier) {
                         return barrier.address == arrival.address &&
                                barrier.observed >= arrival.moment;
                       });
  };
  for (; !list.empty() && isKnown(list.front()); list.pop_front())
    finished[thread] = std::max(finished[thread], list.front().copies);
}
