//===- PlanSpace.cpp - What may be chosen of a sparse program -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All parameters and their values are read off the planner's list, so that
// nothing here decides what is legal: orders keep what all orders of the list
// keep, and a combination that is not in the list is refused.
//
//===----------------------------------------------------------------------===//

#include "heddle/TuneSpaces/PlanSpace.h"

#include "heddle/Support/Diagnostics/Tuner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace heddle;
using namespace heddle::tunespaces;
using sparse::Candidate;
using sparse::Nest;
using tuner::Constraint;
using tuner::Kind;
using tuner::Parameter;
using tuner::Point;

static std::string wayOf(const Nest &nest) {
  std::string way = sparse::spell(nest.into);
  if (nest.assemble != sparse::Assemble::None)
    way += " " + sparse::spell(nest.assemble, nest.pattern);
  return way;
}

static Parameter ordinal(const std::string &name, const std::set<int64_t> &all,
                         int64_t preset) {
  Parameter made;
  made.name = name;
  made.isLog = *all.begin() > 0;
  for (int64_t value : all)
    made.numbers.push_back(double(value));
  made.preset = std::distance(all.begin(), all.find(preset));
  return made;
}

/// Numbers around those that the planner takes, in steps of four.
static std::set<int64_t> around(std::set<int64_t> values, int64_t most) {
  for (int64_t value : std::set(values))
    for (int64_t near : {value / 4, value * 4})
      if (near >= 1 && near <= most)
        values.insert(near);
  return values;
}

PlanSpace::Key PlanSpace::Choice::keyOf(const Nest &nest) const {
  Key key;
  for (int index : nest.order)
    key.push_back(int(llvm::find(indices, index) - indices.begin()));
  key.push_back(int(llvm::find(ways, wayOf(nest)) - ways.begin()));
  key.push_back(int(llvm::find(widths, nest.width) - widths.begin()));
  return key;
}

PlanSpace::Key PlanSpace::Choice::keyOf(const Point &point) const {
  // What is no parameter is as the planner has it.
  Key key = keyOf(term.candidates.front().nest);
  if (order >= 0)
    for (size_t k = 0; k < indices.size(); ++k)
      key[k] = tuner::itemAt(point[size_t(order)], int(k));
  if (way >= 0)
    key[indices.size()] = int(point[size_t(way)]);
  if (width >= 0)
    key[indices.size() + 1] = int(point[size_t(width)]);
  return key;
}

void PlanSpace::describe(Choice &choice, const std::string &prefix,
                         std::vector<Parameter> &parameters,
                         std::vector<Constraint> &constraints) const {
  constexpr int64_t kMostAhead = 64, kMostChunk = 4096;
  const std::vector<Candidate> &all = choice.term.candidates;
  const Nest &own = all.front().nest;
  choice.indices = choice.term.statement.indicesOf(choice.term.term);
  std::set<std::vector<int>> orders;
  std::set<int64_t> widths, aheads, chunks;
  for (const Candidate &candidate : all) {
    orders.insert(candidate.nest.order);
    widths.insert(candidate.nest.width);
    if (candidate.nest.ahead > 0)
      aheads.insert(candidate.nest.ahead);
    if (candidate.nest.parallel >= 0)
      chunks.insert(candidate.nest.chunk);
    if (!llvm::is_contained(choice.ways, wayOf(candidate.nest)))
      choice.ways.push_back(wayOf(candidate.nest));
  }
  choice.widths.assign(widths.begin(), widths.end());
  for (size_t k = 0; k < all.size(); ++k)
    choice.byKey.emplace(choice.keyOf(all[k].nest), k);

  auto add = [&](Parameter parameter) {
    parameters.push_back(std::move(parameter));
    return int(parameters.size()) - 1;
  };
  if (orders.size() > 1) {
    Parameter order;
    order.name = prefix + "order";
    order.kind = Kind::Permutation;
    order.items = int(choice.indices.size());
    Key items = choice.keyOf(own);
    items.resize(choice.indices.size());
    order.preset = tuner::packItems(items);
    choice.order = add(order);
    auto place = [](const std::vector<int> &order, int index) {
      return llvm::find(order, index) - order.begin();
    };
    for (auto [a, before] : llvm::enumerate(choice.indices))
      for (auto [b, after] : llvm::enumerate(choice.indices))
        if (a != b && llvm::all_of(orders, [&](const std::vector<int> &each) {
              return place(each, before) < place(each, after);
            }))
          constraints.push_back({order.name + "_i" + std::to_string(a) + " < " +
                                     order.name + "_i" + std::to_string(b),
                                 {}});
  }
  if (choice.ways.size() > 1) {
    Parameter way;
    way.name = prefix + "sums";
    way.kind = Kind::Categorical;
    way.texts = choice.ways;
    way.preset = 0; // the planner's choice comes first
    choice.way = add(way);
  }
  if (widths.size() > 1)
    choice.width = add(ordinal(prefix + "width", widths, own.width));
  if (!aheads.empty()) {
    std::set<int64_t> values = around(aheads, kMostAhead);
    values.insert({0, own.ahead});
    choice.ahead = add(ordinal(prefix + "ahead", values, own.ahead));
  }
  // One worker takes all, however they are cut.
  if (!chunks.empty() && choice.term.statistics.workers > 1) {
    std::set<int64_t> values = around(chunks, kMostChunk);
    values.insert(own.chunk);
    choice.chunk = add(ordinal(prefix + "chunk", values, own.chunk));
  }
}

llvm::Expected<PlanSpace> PlanSpace::make(std::vector<PlanTerm> terms) {
  PlanSpace made;
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  std::set<std::string> prefixes;
  bool isOne = terms.size() == 1;
  for (PlanTerm &term : terms) {
    std::string prefix;
    if (!isOne) {
      prefix = term.statement.result.tensor + "_" + std::to_string(term.term);
      for (char &c : prefix)
        c = llvm::isAlnum(c) ? c : '_';
      while (!prefixes.insert(prefix + "_").second)
        prefix += "_";
      prefix += "_";
    }
    Choice &choice = made.choices.emplace_back();
    choice.term = std::move(term);
    made.describe(choice, prefix, parameters, constraints);
  }
  if (parameters.empty())
    return makeError(diag::tuner_kernel,
                     "the program leaves nothing to "
                     "choose: each term has one legal nest");
  llvm::Expected<tuner::Space> space =
      tuner::Space::make(std::move(parameters), std::move(constraints));
  if (!space)
    return space.takeError();
  made.points.emplace(std::move(*space));
  return made;
}

bool PlanSpace::isLegal(const Point &point) const {
  return llvm::all_of(choices, [&](const Choice &choice) {
    return choice.byKey.count(choice.keyOf(point)) != 0;
  });
}

Nest PlanSpace::nestOf(const Choice &choice, const Point &point) const {
  size_t index = choice.byKey.at(choice.keyOf(point));
  Nest nest = choice.term.candidates[index].nest;
  auto numberOf = [&](int parameter) {
    return int64_t(points->parameters()[size_t(parameter)]
                       .numbers[size_t(point[size_t(parameter)])]);
  };
  // Where the planner asks for no rows ahead, nothing is to be had from it.
  if (choice.ahead >= 0 && nest.ahead > 0)
    nest.ahead = numberOf(choice.ahead);
  if (choice.chunk >= 0 && nest.parallel >= 0)
    nest.chunk = numberOf(choice.chunk);
  // The reasons are those of the planner's own choice.
  if (index != 0)
    nest.because.erase("order");
  if (nest.ahead != choice.term.candidates[index].nest.ahead)
    nest.because.erase("ahead");
  return nest;
}

std::vector<Nest> PlanSpace::nestsOf(const Point &point) const {
  std::vector<Nest> nests;
  for (const Choice &choice : choices)
    nests.push_back(nestOf(choice, point));
  return nests;
}

double PlanSpace::estimate(const Point &point) const {
  double sum = 0;
  for (const Choice &choice : choices)
    sum += sparse::modelledCycles(choice.term.statement, choice.term.statistics,
                                  nestOf(choice, point));
  return sum;
}
