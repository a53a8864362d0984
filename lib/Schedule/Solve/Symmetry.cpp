//===- Symmetry.cpp - Sub-tiles that may change places -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symmetry.h"
#include "InStep.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace heddle::schedule;

namespace {

/// Two sub-tiles, one behind the other, and what the exchange makes of each
/// operation.
class Exchange {
public:
  Exchange(const Query &query, int sub)
      : problem(query.problem), roles(query.roles), goals(query.goals),
        sub(sub) {}

  bool changesNothing() {
    return mapOperations() && keepsDependences() && keepsTransfers() &&
           keepsProcesses() && keepsRings() && keepsRelations();
  }

  int operator()(int op) const { return image[op]; }

private:
  static auto costsOf(const Operation &op) {
    return std::tuple(op.unit, op.reservation, op.latency, op.issue,
                      op.variableLatency, op.registers, op.persists, op.inPlace,
                      op.columns);
  }

  bool mapOperations() {
    std::map<std::pair<int, int>, int> known; // by leader and sub-tile
    int count = int(problem.operations.size());
    for (int op = 0; op < count; ++op) {
      const Operation &operation = problem.operations[op];
      if (!known.insert({{leaderOf(problem, op), operation.sub}, op}).second)
        return false;
    }
    for (int op = 0; op < count; ++op) {
      const Operation &operation = problem.operations[op];
      int other = operation.sub == sub       ? sub + 1
                  : operation.sub == sub + 1 ? sub
                                             : operation.sub;
      auto found = known.find({leaderOf(problem, op), other});
      if (found == known.end() ||
          costsOf(operation) != costsOf(problem.operations[found->second]))
        return false;
      image.push_back(found->second);
    }
    return true;
  }

  template <class Items> static bool isSame(Items before, Items after) {
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    return before == after;
  }

  bool keepsDependences() const {
    std::vector<std::tuple<int, int, int64_t, bool, bool, int64_t>> before,
        after;
    for (const Dependence &edge : problem.dependences) {
      before.push_back({edge.from, edge.to, edge.distance, edge.accumulates,
                        edge.orders, edge.delay});
      after.push_back({image[edge.from], image[edge.to], edge.distance,
                       edge.accumulates, edge.orders, edge.delay});
    }
    return isSame(before, after);
  }

  bool keepsTransfers() const {
    std::vector<std::pair<int, int64_t>> before, after;
    for (const Transfer &transfer : problem.transfers) {
      before.push_back({transfer.from, transfer.bytes});
      after.push_back({image[transfer.from], transfer.bytes});
    }
    return isSame(before, after);
  }

  bool keepsProcesses() const {
    std::map<int, int> there, back;
    for (size_t op = 0; op < image.size(); ++op) {
      int here = roles.process[op], other = roles.process[image[op]];
      if (there.insert({here, other}).first->second != other ||
          back.insert({other, here}).first->second != here ||
          roles.processes[here].registers != roles.processes[other].registers ||
          roles.processes[here].warps != roles.processes[other].warps)
        return false;
    }
    return true;
  }

  bool keepsRings() const {
    std::vector<std::vector<int>> before, after;
    for (const Ring &ring : roles.rings) {
      std::vector<int> here = ring.operations, there;
      for (int op : here)
        there.push_back(image[op]);
      std::sort(here.begin(), here.end());
      std::sort(there.begin(), there.end());
      before.push_back(here);
      after.push_back(there);
    }
    return isSame(before, after);
  }

  bool keepsRelations() const {
    std::vector<std::tuple<int, int, Event, Event, int64_t, int64_t>> before,
        after;
    for (const Relation &relation : goals.relations) {
      before.push_back({relation.from, relation.to, relation.fromEvent,
                        relation.toEvent, relation.distance, relation.delay});
      after.push_back({image[relation.from], image[relation.to],
                       relation.fromEvent, relation.toEvent, relation.distance,
                       relation.delay});
    }
    return isSame(before, after);
  }

  const Problem &problem;
  const Roles &roles;
  const Goals &goals;
  int sub;
  std::vector<int> image;
};

} // namespace

std::vector<std::pair<int, int>>
heddle::schedule::findSymmetric(const Query &query) {
  std::vector<std::pair<int, int>> pairs;
  const std::vector<Operation> &operations = query.problem.operations;
  // The same operation of each sub-tile: the longest.
  int longest = -1;
  auto length = [&](int op) {
    return std::max(operations[op].reservation, operations[op].issue);
  };
  for (int op = 0; op < int(operations.size()); ++op)
    if (operations[op].sub == 0 &&
        (longest < 0 || length(op) > length(longest)))
      longest = op;
  for (int sub = 0; sub + 1 < query.problem.subTiles && longest >= 0; ++sub) {
    Exchange exchange(query, sub);
    if (!exchange.changesNothing())
      break;
    pairs.push_back({longest, exchange(longest)});
    longest = exchange(longest);
  }
  return pairs;
}
