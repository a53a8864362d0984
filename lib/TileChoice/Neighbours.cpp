//===- Neighbours.cpp - What the next tiles would give -------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a program with its tiles. Out: a sentence for the next smaller and the
// next larger value of each parameter. The program's own tiles go through the
// same trial as the others, so that only tiles are compared, and not the
// methods by which they were scheduled.
//
//===----------------------------------------------------------------------===//

#include "Trials.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace heddle;
using namespace heddle::tilechoice;

/// "2 % faster", of the whole kernel.
static std::string compare(double total, double own) {
  double percent = 100 * (total / own - 1);
  if (std::abs(percent) < 0.5)
    return "as fast";
  return llvm::formatv("{0:f0} % {1}", std::abs(percent),
                       percent < 0 ? "faster" : "slower");
}

static std::string describe(const std::string &with, const Candidate &other,
                            const Candidate &own) {
  if (!other.refused.empty()) {
    StringRef reason = StringRef(other.refused).rsplit(" [").first;
    reason.consume_back("; choose smaller tiles");
    return with + " is refused: " + reason.str() + ".";
  }
  std::string text =
      with + " would be " + compare(other.estimate.total, own.estimate.total);
  if (other.estimate.interval)
    text += ", with an interval of " + std::to_string(other.estimate.interval) +
            " cycles instead of " + std::to_string(own.estimate.interval);
  if (other.estimate.processes != own.estimate.processes)
    text += " and computing processes " +
            std::to_string(other.estimate.processes) + " instead of " +
            std::to_string(own.estimate.processes);
  text += ", bound by " + other.estimate.binds;
  return text + ".";
}

std::vector<std::string>
heddle::tilechoice::describeNeighbours(ModuleOp module,
                                       const Options &options) {
  Choice choice = beginChoice(module, options);
  Trials trials(module, options, choice.parameters);
  std::vector<std::string> sentences;
  Candidate own = trials.solve(choice.own);
  if (!own.refused.empty())
    return sentences;
  for (size_t i = 0; i < choice.parameters.size(); ++i) {
    std::vector<int64_t> sorted = choice.legal[i];
    llvm::sort(sorted);
    size_t at = llvm::find(sorted, choice.own[i]) - sorted.begin();
    for (int step : {-1, 1}) {
      if (at + step >= sorted.size()) // below 0, too
        continue;
      std::vector<int64_t> values = choice.own;
      values[i] = sorted[at + step];
      std::string with = choice.parameters[i] + " = " +
                         std::to_string(values[i]) + " instead of " +
                         std::to_string(choice.own[i]);
      sentences.push_back(describe(with, trials.solve(values), own));
    }
  }
  return sentences;
}
