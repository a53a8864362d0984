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
#include <functional>

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

std::vector<bool> findNeeded(const Process &process) {
  std::vector<bool> needed(process.values.size());
  std::vector<Value> work;
  auto need = [&](Value value) {
    if (value != kNoValue && !needed[value]) {
      needed[value] = true;
      work.push_back(value);
    }
  };
  // What a carried value or result is made of.
  std::vector<std::vector<Value>> sources(process.values.size());
  std::function<void(const std::vector<Statement> &)> visit =
      [&](const std::vector<Statement> &statements) {
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
      };
  visit(process.body);
  while (!work.empty()) {
    Value value = work.back();
    work.pop_back();
    for (Value operand : process.values[value].operands)
      need(operand);
    for (Value source : sources[value])
      need(source);
  }
  return needed;
}

static void usesAndDefs(const Instruction &instruction, const Process &process,
                        std::vector<Value> &uses, std::vector<Value> &defs) {
  if (instruction.kind == Instruction::Compute) {
    uses = process.values[instruction.value].operands;
    defs = {instruction.value};
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
