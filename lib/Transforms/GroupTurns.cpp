//===- GroupTurns.cpp - Decide: how many iterations share turns -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run of the loop takes as long as who is busiest in it, and no less than the
// slots of a ring allow: each is taken from the first request of a turn until
// who computes is done with it. How many iterations runs have is not known:
// they differ, up to twice their mean, and any mean counts as much as its
// double.
//
//===----------------------------------------------------------------------===//

#include "GroupTurns.h"

#include <algorithm>
#include <cmath>

using namespace heddle;

namespace {

constexpr int64_t kMostIterations = 8; ///< of a group; each is written out
constexpr int64_t kLongestMean = 64;   ///< of the runs that are weighed
constexpr int64_t kShares = 16;        ///< in which slots are divided

class Chooser {
public:
  Chooser(const IterationOnUnits &loop, const machine::Units &units,
          const machine::Unit &access, const machine::Unit &execute)
      : loop(loop), access(access), execute(execute) {
    // All come from memory, or the plan would be made for data that it does not
    // know.
    away = units.latency + units.handOver;
    const machine::Cache *cache = units.findCache(access.cache);
    for (; cache; cache = units.findCache(cache->next))
      away += cache->latency;
  }

  GroupsOfLoop choose() {
    alone = computes(1, false);
    for (int64_t size = 2; size <= kMostIterations; size *= 2) {
      inGroups = computes(size, false);
      consider({size, false, {}});
      inGroups = computes(size, true);
      for (int64_t share = 1; share < kShares; ++share)
        considerShared(size, share);
    }
    return best;
  }

private:
  void considerShared(int64_t size, int64_t share) {
    GroupsOfLoop groups{size, true, {}};
    for (const IterationOnUnits::Ring &ring : loop.rings) {
      int64_t rest = std::max<int64_t>(1, ring.slots * share / kShares);
      int64_t whole = (ring.slots - rest) / size;
      if (whole < 1)
        return;
      groups.slots.emplace_back(whole, rest);
    }
    consider(std::move(groups));
  }

  /// Cycles of an iteration, for a process that reads.
  double reads(const ShareOfLoop &share, int64_t size, bool sharesTurns) const {
    return double(share.work) +
           double(share.turns * access.turn) / double(sharesTurns ? size : 1) +
           double(access.loop) / double(size);
  }

  /// The same for who computes: the second of two groups is timed, step by
  /// step.
  double computes(int64_t size, bool sharesTurns) const {
    std::vector<int64_t> last(loop.steps.size(), 0);
    int64_t clock = 0, begin = 0;
    for (int group = 0; group < 2; ++group) {
      begin = clock;
      std::vector<std::vector<int64_t>> done(size_t(size), last);
      auto take = [&](int64_t iterations) {
        clock +=
            loop.execute.turns * execute.turn + iterations * loop.execute.work;
      };
      auto start = [&](size_t iteration, size_t number) {
        const StepOfLoop &step = loop.steps[number];
        int64_t ready = 0;
        for (size_t read : step.reads)
          ready = std::max(ready, done[iteration][read]);
        for (size_t read : step.before)
          ready = std::max(ready,
                           iteration ? done[iteration - 1][read] : last[read]);
        int64_t at = step.issue ? std::max(ready, clock) : ready;
        if (step.issue)
          clock = at + step.issue;
        done[iteration][number] = at + std::max(step.issue, step.latency);
      };
      if (sharesTurns) {
        take(size);
        for (size_t number = 0; number < loop.steps.size(); ++number)
          for (size_t i = 0; i < done.size() && loop.steps[number].isEarly; ++i)
            start(i, number);
      }
      for (size_t i = 0; i < done.size(); ++i) {
        if (!sharesTurns)
          take(1);
        for (size_t number = 0; number < loop.steps.size(); ++number)
          if (!sharesTurns || !loop.steps[number].isEarly)
            start(i, number);
      }
      clock += execute.loop;
      last = done.back();
    }
    return double(clock - begin) / double(size);
  }

  /// Cycles for which a turn that carries `iterations` holds its slot.
  double heldFor(double iterations, double computed) const {
    double read = 0;
    for (const ShareOfLoop &share : loop.access)
      read = std::max(read, double(share.work));
    return iterations * (read + computed) + double(away);
  }

  /// Cycles of a run, of many that have `mean` iterations and differ.
  double cyclesOf(const GroupsOfLoop &groups, int64_t mean) const {
    int64_t size = groups.iterations;
    double left = 0;
    for (int64_t count = 0; count <= 2 * mean; ++count)
      left += double(count % size) / double(2 * mean + 1);
    double whole = double(mean) - left;
    // A process that is nearly as busy as another makes it wait at times: a
    // soft maximum, whose exponent is the one of 3, 4 and 6 that agrees best
    // with simulated runs of `dae`.
    double powers = 0;
    auto takes = [&](double cycles) {
      powers += cycles * cycles * cycles * cycles;
    };
    double grouped = groups.iterations == 1 ? alone : inGroups;
    takes(whole * grouped + left * alone + double(loop.outside));
    for (const ShareOfLoop &share : loop.access)
      takes(whole * reads(share, size, groups.sharesTurns) +
            left * reads(share, 1, false));
    for (size_t i = 0; i < loop.rings.size(); ++i) {
      if (!groups.sharesTurns) {
        takes(double(mean) * heldFor(1, alone) / double(loop.rings[i].slots));
        continue;
      }
      auto [ofGroups, ofRest] = groups.slots[i];
      double turns = whole / double(size);
      takes(turns * heldFor(double(size), grouped) / double(ofGroups));
      takes(left * heldFor(1, alone) / double(ofRest));
    }
    takes(double(mean) * loop.lines * double(away) /
          double(access.outstanding));
    return std::sqrt(std::sqrt(powers));
  }

  void consider(GroupsOfLoop groups) {
    double score = 0;
    for (int64_t mean = 1; mean <= kLongestMean; ++mean)
      score +=
          std::log(cyclesOf(groups, mean) / cyclesOf({}, mean)) / double(mean);
    if (score >= leastScore)
      return;
    leastScore = score;
    best = std::move(groups);
  }

  const IterationOnUnits &loop;
  const machine::Unit &access, &execute;
  int64_t away = 0; ///< cycles until a line from memory can be read
  double alone = 0, inGroups = 0; ///< of who computes, an iteration
  double leastScore = 0;          ///< of one by one
  GroupsOfLoop best;
};

} // namespace

GroupsOfLoop heddle::chooseGroups(const IterationOnUnits &loop,
                                  const machine::Units &units,
                                  const machine::Unit &access,
                                  const machine::Unit &execute) {
  return Chooser(loop, units, access, execute).choose();
}
