//===- Arguments.cpp - What leads to a counterexample -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include <algorithm>
#include <set>

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

/// Values of symbols, and since when they have them.
class Numbers {
public:
  void set(int symbol, int64_t value) {
    if (size_t(symbol) >= numbers.size())
      numbers.resize(symbol + 1);
    numbers[symbol] = {value, ++clock};
  }
  std::optional<int64_t> valueOf(int symbol) const {
    return size_t(symbol) < numbers.size() && numbers[symbol].since
               ? std::optional(numbers[symbol].value)
               : std::nullopt;
  }
  bool isChanged(int symbol, int64_t since) const {
    return size_t(symbol) < numbers.size() && numbers[symbol].since > since;
  }
  int64_t now() const { return clock; }

private:
  struct Number {
    int64_t value = 0;
    int64_t since = 0; ///< 0: it has no value
  };
  std::vector<Number> numbers; ///< by the symbol's term
  int64_t clock = 0;
};

/// Evaluates canonical forms in one iteration, for the symbols as they are. A
/// term may be an operand of many, and most do not change with the symbol that
/// changes most often: each is evaluated again when one of its symbols has
/// another value.
class Evaluator {
public:
  Evaluator(const Program &program, const Numbers &symbols, const Path &path)
      : program(program), symbols(symbols), path(path),
        known(program.terms.size()) {}

  std::optional<int64_t> evaluate(const Linear &number) {
    int64_t sum = number.constant;
    for (const auto &[key, factor] : number.terms) {
      auto term = evaluate(key);
      int64_t product = 0;
      if (!term || __builtin_mul_overflow(factor, *term, &product) ||
          __builtin_add_overflow(sum, product, &sum))
        return std::nullopt;
    }
    return sum;
  }

private:
  struct Known {
    int64_t when = -1; ///< not yet
    std::optional<int64_t> value;
    std::set<int> symbols; ///< that it is made of
  };

  std::optional<int64_t> evaluate(int key) {
    Known &term = known[key];
    if (term.when < 0)
      for (const Linear &operand : program.terms[key].operands)
        for (const auto &[inner, factor] : operand.terms) {
          (void)evaluate(inner);
          const std::set<int> &its = known[inner].symbols;
          term.symbols.insert(its.begin(), its.end());
        }
    if (term.when < 0 && program.terms[key].kind == Term::Symbol)
      term.symbols.insert(key);
    if (term.when < 0 ||
        std::any_of(
            term.symbols.begin(), term.symbols.end(),
            [&](int symbol) { return symbols.isChanged(symbol, term.when); }))
      term.value = compute(key);
    term.when = symbols.now();
    return term.value;
  }

  std::optional<int64_t> compute(int key) {
    const Term &term = program.terms[key];
    switch (term.kind) {
    case Term::Symbol:
      return symbols.valueOf(key);
    case Term::Data:
      return std::nullopt;
    case Term::Point:
      return point(term);
    case Term::Element: {
      auto inside = evaluate(term.operands[0]);
      auto each = evaluate(term.operands[1]);
      return !inside || !each ? std::nullopt
                              : std::optional(*inside != 0 ? *each : 0);
    }
    case Term::Distance: {
      auto upper = evaluate(term.operands[0]);
      auto lower = evaluate(term.operands[1]);
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
      auto number = evaluate(operand);
      if (!number)
        return std::nullopt;
      operands.push_back(*number);
    }
    return check::evaluate(term.arith, term.from, term.bits, operands);
  }

  /// How far a loop is, if it is one of those around.
  std::optional<int64_t> point(const Term &term) {
    size_t at = 2 * size_t(term.depth);
    if (at + 1 >= path.size())
      return std::nullopt;
    auto step = evaluate(term.operands[1]);
    int64_t distance = 0;
    if (!step || __builtin_mul_overflow(*step, path[at + 1], &distance))
      return std::nullopt;
    return distance;
  }

  const Program &program;
  const Numbers &symbols;
  const Path &path;
  std::vector<Known> known; ///< by term
};

using Candidates = std::map<int, std::vector<int64_t>>;
/// A term, and the unit in which its symbols are counted.
using Collected = std::set<std::pair<int, int64_t>>;

/// What the state knows, as a question to values of symbols.
struct Question {
  const Path *path = nullptr;
  const Instance *instance = nullptr; ///< how often `family` runs; or
  const Family *family = nullptr;
  const Linear *condition = nullptr; ///< whether this is not 0
  bool answer = false;
  std::set<int> symbols;

  bool isAnsweredBy(Evaluator &evaluator) const;
};

/// A symbol and values to try, in this order.
using Axis = std::pair<int, std::vector<int64_t>>;

} // namespace

static void collectSymbols(const Program &program, const Linear &number,
                           std::set<int> &symbols, std::set<int> &done) {
  for (const auto &[key, factor] : number.terms) {
    if (!done.insert(key).second)
      continue;
    if (program.terms[key].kind == Term::Symbol)
      symbols.insert(key);
    for (const Linear &operand : program.terms[key].operands)
      collectSymbols(program, operand, symbols, done);
  }
}

/// Of what a term makes of fewer bits: numbers that these do not hold, and of
/// which few are left.
static void addTooWide(const Program &program, const Term &term,
                       Candidates &candidates) {
  if (term.kind != Term::Function || term.arith != Arith::Truncate ||
      term.bits > 48)
    return;
  std::set<int> symbols, done;
  for (const Linear &operand : term.operands)
    collectSymbols(program, operand, symbols, done);
  for (int key : symbols) {
    const Term &symbol = program.terms[key];
    if (symbol.number == kWorkerId || symbol.number == kWorkerCount)
      continue;
    int64_t size = int64_t(1) << term.bits;
    std::vector<int64_t> &values = candidates[key];
    for (int64_t value : {size, size + 1, size + 3, size / 2})
      if (value >= symbol.range.low && value <= symbol.range.high &&
          !std::count(values.begin(), values.end(), value))
        values.push_back(value);
  }
}

static void collect(const Program &program, const Linear &number,
                    Candidates &candidates, int64_t unit, Collected &done) {
  constexpr int64_t kLargest = int64_t(1) << 24; // of a unit, times 5
  for (const auto &[key, factor] : number.terms) {
    if (!done.emplace(key, unit).second)
      continue;
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
      collect(program, operand, candidates, inner, done);
    addTooWide(program, term, candidates);
  }
}

/// Rounded up, for a step of at least 1.
static int64_t tripsOf(int64_t points, int64_t step) {
  return points / step + (points % step > 0 ? 1 : 0);
}

bool Question::isAnsweredBy(Evaluator &evaluator) const {
  if (condition) {
    auto number = evaluator.evaluate(*condition);
    return number && (*number != 0) == answer;
  }
  auto points = evaluator.evaluate(family->points);
  auto step = evaluator.evaluate(family->step);
  if (!points || !step || *step <= 0)
    return false;
  int64_t trips = tripsOf(*points, *step);
  return trips >= instance->least && trips <= instance->most;
}

static std::vector<Question> questionsOf(const Program &program,
                                         const State &state) {
  std::vector<Question> questions;
  auto add = [&](Question question, std::initializer_list<const Linear *> of) {
    std::set<int> done;
    for (const Linear *number : of)
      collectSymbols(program, *number, question.symbols, done);
    questions.push_back(std::move(question));
  };
  for (const auto &[path, instance] : state.instances) {
    const Family &family =
        program.families[program.constructs[path.back()].family];
    if (isAsked(instance) && !family.trips)
      add({&path, &instance, &family, nullptr, false, {}},
          {&family.points, &family.step});
  }
  for (const auto &[where, answer] : state.conditions)
    add({&where.first, nullptr, nullptr, &where.second, answer, {}},
        {&where.second});
  return questions;
}

/// Leaves so many combinations that all can be tried, by giving up the last
/// values of the axes that have most.
static void keepTheLikely(std::vector<Axis> &axes) {
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
      return;
    longest->pop_back();
  }
}

namespace {

/// Looks for values of some axes that answer the questions about them. The last
/// axis changes slowest. A question is asked as soon as its symbols have
/// values, so that what contradicts it is not tried with all the others.
class Search {
public:
  Search(const Program &program, std::vector<Axis> ofAxes,
         const std::vector<const Question *> &questions, Numbers &symbols)
      : axes(std::move(ofAxes)), symbols(symbols) {
    asked.resize(axes.size());
    for (const Question *question : questions) {
      size_t last = 0; // of its axes to get a value
      while (!question->symbols.count(axes[last].first))
        ++last;
      asked[last].push_back({question, {program, symbols, *question->path}});
    }
    keepWhatAnswersAlone();
    keepTheLikely(axes);
  }

  /// The values are in `symbols` then.
  bool run() { return run(axes.size()); }

private:
  struct Asked {
    const Question *question;
    Evaluator evaluator;
    bool isAnswered() { return question->isAnsweredBy(evaluator); }
  };

  /// Of each axis, by the questions about no other one.
  void keepWhatAnswersAlone() {
    for (size_t at = 0; at < axes.size(); ++at)
      std::erase_if(axes[at].second, [&](int64_t value) {
        symbols.set(axes[at].first, value);
        return std::any_of(asked[at].begin(), asked[at].end(), [](Asked &one) {
          return one.question->symbols.size() == 1 && !one.isAnswered();
        });
      });
  }

  bool run(size_t left) {
    if (left == 0)
      return true;
    const auto &[symbol, values] = axes[left - 1];
    std::vector<Asked> &now = asked[left - 1];
    for (int64_t value : values) {
      symbols.set(symbol, value);
      if (std::all_of(now.begin(), now.end(),
                      [](Asked &one) { return one.isAnswered(); }) &&
          run(left - 1))
        return true;
    }
    return false;
  }

  std::vector<Axis> axes;
  /// By axis, the questions whose other symbols have values before it has.
  std::vector<std::vector<Asked>> asked;
  Numbers &symbols;
};

} // namespace

/// The questions in groups: no two groups have a symbol in common.
static std::vector<std::vector<const Question *>>
groupBySymbols(const std::vector<Question> &questions) {
  std::vector<std::vector<const Question *>> groups;
  std::vector<std::set<int>> symbols; ///< of each group
  for (const Question &question : questions) {
    std::vector<const Question *> group = {&question};
    std::set<int> together = question.symbols;
    for (size_t i = groups.size(); i-- > 0;) {
      if (std::none_of(
              question.symbols.begin(), question.symbols.end(),
              [&](int symbol) { return symbols[i].count(symbol) != 0; }))
        continue;
      group.insert(group.end(), groups[i].begin(), groups[i].end());
      together.insert(symbols[i].begin(), symbols[i].end());
      groups.erase(groups.begin() + i);
      symbols.erase(symbols.begin() + i);
    }
    groups.push_back(std::move(group));
    symbols.push_back(std::move(together));
  }
  return groups;
}

static Candidates candidatesOf(const Program &program, const State &state) {
  Candidates candidates;
  Collected done;
  for (const auto &[path, instance] : state.instances) {
    const Family &family =
        program.families[program.constructs[path.back()].family];
    int64_t unit = family.step.isConstant() ? family.step.constant : 1;
    if (unit < 1 || unit > 1 << 20)
      unit = 1;
    collect(program, family.points, candidates, unit, done);
    collect(program, family.step, candidates, 1, done);
  }
  for (const auto &[where, answer] : state.conditions)
    collect(program, where.second, candidates, 1, done);
  return candidates;
}

std::optional<std::map<std::string, int64_t>>
findArguments(const Program &program, const State &state) {
  Candidates candidates = candidatesOf(program, state);
  std::vector<Axis> axes(candidates.begin(), candidates.end());
  Numbers symbols; // what no question is about keeps its first value
  for (const auto &[symbol, values] : axes) {
    if (values.empty())
      return std::nullopt;
    symbols.set(symbol, values.front());
  }
  // By name, as a reader sees them.
  std::stable_sort(axes.begin(), axes.end(), [&](auto &a, auto &b) {
    return program.terms[a.first].name < program.terms[b.first].name;
  });
  std::vector<Question> questions = questionsOf(program, state);
  for (const auto &group : groupBySymbols(questions)) {
    std::vector<Axis> some;
    for (const Axis &axis : axes)
      if (std::any_of(group.begin(), group.end(), [&](const Question *asked) {
            return asked->symbols.count(axis.first) != 0;
          }))
        some.push_back(axis);
    Evaluator evaluator(program, symbols, *group.front()->path);
    bool isAnswered = some.empty()
                          ? group.front()->isAnsweredBy(evaluator)
                          : Search(program, some, group, symbols).run();
    if (!isAnswered)
      return std::nullopt;
  }
  std::map<std::string, int64_t> named;
  for (const auto &[symbol, values] : candidates) {
    std::string name = program.terms[symbol].name;
    while (named.count(name))
      name += "'";
    named[name] = *symbols.valueOf(symbol);
  }
  return named;
}

} // namespace heddle::check
