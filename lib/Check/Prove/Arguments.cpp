//===- Arguments.cpp - What leads to a counterexample -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include <algorithm>

namespace heddle::check {

void describeTrips(const Program &program, const State &state, Fault &fault) {
  auto loopAt = [&](int64_t construct) {
    const std::string &place = program.constructs[construct].place;
    return "the loop at " + (place.empty() ? "an unknown place" : place);
  };
  for (const auto &[path, instance] : state.instances) {
    int family = program.constructs[path.back()].family;
    if ((instance.least == INT_MIN && instance.most == INT_MAX) ||
        program.families[family].trips)
      continue;
    TripCount trips;
    trips.what = loopAt(path.back());
    if (path.size() > 1)
      trips.when = "in iteration " + std::to_string(path[path.size() - 2]) +
                   " of " + loopAt(path[path.size() - 3]);
    trips.isExact = instance.most != INT_MAX;
    trips.trips =
        std::max<int64_t>(trips.isExact ? instance.most : instance.least, 0);
    fault.trips.push_back(std::move(trips));
  }
}

namespace {

using Numbers = std::map<std::string, int64_t>;

/// Evaluates canonical forms for given symbols in one iteration.
class Evaluator {
public:
  Evaluator(const Program &program, const Numbers &symbols)
      : program(program), symbols(symbols) {}

  std::optional<int64_t> evaluate(const Linear &number, const Path &path) {
    int64_t sum = number.constant;
    for (const auto &[key, factor] : number.terms) {
      auto term = evaluate(key, path);
      if (!term)
        return std::nullopt;
      sum += factor * *term;
    }
    return sum;
  }

private:
  std::optional<int64_t> evaluate(const std::string &key, const Path &path) {
    const Term &term = program.terms[key];
    if (term.depth >= 0)
      return point(term, path);
    if (term.operands.empty()) {
      auto found = symbols.find(key);
      return found == symbols.end() ? std::nullopt
                                    : std::optional(found->second);
    }
    std::vector<int64_t> operands;
    for (const Linear &operand : term.operands) {
      auto number = evaluate(operand, path);
      if (!number)
        return std::nullopt;
      operands.push_back(*number);
    }
    return check::evaluate(term.arith, operands);
  }

  /// A loop's index, if that loop is one of those around.
  std::optional<int64_t> point(const Term &term, const Path &path) {
    size_t at = 2 * size_t(term.depth);
    if (at + 1 >= path.size())
      return std::nullopt;
    auto base = evaluate(term.operands[0], path);
    auto step = evaluate(term.operands[1], path);
    if (!base || !step)
      return std::nullopt;
    return *base + *step * path[at + 1];
  }

  const Program &program;
  const Numbers &symbols;
};

} // namespace

static void collect(const Program &program, const Linear &number,
                    std::map<std::string, std::vector<int64_t>> &candidates,
                    int64_t unit) {
  for (const auto &[key, factor] : number.terms) {
    const Term &term = program.terms[key];
    if (term.operands.empty()) {
      // Several whole steps first: what goes wrong shows better in long loops,
      // and TMA wants rows of 16 bytes.
      std::vector<int64_t> &values = candidates[key];
      for (int64_t off : {0, 16, -16, 1, -1})
        for (int64_t i : {4, 3, 5, 2, 1, 0})
          if (int64_t value = i * unit + off;
              value >= 0 && !std::count(values.begin(), values.end(), value))
            values.push_back(value);
      continue;
    }
    int64_t inner = unit;
    if ((term.arith == Arith::CeilDiv || term.arith == Arith::Div) &&
        term.operands[1].isConstant())
      inner = unit * std::max<int64_t>(term.operands[1].constant, 1);
    for (const Linear &operand : term.operands)
      collect(program, operand, candidates, inner);
  }
}

static bool agrees(const Program &program, const State &state,
                   const Numbers &symbols) {
  Evaluator evaluator(program, symbols);
  for (const auto &[path, instance] : state.instances) {
    const Family &family =
        program.families[program.constructs[path.back()].family];
    if ((instance.least == INT_MIN && instance.most == INT_MAX) || family.trips)
      continue;
    auto points = evaluator.evaluate(family.points, path);
    auto step = evaluator.evaluate(family.step, path);
    if (!points || !step || *step <= 0)
      return false;
    int64_t trips =
        std::max<int64_t>(*points <= 0 ? 0 : (*points - 1) / *step + 1, 0);
    bool isLess = instance.least > 0 && trips < instance.least;
    bool isMore =
        instance.most != INT_MAX && trips > std::max<int64_t>(instance.most, 0);
    if (isLess || isMore)
      return false;
  }
  return state.conditions.empty(); // unknowns that nothing here evaluates
}

/// Leaves so many combinations that all can be tried, by giving up the last
/// values of the axes that have most. Returns their number.
static int64_t
keepTheLikely(std::vector<std::pair<std::string, std::vector<int64_t>>> &axes) {
  constexpr int64_t kMost = 200000;
  while (true) {
    int64_t total = 1;
    std::vector<int64_t> *longest = nullptr;
    for (auto &[name, values] : axes) {
      total = std::min(total * int64_t(values.size()), kMost + 1);
      if (!longest || values.size() > longest->size())
        longest = &values;
    }
    if (total <= kMost || longest->size() == 1)
      return total;
    longest->pop_back();
  }
}

std::optional<std::map<std::string, int64_t>>
findArguments(const Program &program, const State &state) {
  std::map<std::string, std::vector<int64_t>> candidates;
  for (const auto &[path, instance] : state.instances) {
    const Family &family =
        program.families[program.constructs[path.back()].family];
    int64_t unit = family.step.isConstant() ? family.step.constant : 1;
    collect(program, family.points, candidates, unit);
    collect(program, family.step, candidates, 1);
  }
  // One thread block does everything.
  if (candidates.count("worker id"))
    candidates["worker id"] = {0};
  if (candidates.count("worker count"))
    candidates["worker count"] = {1};
  std::vector<std::pair<std::string, std::vector<int64_t>>> axes(
      candidates.begin(), candidates.end());
  int64_t total = keepTheLikely(axes);
  for (int64_t number = 0; number < total; ++number) {
    Numbers symbols;
    int64_t rest = number;
    for (auto &[name, values] : axes) {
      symbols[name] = values[rest % values.size()];
      rest /= int64_t(values.size());
    }
    if (agrees(program, state, symbols))
      return symbols;
  }
  return std::nullopt;
}

} // namespace heddle::check
