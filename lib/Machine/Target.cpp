//===- Target.cpp - The registry of targets -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Target.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

#include <map>

using namespace heddle::machine;

/// Those of machines/*.json, and what was registered besides. A map keeps the
/// addresses of its elements.
static std::map<std::string, Target> &allTargets() {
  static std::map<std::string, Target> all = {
      {"cpu", {"cpu", Model::Processor}},
      {"sm_90a", {"sm_90a", Model::Timetable}},
      {"sm_100a", {"sm_100a", Model::Timetable}},
      {"units", {"units", Model::Units}},
  };
  return all;
}

void heddle::machine::registerTarget(Target target) {
  std::string name = target.name;
  if (!allTargets().emplace(name, std::move(target)).second)
    llvm::report_fatal_error(llvm::Twine("two targets are called '") + name +
                             "'");
}

const Target *heddle::machine::findTarget(const std::string &name) {
  auto found = allTargets().find(name);
  return found == allTargets().end() ? nullptr : &found->second;
}

std::vector<std::string> heddle::machine::targetNames() {
  std::vector<std::string> names;
  for (const auto &[name, target] : allTargets())
    names.push_back(name);
  return names;
}
