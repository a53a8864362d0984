//===- Moves.cpp - Flights that need other registers ------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loops and branches hand on is one place for several values, and a
// product that accumulates stays where it began. Values that are tied in one of
// these ways share registers, unless two of them are needed at one time: then
// somewhere on the way registers are copied, which is right for what has landed
// and wrong for what is in flight. Which of the values are copied is up to the
// code generator, so all of them count as moved. What is waited for and not
// read needs no registers.
//
//===----------------------------------------------------------------------===//

#include "Flatten.h"

#include <numeric>

namespace heddle::check {

namespace {
class MoveFinder {
public:
  explicit MoveFinder(ProcessCode &code)
      : code(code), count(code.process->values.size()), group(count),
        isFlight(count) {
    std::iota(group.begin(), group.end(), 0);
  }

  void find() {
    findFlights();
    tie();
    findLive();
    code.moves.assign(count, false);
    std::vector<bool> isMixed(count);
    for (const std::vector<bool> &values : live)
      markMixed(values, isMixed);
    for (size_t v = 0; v < count; ++v)
      code.moves[v] = isFlight[v] && isMixed[groupOf(Value(v))];
  }

private:
  static const Event *productOf(const Instruction &instruction) {
    bool isProduct = instruction.kind == Instruction::Happen &&
                     instruction.event->kind == Event::Wgmma;
    return isProduct ? instruction.event : nullptr;
  }

  /// What is a product's, and what that is handed on to.
  void findFlights() {
    for (bool changed = true; changed;) {
      changed = false;
      auto mark = [&](Value value) {
        changed |= !isFlight[value];
        isFlight[value] = true;
      };
      for (const Instruction &instruction : code.code) {
        if (const Event *product = productOf(instruction))
          mark(product->flight);
        for (size_t i = 0; i < instruction.from.size(); ++i)
          if (instruction.from[i] != kNoValue && isFlight[instruction.from[i]])
            mark(instruction.to[i]);
      }
    }
  }

  void tie() {
    for (const Instruction &instruction : code.code) {
      if (const Event *product = productOf(instruction))
        if (product->accumulator != kNoValue)
          join(product->flight, product->accumulator);
      for (size_t i = 0; i < instruction.from.size(); ++i)
        if (instruction.from[i] != kNoValue && isFlight[instruction.to[i]])
          join(instruction.from[i], instruction.to[i]);
    }
  }

  Value groupOf(Value value) {
    while (group[value] != value)
      value = group[value] = group[group[value]];
    return value;
  }
  void join(Value a, Value b) { group[groupOf(a)] = groupOf(b); }

  /// Flights that are read or accumulated into from each instruction on.
  void findLive() {
    size_t size = code.code.size();
    live.assign(size, std::vector<bool>(count));
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = size; i-- > 0;) {
        std::vector<bool> now = liveBehind(i);
        enter(code.code[i], now);
        changed |= now != live[i];
        live[i] = std::move(now);
      }
    }
  }

  std::vector<bool> liveBehind(size_t i) const {
    const Instruction &instruction = code.code[i];
    std::vector<bool> now(count);
    auto take = [&](size_t next) {
      for (size_t v = 0; next < live.size() && v < count; ++v)
        now[v] = now[v] || live[next][v];
    };
    bool jumps = instruction.kind == Instruction::Jump ||
                 instruction.kind == Instruction::Next;
    if (!jumps && instruction.kind != Instruction::End)
      take(i + 1);
    if (instruction.target >= 0)
      take(size_t(instruction.target));
    return now;
  }

  /// From behind an instruction to before it.
  void enter(const Instruction &instruction, std::vector<bool> &now) const {
    if (instruction.kind == Instruction::Copy) {
      std::vector<Value> used;
      for (size_t i = 0; i < instruction.to.size(); ++i)
        if (isFlight[instruction.to[i]] && now[instruction.to[i]])
          used.push_back(instruction.from[i]);
      for (Value value : instruction.to)
        now[value] = false;
      for (Value value : used)
        if (value != kNoValue)
          now[value] = true;
    } else if (const Event *product = productOf(instruction)) {
      now[product->flight] = false;
      if (product->accumulator != kNoValue)
        now[product->accumulator] = true;
    } else if (instruction.kind == Instruction::Happen &&
               isReader(*instruction.event)) {
      now[instruction.event->flight] = true;
    }
  }

  static bool isReader(const Event &event) {
    bool isRead = event.kind == Event::WgmmaWait && event.isRead;
    return (isRead || event.kind == Event::Hold) && event.flight != kNoValue;
  }

  /// Marks groups of which two values are needed at one time.
  void markMixed(const std::vector<bool> &values, std::vector<bool> &isMixed) {
    std::vector<bool> isThere(count);
    for (size_t v = 0; v < count; ++v) {
      if (!values[v] || !isFlight[v])
        continue;
      size_t its = size_t(groupOf(Value(v)));
      if (isThere[its])
        isMixed[its] = true;
      isThere[its] = true;
    }
  }

  ProcessCode &code;
  size_t count;
  std::vector<Value> group;
  std::vector<bool> isFlight;
  std::vector<std::vector<bool>> live; ///< before each instruction
};
} // namespace

void findMoves(ProcessCode &code) { MoveFinder(code).find(); }

} // namespace heddle::check
