//===- Arguments.cpp - What leads to a counterexample -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include <algorithm>

namespace heddle::check {

static bool isAsked(const Instance &instance) {
  return instance.least != Instance::kNoLeast ||
         instance.most != Instance::kNoMost;
}

void describeTrips(const Program &program, const State &state, Fault &fault) {
  auto loopAt = [&](int64_t construct) {
    const std::string &place = program.constructs[construct].place;
    return "the loop at " + (place.empty() ? "an unknown place" : place);
  };
  for (const auto &[path, instance] : state.instances) {
    int family = program.constructs[path.back()].family;
    if (!isAsked(instance) || program.families[family].trips)
      continue;
    TripCount trips;
    trips.what = loopAt(path.back());
    if (path.size() > 1)
      trips.when = "in iteration " + std::to_string(path[path.size() - 2]) +
                   " of " + loopAt(path[path.size() - 3]);
    trips.isExact = instance.most != Instance::kNoMost;
    trips.trips =
        std::max<int64_t>(trips.isExact ? instance.most : instance.least, 0);
    fault.trips.push_back(std::move(trips));
  }
}

namespace {

/// Values of symbols, by the symbol's term.
using Numbers = std::map<int, int64_t>;

/// Evaluates canonical forms for given symbols in one iteration.
class Evaluator {
public:
  Evaluator(const Program &program, const Numbers &symbols)
      : program(program), symbols(symbols) {}

  std::optional<int64_t> evaluate(const Linear &number, const Path &path) {
    int64_t sum = number.constant;
    for (const auto &[key, factor] : number.terms) {
      auto term = evaluate(key, path);
      int64_t product = 0;
      if (!term || __builtin_mul_overflow(factor, *term, &product) ||
          __builtin_add_overflow(sum, product, &sum))
        return std::nullopt;
    }
    return sum;
  }

private:
  std::optional<int64_t> evaluate(int key, const Path &path) {
    const Term &term = program.terms[key];
    switch (term.kind) {
    case Term::Symbol: {
      auto found = symbols.find(key);
      return found == symbols.end() ? std::nullopt
                                    : std::optional(found->second);
    }
    case Term::Data:
      return std::nullopt;
    case Term::Point:
      return point(term, path);
    case Term::Element: {
      auto inside = evaluate(term.operands[0], path);
      auto each = evaluate(term.operands[1], path);
      return !inside || !each ? std::nullopt
                              : std::optional(*inside != 0 ? *each : 0);
    }
    case Term::Distance: {
      auto upper = evaluate(term.operands[0], path);
      auto lower = evaluate(term.operands[1], path);
      int64_t distance = 0;
      if (!upper || !lower || __builtin_sub_overflow(*upper, *lower, &distance))
        return std::nullopt;
      return distance;
    }
    case Term::Function:
      break;
    }
    std::vector<int64_t> operands;
    for (const Linear &operand : term.operands) {
      auto number = evaluate(operand, path);
      if (!number)
        return std::nullopt;
      operands.push_back(*number);
    }
    return check::evaluate(term.arith, term.from, term.bits, operands);
  }

  /// How far a loop is, if it is one of those around.
  std::optional<int64_t> point(const Term &term, const Path &path) {
    size_t at = 2 * size_t(term.depth);
    if (at + 1 >= path.size())
      return std::nullopt;
    auto step = evaluate(term.operands[1], path);
    int64_t distance = 0;
    if (!step || __builtin_mul_overflow(*step, path[at + 1], &distance))
      return std::nullopt;
    return distance;
  }

  const Program &program;
  const Numbers &symbols;
};

using Candidates = std::map<int, std::vector<int64_t>>;

} // namespace

static void collect(const Program &program, const Linear &number,
                    Candidates &candidates, int64_t unit) {
  constexpr int64_t kLargest = int64_t(1) << 24; // of a unit, times 5
  for (const auto &[key, factor] : number.terms) {
    const Term &term = program.terms[key];
    if (term.kind == Term::Symbol) {
      // Several whole steps first: what goes wrong shows better in long loops,
      // and TMA wants rows of 16 bytes.
      std::vector<int64_t> &values = candidates[key];
      if (term.number == kWorkerId || term.number == kWorkerCount) {
        // One thread block does everything.
        values = {term.number == kWorkerId ? 0 : 1};
        continue;
      }
      for (int64_t off : {0, 16, -16, 1, -1})
        for (int64_t i : {4, 3, 5, 2, 1, 0})
          if (int64_t value = i * unit + off;
              value >= -1 && value >= term.range.low &&
              value <= term.range.high &&
              !std::count(values.begin(), values.end(), value))
            values.push_back(value);
      continue;
    }
    int64_t inner = unit;
    if ((term.arith == Arith::CeilDiv || term.arith == Arith::Div) &&
        term.operands[1].isConstant() && term.operands[1].constant > 0 &&
        term.operands[1].constant <= kLargest / unit)
      inner = unit * term.operands[1].constant;
    for (const Linear &operand : term.operands)
      collect(program, operand, candidates, inner);
  }
}

/// Rounded up, for a step of at least 1.
static int64_t tripsOf(int64_t points, int64_t step) {
  return points / step + (points % step > 0 ? 1 : 0);
}

static bool agrees(const Program &program, const State &state,
                   const Numbers &symbols) {
  Evaluator evaluator(program, symbols);
  for (const auto &[path, instance] : state.instances) {
    const Family &family =
        program.families[program.constructs[path.back()].family];
    if (!isAsked(instance) || family.trips)
      continue;
    auto points = evaluator.evaluate(family.points, path);
    auto step = evaluator.evaluate(family.step, path);
    if (!points || !step || *step <= 0)
      return false;
    int64_t trips = tripsOf(*points, *step);
    if (trips < instance.least || trips > instance.most)
      return false;
  }
  for (const auto &[where, answer] : state.conditions) {
    auto number = evaluator.evaluate(where.second, where.first);
    if (!number || (*number != 0) != answer)
      return false;
  }
  return true;
}

/// Leaves so many combinations that all can be tried, by giving up the last
/// values of the axes that have most. Returns their number.
static int64_t
keepTheLikely(std::vector<std::pair<int, std::vector<int64_t>>> &axes) {
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
  Candidates candidates;
  for (const auto &[path, instance] : state.instances) {
    const Family &family =
        program.families[program.constructs[path.back()].family];
    int64_t unit = family.step.isConstant() ? family.step.constant : 1;
    if (unit < 1 || unit > 1 << 20)
      unit = 1;
    collect(program, family.points, candidates, unit);
    collect(program, family.step, candidates, 1);
  }
  for (const auto &[where, answer] : state.conditions)
    collect(program, where.second, candidates, 1);
  std::vector<std::pair<int, std::vector<int64_t>>> axes(candidates.begin(),
                                                         candidates.end());
  for (const auto &[symbol, values] : axes)
    if (values.empty())
      return std::nullopt;
  // By name, as a reader sees them.
  std::stable_sort(axes.begin(), axes.end(), [&](auto &a, auto &b) {
    return program.terms[a.first].name < program.terms[b.first].name;
  });
  int64_t total = keepTheLikely(axes);
  for (int64_t number = 0; number < total; ++number) {
    Numbers symbols;
    int64_t rest = number;
    for (auto &[symbol, values] : axes) {
      symbols[symbol] = values[rest % values.size()];
      rest /= int64_t(values.size());
    }
    if (!agrees(program, state, symbols))
      continue;
    std::map<std::string, int64_t> named;
    for (const auto &[symbol, value] : symbols) {
      std::string name = program.terms[symbol].name;
      while (named.count(name))
        name += "'";
      named[name] = value;
    }
    return named;
  }
  return std::nullopt;
}

} // namespace heddle::check
