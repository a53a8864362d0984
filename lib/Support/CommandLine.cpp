//===- CommandLine.cpp - Options whose numbers have a range ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Support/CommandLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace heddle;
using llvm::StringRef;

std::string &heddle::numberComplaint() {
  static std::string complaint;
  return complaint;
}

static std::string spell(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}
static std::string spell(int64_t value) { return std::to_string(value); }
static std::string spell(uint64_t value) { return std::to_string(value); }

template <class T>
static bool complain(StringRef option, StringRef text, T low, T high) {
  if (!numberComplaint().empty())
    return false;
  bool isEndless = high == std::numeric_limits<T>::max();
  const char *noun =
      std::is_floating_point_v<T> ? "a number" : "a whole number";
  numberComplaint() =
      "--" + option.str() + " is '" + text.take_front(40).str() + "'; it is " +
      noun +
      (isEndless ? " of at least " + spell(low)
                 : " from " + spell(low) + " to " + spell(high));
  return false;
}

template <class T>
static bool parseInteger(StringRef option, StringRef text, T low, T high,
                         T &value) {
  if (!text.getAsInteger(0, value) && value >= low && value <= high)
    return true;
  return complain(option, text, low, high);
}

bool heddle::parseNumber(StringRef option, StringRef text, int64_t low,
                         int64_t high, int64_t &value) {
  return parseInteger(option, text, low, high, value);
}

bool heddle::parseNumber(StringRef option, StringRef text, uint64_t low,
                         uint64_t high, uint64_t &value) {
  return parseInteger(option, text, low, high, value);
}

bool heddle::parseNumber(StringRef option, StringRef text, double low,
                         double high, double &value) {
  if (!text.getAsDouble(value) && std::isfinite(value) && value >= low &&
      value <= high)
    return true;
  return complain(option, text, low, high);
}

/// The command that the first argument names, as LLVM finds it.
static llvm::cl::SubCommand &commandOf(int argc, const char *const *argv) {
  if (argc > 1 && argv[1][0] != '-')
    for (llvm::cl::SubCommand *command : llvm::cl::getRegisteredSubcommands())
      if (!command->getName().empty() && command->getName() == argv[1])
        return *command;
  return llvm::cl::SubCommand::getTopLevel();
}

/// The option's name as LLVM reads it, behind one dash or two; a third is a
/// part of the name.
static StringRef nameOf(StringRef argument) {
  argument.consume_front("-");
  argument.consume_front("-");
  return argument;
}

/// LLVM takes whatever begins with -h and is no option of the command for -h,
/// prints help, and ends with 0.
static bool isMisspeltHelp(StringRef argument, llvm::cl::SubCommand &command) {
  StringRef name = nameOf(argument).split('=').first;
  return argument.starts_with("-") && name.starts_with("h") && name != "h" &&
         !command.OptionsMap.contains(name);
}

/// Whether LLVM takes the next argument for this option's value, be it "--".
static bool takesNext(StringRef argument, llvm::cl::SubCommand &command) {
  auto option = command.OptionsMap.find(nameOf(argument));
  return argument.starts_with("-") && option != command.OptionsMap.end() &&
         option->second->getValueExpectedFlag() == llvm::cl::ValueRequired;
}

bool heddle::parseCommandLine(int argc, const char *const *argv,
                              StringRef overview, std::string &complaint) {
  numberComplaint().clear();
  llvm::cl::SubCommand &command = commandOf(argc, argv);
  for (int i = 1; i < argc && StringRef(argv[i]) != "--"; ++i) {
    if (isMisspeltHelp(argv[i], command)) {
      complaint = "heddle: Unknown command line argument '" +
                  std::string(argv[i]) + "'.  Try: 'heddle --help'";
      return false;
    }
    i += takesNext(argv[i], command);
  }
  llvm::vfs::InMemoryFileSystem noFiles;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &stream,
                                        &noFiles))
    return true;
  complaint = !numberComplaint().empty() ? numberComplaint()
                                         : StringRef(text).rtrim().str();
  return false;
}
