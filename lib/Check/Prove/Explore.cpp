//===- Explore.cpp - All trip counts, one order of steps --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Once trip counts are chosen the processes are deterministic, and all orders
// of their steps are linearisations of one partial order, as long as no check
// fails; so one order is executed. Trip counts are chosen where control flow
// asks for them, both ways. States that behave alike are visited once, which
// ends because positions are relative.
//
// Knowing more never hurts, so a state needs no visit if one was visited that
// is the same but for less knowledge. The first attempt goes further and
// forgets what two such states do not both know. What fails then may be due to
// what was forgotten; the second attempt forgets nothing.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Launch.h"
#include "Machine.h"

#include <deque>
#include <unordered_map>

namespace heddle::check {

namespace {

/// A decision that was made, and what was decided before.
struct Node {
  int parent = -1;
  bool answer = false;
};

/// Where a run without decisions stopped.
enum class Stop { Undecided, Ended, Failed };

class Explorer {
public:
  Explorer(const Program &program, const Limits &limits, bool forgets)
      : program(program), limits(limits), forgets(forgets) {}
  Result explore();

private:
  Stop run(Machine &machine);
  std::optional<Decision> choose(Machine &machine);
  bool isNew(State &state);
  void fail(const Machine &machine, const State &state, int node);
  void replay(int node);

  const Program &program;
  const Limits &limits;
  bool forgets;
  std::vector<Node> nodes;
  /// By State::key, what was known in states visited: none knows all that
  /// another knows.
  std::unordered_map<std::string, std::vector<std::vector<Knowers>>> visited;
  int64_t visits = 0;
  Result result;
};

} // namespace

/// Runs each process as far as it goes, in turn, until none can go on.
Stop Explorer::run(Machine &machine) {
  int count = int(program.processes.size());
  while (true) {
    bool ran = false, undecided = false, ended = true;
    for (int p = 0; p < count; ++p) {
      Step step = machine.step(p);
      for (; step == Step::Ran; step = machine.step(p))
        ran = true;
      if (step == Step::Failed)
        return Stop::Failed;
      undecided |= step == Step::Undecided;
      ended &= step == Step::Ended;
    }
    if (ran)
      continue;
    if (undecided)
      return Stop::Undecided;
    if (ended)
      return machine.checkEnd() == Step::Failed ? Stop::Failed : Stop::Ended;
    machine.failDeadlocked();
    return Stop::Failed;
  }
}

/// The question of the process that is furthest behind.
std::optional<Decision> Explorer::choose(Machine &machine) {
  std::optional<Decision> best;
  for (int p = 0; p < int(program.processes.size()); ++p)
    if (machine.step(p) == Step::Undecided)
      if (!best || machine.decision() < *best)
        best = machine.decision();
  return best;
}

static bool knowsAll(const std::vector<Knowers> &more,
                     const std::vector<Knowers> &less) {
  for (size_t i = 0; i < less.size(); ++i)
    if ((less[i] & ~more[i]).any())
      return false;
  return true;
}

/// Must the state be visited? Takes knowledge from it if this run forgets.
bool Explorer::isNew(State &state) {
  state.sortRecords();
  std::vector<std::vector<Knowers>> &known = visited[state.key(program)];
  std::vector<Knowers> knowledge = state.knowledge();
  for (const std::vector<Knowers> &before : known)
    if (knowsAll(knowledge, before))
      return false;
  if (forgets && !known.empty()) {
    for (size_t i = 0; i < knowledge.size(); ++i)
      knowledge[i] &= known.front()[i];
    state.setKnowledge(knowledge);
  }
  std::erase_if(known, [&](const std::vector<Knowers> &before) {
    return knowsAll(before, knowledge);
  });
  known.push_back(std::move(knowledge));
  ++visits;
  return true;
}

/// Once more from the start, without rebasing, to say what happened.
void Explorer::replay(int node) {
  std::vector<bool> answers;
  for (; nodes[node].parent >= 0; node = nodes[node].parent)
    answers.push_back(nodes[node].answer);
  State state = Machine::initialState(program);
  std::vector<TraceStep> trace;
  Machine machine(program, state, &trace);
  while (run(machine) == Stop::Undecided && !answers.empty()) {
    machine.decide(*choose(machine), answers.back());
    answers.pop_back();
  }
  Fault &fault = *result.fault;
  size_t kept = std::min(trace.size(), size_t(limits.traceSteps));
  fault.trace.assign(trace.end() - kept, trace.end());
  describeTrips(program, state, fault);
  if (result.verdict != Verdict::Counterexample)
    return;
  if (auto arguments = findArguments(program, state)) {
    fault.arguments = std::move(*arguments);
    return;
  }
  result.verdict = Verdict::NotProved;
  result.reason = "no values of the kernel's arguments were found that lead "
                  "to these trip counts";
}

void Explorer::fail(const Machine &machine, const State &state, int node) {
  result.fault = machine.fault();
  result.verdict = Verdict::Counterexample;
  if (machine.isUnknown()) {
    result.verdict = Verdict::NotProved;
    result.reason = result.fault->message;
  } else if (state.usesData) {
    result.verdict = Verdict::NotProved;
    result.reason =
        "control flow depends on data, which may decide otherwise for each "
        "process";
  }
  replay(node);
}

Result Explorer::explore() {
  std::deque<std::pair<State, int>> work;
  nodes.push_back({});
  work.emplace_back(Machine::initialState(program), 0);
  while (!work.empty()) {
    auto [state, node] = std::move(work.front());
    work.pop_front();
    Machine machine(program, state);
    Stop stop = run(machine);
    if (stop == Stop::Failed) {
      fail(machine, state, node);
      break;
    }
    if (stop == Stop::Ended)
      continue;
    rebase(state, program);
    if (!isNew(state))
      continue;
    if (visits > limits.states) {
      result.verdict = Verdict::NotProved;
      result.reason = "there are more than " + std::to_string(limits.states) +
                      " states to distinguish";
      break;
    }
    Decision decision = *choose(machine);
    for (bool answer : {false, true}) {
      State next = state;
      Machine(program, next).decide(decision, answer);
      nodes.push_back({node, answer});
      work.emplace_back(std::move(next), int(nodes.size()) - 1);
    }
  }
  result.states = visits;
  return std::move(result);
}

const char *describe(Property property) {
  static const char *const names[kProperties] = {
      "equal turns",  "phase distance", "arrival counts",
      "byte counts",  "slots held",     "order of accesses",
      "proxy fences", "flights waited", "named barriers",
      "no deadlock",  "register pool",  "places of barriers"};
  return names[int(property)];
}

Result prove(const Protocol &protocol, const Limits &limits) {
  Result result;
  if ((result.fault = checkLaunch(protocol))) {
    result.verdict = Verdict::Counterexample;
    return result;
  }
  int64_t bits =
      2 * (int64_t(protocol.processes.size()) + barrierCount(protocol));
  if (bits > int64_t(Knowers().size()) || protocol.processes.size() > 31) {
    result.verdict = Verdict::NotProved;
    result.reason = "the kernel has more processes and barriers than the "
                    "checker keeps track of";
    return result;
  }
  Program program(protocol);
  result = Explorer(program, limits, /*forgets=*/true).explore();
  if (result.verdict == Verdict::Proved)
    return result;
  return Explorer(program, limits, /*forgets=*/false).explore();
}

} // namespace heddle::check
