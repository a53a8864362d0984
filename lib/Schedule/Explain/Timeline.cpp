//===- Timeline.cpp - A solution, written out over cycles -----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Timeline.h"

#include <algorithm>
#include <numeric>

using namespace heddle::schedule;

namespace {

int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

int64_t modulo(int64_t a, int64_t b) { return a - floorDiv(a, b) * b; }

/// When the slot of iteration 0 changes its state.
struct SlotTimes {
  int64_t acquired = 0, full = 0, read = 0, released = 0;
};

class Unroller {
public:
  Unroller(const Problem &problem, const Solution &solution, int64_t first,
           int64_t count)
      : problem(problem), solution(solution), first(first),
        last(first + count) {}

  Timeline run() {
    describe();
    for (int64_t iteration = first; iteration < last; ++iteration)
      for (size_t op = 0; op < problem.operations.size(); ++op)
        addSpans(static_cast<int>(op), iteration);
    auto byBegin = [](const auto &a, const auto &b) {
      return a.begin < b.begin;
    };
    for (auto *spans : {&result.issued, &result.executed, &result.inFlight})
      std::stable_sort(spans->begin(), spans->end(), byBegin);
    for (size_t ring = 0; ring < solution.rings.size(); ++ring)
      addSlots(static_cast<int>(ring));
    for (size_t process = 0; process < solution.processes.size(); ++process)
      addWaits(static_cast<int>(process));
    return std::move(result);
  }

private:
  void describe() {
    result.loop = problem.loop;
    result.interval = solution.ii;
    result.units = problem.units;
    result.processes = solution.processes;
    result.work.assign(problem.units.size(), 0);
    for (size_t op = 0; op < problem.operations.size(); ++op) {
      const Operation &operation = problem.operations[op];
      int64_t stage = floorDiv(solution.start[op], solution.ii);
      result.operations.push_back({operation.name, operation.unit,
                                   solution.process[op], solution.start[op],
                                   latencyOf(static_cast<int>(op)), stage});
      result.stages = std::max(result.stages, stage + 1);
      result.work[operation.unit] += operation.reservation;
    }
    for (const Ring &ring : solution.rings)
      result.rings.push_back({ring.name, ring.depth, slotBytes(problem, ring)});
  }

  static bool contains(const Ring &ring, int op) {
    return std::find(ring.operations.begin(), ring.operations.end(), op) !=
           ring.operations.end();
  }

  const Ring *ringOf(int op) const {
    for (const Ring &ring : solution.rings)
      if (contains(ring, op))
        return &ring;
    return nullptr;
  }

  int64_t latencyOf(int op) const { return solution.latencyOf(problem, op); }

  void addSpans(int op, int64_t iteration) {
    const Operation &operation = problem.operations[op];
    int64_t begin = solution.start[op] + iteration * solution.ii;
    int64_t taken = solution.executionOf(op) + iteration * solution.ii;
    result.issued.push_back({op, iteration, begin, begin + operation.issue});
    if (!problem.units[operation.unit].asynchronous)
      return;
    result.executed.push_back(
        {op, iteration, taken, taken + operation.reservation});
    if (!ringOf(op))
      result.inFlight.push_back({op, iteration, begin, begin + latencyOf(op)});
  }

  SlotTimes timesOf(const Ring &ring) const {
    SlotTimes times{INT64_MAX, 0, INT64_MAX, 0};
    for (int op : ring.operations) {
      times.acquired = std::min(times.acquired, solution.start[op]);
      times.full = std::max(times.full, solution.executionOf(op) +
                                            problem.operations[op].latency);
      for (const Dependence &edge : problem.dependences) {
        if (edge.from != op || edge.orders)
          continue;
        int64_t begin = solution.start[edge.to] + edge.distance * solution.ii;
        times.read = std::min(times.read, begin);
        times.released = std::max(times.released, begin + latencyOf(edge.to));
      }
    }
    // Nobody reads it: it is given back when it is full.
    times.read =
        times.read == INT64_MAX ? times.full : std::max(times.read, times.full);
    times.released = std::max(times.released, times.read);
    return times;
  }

  void addSlots(int index) {
    const Ring &ring = solution.rings[index];
    if (ring.operations.empty())
      return;
    SlotTimes times = timesOf(ring);
    for (int64_t iteration = first; iteration < last; ++iteration) {
      int64_t base = iteration * solution.ii;
      auto add = [&](int64_t begin, int64_t end, SlotState state) {
        if (end > begin)
          result.slots.push_back({index, modulo(iteration, ring.depth),
                                  iteration, base + begin, base + end, state});
      };
      add(times.acquired, times.full, SlotState::Filling);
      add(times.full, times.read, SlotState::Full);
      add(times.read, times.released, SlotState::Read);
    }
  }

  /// What `span` could not be issued before, and when that came.
  void findReason(const Span &span, int64_t &ready, std::string &reason) const {
    auto consider = [&](int64_t cycle, const std::string &what) {
      if (cycle <= ready)
        return;
      ready = cycle;
      reason = what;
    };
    for (const Dependence &edge : problem.dependences) {
      int64_t maker = span.iteration - edge.distance;
      if (edge.to != span.operation || maker < first)
        continue;
      bool crosses = solution.process[edge.from] != solution.process[edge.to];
      auto wait = [&](int op, const Ring *ring) {
        Dependence from = edge;
        from.from = op;
        int64_t cycle =
            solution.executionOf(op) + requiredDelay(problem, from, crosses);
        if (!ring && !edge.orders && !edge.accumulates) // when it is awaited
          cycle = std::max(cycle, solution.start[op] + latencyOf(op));
        consider(cycle + maker * solution.ii, problem.operations[op].name);
      };
      const Ring *ring = edge.orders ? nullptr : ringOf(edge.from);
      wait(edge.from, ring);
      for (size_t other = 0; ring && other < ring->operations.size(); ++other)
        wait(ring->operations[other],
             ring); // a slot is read when all of it is full
    }
    if (const Ring *ring = ringOf(span.operation);
        ring && span.iteration - ring->depth >= first)
      consider(timesOf(*ring).released +
                   (span.iteration - ring->depth) * solution.ii,
               "a free slot of " + ring->name);
  }

  void addWaits(int process) {
    int64_t idle = INT64_MIN;
    for (const Span &span : result.issued) {
      if (solution.process[span.operation] != process)
        continue;
      int64_t ready = idle;
      std::string reason;
      if (idle != INT64_MIN && span.begin > idle)
        findReason(span, ready, reason);
      ready = std::min(ready, span.begin);
      if (ready > idle && !reason.empty())
        result.waits.push_back({process, idle, ready, reason});
      idle = std::max(idle, span.end);
    }
  }

  const Problem &problem;
  const Solution &solution;
  int64_t first, last;
  Timeline result;
};

} // namespace

Timeline heddle::schedule::unroll(const Problem &problem,
                                  const Solution &solution, int64_t first,
                                  int64_t count) {
  return Unroller(problem, solution, first, count).run();
}

void heddle::schedule::queueUp(const Problem &problem, Solution &solution) {
  int count = static_cast<int>(problem.operations.size());
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  auto phase = [&](int op) { return modulo(solution.start[op], solution.ii); };
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return phase(a) < phase(b); });
  solution.execution = solution.start;
  std::vector<int64_t> idle(problem.units.size(), 0);
  // A unit that can do its work in II has a queue that repeats in the second.
  for (int64_t interval : {0, 1, 2})
    for (int op : order) {
      int unit = problem.operations[op].unit;
      if (!problem.units[unit].asynchronous)
        continue;
      int64_t issued = interval * solution.ii + phase(op);
      int64_t taken = std::max(issued, idle[unit]);
      idle[unit] = taken + problem.operations[op].reservation;
      solution.execution[op] = solution.start[op] + taken - issued;
    }
}

Solution heddle::schedule::inProgramOrder(const Problem &problem,
                                          const Process &process) {
  Solution solution;
  solution.processes = {process};
  solution.process.assign(problem.operations.size(), 0);
  int64_t now = 0, end = 1;
  for (size_t op = 0; op < problem.operations.size(); ++op) {
    int64_t start = now;
    for (const Dependence &edge : problem.dependences)
      if (edge.to == static_cast<int>(op) && edge.distance == 0 &&
          edge.from < edge.to)
        start = std::max(start, solution.start[edge.from] +
                                    requiredDelay(problem, edge, false));
    solution.start.push_back(start);
    now = start + problem.operations[op].issue;
    end = std::max({end, now, start + problem.operations[op].latency});
  }
  solution.ii = end;
  return solution;
}
