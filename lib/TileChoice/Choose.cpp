//===- Choose.cpp - Rank the legal tiles of a program --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two rounds. All combinations go through the passes up to the problem, whose
// bounds rank them in milliseconds each. The best, and the program's own, are
// then scheduled and lowered whole, until enough have passed.
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Plan/Method.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;

using Values = std::vector<int64_t>;

std::vector<Values>
heddle::tilechoice::combinationsOf(const std::vector<Values> &legal) {
  std::vector<Values> all = {{}};
  for (const Values &values : legal) {
    std::vector<Values> longer;
    for (const Values &begin : all)
      for (int64_t value : values) {
        longer.push_back(begin);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

/// Solved ones first, then what may be as fast, then what is refused. Of
/// equals, to four digits, the one that differs least from the program.
static void rank(Choice &choice) {
  auto key = [&](const Candidate &candidate) {
    int group = !candidate.refused.empty()    ? 2
                : candidate.estimate.isSolved ? 0
                                              : 1;
    int differences = 0;
    for (auto [value, own] : llvm::zip(candidate.values, choice.own))
      differences += value != own;
    double total = candidate.estimate.total;
    double digit = std::pow(10, std::floor(std::log10(total + 1)) - 3);
    return std::tuple(group, std::round(total / digit) * digit, differences);
  };
  std::stable_sort(
      choice.candidates.begin(), choice.candidates.end(),
      [&](const Candidate &a, const Candidate &b) { return key(a) < key(b); });
}

Options heddle::tilechoice::optionsFor(const Source &source,
                                       const pipeline::LowerOptions &lowering) {
  Options options;
  options.lowering = lowering;
  std::string error;
  if (!machine::findMachine(lowering.machineName(), options.machine, error))
    options.machine = {};
  for (StringRef setting : source.parameterSettings)
    options.fixed.push_back(setting.split('=').first.str());
  return options;
}

Choice heddle::tilechoice::beginChoice(ModuleOp module,
                                       const Options &options) {
  Choice choice;
  choice.modelError = options.machine.choices.modelError;
  choice.parameters = findTileShapes(module);
  llvm::erase_if(choice.parameters, [&](const std::string &name) {
    return llvm::is_contained(options.fixed, name);
  });
  for (const std::string &name : choice.parameters) {
    auto parameter = module.lookupSymbol<tile::ParamOp>(name);
    choice.own.push_back(parameter.getInit());
    choice.legal.push_back(Values(parameter.getValues()));
  }
  for (auto kernel : module.getOps<tile::KernelOp>())
    for (BlockArgument argument : kernel.getEntry().getArguments())
      choice.isOpen |= isa<tile::ViewType>(argument.getType()) &&
                       !options.extents.views.contains(
                           kernel.getArgName(argument.getArgNumber()));
  return choice;
}

/// The candidates in the order in which to try them with the exact solver,
/// which takes seconds for each and does not always reach what bounds promise:
/// that of the heuristic's schedules for three times as many.
static std::vector<size_t> orderByHeuristic(ModuleOp module,
                                            const Options &options,
                                            const Choice &choice) {
  Options quick = options;
  quick.lowering.schedule = "heuristic";
  Trials trials(module, quick, choice.parameters);
  std::vector<std::pair<double, size_t>> tried;
  for (size_t i = 0; i < choice.candidates.size(); ++i) {
    const Candidate &bounded = choice.candidates[i];
    if (!bounded.refused.empty() || int(tried.size()) >= 3 * options.solve)
      continue;
    Candidate candidate = trials.solve(bounded.values);
    if (candidate.refused.empty())
      tried.push_back({candidate.estimate.total, i});
  }
  llvm::stable_sort(tried, llvm::less_first());
  std::vector<size_t> order;
  llvm::append_range(order, llvm::make_second_range(tried));
  return order;
}

Choice heddle::tilechoice::boundTiles(ModuleOp module, const Options &options) {
  Choice choice = beginChoice(module, options);
  Trials trials(module, options, choice.parameters);
  for (const Values &values : combinationsOf(choice.legal))
    choice.candidates.push_back(trials.bound(values));
  return choice;
}

Choice heddle::tilechoice::chooseTiles(ModuleOp module,
                                       const Options &options) {
  Choice choice = boundTiles(module, options);
  Trials trials(module, options, choice.parameters);
  rank(choice);
  int passed = 0;
  auto solve = [&](Candidate &candidate) {
    if (!candidate.refused.empty() || candidate.estimate.isSolved)
      return;
    candidate = trials.solve(candidate.values);
    passed += candidate.refused.empty();
  };
  if (plan::findMethod(options.lowering.schedule) == plan::Method::Exact)
    for (size_t index : orderByHeuristic(module, options, choice))
      if (passed < options.solve)
        solve(choice.candidates[index]);
  for (Candidate &candidate : choice.candidates) {
    bool isOwn = candidate.values == choice.own;
    bool isCheap = candidate.estimate.interval == 0;
    if (passed < options.solve || isOwn || isCheap)
      solve(candidate);
  }
  rank(choice);
  return choice;
}

const Candidate *Choice::find(const Values &values) const {
  for (const Candidate &candidate : candidates)
    if (candidate.values == values)
      return &candidate;
  return nullptr;
}

const Candidate *Choice::best() const {
  auto isTaken = [](const Candidate *candidate) {
    return candidate && candidate->refused.empty() &&
           candidate->estimate.isSolved;
  };
  const Candidate *first = candidates.empty() ? nullptr : &candidates.front();
  const Candidate *mine = find(own);
  if (!isTaken(first))
    return nullptr;
  bool isWorthIt =
      !isTaken(mine) ||
      first->estimate.total < (1 - modelError) * mine->estimate.total;
  return isWorthIt ? first : mine;
}
