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

#include "heddle/Machine/Clusters.h"
#include "heddle/Machine/Costs.h"
#include "heddle/Machine/Processor.h"
#include "heddle/Machine/Target.h"
#include "heddle/Machine/Units.h"

#include "heddle/Support/Files.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"

#include <algorithm>
#include <iterator>
#include <mutex>

using namespace heddle::machine;

namespace {

struct Description {
  const char *name;
  const char *target;
  int64_t clusterBlocks; ///< 1 where it knows no clusters
  const char *json;
};

constexpr Description kDescriptions[] = {
// One line for each of machines/*.json, made by CMake.
#include "MachineDescriptions.inc"
};

/// A timetable's description of the binary, read when it is first asked for:
/// passes ask for a machine by its name hundreds of times in a compilation.
struct BuiltIn {
  std::once_flag once;
  Costs costs;
  std::string error;
};

/// The target called `name`; null with `error` where there is none.
const Target *knownTarget(const std::string &name, std::string &error) {
  error.clear();
  if (const Target *found = heddle::machine::findTarget(name))
    return found;
  error = "target: there is none called '" + name + "'; known are ";
  const char *separator = "";
  for (const std::string &known : targetNames()) {
    error += separator + known;
    separator = ", ";
  }
  return nullptr;
}

/// The target that a description names. Null where it names none, as its reader
/// will say, or, with `error`, one that is not known.
const Target *targetIn(const std::string &json, std::string &error) {
  error.clear();
  llvm::Expected<llvm::json::Value> root = llvm::json::parse(json);
  if (!root) {
    llvm::consumeError(root.takeError());
    return nullptr;
  }
  const llvm::json::Object *object = root->getAsObject();
  auto name = object ? object->getString("target") : std::nullopt;
  return name ? knownTarget(name->str(), error) : nullptr;
}

/// By which reader a description is read; costs' says what is wrong with one
/// that names no target.
Model modelOf(const Target *target) {
  return target ? target->model : Model::Timetable;
}

Model modelOf(const Description &description) {
  return modelOf(heddle::machine::findTarget(description.target));
}

const Description *findDescription(const std::string &name) {
  for (const Description &description : kDescriptions)
    if (name == description.name)
      return &description;
  return nullptr;
}

std::vector<std::string> namesOf(Model model) {
  std::vector<std::string> names;
  for (const Description &description : kDescriptions)
    if (modelOf(description) == model)
      names.push_back(description.name);
  std::sort(names.begin(), names.end());
  return names;
}

/// The text of a description; false with `error`, which lists the names of
/// `models`.
bool findText(const std::string &nameOrFile, std::string &text,
              std::string &error,
              std::initializer_list<Model> models = {Model::Timetable,
                                                     Model::Units}) {
  if (const Description *found = findDescription(nameOrFile)) {
    text = found->json;
    return true;
  }
  std::string reason;
  if (auto buffer = heddle::readFile(nameOrFile, reason)) {
    text = buffer->getBuffer().str();
    return true;
  }
  std::string known;
  for (Model model : models)
    for (const std::string &name : namesOf(model))
      known += (known.empty() ? "" : ", ") + name;
  error = "no machine is called '" + nameOrFile + "' (known are " + known +
          "), and no file of this name can be read: " + reason;
  return false;
}

const BuiltIn &read(const Description &description) {
  static BuiltIn all[std::size(kDescriptions)];
  BuiltIn &builtIn = all[&description - kDescriptions];
  std::call_once(builtIn.once, [&] {
    readCosts(description.json, builtIn.costs, builtIn.error);
  });
  return builtIn;
}

} // namespace

std::vector<std::string> heddle::machine::machineNames() {
  return namesOf(Model::Timetable);
}

std::vector<std::string> heddle::machine::unitMachineNames() {
  return namesOf(Model::Units);
}

bool heddle::machine::findMachine(const std::string &nameOrFile, Costs &costs,
                                  std::string &error) {
  if (isMachineOfUnits(nameOrFile)) {
    error = "'" + nameOrFile +
            "' is a machine of named units, for which there are roles and no "
            "timetable; `heddle simulate --machine` runs programs on it";
    return false;
  }
  if (isProcessor(nameOrFile)) {
    error = "'" + nameOrFile +
            "' is a processor, for which sparse einsums are planned; kernels "
            "have no timetable on it";
    return false;
  }
  if (const Description *description = findDescription(nameOrFile)) {
    const BuiltIn &found = read(*description);
    if (found.error.empty())
      costs = found.costs;
    error = found.error;
    return error.empty();
  }
  std::string text;
  if (!findText(nameOrFile, text, error))
    return false;
  if (targetIn(text, error); error.empty() && readCosts(text, costs, error))
    return true;
  error = nameOrFile + ": " + error;
  return false;
}

const Target *heddle::machine::targetOf(const std::string &nameOrFile,
                                        std::string &error) {
  if (const Description *description = findDescription(nameOrFile))
    if (const Target *found = knownTarget(description->target, error))
      return found;
  std::string text;
  if (!findText(nameOrFile, text, error))
    return nullptr;
  if (const Target *found = targetIn(text, error))
    return found;
  Costs costs; // its reader says what else is wrong
  if (error.empty())
    readCosts(text, costs, error);
  error = nameOrFile + ": " + error;
  return nullptr;
}

static bool isModel(const std::string &nameOrFile, Model model) {
  if (const Description *found = findDescription(nameOrFile))
    return modelOf(*found) == model;
  std::string text, error;
  return findText(nameOrFile, text, error) &&
         modelOf(targetIn(text, error)) == model;
}

bool heddle::machine::isMachineOfUnits(const std::string &nameOrFile) {
  return isModel(nameOrFile, Model::Units);
}

bool heddle::machine::findUnits(const std::string &nameOrFile, Units &units,
                                std::string &error) {
  std::string text;
  if (!findText(nameOrFile, text, error))
    return false;
  if (targetIn(text, error); error.empty() && readUnits(text, units, error))
    return true;
  error = nameOrFile + ": " + error;
  return false;
}

std::vector<std::string> heddle::machine::processorNames() {
  return namesOf(Model::Processor);
}

bool heddle::machine::isProcessor(const std::string &nameOrFile) {
  return isModel(nameOrFile, Model::Processor);
}

bool heddle::machine::findProcessor(const std::string &nameOrFile,
                                    Processor &processor, std::string &error) {
  std::string text;
  if (!findText(nameOrFile, text, error, {Model::Processor}))
    return false;
  if (readProcessor(text, processor, error))
    return true;
  error = nameOrFile + ": " + error;
  return false;
}

const Processor &heddle::machine::defaultProcessor() {
  static const Processor processor = [] {
    Processor found;
    std::string error;
    if (!findProcessor("cpu-epyc", found, error))
      llvm::report_fatal_error(llvm::StringRef(error));
    return found;
  }();
  return processor;
}

const Processor &heddle::machine::processorFor(const std::string &llvmName) {
  static const std::vector<Processor> known = [] {
    std::vector<Processor> all;
    for (const std::string &name : processorNames()) {
      std::string error;
      if (!findProcessor(name, all.emplace_back(), error))
        llvm::report_fatal_error(llvm::StringRef(error));
    }
    return all;
  }();
  for (const Processor &processor : known)
    if (llvm::is_contained(processor.llvmNames, llvmName))
      return processor;
  return defaultProcessor();
}

int64_t heddle::machine::clusterBlocksOf(const std::string &target) {
  for (const Description &description : kDescriptions)
    if (target == description.target)
      return description.clusterBlocks;
  return 1;
}

const Limits &heddle::machine::limitsOf(const std::string &target) {
  for (const Description &description : kDescriptions)
    if (target == description.target &&
        modelOf(description) == Model::Timetable)
      if (const BuiltIn &machine = read(description); machine.error.empty())
        return machine.costs.limits;
  llvm::report_fatal_error(
      llvm::StringRef("no machine has the target " + target));
}
