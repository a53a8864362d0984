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

#include "heddle/Sparse/Plan.h"

#include <algorithm>
#include <cmath>

using namespace heddle::sparse;

namespace {

/// Modelled cycles. Ratios among them decide, not their size.
constexpr double kLoop = 1, kWalk = 1.5, kMergeStep = 4, kMemorySum = 4,
                 kCount = 3, kBitmapSum = 5, kGather = 1, kReduceLanes = 6,
                 kProduct = 1, kWordOfBitmap = 2;
/// Vector lanes of one instruction of 32 bytes.
double lanesOf(Element element) { return element == Element::F32 ? 8 : 4; }
constexpr int kMostIndices = 7;

double countAt(const Statistics &statistics, const Access &access, int level) {
  if (level < 0)
    return 1;
  auto found = statistics.counts.find(access.tensor);
  if (found != statistics.counts.end() && level < int(found->second.size()))
    return double(found->second[level]);
  double above = countAt(statistics, access, level - 1);
  if (access.format.levels[level] == Level::Dense)
    return above * double(statistics.extents[access.indexOfLevel(level)]);
  return access.format.levels[level] == Level::Singleton ? above : above * 8;
}

/// nnz(A) or nnz(A,level), or the extents of levels that are all dense.
Monomial symbolOf(const Statement &statement, const Access &access, int level) {
  Monomial monomial;
  int above = level;
  for (; above >= 0 && access.format.levels[above] == Level::Dense; --above)
    ++monomial.factors[statement.indices[access.indexOfLevel(above)]];
  if (above < 0)
    return monomial;
  bool isLast = true;
  for (int below = above + 1; below < access.format.rank(); ++below)
    isLast &= access.format.levels[below] == Level::Dense ||
              access.format.levels[below] == Level::Singleton;
  ++monomial.factors["nnz(" + access.tensor +
                     (isLast ? "" : "," + std::to_string(above)) + ")"];
  return monomial;
}

void multiply(Monomial &a, const Monomial &b, int sign) {
  for (const auto &[name, power] : b.factors)
    if ((a.factors[name] += sign * power) == 0)
      a.factors.erase(name);
}

class Coster {
public:
  Coster(const Statement &statement, const Statistics &statistics)
      : statement(statement), statistics(statistics) {}

  void run(Candidate &candidate) const {
    const Nest &nest = candidate.nest;
    candidate.iterations.clear();
    double runs = 1, cycles = 0, lanes = lanesOf(statement.element);
    Monomial symbols;
    // A register tile of the result stands outside the sums: its lanes are
    // there in each of their iterations.
    bool hasRow = nest.vector >= 0 && statement.isOutput(nest.vector);
    double perBody = 1;
    if (hasRow) {
      double tiles = std::ceil(extent(nest.vector) / nest.width);
      perBody = std::max(1.0, nest.width / lanes);
      if (nest.into == Into::Registers)
        runs *= tiles;
      else
        perBody *= tiles;
    }
    for (size_t at = 0; at < nest.order.size(); ++at) {
      int index = nest.order[at];
      std::vector<const Access *> sparse = walkers(index);
      if (sparse.empty()) {
        ++symbols.factors[statement.indices[index]];
        if (index == nest.vector && hasRow) { // counted above
          candidate.iterations.push_back(symbols);
          continue;
        }
        double times = extent(index);
        if (index == nest.vector)
          times =
              std::ceil(times / nest.width) * std::max(1.0, nest.width / lanes);
        runs *= times;
        cycles += runs * kLoop;
      } else if (sparse.size() == 1) {
        int level = sparse[0]->levelOfIndex(index);
        multiply(symbols, symbolOf(statement, *sparse[0], level), 1);
        multiply(symbols, symbolOf(statement, *sparse[0], level - 1), -1);
        double fiber = fiberOf(*sparse[0], level);
        if (index == nest.vector) {
          cycles += runs * kReduceLanes;
          fiber = std::ceil(fiber / nest.width) * nest.width *
                  (1 / lanes + kGather) / kWalk;
        }
        runs *= fiber;
        cycles += runs * kWalk;
      } else {
        double steps = 0, matches = extent(index);
        for (const Access *access : sparse) {
          double fiber = fiberOf(*access, access->levelOfIndex(index));
          steps += fiber;
          matches *= fiber / std::max(1.0, extent(index));
          multiply(symbols,
                   symbolOf(statement, *access, access->levelOfIndex(index)),
                   access == sparse[0] ? 1 : 0);
        }
        multiply(
            symbols,
            symbolOf(statement, *sparse[0], sparse[0]->levelOfIndex(index) - 1),
            -1);
        cycles += runs * steps * kMergeStep;
        runs *= matches;
      }
      candidate.iterations.push_back(symbols);
    }
    double body = kProduct * perBody;
    if (nest.into == Into::Memory)
      body += kMemorySum + perBody;
    if (nest.into == Into::Bitmap)
      body += kCount + kBitmapSum;
    cycles += runs * body;
    if (nest.into == Into::Bitmap) {
      int last = statement.result.format.rank() - 1;
      double rows = 1;
      for (int level = 0; level < last; ++level)
        rows *= extent(statement.result.indexOfLevel(level));
      cycles += rows * kWordOfBitmap *
                std::ceil(extent(statement.result.indexOfLevel(last)) / 262144);
    }
    candidate.cost = nest.parallel >= 0 ? cycles / 2 : cycles;
  }

private:
  double extent(int index) const { return double(statistics.extents[index]); }

  std::vector<const Access *> walkers(int index) const {
    std::vector<const Access *> found;
    for (const Access &access : statement.terms[term]) {
      int level = access.levelOfIndex(index);
      if (level >= 0 && access.format.levels[level] != Level::Dense)
        found.push_back(&access);
    }
    return found;
  }

  double fiberOf(const Access &access, int level) const {
    return countAt(statistics, access, level) /
           std::max(1.0, countAt(statistics, access, level - 1));
  }

  const Statement &statement;
  const Statistics &statistics;

public:
  int term = 0;
};

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
    for (bool isVector : {true, false})
      for (Into into : {Into::Registers, Into::Memory, Into::Bitmap})
        for (const auto &[assemble, pattern] : assemblies()) {
          Candidate candidate;
          candidate.nest = nest;
          Nest &made = candidate.nest;
          made.into = into;
          made.assemble = assemble;
          made.pattern = pattern;
          made.vector = isVector ? order.back() : -1;
          made.width =
              isVector ? chooseWidth(order.back(), nest.loops.back()) : 1;
          if (isVector && made.width < 2)
            continue;
          made.parallel = order[0];
          if (!whyIllegal(statement, made).empty())
            made.parallel = -1;
          illegal = whyIllegal(statement, made);
          if (illegal.empty()) {
            made.chunk = chooseChunk(made);
            explain(made);
            candidates.push_back(std::move(candidate));
          } else if (!isVector) {
            error = illegal;
          }
        }
  }

private:
  std::vector<std::pair<Assemble, std::string>> assemblies() const {
    if (statement.result.format.isDense())
      return {{Assemble::None, ""}};
    std::vector<std::pair<Assemble, std::string>> all;
    for (const Access &access : statement.terms[term])
      all.push_back({Assemble::Same, access.tensor});
    all.push_back({Assemble::CountFill, ""});
    return all;
  }

  /// The whole axis if it fits in registers, else what fills them half.
  int chooseWidth(int index, const std::string &loop) const {
    int most = statement.element == Element::F32 ? 64 : 32;
    if (!statement.isOutput(index))
      most = loop == "dense" ? most / 2 : most / 8;
    int width = 1;
    while (width < most && width < statistics.extents[index])
      width *= 2;
    return std::max(width, 2);
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

  void explain(Nest &nest) const {
    auto name = [&](int index) { return statement.indices[index]; };
    nest.because["parallel"] =
        nest.parallel >= 0
            ? "each " + name(nest.parallel) + " has its own part of the result"
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
      nest.because["into"] = "the nest comes back to elements of the result";
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

std::vector<Candidate> heddle::sparse::plan(const Statement &statement,
                                            int term,
                                            const Statistics &statistics,
                                            std::string &error) {
  std::vector<Candidate> candidates;
  std::vector<int> order = statement.indicesOf(term);
  if (int(order.size()) > kMostIndices) {
    error = "the term has " + std::to_string(order.size()) +
            " indices; orders of up to " + std::to_string(kMostIndices) +
            " are enumerated";
    return {};
  }
  Enumerator enumerator(statement, term, statistics);
  Coster coster(statement, statistics);
  coster.term = term;
  do
    enumerator.complete(order, candidates, error);
  while (std::next_permutation(order.begin(), order.end()));
  if (candidates.empty())
    return {};
  error.clear();
  for (Candidate &candidate : candidates)
    coster.run(candidate);
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Candidate &a, const Candidate &b) { return a.cost < b.cost; });
  for (size_t i = 1; i < candidates.size(); ++i) {
    Candidate &candidate = candidates[i];
    if (isDominated(statement, term, candidate, candidates[0]))
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
