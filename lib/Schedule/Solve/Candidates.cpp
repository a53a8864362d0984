//===- Candidates.cpp - Divisions of labour worth a query -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include "Placements.h"

#include <algorithm>

using namespace heddle::schedule;

namespace {

/// Is the result there for a cycle at least, whatever the times are?
bool isReadAfterwards(const Problem &problem, int op) {
  const Operation &made = problem.operations[op];
  return std::any_of(problem.dependences.begin(), problem.dependences.end(),
                     [&](const Dependence &edge) {
                       const Operation &reader = problem.operations[edge.to];
                       bool isQueued = problem.units[reader.unit].asynchronous;
                       return edge.from == op && !edge.orders &&
                              !edge.accumulates && made.latency >= made.issue &&
                              (isQueued ? reader.latency : reader.issue) > 0;
                     });
}

std::string whyNotDivided(const Problem &problem, const Roles &roles,
                          int compute, int64_t ii) {
  for (size_t process = 0; process < roles.processes.size(); ++process) {
    int64_t held = 0, largest = 0, issue = 0;
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      const Operation &operation = problem.operations[op];
      if (roles.process[op] != int(process))
        continue;
      held += operation.persists ? operation.registers : 0;
      if (!operation.persists && isReadAfterwards(problem, int(op)))
        largest = std::max(largest, operation.registers);
      issue += operation.issue;
    }
    held += largest;
    int64_t need = held + problem.machine.overheadRegisters;
    std::string each = "each of " + std::to_string(compute) + " processes";
    if (held > 0 && need > roles.processes[process].registers)
      return each + " needs " + std::to_string(need) +
             " registers a thread and gets " +
             std::to_string(roles.processes[process].registers);
    if (issue > ii)
      return each + " is busy " + std::to_string(issue) +
             " cycles an iteration of " + std::to_string(ii);
  }
  return "";
}

std::string whyNotFree(const Problem &problem, int compute, int64_t ii) {
  int64_t least = issueBound(problem, compute);
  if (least <= ii)
    return "";
  return "one of " + std::to_string(compute) + " processes is busy " +
         std::to_string(least) + " cycles an iteration of " +
         std::to_string(ii) + ", however operations are dealt out";
}

/// Which values go through slots is said by the problem, so no division of
/// labour needs less than one slot of each.
std::string whyNoSlots(const Problem &problem) {
  int64_t bytes = 0;
  for (const Ring &ring : chooseRings(problem))
    bytes += slotBytes(problem, ring);
  if (bytes == 0 || bytes <= problem.machine.sharedBytes)
    return "";
  return "one slot of each ring takes " + std::to_string(bytes) +
         " B of shared memory together, and there are " +
         std::to_string(problem.machine.sharedBytes) + " for rings";
}

} // namespace

bool Wish::allows(const std::vector<int> &process) const {
  auto isShared = [&](const std::pair<int, int> &two) {
    return process[size_t(two.first)] == process[size_t(two.second)];
  };
  return std::all_of(together.begin(), together.end(), isShared) &&
         std::none_of(apart.begin(), apart.end(), isShared);
}

static const char *const kNotAllowed =
    "no division of labour keeps together and apart what is pinned";

Candidates heddle::schedule::candidatesAt(const Problem &problem,
                                          const Wish &wish, int64_t ii) {
  Candidates found;
  found.impossible = whyNoSlots(problem);
  if (!found.impossible.empty())
    return found;
  bool isFree = !wish.isDivided && isPlacementFree(problem);
  int most = isFree ? countClasses(problem) : problem.subTiles;
  bool mayGrow = isFree && hasWholeClass(problem);
  bool isPossible = false;
  for (int compute = 1; compute <= most; ++compute) {
    if (wish.processes && compute != wish.processes)
      continue;
    if (problem.subTiles % compute == 0) {
      Roles roles = rolesFor(problem, compute);
      found.impossible = whyNotDivided(problem, roles, compute, ii);
      if (found.impossible.empty() && !wish.allows(roles.process))
        found.impossible = kNotAllowed;
      if (found.impossible.empty())
        found.roles.push_back(std::move(roles));
    }
    if (!isFree || (isPossible && !mayGrow))
      continue;
    std::string reason = whyNotFree(problem, compute, ii);
    if (!reason.empty()) {
      found.impossible = reason;
      continue;
    }
    // Fewer processes are no choice where none of their divisions is allowed.
    isPossible = wish.together.empty() && wish.apart.empty();
    for (Roles &roles : findPlacements(problem, compute, ii).all)
      if (wish.allows(roles.process)) {
        found.roles.push_back(std::move(roles));
        isPossible = true;
      }
    if (!isPossible)
      found.impossible = kNotAllowed;
  }
  return found;
}

std::optional<int> heddle::schedule::mostDivision(const Problem &problem) {
  if (!problem.check().empty() || isPlacementFree(problem))
    return std::nullopt;
  for (int compute = problem.subTiles; compute > 0; --compute)
    if (problem.subTiles % compute == 0 &&
        whyNotDivided(problem, rolesFor(problem, compute), compute, INT64_MAX)
            .empty())
      return compute;
  return 0;
}

Candidates heddle::schedule::everythingAt(const Problem &problem,
                                          const Wish &wish, int64_t ii) {
  Candidates all;
  all.impossible = whyNoSlots(problem);
  if (!all.impossible.empty())
    return all;
  if (!wish.isDivided && isPlacementFree(problem)) {
    // One that may have no work is as good as one less.
    int most = wish.processes ? wish.processes : countClasses(problem);
    for (int compute = 1; compute <= most && !all.isCut; ++compute) {
      Placements more = findPlacements(problem, compute, ii);
      all.isCut = more.isCut;
      for (Roles &roles : more.all)
        if (wish.allows(roles.process))
          all.roles.push_back(std::move(roles));
    }
    if (all.roles.empty())
      all.impossible = kNotAllowed;
  } else {
    all = candidatesAt(problem, wish, ii);
  }
  for (Roles &roles : all.roles) {
    roles.rings.clear();
    for (const Transfer &transfer : problem.transfers)
      roles.rings.push_back(
          {problem.operations[transfer.from].name, 1, {transfer.from}});
  }
  return all;
}
