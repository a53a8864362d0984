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
#include <iterator>
#include <mutex>

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

/// A description of the binary, read when it is first asked for.
struct BuiltIn {
  std::once_flag once;
  Costs costs;
  std::string error;
};

BuiltIn *findBuiltIn(const std::string &name) {
  static BuiltIn all[std::size(kDescriptions)];
  for (size_t i = 0; i < std::size(kDescriptions); ++i)
    if (name == kDescriptions[i].name) {
      std::call_once(all[i].once, [i] {
        readCosts(kDescriptions[i].json, all[i].costs, all[i].error);
      });
      return &all[i];
    }
  return nullptr;
}

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
  if (const BuiltIn *found = findBuiltIn(nameOrFile)) {
    if (found->error.empty())
      costs = found->costs;
    error = found->error;
    return error.empty();
  }
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
