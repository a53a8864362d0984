//===- Chains.cpp - Chains of constraints that close ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chains.h"

#include <algorithm>

using namespace heddle::schedule;

namespace {

int64_t modulo(int64_t a, int64_t b) { return ((a % b) + b) % b; }

class Collector {
public:
  Collector(const Problem &problem, const Solution &solution)
      : problem(problem), solution(solution) {}

  std::vector<Constraint> run() {
    for (const Dependence &edge : problem.dependences)
      addDependence(edge);
    for (size_t process = 0; process < solution.processes.size(); ++process)
      addOrder(Constraint::Issue, solution.start, [&](int op) {
        return solution.process[op] == static_cast<int>(process)
                   ? problem.operations[op].issue
                   : 0;
      });
    std::vector<int64_t> taken;
    for (int op = 0; op < count(); ++op)
      taken.push_back(solution.executionOf(op));
    for (size_t unit = 0; unit < problem.units.size(); ++unit)
      addOrder(Constraint::Unit, taken, [&](int op) {
        return problem.operations[op].unit == static_cast<int>(unit)
                   ? problem.operations[op].reservation
                   : 0;
      });
    for (size_t ring = 0; ring < solution.rings.size(); ++ring)
      addRing(static_cast<int>(ring));
    return std::move(all);
  }

private:
  int count() const { return static_cast<int>(problem.operations.size()); }
  bool isAsynchronous(int op) const {
    return problem.units[problem.operations[op].unit].asynchronous;
  }
  int64_t queued(int op) const {
    return solution.executionOf(op) - solution.start[op];
  }
  /// Until `reader` no longer needs what it reads.
  int64_t busy(int reader) const {
    return isAsynchronous(reader) ? solution.latencyOf(problem, reader)
                                  : problem.operations[reader].issue;
  }
  bool isInRing(int op) const {
    return std::any_of(solution.rings.begin(), solution.rings.end(),
                       [&](const Ring &ring) { return contains(ring, op); });
  }
  static bool contains(const Ring &ring, int op) {
    return std::find(ring.operations.begin(), ring.operations.end(), op) !=
           ring.operations.end();
  }

  void addDependence(const Dependence &edge) {
    bool crosses = solution.process[edge.from] != solution.process[edge.to];
    int64_t delay = queued(edge.from) + requiredDelay(problem, edge, crosses) -
                    (edge.accumulates ? queued(edge.to) : 0);
    all.push_back({edge.orders ? Constraint::Order : Constraint::Data,
                   edge.from, edge.to, delay, edge.distance});
    if (edge.orders || edge.accumulates || isInRing(edge.from))
      return;
    // The process comes to wait for it no earlier than the table says.
    all.back().delay = std::max(delay, solution.latencyOf(problem, edge.from));
    if (isAsynchronous(edge.from))
      all.push_back({Constraint::Registers, edge.to, edge.from, busy(edge.to),
                     1 - edge.distance});
  }

  /// One after the other on a resource that each keeps for `length` cycles.
  template <class Length>
  void addOrder(Constraint::Kind kind, const std::vector<int64_t> &cycles,
                Length length) {
    std::vector<int> order;
    for (int op = 0; op < count(); ++op)
      if (length(op) > 0)
        order.push_back(op);
    auto phase = [&](int op) { return modulo(cycles[op], solution.ii); };
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return phase(a) < phase(b); });
    for (size_t i = 0; i < order.size(); ++i) {
      int from = order[i], to = order[(i + 1) % order.size()];
      int64_t gap = modulo(phase(to) - phase(from), solution.ii);
      if (from == to || gap == 0)
        gap = solution.ii;
      // How many iterations lie between both, as they stand.
      int64_t distance = (cycles[from] + gap - cycles[to]) / solution.ii;
      int64_t offset =
          cycles[to] - solution.start[to] - cycles[from] + solution.start[from];
      all.push_back({kind, from, to, length(from) - offset, distance});
    }
  }

  void addRing(int index) {
    const Ring &ring = solution.rings[index];
    for (const Dependence &edge : problem.dependences) {
      if (edge.orders || !contains(ring, edge.from))
        continue;
      bool crosses = solution.process[edge.from] != solution.process[edge.to];
      for (int op : ring.operations) {
        Dependence wait = edge;
        wait.from = op;
        all.push_back({Constraint::Data, op, edge.to,
                       queued(op) + requiredDelay(problem, wait, crosses),
                       edge.distance});
        all.push_back({Constraint::Slot, edge.to, op,
                       solution.latencyOf(problem, edge.to) +
                           problem.machine.handOverCycles,
                       ring.depth - edge.distance, index});
      }
    }
  }

  const Problem &problem;
  const Solution &solution;
  std::vector<Constraint> all;
};

} // namespace

std::vector<Constraint>
heddle::schedule::constraintsOf(const Problem &problem) {
  std::vector<Constraint> all;
  for (const Dependence &edge : problem.dependences)
    all.push_back({edge.orders ? Constraint::Order : Constraint::Data,
                   edge.from, edge.to, requiredDelay(problem, edge, false),
                   edge.distance});
  return all;
}

std::vector<Constraint>
heddle::schedule::constraintsOf(const Problem &problem,
                                const Solution &solution) {
  return Collector(problem, solution).run();
}

int64_t heddle::schedule::slackOf(const Constraint &constraint,
                                  const Solution &solution) {
  return solution.start[constraint.to] + constraint.distance * solution.ii -
         solution.start[constraint.from] - constraint.delay;
}

/// Bellman-Ford at an interval of `ii` - 1: if that is too short, delays add up
/// for ever around some cycle, and the last changes lead back into it.
std::vector<Constraint>
heddle::schedule::findRecurrence(const std::vector<Constraint> &all,
                                 int operations, int64_t ii) {
  std::vector<int64_t> earliest(operations, 0);
  std::vector<int> cause(operations, -1); // index of a constraint
  int changed = -1;
  for (int round = 0; round <= operations; ++round) {
    changed = -1;
    for (size_t i = 0; i < all.size(); ++i) {
      const Constraint &edge = all[i];
      int64_t bound =
          earliest[edge.from] + edge.delay - edge.distance * (ii - 1);
      if (bound <= earliest[edge.to])
        continue;
      earliest[edge.to] = bound;
      cause[edge.to] = static_cast<int>(i);
      changed = edge.to;
    }
    if (changed < 0)
      return {};
  }
  for (int step = 0; step < operations; ++step)
    changed = all[cause[changed]].from;
  std::vector<Constraint> cycle;
  int op = changed;
  do {
    cycle.push_back(all[cause[op]]);
    op = cycle.back().from;
  } while (op != changed);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

int64_t heddle::schedule::recurrenceBound(const std::vector<Constraint> &all,
                                          int operations, int64_t possible) {
  int64_t low = 1, high = possible;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (findRecurrence(all, operations, middle + 1).empty())
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}
