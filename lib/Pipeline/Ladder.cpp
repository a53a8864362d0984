//===- Ladder.cpp - The way down of each target ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Pipeline/Ladder.h"

#include "OwnLadders.h"

#include <cassert>

using namespace heddle;
using namespace heddle::pipeline;

static std::map<std::string, std::vector<Step>> &allLadders() {
  static std::map<std::string, std::vector<Step>> all = ownLadders();
  return all;
}

void heddle::pipeline::registerTarget(machine::Target target,
                                      std::vector<Step> steps) {
  for (size_t i = 1; i < steps.size(); ++i)
    assert(steps[i].from == steps[i - 1].to && "steps follow on one another");
  allLadders()[target.name] = std::move(steps);
  machine::registerTarget(std::move(target));
}

const std::vector<Step> &heddle::pipeline::stepsOf(const std::string &target) {
  static const std::vector<Step> none;
  auto found = allLadders().find(target);
  return found == allLadders().end() ? none : found->second;
}

const Step *heddle::pipeline::findStep(const std::string &target, Rung from) {
  for (const Step &step : stepsOf(target))
    if (step.from == from)
      return &step;
  return nullptr;
}

Rung heddle::pipeline::lastRung(const std::string &target) {
  const std::vector<Step> &steps = stepsOf(target);
  return steps.empty() ? Rung::Tile : steps.back().to;
}

std::string heddle::pipeline::targetsWithCode() {
  std::string names;
  for (const auto &[name, steps] : allLadders())
    if (lastRung(name) >= Rung::Nvvm)
      names += (names.empty() ? "" : ", ") + name;
  return names;
}
