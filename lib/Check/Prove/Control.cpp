//===- Control.cpp - Loops, branches and numbers ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps that are no events: arithmetic, loops, branches. A loop or branch
// asks a question about a trip count; where nothing answers it yet, the step is
// undecided and the exploration goes both ways. The initial state is made here
// too, with the phases before the first completed and known to all.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "heddle/Machine/Limits.h"

#include <tuple>

namespace heddle::check {

bool Decision::operator<(const Decision &other) const {
  return std::tie(path, index, condition) <
         std::tie(other.path, other.index, other.condition);
}

Machine::Machine(const Program &program, State &state,
                 std::vector<TraceStep> *trace)
    : program(program), state(state),
      bits{int(program.processes.size()), barrierCount(program.protocol)},
      trace(trace) {}

State Machine::initialState(const Program &program) {
  const Protocol &protocol = program.protocol;
  State state;
  size_t processes = program.processes.size();
  Bits bits{int(processes), barrierCount(protocol)};
  for (const ProcessCode &code : program.processes) {
    Running &running = state.processes.emplace_back();
    running.values.resize(code.process->values.size());
    running.held.resize(protocol.rings.size());
  }
  for (const Ring &ring : protocol.rings)
    for (Side side : {Side::Full, Side::Empty})
      for (int64_t slot = 0; slot < ring.depth; ++slot) {
        Barrier &barrier = state.barriers.emplace_back();
        barrier.pending =
            side == Side::Full ? ring.fullArrivals : ring.emptyArrivals;
        barrier.behind.assign(processes, Barrier::kNever);
        size_t r = &ring - protocol.rings.data();
        for (size_t p = 0; p < processes; ++p)
          if (program.processes[p].waits[int(side)][r])
            barrier.waiters |= 1u << p;
        for (int age : {0, 1}) {
          Record &record = state.records.emplace_back();
          record.kind = Record::Completed;
          record.barrier = int(state.barriers.size()) - 1;
          record.age = age;
          for (size_t p = 0; p < processes; ++p)
            record.known.set(bits.all(p)).set(bits.first(p));
        }
      }
  state.meetings.resize(size_t(protocol.limits.namedBarriers));
  return state;
}

bool Machine::hasEnded(int process) const {
  return at(process).kind == Instruction::End;
}

Step Machine::fail(Property property, int process, const std::string &message,
                   int ring) {
  found.property = property;
  found.process = processAt(process).name;
  found.message = "process '" + found.process + "' " + message;
  found.place = at(process).place;
  if (ring >= 0)
    found.ring = program.protocol.rings[ring].name;
  return Step::Failed;
}

Step Machine::giveUp(int process, const std::string &message) {
  unknown = true;
  return fail(Property::Turns, process, message);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Datum Machine::evaluate(int process, Value value) const {
  const Definition &definition = processAt(process).values[value];
  if (definition.kind == Definition::Constant)
    return {Datum::Number, definition.number};
  return state.processes[process].values[value];
}

static Datum compute(const Definition &definition,
                     const std::vector<Datum> &operands) {
  if (definition.arith == Arith::Select && operands.size() == 3 &&
      operands[0].kind == Datum::Number)
    return operands[operands[0].number != 0 ? 1 : 2];
  std::vector<int64_t> numbers;
  for (const Datum &operand : operands) {
    if (operand.kind != Datum::Number)
      return {};
    numbers.push_back(operand.number);
  }
  if (auto number = check::evaluate(definition.arith, definition.from,
                                    definition.bits, numbers))
    return {Datum::Number, *number};
  return {};
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

/// The iteration that a process is in, counting only its outermost loops.
Path Machine::pathOf(int process, size_t frames) const {
  Path path;
  const Running &running = state.processes[process];
  for (size_t i = 0; i < frames; ++i) {
    const LoopInfo &loop = program.processes[process].loops[running.frames[i]];
    path.push_back(loop.construct);
    path.push_back(state.instances.at(path).position[process]);
  }
  return path;
}

Instance &Machine::instanceAt(const Path &path) {
  auto [entry, isNew] = state.instances.try_emplace(path);
  Instance &instance = entry->second;
  if (isNew) {
    instance.position.resize(program.processes.size());
    instance.status.resize(program.processes.size(), Instance::NotYet);
    const Construct &construct = program.constructs[path.back()];
    if (auto trips = program.families[construct.family].trips)
      instance.least = instance.most = *trips;
  }
  return instance;
}

/// T > index, or, relative, T > the process's position.
std::optional<bool> Machine::ask(int process, size_t frames, int construct,
                                 int64_t index, bool relative) {
  Path path = pathOf(process, frames);
  path.push_back(construct);
  Instance &instance = instanceAt(path);
  if (instance.status[process] == Instance::NotYet)
    instance.status[process] = Instance::Asked;
  if (relative)
    index = instance.position[process];
  if (index < instance.least)
    return true;
  if (index >= instance.most)
    return false;
  int family = program.constructs[construct].family;
  pendingDecision = {process, path, std::nullopt, index,
                     program.families[family].isPrivate};
  return std::nullopt;
}

std::optional<bool> Machine::holds(int process,
                                   const Instruction &instruction) {
  const Condition &condition = instruction.condition;
  if (condition.constant)
    return *condition.constant;
  if (auto number = computed(process, instruction.value))
    return number;
  size_t frames = state.processes[process].frames.size();
  if (condition.all.empty()) {
    Path path = pathOf(process, frames);
    auto found = state.conditions.find({path, *condition.unknown});
    if (found != state.conditions.end())
      return found->second != condition.isNegated;
    pendingDecision = {process, path, condition.unknown, 0,
                       condition.isPrivate};
    return std::nullopt;
  }
  for (const Comparison &comparison : condition.all) {
    auto isMore =
        ask(process, frames, comparison.family, comparison.index, false);
    if (!isMore)
      return std::nullopt;
    if (*isMore != comparison.isMore)
      return condition.isNegated;
  }
  return !condition.isNegated;
}

void Machine::decide(const Decision &decision, bool answer) {
  if (decision.isPrivate)
    state.usesData = true;
  if (decision.condition) {
    state.conditions[{decision.path, *decision.condition}] = answer;
    return;
  }
  Instance &instance = instanceAt(decision.path);
  if (answer)
    instance.least = decision.index + 1;
  else
    instance.most = decision.index;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Machine::enter(int process, int number) {
  Running &running = state.processes[process];
  const LoopInfo &loop = program.processes[process].loops[number];
  Path path = pathOf(process, running.frames.size());
  auto begin = [&](int construct, int64_t start, bool continues) {
    path.push_back(construct);
    Instance &instance = instanceAt(path);
    instance.status[process] = Instance::Inside;
    if (!continues)
      instance.position[process] = start;
    path.pop_back();
  };
  seen.erase({process, number});
  begin(loop.construct, loop.start, loop.continues);
  if (loop.limit >= 0)
    begin(loop.limit, loop.limitStart, false);
  running.frames.push_back(number);
}

/// Of a condition that is executed, if all that it is made of are numbers.
std::optional<bool> Machine::computed(int process, Value condition) const {
  if (condition == kNoValue)
    return std::nullopt;
  Datum datum = evaluate(process, condition);
  return datum.kind == Datum::Number ? std::optional(datum.number != 0)
                                     : std::nullopt;
}

/// A loop without events does the same again where all that it computes from
/// is as it was in an earlier iteration. That is kept from iterations 1, 2, 4,
/// 8 and so on.
bool Machine::repeatsItself(int process, const Instruction &instruction) {
  Seen &before = seen[{process, instruction.loop}];
  std::vector<Datum> now;
  for (Value value : instruction.live)
    now.push_back(state.processes[process].values[value]);
  bool isAlike = before.tests > 0 && before.values == now;
  if (++before.tests == before.kept) {
    before.kept *= 2;
    before.values = std::move(now);
  }
  return isAlike;
}

Step Machine::leave(int process, const Instruction &instruction) {
  Running &running = state.processes[process];
  running.frames.pop_back();
  running.pc = instruction.target;
  return Step::Ran;
}

Step Machine::test(int process, const Instruction &instruction) {
  Running &running = state.processes[process];
  const LoopInfo &loop = program.processes[process].loops[instruction.loop];
  size_t around = running.frames.size() - 1;
  if (auto number = computed(process, instruction.value)) {
    if (!*number)
      return leave(process, instruction);
    if (loop.isSilent && repeatsItself(process, instruction))
      return fail(Property::Deadlock, process,
                  "comes to the same numbers again, so that it "
                  "never leaves a loop");
    ++running.pc;
    return Step::Ran;
  }
  auto goesOn = ask(process, around, loop.construct, 0, true);
  if (goesOn && *goesOn && loop.limit >= 0)
    goesOn = ask(process, around, loop.limit, 0, true);
  if (!goesOn)
    return Step::Undecided;
  if (!*goesOn)
    return leave(process, instruction);
  ++running.pc;
  return Step::Ran;
}

bool Machine::isMovedInFlight(int process, Value from,
                              const Datum &datum) const {
  return datum.kind == Datum::Flight && datum.number != Datum::kLanded &&
         datum.use == Datum::Whole && program.processes[process].moves[from];
}

Step Machine::control(int process, const Instruction &instruction) {
  Running &running = state.processes[process];
  switch (instruction.kind) {
  case Instruction::Compute: {
    const Definition &definition = processAt(process).values[instruction.value];
    std::vector<Datum> operands;
    for (Value operand : definition.operands)
      operands.push_back(evaluate(process, operand));
    running.values[instruction.value] = compute(definition, operands);
    break;
  }
  case Instruction::Copy: {
    std::vector<Datum> copied;
    for (Value value : instruction.from)
      copied.push_back(value == kNoValue ? Datum() : evaluate(process, value));
    for (size_t i = 0; i < copied.size(); ++i)
      if (isMovedInFlight(process, instruction.from[i], copied[i]))
        moving = "process '" + processAt(process).name +
                 "' hands a product in flight on to a place where another is, "
                 "so that registers would have to be moved, at " +
                 instruction.place;
    for (size_t i = 0; i < copied.size(); ++i)
      running.values[instruction.to[i]] = copied[i];
    break;
  }
  case Instruction::Enter:
    enter(process, instruction.loop);
    break;
  case Instruction::Test:
    return test(process, instruction);
  case Instruction::Next: {
    const LoopInfo &loop = program.processes[process].loops[instruction.loop];
    Path path = pathOf(process, running.frames.size() - 1);
    for (int construct : {loop.construct, loop.limit})
      if (construct >= 0) {
        path.push_back(construct);
        ++instanceAt(path).position[process];
        path.pop_back();
      }
    running.pc = instruction.target;
    return Step::Ran;
  }
  case Instruction::Branch: {
    auto isTaken = holds(process, instruction);
    if (!isTaken)
      return Step::Undecided;
    running.pc = *isTaken ? running.pc + 1 : instruction.target;
    return Step::Ran;
  }
  case Instruction::Jump:
    running.pc = instruction.target;
    return Step::Ran;
  case Instruction::Finish: {
    Path path = pathOf(process, running.frames.size());
    path.push_back(instruction.construct);
    instanceAt(path).status[process] = Instance::Done;
    break;
  }
  case Instruction::End:
    return Step::Ended;
  case Instruction::Happen:
    break;
  }
  ++running.pc;
  return Step::Ran;
}

Step Machine::step(int process) {
  const Instruction &instruction = at(process);
  if (instruction.kind != Instruction::Happen)
    return control(process, instruction);
  return happen(process, *instruction.event);
}

} // namespace heddle::check
