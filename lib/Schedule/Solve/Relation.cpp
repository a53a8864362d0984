//===- Relation.cpp - What is asked of a schedule beside the rules --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Schedule/Relation.h"

#include <algorithm>
#include <cctype>

using namespace heddle::schedule;

namespace {

/// One side: `issued(dot)@1`.
struct Term {
  Event event = Event::Issued;
  std::vector<int> operations;
  int64_t turn = 0;
  bool isOne = false; ///< it is named, not its sub-tiles
};

class Parser {
public:
  Parser(const std::string &text, const Problem &problem)
      : text(text), problem(problem) {}

  std::string run(std::vector<Relation> &relations) {
    Term left;
    if (!parseTerm(left))
      return error;
    do {
      skipSpaces();
      if (!take('<'))
        return expected("'<' or '<='");
      int64_t delay = take('=') ? 0 : 1;
      Term right;
      if (!parseTerm(right))
        return error;
      relate(left, right, delay, relations);
      left = right;
      skipSpaces();
    } while (at < text.size());
    return "";
  }

private:
  std::string expected(const std::string &what) const {
    return "'" + text + "' should have " + what + " in place of '" +
           text.substr(at) + "'";
  }

  void skipSpaces() {
    while (at < text.size() &&
           std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }

  bool take(char c) {
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  std::string takeUntil(const std::string &ends) {
    size_t end = std::min(text.find_first_of(ends, at), text.size());
    std::string word = text.substr(at, end - at);
    at = end;
    return word;
  }

  bool parseTerm(Term &term) {
    skipSpaces();
    size_t begin = at;
    std::string event = takeUntil("( <");
    if (event == "issued")
      term.event = Event::Issued;
    else if (event == "taken")
      term.event = Event::TakenUp;
    else if (event == "done")
      term.event = Event::Done;
    else {
      at = begin;
      error = expected("issued(NAME), taken(NAME) or done(NAME)");
      return false;
    }
    if (!take('(')) {
      error = expected("'(' and an operation's name");
      return false;
    }
    std::string name = takeUntil(")");
    if (!take(')')) {
      error = expected("')'");
      return false;
    }
    term.operations = operationsNamed(name);
    term.isOne = term.operations.size() == 1 &&
                 problem.operations[term.operations.front()].name == name;
    if (term.operations.empty()) {
      error = "loop '" + problem.loop + "' has no operation '" + name + "'";
      return false;
    }
    if (take('@') && !parseTurn(term.turn)) {
      error = expected("a number of iterations, of at most 3 digits,");
      return false;
    }
    return true;
  }

  bool parseTurn(int64_t &turn) {
    size_t begin = at;
    for (turn = 0; at < text.size() && at < begin + 3 &&
                   std::isdigit(static_cast<unsigned char>(text[at]));
         ++at)
      turn = 10 * turn + (text[at] - '0');
    return at > begin;
  }

  std::vector<int> operationsNamed(const std::string &name) const {
    std::vector<int> found;
    for (size_t i = 0; i < problem.operations.size(); ++i) {
      const Operation &op = problem.operations[i];
      bool isMeant =
          name == op.name || (name == "*" && !op.variableLatency) ||
          (op.sub >= 0 && op.name == name + "." + std::to_string(op.sub));
      if (isMeant)
        found.push_back(static_cast<int>(i));
    }
    return found;
  }

  void relate(const Term &left, const Term &right, int64_t delay,
              std::vector<Relation> &relations) const {
    for (int from : left.operations)
      for (int to : right.operations) {
        int a = problem.operations[from].sub, b = problem.operations[to].sub;
        if (a == b || a < 0 || b < 0 || (left.isOne && right.isOne))
          relations.push_back({from, to, left.event, right.event,
                               right.turn - left.turn, delay});
      }
  }

  const std::string &text;
  const Problem &problem;
  size_t at = 0;
  std::string error;
};

int64_t timeOf(const Problem &problem, const Solution &solution, Event event,
               int op) {
  if (event == Event::Issued)
    return solution.start[op];
  return solution.executionOf(op) +
         (event == Event::Done ? problem.operations[op].latency : 0);
}

} // namespace

std::string heddle::schedule::parseRelations(const std::string &text,
                                             const Problem &problem,
                                             std::vector<Relation> &relations) {
  return Parser(text, problem).run(relations);
}

bool heddle::schedule::holds(const Problem &problem, const Solution &solution,
                             const Relation &relation) {
  return timeOf(problem, solution, relation.fromEvent, relation.from) +
             relation.delay <=
         timeOf(problem, solution, relation.toEvent, relation.to) +
             relation.distance * solution.ii;
}
