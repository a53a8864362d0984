//===- LoadRemarks.cpp - What the driver's compiler did to a kernel -------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadRemarks.h"

#include "Entry.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>

using namespace heddle::runtime;

namespace {
struct Spills {
  int stores = 0, loads = 0; ///< bytes a thread
};

struct Warning {
  std::string entry; ///< "" where the line names none
  std::string text;  ///< "wgmma.mma_async ... (C7512)"
  bool isBudget = false;
};

/// A log in the words of ptxas, which the driver repeats.
struct Log {
  std::map<std::string, Spills> spills;
  std::vector<Warning> warnings;
};
} // namespace

/// What stands in `line` behind `key`, up to the first of `ends`; "" without.
static std::string_view after(std::string_view line, std::string_view key,
                              std::string_view ends) {
  size_t begin = line.find(key);
  if (begin == line.npos)
    return {};
  begin += key.size();
  return line.substr(begin, line.find_first_of(ends, begin) - begin);
}

/// The number in front of `unit`; 0 without.
static int numberBefore(std::string_view line, std::string_view unit) {
  size_t end = line.find(unit);
  if (end == line.npos)
    return 0;
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
    --begin;
  return std::atoi(std::string(line.substr(begin, end - begin)).c_str());
}

/// C7501 to C7599 are about wgmma and setmaxnreg. An arrive that ptxas puts in
/// front of products (C7519) is a fence of some cycles and takes nothing away.
static bool isWarning(std::string_view line, std::string_view code) {
  return code.size() == 4 && code.substr(0, 2) == "75" &&
         line.find("arrive is injected") == line.npos;
}

static Warning readWarning(std::string_view line, std::string_view code) {
  Warning warning;
  warning.entry = after(line, "function '", "'");
  warning.isBudget = line.find("'setmaxnreg' ignored") != line.npos;
  std::string_view text = line.substr(line.find(code) + code.size());
  text.remove_prefix(std::min(text.find_first_not_of(") "), text.size()));
  constexpr std::string_view loss = "Potential Performance Loss: ";
  if (text.substr(0, loss.size()) == loss)
    text.remove_prefix(loss.size());
  warning.text = std::string(text) + " (C" + std::string(code) + ")";
  return warning;
}

static Log read(std::string_view text) {
  Log log;
  std::string entry;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = line.substr(0, line.find_last_not_of(" \r") + 1);
    std::string_view name = after(line, "Function properties for ", " ");
    if (!name.empty())
      entry = name;
    Spills spills{numberBefore(line, " bytes spill stores"),
                  numberBefore(line, " bytes spill loads")};
    if (spills.stores || spills.loads)
      log.spills[entry] = spills;
    std::string_view code = after(line, "(C", ")");
    if (isWarning(line, code))
      log.warnings.push_back(readWarning(line, code));
  }
  return log;
}

static std::string subject(const std::string &kernel,
                           const std::string &entry) {
  return "kernel '" + kernel + "'" +
         (entry.empty() ? "" : ", variant '" + entry + "'") + ": ";
}

/// Spills in the log's figures; without a log, the code's local memory.
static void addSpills(const std::string &kernel, const LoadedEntry &entry,
                      const Log &log, std::vector<Remark> &remarks) {
  auto found = log.spills.find(entry.name);
  std::string text;
  if (found != log.spills.end())
    text = "the driver's compiler ran out of registers; a thread stores " +
           std::to_string(found->second.stores) + " bytes of them to memory " +
           "and loads " + std::to_string(found->second.loads) + " back";
  else if (entry.localBytes > 0)
    text = "a thread has " + std::to_string(entry.localBytes) +
           " bytes of local memory, for registers that were spilled or for an "
           "array";
  else
    return;
  remarks.push_back(
      {"spilled-registers", entry.name, subject(kernel, entry.name) + text});
}

static void addWarnings(const std::string &kernel, const std::string &entry,
                        const Log &log, std::vector<Remark> &remarks) {
  for (const Warning &warning : log.warnings)
    if (warning.entry == entry)
      remarks.push_back(
          {warning.isBudget ? "budgets-ignored" : "serialised-products", entry,
           subject(kernel, entry) +
               (warning.isBudget
                    ? "its processes do not get the registers planned for "
                      "them: "
                    : "its products (wgmma) wait where the schedule lets them "
                      "run beside other work: ") +
               warning.text});
}

std::vector<Remark>
heddle::runtime::findRemarks(const std::string &kernel,
                             const std::vector<LoadedEntry> &entries,
                             const std::string &text) {
  Log log = read(text);
  std::vector<Remark> remarks;
  for (const LoadedEntry &entry : entries) {
    addSpills(kernel, entry, log, remarks);
    addWarnings(kernel, entry.name, log, remarks);
  }
  addWarnings(kernel, "", log, remarks);
  return remarks;
}

heddle_remark heddle::runtime::shown(const Remark &remark) {
  return {remark.id, remark.variant.c_str(), remark.text.c_str()};
}

namespace {
struct Handler {
  std::mutex mutex;
  heddle_remark_handler function = nullptr;
  void *data = nullptr;
};
} // namespace

static Handler &handler() {
  static Handler handler;
  return handler;
}

void heddle::runtime::tell(const heddle_kernel *kernel, const Remark &remark) {
  heddle_remark_handler function;
  void *data;
  {
    std::lock_guard lock(handler().mutex);
    function = handler().function;
    data = handler().data;
  }
  heddle_remark one = shown(remark);
  if (!function)
    return;
  try {
    function(kernel, &one, data);
  } catch (...) { // it must not keep a launch from happening
  }
}

void heddle_set_remark_handler(heddle_remark_handler function,
                               void *data) noexcept {
  enterOr(__func__, 0, [&] {
    std::lock_guard lock(handler().mutex);
    handler().function = function;
    handler().data = data;
    return 0;
  });
}
