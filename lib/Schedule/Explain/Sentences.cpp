//===- Sentences.cpp - What binds a schedule, in words --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sentences.h"

#include "Chains.h"

#include "heddle/Schedule/Certify.h"

#include <algorithm>

using namespace heddle::schedule;

namespace {

std::string text(int64_t value) { return std::to_string(value); }

std::string cycles(int64_t value) {
  return text(value) + (value == 1 ? " cycle" : " cycles");
}

std::string percent(int64_t part, int64_t whole) {
  return whole ? text((100 * part + whole / 2) / whole) + " %" : "0 %";
}

/// "a, b and c"; of many, the first few.
std::string list(const std::vector<std::string> &names) {
  constexpr size_t kMost = 6;
  std::string result;
  size_t shown = names.size() > kMost ? kMost - 1 : names.size();
  for (size_t i = 0; i < shown; ++i)
    result += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (shown < names.size())
    result += " and " + text(names.size() - shown) + " more";
  return result;
}

class Writer {
public:
  Writer(const Problem &problem, const Solution &solution)
      : problem(problem), solution(solution),
        constraints(constraintsOf(problem, solution)) {}

  std::vector<std::string> run() {
    std::string broken = verify(problem, solution);
    if (broken.empty())
      sayWhatBinds();
    else
      say("The table asks for what the machine's model excludes: " + broken);
    sayIdle();
    if (broken.empty())
      saySlack();
    sayMemory();
    sayRegisters();
    return std::move(sentences);
  }

private:
  void say(const std::string &sentence) { sentences.push_back(sentence + "."); }
  const std::string &name(int op) const { return problem.operations[op].name; }
  int count() const { return static_cast<int>(problem.operations.size()); }
  bool isAsynchronous(int op) const {
    return problem.units[problem.operations[op].unit].asynchronous;
  }

  int64_t workOf(int unit) const {
    int64_t work = 0;
    for (const Operation &op : problem.operations)
      work += op.unit == unit ? op.reservation : 0;
    return work;
  }

  void sayWhatBinds() {
    Bound bound = strengthen(problem, findBound(problem), solution.ii);
    if (solution.ii <= bound.ii)
      return bound.kind == Bound::Unit
                 ? sayUnit(bound)
                 : say("No schedule has a shorter interval: " +
                       reasonOf(bound));
    say("No schedule has an interval below " + cycles(bound.ii) + ": " +
        reasonOf(bound));
    sayWhatThisOneAllows();
  }

  /// A recurrence of the program alone is told with the cycles of its steps.
  std::string reasonOf(const Bound &bound) const {
    if (bound.kind != Bound::Recurrence || bound.ii > recurrenceMinII(problem))
      return describe(problem, bound);
    return "the recurrence " +
           chain(findRecurrence(constraintsOf(problem), count(), bound.ii));
  }

  void sayWhatThisOneAllows() {
    int64_t allowed = recurrenceBound(constraints, count(), solution.ii);
    std::vector<Constraint> closed =
        findRecurrence(constraints, count(), allowed);
    if (closed.empty())
      return; // Nothing repeats.
    if (allowed == solution.ii)
      say("This one has " + text(solution.ii) +
          ", because with its processes, order and waits this chain has no "
          "slack: " +
          chain(closed));
    else
      say("This one has " + text(solution.ii) +
          ", though its processes, order and waits allow " + text(allowed) +
          ", where this chain has no slack: " + chain(closed));
    sayDepth(closed);
  }

  void sayUnit(const Bound &bound) {
    std::vector<std::string> users;
    for (const Operation &op : problem.operations)
      if (op.unit == bound.unit)
        users.push_back(op.name + " (" + text(op.reservation) + ")");
    say("Unit " + problem.units[bound.unit].name + " binds: " + list(users) +
        " keep it busy " + text(bound.ii) + " of " + cycles(solution.ii) +
        " an iteration");
  }

  /// What holds a constraint, in the chain's brackets.
  std::string reasonOf(const Constraint &constraint) const {
    switch (constraint.kind) {
    case Constraint::Data:
      if (int64_t need = problem.operations[constraint.from].latency +
                         problem.machine.handOverCycles;
          isAsynchronous(constraint.from) && constraint.delay > need)
        return ", where the unit takes " +
               text(problem.operations[constraint.from].latency);
      return "";
    case Constraint::Order:
      return "";
    case Constraint::Issue:
      return " in " +
             solution.processes[solution.process[constraint.from]].name;
    case Constraint::Unit:
      return " on " +
             problem.units[problem.operations[constraint.from].unit].name;
    case Constraint::Slot:
      return " until its slot of " + solution.rings[constraint.ring].name +
             " is free";
    case Constraint::Registers:
      return " until the registers that it reads are free";
    }
    return "";
  }

  /// "dot (560) -> exp ... cast (300) -> dot, 860 cycles over 1 iteration".
  /// What one process does without a unit in between is one step.
  std::string chain(const std::vector<Constraint> &closed) const {
    // Begin at an asynchronous unit, so that a step is not cut in two.
    size_t first = 0;
    while (first < closed.size() && !isAsynchronous(closed[first].from))
      ++first;
    first = first == closed.size() ? 0 : first;
    std::string result;
    int64_t delay = 0, distance = 0;
    for (size_t i = 0; i < closed.size(); ++i) {
      const Constraint &begin = closed[(first + i) % closed.size()];
      int64_t step = begin.delay;
      int last = begin.from;
      distance += begin.distance;
      std::string reason = reasonOf(begin);
      while (!isAsynchronous(begin.from) && i + 1 < closed.size()) {
        const Constraint &next = closed[(first + i + 1) % closed.size()];
        if (isAsynchronous(next.from))
          break;
        step += next.delay;
        distance += next.distance;
        last = next.from;
        reason = reasonOf(next);
        ++i;
      }
      delay += step;
      result += name(begin.from) +
                (last == begin.from ? "" : " ... " + name(last)) + " (" +
                text(step) + reason + ") -> ";
    }
    result += name(closed[first].from);
    return result + ", " + cycles(delay) + " over " + text(distance) +
           (distance == 1 ? " iteration" : " iterations");
  }

  /// A ring in the chain could be deeper.
  void sayDepth(const std::vector<Constraint> &closed) {
    for (const Constraint &constraint : closed) {
      if (constraint.kind != Constraint::Slot)
        continue;
      const Ring &ring = solution.rings[constraint.ring];
      int64_t bytes = slotBytes(problem, ring);
      return say("Ring " + ring.name + " has " + text(ring.depth) +
                 (ring.depth == 1 ? " slot" : " slots") + "; one more takes " +
                 text(bytes) + " B, and " +
                 text(problem.machine.sharedBytes - usedBytes()) +
                 " B of shared memory are left");
    }
  }

  void sayIdle() {
    std::vector<std::string> idle;
    for (int unit = 0; unit < static_cast<int>(problem.units.size()); ++unit)
      if (int64_t work = workOf(unit))
        idle.push_back(
            problem.units[unit].name + " " +
            percent(std::max<int64_t>(0, solution.ii - work), solution.ii));
    say("Idle of an interval: " + list(idle));
    std::vector<std::string> waiting;
    for (size_t process = 0; process < solution.processes.size(); ++process) {
      int64_t busy = 0;
      for (int op = 0; op < count(); ++op)
        if (solution.process[op] == static_cast<int>(process))
          busy += problem.operations[op].issue;
      if (busy)
        waiting.push_back(solution.processes[process].name + " " +
                          percent(busy, solution.ii));
    }
    say("Issuing: " + list(waiting));
  }

  void saySlack() {
    std::vector<Constraint> edges;
    for (const Constraint &constraint : constraints)
      if (constraint.kind == Constraint::Data &&
          constraint.from != constraint.to &&
          (isAsynchronous(constraint.from) || isAsynchronous(constraint.to)) &&
          std::none_of(edges.begin(), edges.end(),
                       [&](const Constraint &known) {
                         return known.from == constraint.from &&
                                known.to == constraint.to &&
                                known.distance == constraint.distance;
                       }))
        edges.push_back(constraint);
    if (edges.empty())
      return;
    std::stable_sort(edges.begin(), edges.end(),
                     [&](const Constraint &a, const Constraint &b) {
                       return slackOf(a, solution) < slackOf(b, solution);
                     });
    std::vector<std::string> shown;
    for (size_t i = 0; i < std::min<size_t>(edges.size(), 4); ++i)
      shown.push_back(name(edges[i].from) + " -> " + name(edges[i].to) + " " +
                      text(slackOf(edges[i], solution)));
    say("Least slack at asynchronous units, in cycles: " + list(shown) +
        "; the median of all " + text(edges.size()) + " is " +
        text(slackOf(edges[edges.size() / 2], solution)));
  }

  int64_t usedBytes() const {
    int64_t bytes = 0;
    for (const Ring &ring : solution.rings)
      bytes += slotBytes(problem, ring) * ring.depth;
    return bytes;
  }

  void sayMemory() {
    if (!solution.rings.empty())
      say("Rings take " + text(usedBytes()) + " of " +
          text(problem.machine.sharedBytes) + " B of shared memory");
  }

  void sayRegisters() {
    std::vector<std::string> held;
    for (size_t i = 0; i < solution.processes.size(); ++i) {
      int64_t peak = peakRegisters(problem, solution, static_cast<int>(i));
      if (peak)
        held.push_back(solution.processes[i].name + " " +
                       text(peak + problem.machine.overheadRegisters) +
                       (solution.processes[i].registers
                            ? " of " + text(solution.processes[i].registers)
                            : ""));
    }
    if (!held.empty())
      say("Registers held at the most: " + list(held));
  }

  const Problem &problem;
  const Solution &solution;
  std::vector<Constraint> constraints;
  std::vector<std::string> sentences;
};

} // namespace

std::vector<std::string>
heddle::schedule::describePipeline(const Problem &problem,
                                   const Solution &solution) {
  return Writer(problem, solution).run();
}

std::vector<std::string>
heddle::schedule::describeOrder(const Timeline &timeline) {
  int64_t waiting = 0;
  const WaitSpan *longest = nullptr;
  for (const WaitSpan &wait : timeline.waits) {
    waiting += wait.end - wait.begin;
    if (!longest || wait.end - wait.begin > longest->end - longest->begin)
      longest = &wait;
  }
  std::string sentence = "One process does everything in order, in about " +
                         cycles(timeline.interval) + " an iteration";
  if (longest)
    sentence += "; it waits " + percent(waiting, timeline.interval) +
                " of them, longest for " + longest->reason + " (" +
                text(longest->end - longest->begin) + ")";
  return {sentence + "."};
}
