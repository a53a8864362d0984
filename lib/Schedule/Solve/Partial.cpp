//===- Partial.cpp - A schedule of which something is said already --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times become relations, shared and separate processes limit the divisions of
// labour, and an interval is a wish, so that the exact search completes what is
// open. Names, registers and depths are given to what it finds: they change
// no time, and whether they hold is asked of verify.
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Partial.h"

#include "Roles.h"

#include <algorithm>
#include <map>

using namespace heddle::schedule;

bool Partial::saysNothing() const {
  return ii == 0 && processes.empty() && rings.empty() && together.empty() &&
         apart.empty() && relations.empty() &&
         std::all_of(operations.begin(), operations.end(), [](const Of &op) {
           return op.process.empty() && op.ring.empty() && !op.start &&
                  !op.latency;
         });
}

static const Ring *findRing(const Partial &partial, const std::string &name) {
  auto ring =
      std::find_if(partial.rings.begin(), partial.rings.end(),
                   [&](const Ring &known) { return known.name == name; });
  return ring == partial.rings.end() ? nullptr : &*ring;
}

static const Process *findProcess(const Partial &partial,
                                  const std::string &name) {
  auto process =
      std::find_if(partial.processes.begin(), partial.processes.end(),
                   [&](const Process &known) { return known.name == name; });
  return process == partial.processes.end() ? nullptr : &*process;
}

bool Partial::isWhole(const Problem &problem) const {
  if (ii == 0 || operations.size() != problem.operations.size())
    return false;
  for (size_t op = 0; op < operations.size(); ++op) {
    const Of &of = operations[op];
    const Process *process = findProcess(*this, of.process);
    if (!of.start || !of.latency || !process || process->warps == 0 ||
        process->registers == 0)
      return false;
    if (!goesThroughSlots(problem, int(op)))
      continue;
    const Ring *ring = findRing(*this, of.ring);
    if (!ring || ring->depth == 0)
      return false;
  }
  return true;
}

Solution heddle::schedule::statedBy(const Problem &problem,
                                    const Partial &partial) {
  Solution solution;
  solution.ii = partial.ii;
  for (const Process &process : partial.processes)
    if (process.warps > 0)
      solution.processes.push_back(process);
  for (const Ring &ring : partial.rings)
    if (ring.depth > 0)
      solution.rings.push_back({ring.name, ring.depth, {}});
  for (size_t op = 0; op < problem.operations.size(); ++op) {
    const Partial::Of &of = partial.operations[op];
    solution.start.push_back(*of.start);
    solution.latency.push_back(*of.latency);
    for (size_t i = 0; i < solution.processes.size(); ++i)
      if (solution.processes[i].name == of.process)
        solution.process.push_back(int(i));
    for (Ring &ring : solution.rings)
      if (ring.name == of.ring)
        ring.operations.push_back(int(op));
  }
  std::erase_if(solution.rings,
                [](const Ring &ring) { return ring.operations.empty(); });
  return solution;
}

static std::string quoted(const std::string &name) { return "'" + name + "'"; }

static std::string whyOperationsDiffer(const Problem &problem,
                                       const Solution &solution,
                                       const Partial &partial) {
  for (size_t i = 0; i < partial.operations.size(); ++i) {
    const Partial::Of &of = partial.operations[i];
    const std::string name = quoted(problem.operations[i].name);
    const std::string &process =
        solution.processes[size_t(solution.process[i])].name;
    if (!of.process.empty() && of.process != process)
      return name + " is done by process " + quoted(process) + " where " +
             quoted(of.process) + " is pinned";
    if (of.start && *of.start != solution.start[i])
      return name + " starts at cycle " + std::to_string(solution.start[i]) +
             " where " + std::to_string(*of.start) + " is pinned";
    int64_t latency = solution.latencyOf(problem, int(i));
    if (of.latency && *of.latency != latency)
      return name + " is waited for after " + std::to_string(latency) +
             " cycles where " + std::to_string(*of.latency) + " are pinned";
    if (of.ring.empty())
      continue;
    auto carries = [&](const Ring &ring) {
      return std::find(ring.operations.begin(), ring.operations.end(),
                       int(i)) != ring.operations.end();
    };
    auto ring =
        std::find_if(solution.rings.begin(), solution.rings.end(), carries);
    if (ring == solution.rings.end())
      return name + " goes through no ring where " + quoted(of.ring) +
             " is pinned";
    if (ring->name != of.ring)
      return name + " goes through ring " + quoted(ring->name) + " where " +
             quoted(of.ring) + " is pinned";
  }
  return "";
}

std::string heddle::schedule::whyNotKept(const Problem &problem,
                                         const Solution &solution,
                                         const Partial &partial) {
  if (partial.ii && partial.ii != solution.ii)
    return "the interval is " + std::to_string(solution.ii) + " cycles where " +
           std::to_string(partial.ii) + " are pinned";
  for (const auto &[a, b] : partial.together)
    if (solution.process[size_t(a)] != solution.process[size_t(b)])
      return quoted(problem.operations[size_t(a)].name) + " and " +
             quoted(problem.operations[size_t(b)].name) +
             " are done by two processes where one is pinned";
  for (const auto &[a, b] : partial.apart)
    if (solution.process[size_t(a)] == solution.process[size_t(b)])
      return quoted(problem.operations[size_t(a)].name) + " and " +
             quoted(problem.operations[size_t(b)].name) +
             " are done by one process where two are pinned";
  for (const Process &pinned : partial.processes)
    for (const Process &process : solution.processes) {
      if (process.name != pinned.name)
        continue;
      if (pinned.warps && pinned.warps != process.warps)
        return "process " + quoted(process.name) + " has " +
               std::to_string(process.warps) + " warps where " +
               std::to_string(pinned.warps) + " are pinned";
      if (pinned.registers && pinned.registers != process.registers)
        return "process " + quoted(process.name) + " has " +
               std::to_string(process.registers) +
               " registers a thread where " + std::to_string(pinned.registers) +
               " are pinned";
    }
  for (const Ring &pinned : partial.rings)
    for (const Ring &ring : solution.rings)
      if (ring.name == pinned.name && pinned.depth &&
          pinned.depth != ring.depth)
        return "ring " + quoted(ring.name) + " has " +
               std::to_string(ring.depth) + " slots where " +
               std::to_string(pinned.depth) + " are pinned";
  for (const Relation &relation : partial.relations)
    if (!holds(problem, solution, relation))
      return "the order of " +
             quoted(problem.operations[size_t(relation.from)].name) + " and " +
             quoted(problem.operations[size_t(relation.to)].name) +
             " is another one than is pinned";
  return whyOperationsDiffer(problem, solution, partial);
}

//===----------------------------------------------------------------------===//
// Names, registers and slots
//===----------------------------------------------------------------------===//

/// Processes that do the same are interchangeable, and so are their names.
static void giveNames(const Partial &partial, Solution &solution) {
  auto take = [](auto &named, size_t index, const std::string &name) {
    for (auto &other : named)
      if (other.name == name)
        other.name = named[index].name;
    named[index].name = name;
  };
  for (size_t op = 0; op < partial.operations.size(); ++op) {
    const Partial::Of &of = partial.operations[op];
    if (!of.process.empty())
      take(solution.processes, size_t(solution.process[op]), of.process);
    for (size_t ring = 0; ring < solution.rings.size(); ++ring)
      if (!of.ring.empty() &&
          std::count(solution.rings[ring].operations.begin(),
                     solution.rings[ring].operations.end(), int(op)))
        take(solution.rings, ring, of.ring);
  }
}

/// What is pinned is given, and others give what they do not need.
static void giveRegisters(const Problem &problem, const Partial &partial,
                          Solution &solution) {
  Solution changed = solution;
  bool isChanged = false;
  for (Process &process : changed.processes)
    if (const Process *pinned = findProcess(partial, process.name)) {
      isChanged |= pinned->registers || pinned->warps;
      process.registers =
          pinned->registers ? pinned->registers : process.registers;
      process.warps = pinned->warps ? pinned->warps : process.warps;
    }
  if (!isChanged)
    return;
  if (!verify(problem, changed).empty())
    for (size_t i = 0; i < changed.processes.size(); ++i) {
      Process &process = changed.processes[i];
      const Process *pinned = findProcess(partial, process.name);
      if (pinned && pinned->registers)
        continue;
      int64_t held = peakRegisters(problem, changed, int(i));
      if (held > 0)
        process.registers =
            (held + problem.machine.overheadRegisters + 7) / 8 * 8;
    }
  if (verify(problem, changed).empty())
    solution = std::move(changed);
}

static void giveDepths(const Problem &problem, const Partial &partial,
                       Solution &solution) {
  auto isPinned = [&](const Ring &ring) {
    const Ring *pinned = findRing(partial, ring.name);
    return pinned && pinned->depth ? pinned->depth : 0;
  };
  if (std::none_of(solution.rings.begin(), solution.rings.end(),
                   [&](const Ring &ring) { return isPinned(ring) > 0; }))
    return;
  Solution changed = solution;
  fitRings(problem, changed);
  int64_t used = 0;
  for (Ring &ring : changed.rings) {
    if (int64_t depth = isPinned(ring))
      ring.depth = depth;
    used += ring.depth * slotBytes(problem, ring);
  }
  if (!verify(problem, changed).empty())
    return;
  for (bool isGrown = true; isGrown;) {
    isGrown = false;
    for (Ring &ring : changed.rings) {
      int64_t more = slotBytes(problem, ring);
      if (isPinned(ring) || ring.depth >= problem.machine.ringDepth ||
          used + more > problem.machine.sharedBytes)
        continue;
      used += more;
      ++ring.depth;
      isGrown = true;
    }
  }
  solution = std::move(changed);
}

/// Each is waited for as long as is said, where that is a schedule.
static void giveLatencies(const Problem &problem, const Partial &partial,
                          Solution &solution) {
  for (size_t op = 0; op < partial.operations.size(); ++op) {
    std::optional<int64_t> said = partial.operations[op].latency;
    if (!said || *said == solution.latencyOf(problem, int(op)))
      continue;
    Solution changed = solution;
    changed.latency.clear();
    for (size_t each = 0; each < problem.operations.size(); ++each)
      changed.latency.push_back(solution.latencyOf(problem, int(each)));
    changed.latency[op] = *said;
    if (verify(problem, changed).empty())
      solution = std::move(changed);
  }
}

void heddle::schedule::conform(const Problem &problem, const Partial &partial,
                               Solution &solution) {
  giveLatencies(problem, partial, solution);
  giveNames(partial, solution);
  giveRegisters(problem, partial, solution);
  giveDepths(problem, partial, solution);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

/// Times as differences to the first time that is said: a schedule may be
/// shifted. What is not said begins at cycle 0 or later.
static void addTimes(const Partial &partial, std::vector<Relation> &relations) {
  auto said = std::find_if(partial.operations.begin(), partial.operations.end(),
                           [](const Partial::Of &of) { return of.start; });
  if (said == partial.operations.end())
    return;
  int first = int(said - partial.operations.begin());
  for (int op = 0; op < int(partial.operations.size()); ++op) {
    const std::optional<int64_t> &start = partial.operations[size_t(op)].start;
    if (op == first)
      continue;
    relations.push_back({first, op, Event::Issued, Event::Issued, 0,
                         start.value_or(0) - *said->start});
    if (start)
      relations.push_back(
          {op, first, Event::Issued, Event::Issued, 0, *said->start - *start});
  }
}

/// Moves all times so that those that are said come out, if they can.
static void shift(const Partial &partial, Solution &solution) {
  int64_t later = 0;
  for (size_t op = 0; op < partial.operations.size(); ++op)
    if (partial.operations[op].start) {
      later = *partial.operations[op].start - solution.start[op];
      break;
    }
  int64_t earliest =
      *std::min_element(solution.start.begin(), solution.start.end());
  if (earliest + later < 0)
    return;
  for (int64_t &start : solution.start)
    start += later;
  for (int64_t &taken : solution.execution)
    taken += later;
}

/// Why no schedule has the latencies that are said; empty if one may.
static std::string whyTooShort(const Problem &problem, const Partial &partial) {
  for (size_t op = 0; op < partial.operations.size(); ++op) {
    const Operation &operation = problem.operations[op];
    const std::optional<int64_t> &said = partial.operations[op].latency;
    if (said && *said < operation.latency)
      return quoted(operation.name) + " takes " +
             std::to_string(operation.latency) + " cycles where " +
             std::to_string(*said) + " are pinned";
  }
  return "";
}

Outcome heddle::schedule::solvePartial(const Problem &problem,
                                       const Partial &partial, Budget budget) {
  if (std::string reason = whyTooShort(problem, partial); !reason.empty()) {
    Outcome outcome;
    outcome.reason = std::move(reason);
    return outcome;
  }
  Problem limited = problem;
  // Fewer registers, or slots, are there for all: who may have more, gets it
  // back afterwards.
  for (const Process &process : partial.processes)
    if (process.registers && findProcess(partial, process.name) &&
        std::any_of(
            partial.operations.begin(), partial.operations.end(),
            [&](const Partial::Of &of) { return of.process == process.name; }))
      limited.machine.maxRegisters = std::min(
          limited.machine.maxRegisters,
          std::max(process.registers, limited.machine.overheadRegisters));
  Wish wish;
  wish.ii = partial.ii;
  wish.relations = partial.relations;
  wish.together = partial.together;
  wish.apart = partial.apart;
  addTimes(partial, wish.relations);
  for (size_t a = 0; a < partial.operations.size(); ++a)
    for (size_t b = a + 1; b < partial.operations.size(); ++b) {
      const std::string &mine = partial.operations[a].process,
                        &other = partial.operations[b].process;
      if (!mine.empty() && !other.empty())
        (mine == other ? wish.together : wish.apart)
            .push_back({int(a), int(b)});
    }
  Outcome outcome, best;
  // With the slots that are there for all, and then with as few as somebody
  // pinned.
  std::vector<int64_t> depths = {problem.machine.ringDepth};
  for (const Ring &ring : partial.rings)
    if (ring.depth && ring.depth < depths.back())
      depths.push_back(ring.depth);
  for (bool sharesLimit : {false, true}) {
    if (sharesLimit &&
        limited.machine.maxRegisters == problem.machine.maxRegisters)
      break;
    for (int64_t depth : depths) {
      Problem asked = sharesLimit ? limited : problem;
      asked.machine.ringDepth = depth;
      outcome = solveWish(asked, wish, budget);
      if (!outcome.solution) {
        best.reason = best.reason.empty() ? outcome.reason : best.reason;
        continue;
      }
      shift(partial, *outcome.solution);
      conform(problem, partial, *outcome.solution);
      std::string reason = verify(problem, *outcome.solution);
      if (reason.empty())
        reason = whyNotKept(problem, *outcome.solution, partial);
      if (reason.empty())
        return outcome;
      best.reason = reason;
    }
  }
  best.lowerBound = outcome.lowerBound;
  return best;
}
