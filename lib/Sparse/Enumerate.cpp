//===- Enumerate.cpp - All legal nests, and the best of them --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every order of a term's indices, with each vector axis that it allows, kept
// if it is legal. What costs more in symbols than another for all sizes is put
// aside with that reason; what is left is ranked by modelled cycles.
//
//===----------------------------------------------------------------------===//

#include "Cost.h"

#include <algorithm>
#include <cmath>

using namespace heddle::sparse;
namespace machine = heddle::machine;

namespace {

constexpr int kMostIndices = 7;
constexpr int kOwnLevels = 2; ///< caches that other cores do not share

/// Whether `a` is at most `b` for all sizes: what is left of a / b are counts
/// of elements that extents in the denominator bound.
bool isAtMost(const Statement &statement, int term, const Monomial &a,
              const Monomial &b) {
  Monomial ratio = a;
  multiply(ratio, b, -1);
  for (const auto &[name, power] : std::map(ratio.factors)) {
    if (power <= 0)
      continue;
    if (name.rfind("nnz(", 0) != 0 || power > 1)
      return false;
    std::string tensor = name.substr(4, name.find_first_of(",)") - 4);
    int last = -1;
    const Access *found = nullptr;
    for (const Access &access : statement.terms[term])
      if (access.tensor == tensor)
        found = &access;
    if (!found)
      return false;
    for (int level = 0; level < found->format.rank(); ++level)
      if (symbolOf(statement, *found, level).factors.count(name))
        last = std::max(last, level);
    for (int level = 0; level <= last; ++level) {
      auto extent =
          ratio.factors.find(statement.indices[found->indexOfLevel(level)]);
      if (extent == ratio.factors.end() || extent->second >= 0)
        return false;
      if (++extent->second == 0)
        ratio.factors.erase(extent);
    }
  }
  return true;
}

bool isDominated(const Statement &statement, int term, const Candidate &a,
                 const Candidate &by) {
  auto allAtMost = [&](const Candidate &x, const Candidate &y) {
    return std::all_of(
        x.iterations.begin(), x.iterations.end(), [&](const Monomial &m) {
          return std::any_of(y.iterations.begin(), y.iterations.end(),
                             [&](const Monomial &n) {
                               return isAtMost(statement, term, m, n);
                             });
        });
  };
  return allAtMost(by, a) && !allAtMost(a, by);
}

std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

class Enumerator {
public:
  Enumerator(const Statement &statement, int term, const Statistics &statistics)
      : statement(statement), term(term), statistics(statistics) {}

  /// Every way to complete `order` that is legal.
  void complete(const std::vector<int> &order,
                std::vector<Candidate> &candidates, std::string &error) const {
    if (order.empty()) {
      error = "neither " + statement.result.tensor +
              " nor a factor has an index, so there is nothing to loop over; "
              "give " +
              statement.result.tensor + " an index, or run it as streams";
      return;
    }
    Nest nest;
    nest.statement = statement.result.tensor;
    nest.term = term;
    nest.order = order;
    std::string illegal = deriveLoops(statement, term, order, nest.loops);
    if (!illegal.empty()) {
      // What no order mends says more than what this one breaks.
      if (error.empty())
        error = illegal;
      return;
    }
    for (int width : widths(order.back(), nest.loops.back()))
      for (const Way &way : ways()) {
        Candidate candidate;
        candidate.nest = nest;
        Nest &made = candidate.nest;
        made.into = way.into;
        made.assemble = way.assemble;
        made.pattern = way.pattern;
        made.vector = width > 1 ? order.back() : -1;
        made.width = width;
        made.parallel = order[0];
        if (!whyIllegal(statement, made).empty())
          made.parallel = -1;
        illegal = whyIllegal(statement, made);
        if (illegal.empty()) {
          made.chunk = chooseChunk(made);
          chooseAhead(made);
          explain(made);
          candidates.push_back(std::move(candidate));
        } else if (width == 1) {
          error = illegal;
        }
      }
  }

private:
  /// Where sums grow, and how a sparse result gets its positions.
  struct Way {
    Into into = Into::Memory;
    Assemble assemble = Assemble::None;
    std::string pattern = {};
  };

  /// Those that may be legal. The reason against the last one is told, so it is
  /// the one that a user can do most about.
  std::vector<Way> ways() const {
    if (statement.result.format.isDense())
      return {{Into::Registers}, {Into::Memory}};
    std::vector<Way> counted = {{Into::Memory, Assemble::CountScatter},
                                {Into::Bitmap, Assemble::CountFill}},
                     same;
    for (const Access &access : statement.terms[term])
      if (std::none_of(same.begin(), same.end(), [&](const Way &way) {
            return way.pattern == access.tensor;
          }))
        same.push_back({Into::Registers, Assemble::Same, access.tensor});
    // `where` gives it positions, which is the remedy if its own are not exact.
    if (!statement.hasExactElements)
      std::swap(counted, same);
    counted.insert(counted.end(), same.begin(), same.end());
    return counted;
  }

  /// None, and from one vector to what fills the registers half, or the axis.
  std::vector<int> widths(int index, const std::string &loop) const {
    int most = statement.element == Element::F64 ? 32 : 64;
    int least = most / 8;
    if (!statement.isOutput(index))
      most = loop == "dense" ? most / 2 : least;
    int whole = 2;
    while (whole < most && whole < statistics.extents[index])
      whole *= 2;
    std::vector<int> found = {1};
    for (int width = std::min(least, whole); width <= std::min(most, whole);
         width *= 2)
      found.push_back(width);
    return found;
  }

  /// Some hundreds of chunks, so that uneven ones even out.
  int64_t chooseChunk(const Nest &nest) const {
    if (nest.parallel < 0)
      return 1;
    double instances = double(statistics.extents[nest.parallel]);
    for (const Access &access : statement.terms[term])
      if (access.levelOfIndex(nest.parallel) == 0)
        instances = std::min(instances, countAt(statistics, access, 0));
    int64_t chunk = 1;
    while (chunk < 1024 && double(chunk) * 256 < instances)
      chunk *= 2;
    return chunk;
  }

  /// Rows that a walk names come from anywhere. What the core's own caches hold
  /// is there soon enough; what lies behind them is asked for as many
  /// iterations ahead as take as long as it does to come.
  void chooseAhead(Nest &nest) const {
    if (nest.into != Into::Registers || nest.vector < 0 ||
        !statement.isOutput(nest.vector))
      return;
    const machine::Processor &processor = statistics.processor();
    for (const Access &access : statement.terms[term]) {
      if (!access.format.isDense() || !access.has(nest.vector))
        continue;
      bool isNamed = false;
      for (size_t at = 0; at < nest.order.size(); ++at)
        isNamed |= nest.loops[at].rfind("walk ", 0) == 0 &&
                   nest.order[at] != nest.vector && access.has(nest.order[at]);
      double bytes = sizeOf(statement.element);
      double row = nest.width * bytes;
      for (int index : access.indices)
        bytes *= double(statistics.extents[index]);
      const machine::MemoryLevel &level = processor.levelFor(bytes);
      if (!isNamed || &level - processor.levels.data() < kOwnLevels)
        continue;
      double sums =
          std::ceil(row / processor.vectorBytes) * processor.vectorFma;
      double cycles =
          std::max(processor.walk + sums,
                   std::ceil(row / processor.lineBytes) * level.random);
      // All tiles of these rows are to stay in half of the nearest cache.
      double most =
          processor.levels[0].bytes / 2 /
          (double(statistics.extents[nest.vector]) * sizeOf(statement.element));
      nest.ahead = std::max(
          nest.ahead,
          int64_t(std::max(1.0,
                           std::ceil(std::min(level.latency / cycles, most)))));
      nest.because["ahead"] =
          "rows of " + access.tensor + " are in " + level.name + ", " +
          std::to_string(std::lround(level.latency)) + " cycles away";
    }
  }

  void explain(Nest &nest) const {
    auto name = [&](int index) { return statement.indices[index]; };
    nest.because["parallel"] =
        nest.parallel >= 0
            ? "each " + name(nest.parallel) + " has its own part of the result"
        : nest.assemble == Assemble::CountScatter
            ? "rows grow one element after the other"
            : "iterations of " + name(nest.order[0]) +
                  " may write the same element";
    if (nest.vector >= 0)
      nest.because["vector"] =
          statement.isOutput(nest.vector)
              ? "elements of " + name(nest.vector) +
                    " lie side by side in the result; its extent is " +
                    std::to_string(statistics.extents[nest.vector])
              : "the sum over " + name(nest.vector) +
                    " has independent products";
    else
      nest.because["vector"] = "no axis has elements side by side";
    switch (nest.into) {
    case Into::Registers:
      nest.because["into"] = "each element of the result is finished at once";
      break;
    case Into::Memory:
      nest.because["into"] =
          nest.assemble == Assemble::CountScatter
              ? "each element is stored once, in its row"
              : "the nest comes back to elements of the result";
      break;
    case Into::Bitmap:
      nest.because["into"] =
          "a row comes back to its elements, and their number is not known";
      break;
    }
    if (nest.assemble == Assemble::Same)
      nest.because["assemble"] =
          "the result has an element where " + nest.pattern + " has one";
    if (nest.assemble == Assemble::CountFill)
      nest.because["assemble"] = "the number of elements follows from the data";
    if (nest.assemble == Assemble::CountScatter)
      nest.because["assemble"] = "the result has the operand's elements in "
                                 "another order, so rows are counted first";
  }

  const Statement &statement;
  int term;
  const Statistics &statistics;
};

} // namespace

std::string Monomial::text() const {
  std::string above, below;
  for (const auto &[name, power] : factors)
    for (int i = 0; i < std::abs(power); ++i) {
      std::string &side = power > 0 ? above : below;
      side += (side.empty() ? "" : "*") + name;
    }
  if (above.empty())
    above = "1";
  return below.empty() ? above : above + "/" + below;
}

std::string heddle::sparse::describeCost(const Candidate &candidate) {
  return candidate.iterations.empty() ? "1"
                                      : candidate.iterations.back().text();
}

Statistics Statistics::guess(const Statement &statement) {
  Statistics statistics;
  statistics.extents.assign(statement.indices.size(), 1024);
  return statistics;
}

/// The legal nests of all orders, or of the first one that has any; why there
/// are none.
static std::vector<Candidate> enumerate(const Statement &statement, int term,
                                        const Statistics &statistics,
                                        bool firstOnly, std::string &error) {
  std::vector<Candidate> candidates;
  std::vector<int> order = statement.indicesOf(term);
  if (int(order.size()) > kMostIndices) {
    error = "the term has " + std::to_string(order.size()) +
            " indices; orders of up to " + std::to_string(kMostIndices) +
            " are enumerated";
    return {};
  }
  Enumerator enumerator(statement, term, statistics);
  do
    enumerator.complete(order, candidates, error);
  while ((candidates.empty() || !firstOnly) &&
         std::next_permutation(order.begin(), order.end()));
  return candidates;
}

bool heddle::sparse::isPlannable(const Statement &statement, int term,
                                 const Statistics &statistics) {
  std::string ignored;
  return !enumerate(statement, term, statistics, /*firstOnly=*/true, ignored)
              .empty();
}

double heddle::sparse::modelledCycles(const Statement &statement,
                                      const Statistics &statistics,
                                      const Nest &nest) {
  Candidate candidate;
  candidate.nest = nest;
  estimate(statement, statistics, candidate);
  return candidate.cost;
}

std::vector<Candidate> heddle::sparse::plan(const Statement &statement,
                                            int term,
                                            const Statistics &statistics,
                                            std::string &error) {
  std::vector<Candidate> candidates =
      enumerate(statement, term, statistics, /*firstOnly=*/false, error);
  if (candidates.empty())
    return {};
  error.clear();
  for (Candidate &candidate : candidates)
    estimate(statement, statistics, candidate);
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Candidate &a, const Candidate &b) { return a.cost < b.cost; });
  for (size_t i = 1; i < candidates.size(); ++i) {
    Candidate &candidate = candidates[i];
    candidate.isDominated =
        isDominated(statement, term, candidate, candidates[0]);
    if (candidate.isDominated)
      candidate.rejected = describeCost(candidate) +
                           " iterations are at least " +
                           describeCost(candidates[0]) + " for all sizes";
    else
      candidate.rejected =
          numberText(candidate.cost / std::max(1.0, candidates[0].cost)) +
          " times the modelled cycles";
  }
  Nest &best = candidates[0].nest;
  best.because["order"] =
      describeCost(candidates[0]) + " iterations, " +
      numberText(candidates[0].cost) + " modelled cycles; " +
      std::to_string(candidates.size() - 1) + " other nests are legal";
  return candidates;
}
