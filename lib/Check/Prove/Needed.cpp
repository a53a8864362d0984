//===- Needed.cpp - Which values events depend on ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two passes backwards: from events to the values that they depend on, and from
// the end of a process to the values that are live at each instruction. A state
// holds no others. One more value would tell apart states that behave alike,
// and a counter that nothing reads would make them infinitely many.
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"

#include <algorithm>

namespace heddle::check {

std::vector<Value> operandsOf(const Event &event) {
  std::vector<Value> result = {event.slot, event.phase, event.accumulator};
  if (event.kind == Event::WgmmaWait)
    result.push_back(event.flight);
  for (const auto *regions : {&event.reads, &event.writes})
    for (const Region &region : *regions)
      result.push_back(region.slot);
  std::erase(result, kNoValue);
  return result;
}

bool hasEvents(const std::vector<Statement> &statements) {
  return std::any_of(
      statements.begin(), statements.end(), [](const Statement &statement) {
        return statement.kind == Statement::Happen ||
               hasEvents(statement.body) || hasEvents(statement.otherwise);
      });
}

namespace {
/// Follows values back to what they are made of.
class NeedFinder {
public:
  explicit NeedFinder(const Process &process)
      : process(process), needed(process.values.size()),
        sources(process.values.size()) {
    visit(process.body);
  }

  std::vector<bool> find(bool executes) {
    follow();
    if (executes) {
      findOpen();
      // A branch is one to execute if its results are needed, too.
      while (needConditions(process.body))
        follow();
    }
    return std::move(needed);
  }

private:
  void need(Value value) {
    if (value == kNoValue || needed[value])
      return;
    needed[value] = true;
    work.push_back(value);
  }

  /// What a carried value or result is made of; and the values of events.
  void visit(const std::vector<Statement> &statements) {
    for (const Statement &statement : statements) {
      if (statement.kind == Statement::Happen)
        for (Value value : operandsOf(statement.event))
          need(value);
      bool loops = statement.kind == Statement::Loop;
      for (size_t i = 0; i < statement.yields.size(); ++i) {
        if (loops && statement.carried[i] != kNoValue)
          for (Value source : {statement.inits[i], statement.yields[i]})
            sources[statement.carried[i]].push_back(source);
        Value result = statement.results[i];
        if (result == kNoValue)
          continue;
        sources[result].push_back(loops ? statement.carried[i]
                                        : statement.yields[i]);
        if (!loops)
          sources[result].push_back(statement.otherwiseYields[i]);
      }
      visit(statement.body);
      visit(statement.otherwise);
    }
  }

  void follow() {
    while (!work.empty()) {
      Value value = work.back();
      work.pop_back();
      for (Value operand : process.values[value].operands)
        need(operand);
      for (Value source : sources[value])
        need(source);
    }
  }

  /// What is made of anything but constants.
  void findOpen() {
    isOpen.resize(process.values.size());
    auto open = [&](Value value) { return value == kNoValue || isOpen[value]; };
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t v = 0; v < isOpen.size(); ++v) {
        const Definition &definition = process.values[v];
        const std::vector<Value> &from = definition.kind == Definition::Carried
                                             ? sources[v]
                                             : definition.operands;
        bool isMade = (definition.kind == Definition::Compute &&
                       definition.arith != Arith::Other) ||
                      definition.kind == Definition::Carried;
        bool now = definition.kind != Definition::Constant &&
                   (!isMade || std::any_of(from.begin(), from.end(), open));
        changed |= now != isOpen[v];
        isOpen[v] = now;
      }
    }
  }

  /// False if nothing is needed that was not before.
  bool needConditions(const std::vector<Statement> &statements) {
    bool isMore = false;
    for (const Statement &statement : statements) {
      Value condition = statement.kind == Statement::Loop     ? statement.test
                        : statement.kind == Statement::Branch ? statement.value
                                                              : kNoValue;
      bool decides = statement.kind == Statement::Loop ||
                     hasEvents(statement.body) ||
                     hasEvents(statement.otherwise) ||
                     std::any_of(statement.results.begin(),
                                 statement.results.end(), [&](Value result) {
                                   return result != kNoValue && needed[result];
                                 });
      if (condition != kNoValue && decides && !isOpen[condition] &&
          !needed[condition]) {
        need(condition);
        isMore = true;
      }
      isMore |= needConditions(statement.body);
      isMore |= needConditions(statement.otherwise);
    }
    return isMore;
  }

  const Process &process;
  std::vector<bool> needed, isOpen;
  std::vector<Value> work;
  std::vector<std::vector<Value>> sources;
};
} // namespace

std::vector<bool> findNeeded(const Process &process, bool executes) {
  return NeedFinder(process).find(executes);
}

static void usesAndDefs(const Instruction &instruction, const Process &process,
                        std::vector<Value> &uses, std::vector<Value> &defs) {
  if (instruction.kind == Instruction::Compute) {
    uses = process.values[instruction.value].operands;
    defs = {instruction.value};
  } else if (instruction.kind == Instruction::Branch ||
             instruction.kind == Instruction::Test) {
    if (instruction.value != kNoValue)
      uses = {instruction.value};
  } else if (instruction.kind == Instruction::Copy) {
    uses = instruction.from;
    defs = instruction.to;
  } else if (instruction.kind == Instruction::Happen) {
    uses = operandsOf(*instruction.event);
    if (instruction.event->kind == Event::Wgmma)
      defs = {instruction.event->flight};
  }
}

void findLive(ProcessCode &code) {
  size_t count = code.process->values.size(), size = code.code.size();
  std::vector<std::vector<bool>> live(size + 1, std::vector<bool>(count));
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = size; i-- > 0;) {
      const Instruction &instruction = code.code[i];
      std::vector<bool> now(count);
      auto join = [&](size_t next) {
        for (size_t v = 0; v < count; ++v)
          if (live[next][v])
            now[v] = true;
      };
      bool jumps = instruction.kind == Instruction::Jump ||
                   instruction.kind == Instruction::Next;
      if (!jumps && instruction.kind != Instruction::End)
        join(i + 1);
      if (instruction.target >= 0)
        join(instruction.target);
      std::vector<Value> uses, defs;
      usesAndDefs(instruction, *code.process, uses, defs);
      for (Value value : defs)
        if (value != kNoValue)
          now[value] = false;
      for (Value value : uses)
        now[value] = true;
      if (now != live[i]) {
        live[i] = std::move(now);
        changed = true;
      }
    }
  }
  for (size_t i = 0; i < size; ++i)
    for (size_t v = 0; v < count; ++v)
      if (live[i][v] && code.process->values[v].kind != Definition::Constant)
        code.code[i].live.push_back(Value(v));
}

} // namespace heddle::check
