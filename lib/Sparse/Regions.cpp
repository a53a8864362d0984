//===- Regions.cpp - How far to fuse statements ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divisions are paths over the sets of statements that are closed towards their
// producers: a step adds a region. So the best division is a shortest path, and
// an edge's length may be a bound as long as nobody walks it.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Regions.h"

#include <algorithm>
#include <limits>

using namespace heddle::sparse;

static StatementSet bit(size_t statement) {
  return StatementSet(1) << statement;
}

namespace {

/// Which statements need which, over any number of steps.
class Needs {
public:
  explicit Needs(const std::vector<StatementSet> &reads)
      : reads(reads), all(reads.size(), 0) {
    for (size_t reader = 0; reader < reads.size(); ++reader)
      for (size_t made = 0; made < reader; ++made)
        if (reads[reader] & bit(made))
          all[reader] |= all[made] | bit(made);
  }

  /// No statement outside needs one of the set and is needed by one.
  bool isConvex(StatementSet set) const {
    StatementSet before = 0;
    for (size_t s = 0; s < reads.size(); ++s)
      if (set & bit(s))
        before |= all[s];
    for (size_t s = 0; s < reads.size(); ++s)
      if ((before & ~set & bit(s)) && (all[s] & set))
        return false;
    return true;
  }

  bool isConnected(StatementSet set) const {
    StatementSet reached = set & (~set + 1), before = 0;
    while (reached != before) {
      before = reached;
      for (size_t s = 0; s < reads.size(); ++s) {
        if (!(set & bit(s)))
          continue;
        if (reached & bit(s))
          reached |= reads[s] & set;
        else if (reads[s] & reached)
          reached |= bit(s);
      }
    }
    return reached == set;
  }

private:
  const std::vector<StatementSet> &reads;
  std::vector<StatementSet> all;
};

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The shortest path from no statement to all of them.
class ShortestPath {
public:
  explicit ShortestPath(const RegionSearch &search) : search(search) {}

  std::optional<Division> find(bool isMeasuredOnly) {
    struct Step {
      double cost = kNever;
      StatementSet region = 0;
      size_t way = 0;
    };
    std::map<StatementSet, Step> steps;
    steps[0].cost = 0;
    StatementSet all = (StatementSet(1) << search.reads.size()) - 1;
    // A region only adds bits, so larger numbers come later.
    for (auto at = steps.begin(); at != steps.end(); ++at) {
      StatementSet done = at->first;
      for (const auto &[region, ways] : search.ways) {
        if ((region & done) || !areMade(region, done))
          continue;
        for (size_t way = 0; way < ways.size(); ++way) {
          if (isMeasuredOnly && !ways[way].measured)
            continue;
          Step &next = steps[done | region];
          double cost = at->second.cost + ways[way].cost();
          if (cost < next.cost)
            next = {cost, region, way};
        }
      }
    }
    if (auto found = steps.find(all);
        found == steps.end() || found->second.cost == kNever)
      return std::nullopt;
    Division division;
    division.cost = steps[all].cost;
    for (StatementSet done = all; done;) {
      const Step &step = steps[done];
      division.regions.push_back({step.region, step.way});
      done &= ~step.region;
    }
    std::reverse(division.regions.begin(), division.regions.end());
    return division;
  }

private:
  bool areMade(StatementSet region, StatementSet done) const {
    for (size_t s = 0; s < search.reads.size(); ++s)
      if ((region & bit(s)) && (search.reads[s] & ~(done | region)))
        return false;
    return true;
  }

  const RegionSearch &search;
};

} // namespace

std::vector<StatementSet>
heddle::sparse::findRegions(const std::vector<StatementSet> &reads) {
  Needs needs(reads);
  std::vector<StatementSet> regions;
  for (StatementSet set = 1; set < bit(reads.size()); ++set)
    if (needs.isConnected(set) && needs.isConvex(set))
      regions.push_back(set);
  return regions;
}

FoundDivision heddle::sparse::findDivision(RegionSearch &search) {
  FoundDivision found;
  ShortestPath path(search);
  while (true) {
    std::optional<Division> least = path.find(/*isMeasuredOnly=*/false);
    if (!least)
      return found;
    found.bound = least->cost;
    found.best = path.find(/*isMeasuredOnly=*/true);
    if (found.best && (found.best->cost <= found.bound * (1 + search.enough) ||
                       found.measured >= search.mostMeasured))
      return found;
    for (auto [region, way] : least->regions) {
      std::vector<RegionWay> &ways = search.ways[region];
      if (ways[way].measured)
        continue;
      ++found.measured;
      ways[way].measured = search.measure(region, way).value_or(kNever);
    }
  }
}
