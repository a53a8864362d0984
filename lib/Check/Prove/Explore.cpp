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

#include <set>
#include <unordered_map>

namespace heddle::check {

namespace {

/// A decision that was made, and what was decided before.
struct Node {
  int parent = -1;
  bool answer = false;
};

/// A state where a decision is due.
struct Visit {
  State state; ///< empty once explored, if nothing is forgotten
  std::vector<Knowers> knowledge; ///< of a state that is empty
  int node = 0;
  bool isDue = true;
};

/// Where a run without decisions stopped.
enum class Stop { Undecided, Ended, Failed, TooLong };

class Explorer {
public:
  Explorer(const Program &program, const Limits &limits, bool forgets)
      : program(program), limits(limits), forgets(forgets) {}
  Result explore();

private:
  Stop run(Machine &machine);
  std::optional<Decision> choose(Machine &machine);
  bool settle(State state, int node);
  void visit(State state, int node);
  bool decide(int visit);
  bool fail(const Machine &machine, int node);
  bool giveUp(const std::string &reason);
  std::optional<Result> replay(int node);

  const Program &program;
  const Limits &limits;
  bool forgets;
  std::vector<Node> nodes{1};
  std::vector<Visit> visits;
  /// By State::key; of those with one key none knows all that another knows.
  std::unordered_map<std::string, std::vector<int>> known;
  /// Visits to explore, with whether they were explored before: what is new
  /// comes first, so that a state that has lost knowledge meanwhile is explored
  /// again once for many losses, and the oldest of these before those that it
  /// leads to.
  std::set<std::pair<bool, int>> due;
  int64_t bytes = 0; ///< of the states that are kept, about
  int faults = 0;
  std::string moves; ///< what stands in the way if nothing else does
  Result result;

  /// Paths to faults to try before giving up on finding arguments for one.
  static constexpr int kFaults = 30;
};

} // namespace

/// Runs each process as far as it goes, in turn, until none can go on.
Stop Explorer::run(Machine &machine) {
  int count = int(program.processes.size());
  int64_t steps = 0;
  while (true) {
    bool ran = false, undecided = false, ended = true;
    for (int p = 0; p < count; ++p) {
      Step step = machine.step(p);
      for (; step == Step::Ran; step = machine.step(p)) {
        ran = true;
        if (++steps > limits.steps)
          return Stop::TooLong;
      }
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

/// The same of a state that was visited.
static bool knowsAll(const std::vector<Knowers> &more, const Visit &less) {
  if (!less.knowledge.empty())
    return knowsAll(more, less.knowledge);
  const std::vector<Record> &records = less.state.records;
  for (size_t i = 0; i < records.size(); ++i)
    if ((records[i].known & ~more[2 * i]).any() ||
        (records[i].fenced & ~more[2 * i + 1]).any())
      return false;
  return true;
}

static std::vector<Knowers> knowledgeOf(const Visit &visit) {
  return visit.knowledge.empty() ? visit.state.knowledge() : visit.knowledge;
}

/// About how much memory a state takes.
static int64_t sizeOf(const State &state) {
  size_t bytes = sizeof(State) + state.records.size() * sizeof(Record);
  for (const Record &record : state.records)
    bytes += record.iteration.size() * sizeof(int64_t);
  for (const Running &running : state.processes)
    bytes += sizeof running + running.values.size() * sizeof(Datum);
  // Nodes of trees, and what they point to.
  size_t entries = state.instances.size() + state.conditions.size();
  bytes += entries * (128 + 32 * state.processes.size());
  bytes += state.barriers.size() *
           (sizeof(Barrier) + state.processes.size() * sizeof(int));
  return int64_t(bytes);
}

/// Remembers a state and explores it later, unless one was visited that knows
/// less. If this run forgets, there is one state for each key, which knows what
/// all of them know.
void Explorer::visit(State state, int node) {
  state.sortRecords();
  std::vector<Knowers> knowledge = state.knowledge();
  std::string key = state.key(program);
  int64_t size = sizeOf(state) + int64_t(key.size());
  std::vector<int> &alike = known[std::move(key)];
  for (int before : alike)
    if (knowsAll(knowledge, visits[before]))
      return;
  if (forgets && !alike.empty()) {
    Visit &same = visits[alike.front()];
    std::vector<Knowers> known = same.state.knowledge();
    for (size_t i = 0; i < knowledge.size(); ++i)
      known[i] &= knowledge[i];
    same.state.setKnowledge(known);
    if (!same.isDue)
      due.insert({true, alike.front()});
    same.isDue = true;
    return;
  }
  std::erase_if(alike, [&](int before) {
    return knowsAll(knowledgeOf(visits[before]), knowledge);
  });
  bytes += size;
  alike.push_back(int(visits.size()));
  due.insert({false, int(visits.size())});
  visits.push_back({std::move(state), {}, node, true});
}

/// Runs up to the next decision; false if a fault ends the search.
bool Explorer::settle(State state, int node) {
  Machine machine(program, state);
  Stop stop = run(machine);
  if (moves.empty())
    moves = machine.moves();
  if (stop == Stop::Failed)
    return fail(machine, node);
  if (stop == Stop::TooLong)
    return giveUp("a loop with constant bounds runs too often");
  if (stop == Stop::Undecided) {
    rebase(state, program);
    visit(std::move(state), node);
  }
  return true;
}

bool Explorer::decide(int number) {
  State state = visits[number].state;
  if (!forgets) {
    visits[number].knowledge = state.knowledge();
    bytes -= sizeOf(visits[number].state);
    visits[number].state = {};
  }
  visits[number].isDue = false;
  int node = visits[number].node;
  Machine machine(program, state);
  Decision decision = *choose(machine);
  for (bool answer : {true, false}) {
    State next = answer ? state : std::move(state);
    Machine(program, next).decide(decision, answer);
    nodes.push_back({node, answer});
    if (!settle(std::move(next), int(nodes.size()) - 1))
      return false;
  }
  return true;
}

/// Executes the decisions that lead to a node once more from the start, without
/// rebasing, to say what happened. Nothing if nothing did.
std::optional<Result> Explorer::replay(int node) {
  std::vector<bool> answers;
  for (; nodes[node].parent >= 0; node = nodes[node].parent)
    answers.push_back(nodes[node].answer);
  State state = Machine::initialState(program);
  std::vector<TraceStep> trace;
  Machine machine(program, state, &trace);
  Stop stop = run(machine);
  for (; stop == Stop::Undecided && !answers.empty(); stop = run(machine)) {
    machine.decide(*choose(machine), answers.back());
    answers.pop_back();
  }
  if (stop != Stop::Failed)
    return std::nullopt;
  Result replayed;
  replayed.verdict = Verdict::NotProved;
  Fault &fault = replayed.fault.emplace(machine.fault());
  size_t kept = std::min(trace.size(), size_t(limits.traceSteps));
  fault.trace.assign(trace.end() - kept, trace.end());
  describeTrips(program, state, fault);
  if (machine.isUnknown()) {
    replayed.reason = fault.message;
  } else if (state.usesData) {
    replayed.reason =
        "control flow depends on data, which may decide otherwise for each "
        "process";
  } else if (auto arguments = findArguments(program, state)) {
    fault.arguments = std::move(*arguments);
    replayed.verdict = Verdict::Counterexample;
  } else {
    replayed.reason = "no values of the kernel's arguments were found that "
                      "lead to these trip counts";
  }
  return replayed;
}

/// What to prefer: arguments that lead there, and a fault on the way to one
/// that only shows when all is over.
static int rank(const Result &result) {
  if (result.verdict == Verdict::Proved)
    return 0;
  if (result.verdict == Verdict::NotProved)
    return 1;
  return result.fault->isInTheEnd ? 2 : 3;
}

/// The best fault is kept; what follows a fault is not explored.
bool Explorer::fail(const Machine &machine, int node) {
  auto replayed = replay(node);
  if (!replayed) { // due to what was forgotten
    replayed.emplace();
    replayed->verdict = Verdict::NotProved;
    replayed->fault = machine.fault();
    replayed->reason = "the order of some accesses is not established";
  }
  if (rank(*replayed) > rank(result))
    result = std::move(*replayed);
  return rank(result) < 3 && ++faults < kFaults;
}

/// A fault that was found before stays.
bool Explorer::giveUp(const std::string &reason) {
  if (result.verdict == Verdict::Proved) {
    result.verdict = Verdict::NotProved;
    result.reason = reason;
  }
  return false;
}

Result Explorer::explore() {
  bool isFine = settle(Machine::initialState(program), 0);
  while (isFine && !due.empty()) {
    int next = due.begin()->second;
    due.erase(due.begin());
    isFine = decide(next);
    if (isFine && int64_t(visits.size()) > limits.states)
      isFine = giveUp("there are more than " + std::to_string(limits.states) +
                      " states to distinguish");
    if (isFine && bytes > limits.bytes)
      isFine = giveUp("the states to distinguish take more than " +
                      std::to_string(limits.bytes >> 20) + " MiB");
  }
  if (!moves.empty()) {
    result.movesFlights = result.verdict == Verdict::Proved;
    giveUp(moves);
  }
  result.states = int64_t(visits.size());
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

std::string describe(const Result &result) {
  std::string what;
  if (result.fault && result.fault->message != result.reason)
    what =
        std::string(describe(result.fault->property)) +
        (result.fault->ring.empty() ? ""
                                    : " of ring '" + result.fault->ring + "'") +
        ": " + result.fault->message + ", at " + result.fault->place;
  if (result.verdict != Verdict::NotProved)
    return what;
  return "not proved, because " + result.reason +
         (what.empty() ? "" : "; " + what);
}

/// A number that grows makes a state of each turn.
static constexpr int64_t kMostExecuted = 10000;

static Result explore(const Program &program, const Limits &limits) {
  Result result;
  if (!program.endless.empty()) {
    result.verdict = Verdict::NotProved;
    result.reason = program.endless;
    return result;
  }
  result = Explorer(program, limits, /*forgets=*/true).explore();
  // A fault that could not be executed may be due to what was forgotten.
  if (result.fault && result.fault->trace.empty())
    result = Explorer(program, limits, /*forgets=*/false).explore();
  result.assumptions = program.assumptions;
  return result;
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
  result = explore(program, limits);
  // Conditions that numbers of the process decide were data so far: both ways
  // were gone. Computing them tells which is, in more states.
  bool isOpen = result.verdict == Verdict::NotProved;
  if (isOpen || !program.assumptions.empty()) {
    Program executed(protocol, /*executes=*/true);
    if (executed.executesMoreThan(program)) {
      Limits fewer = limits;
      fewer.states = std::min(limits.states, kMostExecuted);
      Result exact = explore(executed, fewer);
      if (exact.verdict != Verdict::NotProved)
        result = std::move(exact);
    }
  }
  result.assumptions.insert(result.assumptions.end(),
                            protocol.assumptions.begin(),
                            protocol.assumptions.end());
  return result;
}

} // namespace heddle::check
