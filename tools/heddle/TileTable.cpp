//===- TileTable.cpp - The ranked tiles as text ---------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Choice of lib/TileChoice goes in; the text of `heddle explain --tiles`
// comes out: the scheduled candidates by rank, a line about those that are only
// bounded, and the refused ones. Refusals that differ in numbers alone share a
// line, because many combinations fail for few reasons.
//
//===----------------------------------------------------------------------===//

#include "TileOptions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;
using namespace heddle;
using namespace heddle::tool;
using tilechoice::Candidate;
using tilechoice::Choice;
using tilechoice::Estimate;

static std::string whole(double cycles) { return formatv("{0:f0}", cycles); }

/// A row of the table, without the parameters.
static std::vector<std::string> cellsOf(const Estimate &estimate,
                                        double reference) {
  return {
      estimate.interval ? std::to_string(estimate.interval) : "-",
      std::to_string(estimate.interval ? estimate.processes : estimate.blocks),
      whole(estimate.perInstance),
      estimate.interval
          ? std::string(
                formatv("{0:f0} %", 100 * estimate.ends / estimate.perInstance))
          : "-",
      formatv("{0:f2}", estimate.waves),
      formatv("{0:f0} %", 100 * estimate.idle),
      formatv("{0:f3}", estimate.total / reference),
      estimate.binds};
}

static void printRows(const std::vector<std::vector<std::string>> &rows,
                      raw_ostream &os) {
  std::vector<size_t> widths;
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string pad(widths[i] - row[i].size(), ' ');
      // The words at the end are read from their left.
      line += "  " + (i + 1 < widths.size() ? pad + row[i] : row[i]);
    }
    os << line << "\n";
  }
}

/// Reasons that differ only in numbers are one; the first is printed.
static std::string kindOf(StringRef reason) {
  std::string kind;
  for (char c : reason)
    if (!isDigit(c))
      kind += c;
  return kind;
}

static void printRefused(const Choice &choice, raw_ostream &os) {
  std::map<std::string, std::vector<const Candidate *>> reasons;
  for (const Candidate &candidate : choice.candidates)
    if (!candidate.refused.empty())
      reasons[kindOf(candidate.refused)].push_back(&candidate);
  if (!reasons.empty())
    os << "refused\n";
  for (const auto &[kind, candidates] : reasons) {
    os << "  " << describeTiles(choice.parameters, candidates.front()->values);
    if (candidates.size() > 1)
      os << " and " << candidates.size() - 1 << " more";
    os << ": " << candidates.front()->refused << "\n";
  }
}

/// What is only bounded could still be better, or cannot.
static void printUnsolved(const Choice &choice, raw_ostream &os) {
  int unsolved = 0, maybe = 0;
  const Candidate *first = nullptr;
  for (const Candidate &candidate : choice.candidates)
    if (candidate.refused.empty() && !candidate.estimate.isSolved) {
      ++unsolved;
      maybe +=
          candidate.estimate.total < choice.candidates.front().estimate.total;
      first = first ? first : &candidate;
    }
  if (!unsolved)
    return;
  os << unsolved << " more are not scheduled; by their bounds ";
  if (maybe)
    os << maybe << " of them might be faster than the first, at best "
       << describeTiles(choice.parameters, first->values) << " (--solve)\n";
  else
    os << "none of them is faster than the first\n";
}

void heddle::tool::printTiles(const Choice &choice,
                              const tilechoice::Options &options,
                              raw_ostream &os) {
  if (choice.parameters.empty()) {
    os << "no parameter of this program is a tile shape that --set leaves "
          "open\n";
    return;
  }
  os << "tiles for " << options.machine.name
     << ", by its model: " << choice.candidates.size() << " combinations of "
     << join(choice.parameters, ", ") << "\n";
  if (choice.isOpen)
    os << "extents that --view does not give count as "
       << tilechoice::kOpenExtent << ", and tiles in fractions\n";
  const Candidate *own = choice.find(choice.own);
  bool hasOwn = own && own->refused.empty();
  double reference =
      hasOwn ? own->estimate.total : choice.candidates.front().estimate.total;
  std::vector<std::vector<std::string>> rows = {{}};
  llvm::append_range(rows[0], choice.parameters);
  bool isPipelined = choice.candidates.front().estimate.interval > 0;
  for (const char *title :
       {"interval", isPipelined ? "groups" : "blocks", "cycles", "ends",
        "waves", "idle", "time", "what binds"})
    rows[0].push_back(title);
  const Candidate *best = choice.best();
  for (const Candidate &candidate : choice.candidates) {
    if (!candidate.refused.empty() || !candidate.estimate.isSolved)
      continue;
    std::vector<std::string> row;
    for (int64_t value : candidate.values)
      row.push_back(std::to_string(value));
    append_range(row, cellsOf(candidate.estimate, reference));
    if (&candidate == best)
      row.back() += " <- chosen";
    else if (&candidate == own)
      row.back() += " <- the program's";
    rows.push_back(row);
  }
  printRows(rows, os);
  printUnsolved(choice, os);
  printRefused(choice, os);
}
