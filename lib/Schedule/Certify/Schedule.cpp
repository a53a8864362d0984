//===- Schedule.cpp - Does a timetable break a rule? ----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One method for each rule, in the order of docs/rationale/certify.md. All of
// them look at cycles of an unrolled timetable; none reduces modulo II.
//
//===----------------------------------------------------------------------===//

#include "Timetable.h"

#include "heddle/Schedule/Certify.h"

#include <algorithm>
#include <optional>
#include <tuple>

using namespace heddle::schedule;

namespace {

/// Beyond this a timetable is refused instead of unrolled.
constexpr int64_t kMaxIterations = 4096;

std::string text(int64_t value) { return std::to_string(value); }

class Certifier {
public:
  Certifier(const Problem &problem, const Solution &solution)
      : problem(problem), solution(solution),
        count(static_cast<int>(problem.operations.size())) {}

  std::string run() {
    for (const std::string &reason : {checkProblem(problem), shape()})
      if (!reason.empty())
        return reason;
    table.emplace(problem, solution);
    if (table->iterations() > kMaxIterations)
      return "the schedule spans " + text(table->iterations()) +
             " iterations, and at most " + text(kMaxIterations) +
             " are looked at";
    for (auto rule :
         {&Certifier::waits, &Certifier::loads, &Certifier::dependences,
          &Certifier::units, &Certifier::queues, &Certifier::processes,
          &Certifier::singleCopies, &Certifier::registers, &Certifier::columns,
          &Certifier::ringMembers, &Certifier::ringFillers,
          &Certifier::ringTurns, &Certifier::sharedMemory})
      if (std::string reason = (this->*rule)(); !reason.empty())
        return reason;
    return "";
  }

private:
  std::string name(int op) const {
    return "'" + problem.operations[op].name + "'";
  }
  std::string name(int op, int64_t iteration) const {
    return name(op) + " of iteration " + text(iteration);
  }
  bool isOperation(int op) const { return op >= 0 && op < count; }
  bool crosses(int from, int to) const {
    return solution.process[from] != solution.process[to];
  }
  bool isTransferred(int op) const {
    for (const Transfer &transfer : problem.transfers)
      if (transfer.from == op)
        return true;
    return false;
  }

  std::string shape() {
    size_t size = problem.operations.size();
    if (solution.ii < 1)
      return "an iteration every " + text(solution.ii) + " cycles is none";
    if (solution.start.size() != size || solution.process.size() != size ||
        (!solution.execution.empty() && solution.execution.size() != size) ||
        (!solution.latency.empty() && solution.latency.size() != size))
      return "the schedule does not say for each of " + text(count) +
             " operations when and where it is issued";
    for (int op = 0; op < count; ++op)
      if (solution.process[op] < 0 ||
          solution.process[op] >= static_cast<int>(solution.processes.size()))
        return name(op) + " is in process " + text(solution.process[op]) +
               " of " + text(solution.processes.size());
    for (const Process &process : solution.processes)
      if (process.warps < 1 || process.registers < 0)
        return "process '" + process.name + "' has " + text(process.warps) +
               " warps of " + text(process.registers) + " registers a thread";
    for (const Ring &ring : solution.rings)
      for (int op : ring.operations)
        if (!isOperation(op))
          return "ring '" + ring.name + "' holds results of operation " +
                 text(op) + ", of which there are " + text(count);
    return "";
  }

  /// Issued, then taken up, then awaited.
  std::string waits() {
    for (int op = 0; op < count; ++op) {
      int64_t issued = table->issued(op, 0), taken = table->takenUp(op, 0);
      if (issued < 0)
        return name(op) + " is issued at cycle " + text(issued);
      if (taken < issued)
        return name(op) + " is taken up at cycle " + text(taken) +
               ", before it is issued at cycle " + text(issued);
      if (taken > issued && !table->isAsynchronous(op))
        return name(op) + " is issued at cycle " + text(issued) +
               " and taken up at cycle " + text(taken) +
               ", but its unit keeps no queue";
      int64_t ready = taken + problem.operations[op].latency;
      if (table->awaited(op, 0) < ready)
        return name(op) + " is waited for until cycle " +
               text(table->awaited(op, 0)) + " and done at cycle " +
               text(ready);
    }
    return "";
  }

  /// The first cycle at which `to` may be issued because of `from`'s value.
  int64_t readyFor(int from, int to) const {
    return table->takenUp(from, 0) + problem.operations[from].latency +
           (crosses(from, to) ? problem.machine.handOverCycles : 0);
  }

  std::string loads() {
    if (!problem.loadsApart)
      return "";
    for (int a = 0; a < count; ++a)
      for (int b = a + 1; b < count; ++b) {
        bool isLoad = problem.operations[a].variableLatency,
             isAlike = isLoad == problem.operations[b].variableLatency;
        if (!isAlike && !crosses(a, b))
          return name(a) + " and " + name(b) +
                 " are in one process, and what has variable latency shares "
                 "none with the rest";
        if (isAlike && isLoad && crosses(a, b))
          return name(a) + " and " + name(b) +
                 " have variable latency and are in two processes";
      }
    return "";
  }

  std::string dependences() {
    for (const Dependence &edge : problem.dependences) {
      int from = edge.from, to = edge.to;
      const Operation &maker = problem.operations[from];
      if (edge.accumulates && crosses(from, to))
        return name(to) + " accumulates onto " + name(from) +
               " from another process";
      if (!edge.orders && crosses(from, to) && !isTransferred(from) &&
          maker.columns == 0)
        return name(to) + " is in another process than " + name(from) +
               ", whose result it reads from registers";
      int64_t earliest, happens;
      std::string what = "issued";
      if (edge.orders) {
        earliest = table->takenUp(from, 0) + edge.delay;
        happens = table->issued(to, edge.distance);
      } else if (edge.accumulates) {
        earliest = table->takenUp(from, 0) + maker.reservation;
        happens = table->takenUp(to, edge.distance);
        what = "taken up";
      } else {
        earliest = readyFor(from, to);
        happens = table->issued(to, edge.distance);
      }
      if (happens < earliest)
        return name(to, edge.distance) + " is " + what + " at cycle " +
               text(happens) + ", but because of " + name(from, 0) +
               " not before cycle " + text(earliest);
    }
    return "";
  }

  std::string units() {
    for (size_t unit = 0; unit < problem.units.size(); ++unit)
      if (Overlap clash =
              findOverlap(table->reservationsOn(static_cast<int>(unit)));
          clash.found)
        return "unit '" + problem.units[unit].name + "' takes up " +
               name(clash.second.op, clash.second.iteration) + " at cycle " +
               text(clash.second.begin) + " while " +
               name(clash.first.op, clash.first.iteration) +
               " keeps it until cycle " + text(clash.first.end);
    return "";
  }

  /// In the order in which a unit takes operations up, issues never go back.
  std::string queues() {
    for (size_t unit = 0; unit < problem.units.size(); ++unit) {
      if (!problem.units[unit].asynchronous)
        continue;
      std::vector<Stretch> served =
          table->reservationsOn(static_cast<int>(unit));
      auto issue = [&](const Stretch &stretch) {
        return table->issued(stretch.op, stretch.iteration);
      };
      std::sort(served.begin(), served.end(),
                [&](const Stretch &a, const Stretch &b) {
                  return std::tuple(a.begin, issue(a), a.op) <
                         std::tuple(b.begin, issue(b), b.op);
                });
      for (size_t i = 1; i < served.size(); ++i)
        if (issue(served[i]) < issue(served[i - 1]))
          return name(served[i].op, served[i].iteration) +
                 " is issued at cycle " + text(issue(served[i])) + ", before " +
                 name(served[i - 1].op, served[i - 1].iteration) +
                 " at cycle " + text(issue(served[i - 1])) + ", but unit '" +
                 problem.units[unit].name + "' takes it up later";
    }
    return "";
  }

  std::string processes() {
    for (size_t i = 0; i < solution.processes.size(); ++i)
      if (Overlap clash = findOverlap(table->issuesOf(static_cast<int>(i)));
          clash.found)
        return "process '" + solution.processes[i].name + "' issues " +
               name(clash.second.op, clash.second.iteration) + " at cycle " +
               text(clash.second.begin) + ", but it is busy with " +
               name(clash.first.op, clash.first.iteration) + " until cycle " +
               text(clash.first.end);
    return "";
  }

  /// What an asynchronous unit writes into registers is there once: the next
  /// iteration's begins when all but those that add to it have read it.
  std::string singleCopies() {
    for (const Dependence &edge : problem.dependences) {
      int from = edge.from;
      if (edge.orders || edge.accumulates || !table->isAsynchronous(from) ||
          isTransferred(from))
        continue;
      int64_t end = table->doneReading(edge.to, edge.distance),
              next = table->born(from, 1);
      if (end > next)
        return name(edge.to, edge.distance) + " reads the result of " +
               name(from, 0) + " until cycle " + text(end) + ", but " +
               name(from, 1) + " overwrites it from cycle " + text(next);
    }
    return "";
  }

  /// The most that results take at any cycle.
  template <class Amount> Peak peakOf(Amount amount) {
    int64_t always = 0;
    std::vector<Load> loads;
    for (int op = 0; op < count; ++op) {
      int64_t weight = amount(op);
      if (problem.operations[op].persists)
        always += weight;
      else if (weight > 0)
        for (int64_t i = 0; i < table->iterations(); ++i)
          loads.push_back({table->born(op, i), table->dead(op, i), weight});
    }
    Peak peak = findPeak(loads);
    return {peak.amount + always, peak.cycle};
  }

  std::string registers() {
    const Machine &machine = problem.machine;
    int64_t all = 0;
    for (size_t i = 0; i < solution.processes.size(); ++i) {
      const Process &process = solution.processes[i];
      if (process.registers > machine.maxRegisters)
        return "process '" + process.name + "' has " + text(process.registers) +
               " registers a thread, and a thread has at most " +
               text(machine.maxRegisters);
      all += process.registers * process.warps;
      Peak peak = peakOf([&](int op) {
        return solution.process[op] == static_cast<int>(i)
                   ? problem.operations[op].registers
                   : 0;
      });
      if (peak.amount > 0 &&
          peak.amount + machine.overheadRegisters > process.registers)
        return "process '" + process.name + "' holds results of " +
               text(peak.amount) + " registers a thread at cycle " +
               text(peak.cycle) + "; with " + text(machine.overheadRegisters) +
               " for everything else that is above its " +
               text(process.registers);
    }
    if (all > machine.registersPerLane * 4)
      return "the processes have " + text(all) +
             " registers in a lane of all their warps, and there are " +
             text(machine.registersPerLane * 4);
    return "";
  }

  std::string columns() {
    Peak peak = peakOf([&](int op) { return problem.operations[op].columns; });
    if (peak.amount > problem.machine.columns)
      return "results take " + text(peak.amount) +
             " columns of tensor memory at cycle " + text(peak.cycle) +
             ", and there are " + text(problem.machine.columns);
    return "";
  }

  std::string ringMembers() {
    std::vector<const Ring *> ringOf(count, nullptr);
    for (const Ring &ring : solution.rings) {
      if (ring.depth < 1 || ring.depth > problem.machine.ringDepth)
        return "ring '" + ring.name + "' has " + text(ring.depth) +
               " slots, and may have 1 to " + text(problem.machine.ringDepth);
      for (int op : ring.operations) {
        if (!isTransferred(op))
          return "ring '" + ring.name + "' holds results of " + name(op) +
                 ", which have no slot's share";
        if (ringOf[op])
          return name(op) + " is in rings '" + ringOf[op]->name + "' and '" +
                 ring.name + "'";
        ringOf[op] = &ring;
      }
    }
    for (const Dependence &edge : problem.dependences)
      if (!edge.orders && isTransferred(edge.from) && !ringOf[edge.from])
        return name(edge.from) + " hands its result over through no ring";
    return "";
  }

  /// A slot is published when all of it is filled.
  std::string ringFillers() {
    for (const Ring &ring : solution.rings)
      for (const Dependence &edge : problem.dependences) {
        const std::vector<int> &fillers = ring.operations;
        if (edge.orders || std::find(fillers.begin(), fillers.end(),
                                     edge.from) == fillers.end())
          continue;
        for (int filler : fillers) {
          int64_t earliest = edge.accumulates
                                 ? table->takenUp(filler, 0) +
                                       problem.operations[filler].reservation
                                 : readyFor(filler, edge.to),
                  issued = table->issued(edge.to, edge.distance);
          if (issued < earliest)
            return name(edge.to, edge.distance) + " is issued at cycle " +
                   text(issued) + ", but the slot of ring '" + ring.name +
                   "' that it reads is filled by " + name(filler, 0) +
                   " too, at cycle " + text(earliest);
        }
      }
    return "";
  }

  /// Turn i fills slot i mod depth, when all that read the turn before there
  /// are done and the filler knows it.
  std::string ringTurns() {
    for (const Ring &ring : solution.rings) {
      std::vector<int64_t> free(ring.depth, INT64_MIN);
      for (int64_t turn = 0; turn < table->iterations(); ++turn) {
        int64_t acquired = INT64_MAX, released = INT64_MIN;
        for (int op : ring.operations)
          acquired = std::min(acquired, table->issued(op, turn));
        for (const Dependence &edge : problem.dependences)
          if (!edge.orders &&
              std::find(ring.operations.begin(), ring.operations.end(),
                        edge.from) != ring.operations.end())
            released = std::max(released,
                                table->awaited(edge.to, turn + edge.distance) +
                                    problem.machine.handOverCycles);
        int64_t slot = turn % ring.depth;
        if (acquired < free[slot])
          return "iteration " + text(turn) + " fills slot " + text(slot) +
                 " of ring '" + ring.name + "' from cycle " + text(acquired) +
                 ", but what iteration " + text(turn - ring.depth) +
                 " put there is read until cycle " + text(free[slot]) +
                 ", the hand-over included";
        free[slot] = released;
      }
    }
    return "";
  }

  std::string sharedMemory() {
    int64_t bytes = 0;
    for (const Ring &ring : solution.rings) {
      int64_t slot = 0, step = 1;
      for (int op : ring.operations)
        for (const Transfer &transfer : problem.transfers)
          if (transfer.from == op) {
            slot += transfer.bytes;
            step = std::max(step, transfer.alignment);
          }
      bytes += ring.depth * (slot + (step - slot % step) % step);
    }
    if (bytes > problem.machine.sharedBytes)
      return "the slots of all rings take " + text(bytes) +
             " B of shared memory, and there are " +
             text(problem.machine.sharedBytes) + " B";
    return "";
  }

  const Problem &problem;
  const Solution &solution;
  int count;
  std::optional<Timetable> table;
};

} // namespace

std::string heddle::schedule::checkProblem(const Problem &problem) {
  int count = static_cast<int>(problem.operations.size());
  auto isOperation = [&](int op) { return op >= 0 && op < count; };
  auto name = [&](int op) { return "'" + problem.operations[op].name + "'"; };
  for (const Operation &op : problem.operations) {
    if (op.unit < 0 || op.unit >= static_cast<int>(problem.units.size()))
      return "operation '" + op.name + "' is on no unit";
    if (std::min({op.reservation, op.latency, op.issue, op.registers,
                  op.columns}) < 0)
      return "operation '" + op.name + "' has a negative cost";
  }
  for (const Dependence &edge : problem.dependences) {
    if (!isOperation(edge.from) || !isOperation(edge.to) || edge.distance < 0 ||
        edge.delay < 0)
      return "a dependence from operation " + text(edge.from) + " to " +
             text(edge.to) + " over " + text(edge.distance) +
             " iterations is none";
    if (edge.accumulates &&
        (edge.orders || problem.operations[edge.from].unit !=
                            problem.operations[edge.to].unit))
      return name(edge.to) + " accumulates onto " + name(edge.from) +
             ", which is on another unit or gives no value";
  }
  for (const Transfer &transfer : problem.transfers)
    if (!isOperation(transfer.from) || transfer.bytes < 0 ||
        transfer.alignment < 1)
      return "a transfer from operation " + text(transfer.from) + " is none";
  return "";
}

std::string heddle::schedule::certify(const Problem &problem,
                                      const Solution &solution) {
  return Certifier(problem, solution).run();
}
