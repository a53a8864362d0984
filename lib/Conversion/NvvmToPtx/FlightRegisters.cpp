//===- FlightRegisters.cpp - Who touches what a product writes ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each register that a product writes, the number of groups that were
// committed since, the least of all paths: a wait that leaves N groups retires
// those of more than N.
//
//===----------------------------------------------------------------------===//

#include "FlightRegisters.h"

#include "CheckEvents.h"
#include "EventNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using llvm::StringRef;

namespace heddle {

namespace {

constexpr llvm::StringLiteral kProduct = "wgmma.mma_async";

struct Step {
  enum Kind { Start, Commit, Wait, Touch } kind;
  std::vector<unsigned> registers;
  int left = 0; ///< groups that a wait leaves
};

/// Groups committed since a register's product; less than 0: it is not in
/// flight.
using Ages = std::vector<int>;

class Kernel {
public:
  Kernel(StringRef ptx, StringRef entry) {
    // All registers of products are known before anything that touches them.
    collectEvents(ptx, entry, [&](const Statement &statement) {
      if (isProduct(statement))
        for (StringRef name : sumsOf(statement))
          numbers.try_emplace(name, numbers.size());
      return std::optional<std::string>();
    });
    if (!numbers.empty())
      graph = *collectEvents(ptx, entry, [&](const Statement &statement) {
        return addStep(statement);
      });
  }

  bool touchesFlights() const {
    std::vector<Ages> before(graph.size(), Ages(numbers.size(), -1));
    std::vector<bool> isReached(graph.size());
    std::vector<unsigned> open = {0};
    while (!graph.empty() && !open.empty()) {
      unsigned block = open.back();
      open.pop_back();
      isReached[block] = true;
      Ages ages = before[block];
      for (const std::string &event : graph[block].events)
        if (event != kReturnEvent && !execute(steps[std::stoul(event)], ages))
          return true;
      for (unsigned next : graph[block].successors)
        if (join(ages, before[next]) || !isReached[next])
          open.push_back(next);
    }
    return false;
  }

private:
  static bool isProduct(const Statement &statement) {
    return statement.opcode.starts_with(kProduct);
  }

  static std::vector<StringRef> sumsOf(const Statement &statement) {
    return namesIn(
        statement.operands.take_until([](char c) { return c == '}'; }));
  }

  static std::vector<StringRef> namesIn(StringRef operands) {
    std::vector<StringRef> names;
    for (size_t at = operands.find('%'); at != StringRef::npos;
         at = operands.find('%', at + 1))
      names.push_back(operands.substr(at).take_while(
          [](char c) { return c == '%' || llvm::isAlnum(c); }));
    return names;
  }

  std::optional<std::string> addStep(const Statement &statement) {
    StringRef opcode = statement.opcode;
    Step step;
    if (isProduct(statement)) {
      step.kind = Step::Start;
      step.registers = numbersOf(sumsOf(statement));
    } else if (opcode.starts_with("wgmma.commit_group")) {
      step.kind = Step::Commit;
    } else if (opcode.starts_with("wgmma.wait_group")) {
      step.kind = Step::Wait;
      if (!llvm::to_integer(statement.operands, step.left))
        return std::nullopt;
    } else {
      step.kind = Step::Touch;
      step.registers = numbersOf(namesIn(statement.operands));
      if (step.registers.empty())
        return std::nullopt;
    }
    steps.push_back(std::move(step));
    return std::to_string(steps.size() - 1);
  }

  std::vector<unsigned> numbersOf(llvm::ArrayRef<StringRef> names) const {
    std::vector<unsigned> found;
    for (StringRef name : names)
      if (auto number = numbers.find(name); number != numbers.end())
        found.push_back(number->second);
    return found;
  }

  /// False if it touches what is in flight.
  static bool execute(const Step &step, Ages &ages) {
    switch (step.kind) {
    case Step::Start:
      for (unsigned number : step.registers)
        ages[number] = 0;
      return true;
    case Step::Commit:
      for (int &age : ages)
        age += age >= 0;
      return true;
    case Step::Wait:
      for (int &age : ages)
        age = age > step.left ? -1 : age;
      return true;
    case Step::Touch:
      return std::all_of(step.registers.begin(), step.registers.end(),
                         [&](unsigned number) { return ages[number] < 0; });
    }
    return true;
  }

  /// Ages that are known only fall, so that they settle.
  static bool join(const Ages &from, Ages &into) {
    bool changed = false;
    for (auto [age, known] : llvm::zip_equal(from, into)) {
      if (age < 0 || (known >= 0 && known <= age))
        continue;
      known = age;
      changed = true;
    }
    return changed;
  }

  llvm::StringMap<unsigned> numbers;
  std::vector<Step> steps;
  EventGraph graph; ///< events are the numbers of steps
};

} // namespace

bool touchesFlights(StringRef ptx) {
  if (!ptx.contains(kProduct)) // nor do most kernels have to be read then
    return false;
  for (StringRef rest = ptx; !rest.empty();) {
    size_t at = rest.find(".entry ");
    if (at == StringRef::npos)
      return false;
    rest = rest.substr(at + StringRef(".entry ").size());
    if (Kernel(ptx, rest.take_until([](char c) {
          return c == '(';
        })).touchesFlights())
      return true;
  }
  return false;
}

} // namespace heddle
