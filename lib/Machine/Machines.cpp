//===- Machines.cpp - The machine descriptions in the binary --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared in Costs.h. CMake compiles the descriptions of machines/*.json into
// this unit, so that an installed binary needs no file beside it. A name is
// looked for among them first and taken for a file after that.
//
//===----------------------------------------------------------------------===//

#include "heddle/Machine/Costs.h"

#include "heddle/Support/Files.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

using namespace heddle::machine;

namespace {

struct Description {
  const char *name;
  const char *json;
};

constexpr Description kDescriptions[] = {
// One line for each of machines/*.json, made by CMake.
#include "MachineDescriptions.inc"
};

} // namespace

std::vector<std::string> heddle::machine::machineNames() {
  std::vector<std::string> names;
  for (const Description &description : kDescriptions)
    names.push_back(description.name);
  std::sort(names.begin(), names.end());
  return names;
}

bool heddle::machine::findMachine(const std::string &nameOrFile, Costs &costs,
                                  std::string &error) {
  for (const Description &description : kDescriptions)
    if (nameOrFile == description.name)
      return readCosts(description.json, costs, error);
  std::string reason;
  auto buffer = readFile(nameOrFile, reason);
  if (!buffer) {
    std::string known;
    for (const std::string &name : machineNames())
      known += (known.empty() ? "" : ", ") + name;
    error = "no machine is called '" + nameOrFile + "' (known are " + known +
            "), and no file of this name can be read: " + reason;
    return false;
  }
  if (readCosts(buffer->getBuffer().str(), costs, error))
    return true;
  error = nameOrFile + ": " + error;
  return false;
}

const Limits &heddle::machine::hopperLimits() {
  static const Limits limits = [] {
    Costs costs;
    std::string error;
    if (!findMachine("h200", costs, error))
      llvm::report_fatal_error(llvm::StringRef(error));
    return costs.limits;
  }();
  return limits;
}
