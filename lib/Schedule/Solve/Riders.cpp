//===- Riders.cpp - Small loads in the slots of large ones ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The row of maxima that is subtracted from a product of queries, the numbers
// of a mask: a few bytes beside an operand of kilobytes. In a ring of its own
// such a load costs each of its readers a wait, an arrival and two counters an
// iteration, as much as the operand does. In the operand's ring it costs bytes
// that are held longer.
//
//===----------------------------------------------------------------------===//

#include "Riders.h"
#include "Roles.h"

#include <algorithm>
#include <limits>
#include <set>

using namespace heddle::schedule;

namespace {

/// What rides takes at most this part of the slot.
constexpr int64_t kLeastShare = 8;

class Riders {
public:
  Riders(const Problem &problem, std::vector<Ring> &rings)
      : problem(problem), rings(rings), classes(inseparableClasses(problem)),
        ready(withoutWaiting()), interval(minII(problem)) {}

  void run() {
    for (size_t small = 0; small < rings.size();) {
      size_t host = hostOf(small);
      if (host == rings.size()) {
        ++small;
        continue;
      }
      rings = joined(small, host);
    }
  }

private:
  /// The ring in whose slots `small` may ride; of several, one that is read
  /// behind the others. rings.size() if there is none.
  size_t hostOf(size_t small) const {
    size_t best = rings.size();
    if (!mayRide(rings[small]))
      return best;
    for (size_t host = 0; host < rings.size(); ++host)
      if (host != small && mayCarry(rings[host], rings[small]) &&
          leavesSlots(small, host) &&
          (best == rings.size() ||
           isReadBehind(rings[host], readersOf(rings[best]))))
        best = host;
    return best;
  }

  std::vector<Ring> joined(size_t small, size_t host) const {
    std::vector<Ring> all = rings;
    all[host].operations.insert(all[host].operations.end(),
                                all[small].operations.begin(),
                                all[small].operations.end());
    all.erase(all.begin() + long(small));
    return all;
  }

  /// Whether each ring keeps its number of slots, or has enough of them for a
  /// load's time and one more that is read. A slot of a swizzled tile and a row
  /// is rounded up, so that fewer may fit.
  bool leavesSlots(size_t small, size_t host) const {
    std::vector<Ring> before = rings, after = joined(small, host);
    fillSharedMemory(problem, before);
    fillSharedMemory(problem, after);
    before.erase(before.begin() + long(small));
    for (size_t ring = 0; ring < after.size(); ++ring)
      if (after[ring].depth < std::min(before[ring].depth, needed(after[ring])))
        return false;
    return true;
  }

  int64_t needed(const Ring &ring) const {
    int64_t latency = 0;
    for (int op : ring.operations)
      latency = std::max(latency, problem.operations[op].latency);
    return 2 + (latency + interval - 1) / interval;
  }

  /// Loads alone, none of which waits for what another load brings: who is
  /// ready for the large one would wait for that, too.
  bool mayRide(const Ring &ring) const {
    auto isReady = [&](int load) {
      return std::none_of(
          problem.dependences.begin(), problem.dependences.end(),
          [&](const auto &edge) {
            return edge.to == load &&
                   problem.operations[edge.from].variableLatency;
          });
    };
    return isOfLoads(ring) &&
           std::all_of(ring.operations.begin(), ring.operations.end(), isReady);
  }

  bool mayCarry(const Ring &host, const Ring &small) const {
    if (!isOfLoads(host) ||
        slotBytes(problem, small) * kLeastShare > slotBytes(problem, host))
      return false;
    return isReadBehind(small, readersOf(host));
  }

  /// Loads whose readers are of the same iteration.
  bool isOfLoads(const Ring &ring) const {
    auto isRead = [&](int op) {
      return problem.operations[op].variableLatency &&
             std::none_of(problem.dependences.begin(),
                          problem.dependences.end(), [&](const auto &edge) {
                            return edge.from == op && edge.distance != 0;
                          });
    };
    return std::all_of(ring.operations.begin(), ring.operations.end(), isRead);
  }

  std::set<int> readersOf(const Ring &ring) const {
    std::set<int> readers;
    for (const Dependence &edge : problem.dependences)
      if (!edge.orders &&
          std::count(ring.operations.begin(), ring.operations.end(), edge.from))
        readers.insert(edge.to);
    return readers;
  }

  /// Is what is read of `ring` used only with, or behind, what the same process
  /// computes of what `early` read, in one iteration and of one sub-tile? Until
  /// then it may be spread, scaled or converted on its own.
  bool isReadBehind(const Ring &ring, const std::set<int> &early) const {
    std::set<int> readers = readersOf(ring), own = computedAlone(ring);
    auto isBehind = [&](int reader) {
      std::set<int> before;
      int64_t meanwhile = 0;
      for (int other : early)
        if (classes[other] == classes[reader] &&
            problem.operations[other].sub == problem.operations[reader].sub) {
          before.insert(other);
          meanwhile = std::max(meanwhile, problem.operations[other].latency);
        }
      return goesOnlyTo(closure(before), own, reader, meanwhile);
    };
    return !readers.empty() &&
           std::all_of(readers.begin(), readers.end(), isBehind);
  }

  /// The operations of `ring`, and what is computed of them with nothing but
  /// numbers that are there without waiting, as the places of a tile are.
  std::set<int> computedAlone(const Ring &ring) const {
    std::set<int> own(ring.operations.begin(), ring.operations.end());
    std::set<int> known = ready;
    known.insert(own.begin(), own.end());
    for (int op : allComputedOf(known))
      if (!ready.contains(op))
        own.insert(op);
    return own;
  }

  /// What no load and no asynchronous unit has a part in, nor an iteration
  /// before.
  std::set<int> withoutWaiting() const {
    std::set<int> first;
    for (int op = 0; op < int(problem.operations.size()); ++op)
      if (!problem.operations[op].variableLatency &&
          !problem.units[problem.operations[op].unit].asynchronous &&
          std::none_of(problem.dependences.begin(), problem.dependences.end(),
                       [&](const Dependence &edge) {
                         return edge.to == op && !edge.orders;
                       }))
        first.insert(op);
    return allComputedOf(first);
  }

  /// `known`, and what is computed in place of these and of nothing else.
  std::set<int> allComputedOf(std::set<int> known) const {
    for (size_t before = 0; before != known.size();) {
      before = known.size();
      std::set<int> mixed;
      for (const Dependence &edge : problem.dependences)
        if (!edge.orders && (edge.distance != 0 || !known.contains(edge.from)))
          mixed.insert(edge.to);
      for (const Dependence &edge : problem.dependences)
        if (isUse(edge) && known.contains(edge.from) &&
            !mixed.contains(edge.to) &&
            !problem.units[problem.operations[edge.to].unit].asynchronous)
          known.insert(edge.to);
    }
    return known;
  }

  /// Does all that comes of `op` pass `behind`, through `own` values that take
  /// no longer than `meanwhile` together? What takes longer begins better
  /// before the large load is there.
  bool goesOnlyTo(const std::set<int> &behind, const std::set<int> &own, int op,
                  int64_t meanwhile) const {
    std::set<int> seen{op};
    std::vector<int> open{op};
    while (!open.empty()) {
      int next = open.back();
      open.pop_back();
      if (behind.contains(next))
        continue;
      bool isUsed = false;
      for (const Dependence &edge : problem.dependences) {
        if (edge.from != next || edge.orders)
          continue;
        if (edge.distance != 0)
          return false;
        isUsed = true;
        if (seen.insert(edge.to).second)
          open.push_back(edge.to);
      }
      meanwhile -= problem.operations[next].latency;
      if (!isUsed || !own.contains(next) || meanwhile < 0)
        return false;
    }
    return true;
  }

  /// `from`, and what uses its results in the same iteration.
  std::set<int> closure(const std::set<int> &from) const {
    std::set<int> all = from;
    std::vector<int> open(from.begin(), from.end());
    while (!open.empty()) {
      int op = open.back();
      open.pop_back();
      for (const Dependence &edge : problem.dependences)
        if (edge.from == op && isUse(edge) && all.insert(edge.to).second)
          open.push_back(edge.to);
    }
    return all;
  }

  static bool isUse(const Dependence &edge) {
    return !edge.orders && edge.distance == 0;
  }

  const Problem &problem;
  std::vector<Ring> &rings;
  std::vector<int> classes;
  std::set<int> ready; ///< what is computed without waiting
  int64_t interval;    ///< no iteration takes less
};

} // namespace

void heddle::schedule::letSmallRide(const Problem &problem,
                                    std::vector<Ring> &rings) {
  // Loads of most loops are of one size, and then nothing else is asked.
  int64_t least = std::numeric_limits<int64_t>::max(), most = 0;
  for (const Ring &ring : rings) {
    least = std::min(least, slotBytes(problem, ring));
    most = std::max(most, slotBytes(problem, ring));
  }
  if (least <= most / kLeastShare)
    Riders(problem, rings).run();
}
