//===- Cluster.cpp - CTAs that run at the same time -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cluster.h"

#include "NamedBarriers.h"
#include "Scheduler.h"

#include <algorithm>

using namespace heddle::emulator;

Cluster::Cluster(Launch &launch, size_t size) : launch(launch) {
  for (size_t rank = 0; rank < size; ++rank) {
    ctas.push_back(std::make_unique<Cta>(launch));
    ctas[rank]->rank = uint32_t(rank);
    if (size > 1)
      ctas[rank]->cluster = this;
  }
}

void Cluster::start(std::array<int64_t, 3> first, Random &seeds) {
  const std::array<int, 3> &shape = launch.cluster;
  error.clear();
  events = 0;
  for (size_t rank = 0; rank < ctas.size(); ++rank) {
    int64_t r = int64_t(rank);
    ctas[rank]->start({first[0] + r % shape[0],
                       first[1] + r / shape[0] % shape[1],
                       first[2] + r / shape[0] / shape[1]},
                      seeds.next());
  }
  random = ctas[0]->random;
}

uint32_t Cluster::liveThreads() const {
  uint32_t count = 0;
  for (const auto &cta : ctas)
    count += cta->liveThreads();
  return count;
}

const Cta &Cluster::ownerOf(const Warp &warp) const {
  for (const auto &cta : ctas)
    for (const Warp &own : cta->warps)
      if (&own == &warp)
        return *cta;
  return *ctas[0];
}

void Cluster::settleBarrier() {
  if (barrier().arrived && barrier().arrived >= liveThreads())
    ctas[0]->completeBarrier(barrier());
}

int64_t Cluster::steps() const {
  int64_t sum = 0;
  for (const auto &cta : ctas)
    sum += cta->steps;
  return sum;
}

bool Cluster::run() {
  if (ctas.size() == 1) {
    bool ok = Scheduler(*ctas[0]).run();
    error = ctas[0]->error;
    return ok;
  }
  std::vector<Scheduler> schedulers;
  for (const auto &cta : ctas)
    schedulers.emplace_back(*cta);
  size_t next = 0;
  while (true) {
    // From a CTA of the schedule's choice on, the first that can do something.
    next = launch.options.schedule == Schedule::Fair
               ? next + 1
               : random.below(uint32_t(ctas.size()));
    bool anyMoved = false, allDone = true;
    for (size_t i = 0; i < ctas.size() && !anyMoved; ++i) {
      size_t rank = (next + i) % ctas.size();
      Scheduler::Progress progress = schedulers[rank].step();
      // What went wrong may stand with the CTA that was accessed.
      if (progress == Scheduler::Progress::Failed) {
        for (const auto &cta : ctas)
          if (cta->hasFailed())
            error = cta->error;
        return false;
      }
      anyMoved = progress == Scheduler::Progress::Moved;
      allDone &= progress == Scheduler::Progress::Done;
    }
    if (anyMoved)
      continue;
    if (allDone)
      return true;
    for (const auto &cta : ctas)
      if (cta->liveThreads()) {
        error = describeDeadlock(*cta);
        return false;
      }
  }
}

Cta *heddle::emulator::reach(Cta &cta, const Instruction &in, const Warp &warp,
                             int lane, uint64_t &address) {
  uint64_t field = address >> kRankShift;
  if (!field)
    return &cta;
  size_t size = cta.cluster ? cta.cluster->size() : 1;
  uint64_t offset = address & lowBits(kRankShift);
  auto fail = [&](const std::string &message) {
    cta.fail(in, warp, lane,
             "accesses shared address " + hexadecimal(offset) + " of CTA " +
                 std::to_string(field - 1) + message);
    return nullptr;
  };
  if (field > size)
    return fail(" of a cluster of " + std::to_string(size));
  Cta &target = cta.cluster ? cta.cluster->at(field - 1) : cta;
  if (!target.liveThreads())
    return fail(" of the cluster, which has ended; barrier.cluster is missing "
                "before its exit");
  address = offset;
  return &target;
}
