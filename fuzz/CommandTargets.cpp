//===- CommandTargets.cpp - Command lines and the files they name --------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An input is a command line, an argument a line. Commands run in this process,
// in a folder of their own with a copy of each small file that
// HEDDLE_FUZZ_FILES holds. Limits on work stand in for time; what an input
// names outside of the folder is out of its reach.
//
//===----------------------------------------------------------------------===//

#include "Targets.h"

#include "Driver.h"
#include "EinsumOperands.h"
#include "Npy.h"
#include "heddle/Run/ArgumentData.h"

#include "heddle/Support/Files.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdlib>
#include <map>

using namespace heddle;
using llvm::StringRef;

static constexpr const char kSteps[] = "2000";

int heddle::fuzz::runNpy(const std::string &bytes) {
  enterScratchFolder();
  if (!writeFile("a.npy", bytes).empty())
    return -1;
  manifest::Argument argument;
  argument.name = "a";
  argument.rank = 2;
  argument.order = {1, 0};
  for (auto element : {manifest::ElementType::F16, manifest::ElementType::F32,
                       manifest::ElementType::I8, manifest::ElementType::I64}) {
    argument.element = element;
    tool::ArgumentData data(argument, {4, 8});
    llvm::consumeError(tool::readNpy("a.npy", data));
    auto values = tool::readNpyValues("a.npy", data);
    if (!values)
      llvm::consumeError(values.takeError());
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

/// The files as they were, by name.
static const std::map<std::string, std::string> &originals() {
  static const std::map<std::string, std::string> files = [] {
    std::map<std::string, std::string> found;
    const char *folder = std::getenv("HEDDLE_FUZZ_FILES");
    if (!folder)
      return found;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator at(folder, error), end;
         at != end && !error; at.increment(error)) {
      std::string reason;
      if (auto buffer = readFile(at->path(), reason))
        found[llvm::sys::path::filename(at->path()).str()] =
            buffer->getBuffer().str();
    }
    return found;
  }();
  return files;
}

/// What commands wrote goes, and what they overwrote comes back.
static void resetFolder() {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(".", error), end;
       at != end && !error; at.increment(error))
    if (!originals().count(llvm::sys::path::filename(at->path()).str()))
      (void)llvm::sys::fs::remove_directories(at->path());
  for (const auto &[name, text] : originals())
    (void)writeFile(name, text);
}

/// Printing help ends a process, and the solver is no part of it. An argument
/// has no zero byte. Paths stay in the folder, but for some that never end or
/// have no room.
static bool translate(StringRef line, std::string &argument) {
  argument = line.str();
  std::replace(argument.begin(), argument.end(), '\0', '_');
  StringRef name = StringRef(argument).ltrim('-').split('=').first;
  if (line.starts_with("-") &&
      (name.starts_with("help") || name == "h" || name == "version"))
    return false;
  for (auto [from, to] :
       {std::pair("@zero", "/dev/zero"), std::pair("@full", "/dev/full")})
    if (StringRef(argument).contains(from)) {
      auto [before, after] = StringRef(argument).split(from);
      if (before.contains('/') || after.contains('/'))
        return false;
      argument = (before + to + after).str();
      return true;
    }
  std::replace(argument.begin(), argument.end(), '/', '_');
  return true;
}

/// Limits that an input does not raise.
static void limitWork(std::vector<std::string> &arguments) {
  std::erase_if(arguments, [](const std::string &argument) {
    StringRef name = StringRef(argument).ltrim('-').split('=').first;
    return StringRef(argument).starts_with("-") &&
           (name == "max-steps" || name == "max-ctas" || name == "steps" ||
            name == "max-total-steps" || name == "states" ||
            name == "schedules" ||
            (name == "schedule" && !StringRef(argument).contains(".mlir")) ||
            name == "repeat" || name == "device" || name == "budget" ||
            name == "exhaust" ||
            // No program of a mutated name is started.
            name == "command" || name == "draw");
  });
  std::string command = arguments.size() > 1 ? arguments[1] : "";
  auto has = [&](auto condition) { return llvm::any_of(arguments, condition); };
  auto add = [&](const std::string &option, const char *value) {
    arguments.push_back("--" + option + "=" + value);
  };
  if (command == "run" || command == "emulate")
    add("max-ctas", "64");
  if (command == "run" &&
      !has([](StringRef word) { return word == "--interpret"; }))
    add("device", "emulator");
  if (command == "tune") {
    add("budget", "1");
    if (has([](StringRef word) { return word.ends_with(".mlir"); }))
      add("device", "model");
  }
  if (command == "emulate")
    add("max-total-steps", kSteps);
  if (command == "run" || command == "emulate" || command == "simulate" ||
      command == "predict")
    add("max-steps", kSteps);
  if (command == "check")
    add("states", "50");
  // The exact solver has a target of its own.
  bool hasPlan = has(
      [](StringRef word) { return word.ltrim('-').starts_with("schedule="); });
  if (!hasPlan &&
      (command == "run" || command == "compile" || command == "check" ||
       command == "explain" || command == "simulate"))
    add("schedule", "heuristic");
  if (command == "solve")
    add("steps", kSteps);
}

int heddle::fuzz::runCommand(const std::string &input) {
  static int64_t runs = 0;
  enterScratchFolder();
  if (runs++ % 64 == 0)
    resetFolder();
  tool::argumentMemoryLimit() = 1 << 20;
  tool::generatedElementsLimit() = 100'000;
  llvm::SmallVector<StringRef> lines;
  StringRef(input).split(lines, '\n', -1, /*KeepEmpty=*/false);
  if (lines.size() > 40)
    return -1;
  std::vector<std::string> arguments = {"heddle"};
  for (StringRef line : lines)
    if (!translate(line, arguments.emplace_back()))
      return -1;
  limitWork(arguments);
  std::vector<const char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  argv.push_back(nullptr);
  llvm::cl::ResetAllOptionOccurrences();
  int status = tool::runCommandLine(int(argv.size()) - 1, argv.data());
  if (status < 0 || status > 3)
    __builtin_trap(); // heddle --help has four exit codes
  return 0;
}
