//===- Cost.cpp - Modelled cycles of a nest -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cost.h"

#include <algorithm>
#include <cmath>

using namespace heddle::sparse;
using heddle::machine::MemoryLevel;
using heddle::machine::Processor;

double heddle::sparse::countAt(const Statistics &statistics,
                               const Access &access, int level) {
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

Monomial heddle::sparse::symbolOf(const Statement &statement,
                                  const Access &access, int level) {
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

void heddle::sparse::multiply(Monomial &a, const Monomial &b, int sign) {
  for (const auto &[name, power] : b.factors)
    if ((a.factors[name] += sign * power) == 0)
      a.factors.erase(name);
}

namespace {

class Model {
public:
  Model(const Statement &statement, const Statistics &statistics,
        Candidate &candidate)
      : statement(statement), statistics(statistics), candidate(candidate),
        nest(candidate.nest), processor(statistics.processor()),
        bytes(sizeOf(statement.element)),
        isRow(nest.vector >= 0 && statement.isOutput(nest.vector)),
        isLanes(nest.vector >= 0 && !isRow),
        vectors(std::ceil(nest.width * std::max(bytes, 4.0) /
                          processor.vectorBytes)) {}

  void run() {
    loops();
    // Loads and stores go on beside loops and sums.
    double cycles = starts + std::max(control + sums(), accesses());
    if (nest.into == Into::Bitmap)
      cycles += rowsOfBitmap();
    if (nest.assemble == Assemble::CountScatter)
      cycles += counting();
    if (nest.parallel >= 0) {
      double first = candidate.visits.empty() ? 1 : candidate.visits[0];
      cycles /= std::min(double(std::max(statistics.workers, 1)),
                         std::max(1.0, std::ceil(first / nest.chunk)));
    }
    candidate.cost = cycles;
  }

private:
  double extent(int index) const { return double(statistics.extents[index]); }
  const std::vector<Access> &factors() const {
    return statement.terms[nest.term];
  }

  std::vector<const Access *> walkers(int index) const {
    std::vector<const Access *> found;
    for (const Access &access : factors()) {
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

  /// Whether all loops from `at` on are sums, so that they run once for each
  /// tile of a row.
  bool areSums(size_t at) const {
    for (; at < nest.order.size(); ++at)
      if (nest.order[at] != nest.vector && statement.isOutput(nest.order[at]))
        return false;
    return true;
  }

  /// Iterations, and the cycles of loops themselves.
  void loops() {
    candidate.iterations.clear();
    candidate.visits.clear();
    Monomial symbols;
    double visits = 1;
    bool hasTiles = false;
    double tiles = isRow ? std::ceil(extent(nest.vector) / nest.width) : 1;
    for (size_t at = 0; at < nest.order.size(); ++at) {
      int index = nest.order[at];
      std::vector<const Access *> sparse = walkers(index);
      if (isRow && !hasTiles &&
          (index == nest.vector ||
           (nest.into == Into::Registers && areSums(at)))) {
        visits *= tiles;
        hasTiles = true;
      }
      bool isLaneLoop = isLanes && index == nest.vector;
      if (sparse.empty()) {
        ++symbols.factors[statement.indices[index]];
        if (isLaneLoop) {
          control += visits * (processor.loop + treeOfLanes());
          visits *= std::ceil(extent(index) / nest.width);
        } else if (index != nest.vector) {
          control += visits * processor.loop;
          visits *= extent(index);
        }
        control += visits * processor.loop;
      } else if (sparse.size() == 1) {
        int level = sparse[0]->levelOfIndex(index);
        multiply(symbols, symbolOf(statement, *sparse[0], level), 1);
        multiply(symbols, symbolOf(statement, *sparse[0], level - 1), -1);
        if (sparse[0]->format.levels[level] != Level::Singleton) {
          double fiber = fiberOf(*sparse[0], level);
          // Tiles of a row walk the same fiber again, whose length is known by
          // then; lanes longer than a fiber make no loop of it.
          double entries = hasTiles && isRow ? visits / tiles : visits;
          if (isLaneLoop) {
            entries *= std::min(1.0, fiber / nest.width);
            control += visits * treeOfLanes();
            fiber = std::max(1.0, fiber / nest.width + 0.5);
          }
          starts += entries * processor.walkStart;
          visits *= fiber;
          control += visits * processor.walk;
        }
      } else {
        double steps = 0, matches = extent(index);
        for (const Access *access : sparse) {
          double fiber = fiberOf(*access, access->levelOfIndex(index));
          steps += fiber;
          matches *= fiber / std::max(1.0, extent(index));
        }
        int level = sparse[0]->levelOfIndex(index);
        multiply(symbols, symbolOf(statement, *sparse[0], level), 1);
        multiply(symbols, symbolOf(statement, *sparse[0], level - 1), -1);
        starts += visits * processor.walkStart;
        control += visits * steps * processor.mergeStep;
        visits *= matches;
      }
      candidate.iterations.push_back(symbols);
      candidate.visits.push_back(visits);
    }
  }

  double treeOfLanes() const {
    return std::ceil(std::log2(double(nest.width))) * processor.laneStep;
  }

  /// A tile or an element of an array, once. `isNext`: it lies behind the one
  /// before it.
  double access(double wholeBytes, bool isTile, bool isStrided, bool isNext,
                bool isStore) const {
    const MemoryLevel &level = processor.levelFor(wholeBytes);
    if (isTile && isStrided) {
      double each = isStore ? processor.scatter : processor.gather;
      double start = isStore ? processor.scatterStart : processor.gatherStart;
      return nest.width * processor.randomWithin(wholeBytes, each) +
             vectors * start;
    }
    double size = isTile ? nest.width * bytes : bytes;
    double stream = size / level.bytesPerCycle;
    if (isNext)
      return std::max(stream, (isTile ? vectors : 1) / 2);
    return std::max(processor.randomWithin(wholeBytes),
                    (isTile ? vectors : 1) / 2 +
                        std::max(0.0, size - processor.lineBytes) /
                            level.bytesPerCycle);
  }

  /// Where the last of an access's indices is bound, the vector axis of a row
  /// left out.
  int depthOf(const Access &access) const {
    int depth = -1;
    for (int at = 0; at < int(nest.order.size()); ++at)
      if (access.has(nest.order[at]) &&
          !(isRow && nest.order[at] == nest.vector))
        depth = at;
    return depth;
  }

  double visitsAt(int depth) const {
    double visits = depth < 0 ? 1 : candidate.visits[size_t(depth)];
    // A loop before the tiles of a row: its loads stand inside of them.
    if (isRow && nest.into == Into::Registers) {
      size_t first = 0;
      while (first < nest.order.size() && !areSums(first))
        ++first;
      if (depth < int(first))
        visits *= std::ceil(extent(nest.vector) / nest.width);
    }
    return visits;
  }

  /// Cycles of one access by the body of loop `depth`.
  double accessAt(const Access &access, double wholeBytes, int depth,
                  bool isStore = false) const {
    // What stays the same until a loop comes that the access lacks is not
    // needed again: the rest is what should stay in a cache.
    for (int index : nest.order) {
      if (!access.has(index))
        break;
      wholeBytes /= std::max(1.0, extent(index));
    }
    int last = access.format.rank() - 1;
    if (last < 0)
      return this->access(wholeBytes, false, false, true, isStore);
    int inner = access.indexOfLevel(last);
    bool isTile = nest.vector >= 0 && access.has(nest.vector);
    bool isStrided = isTile && inner != nest.vector;
    bool isNext = true;
    if (isTile && !isStrided && isLanes) {
      // Lanes along a walk of another operand are gathered.
      std::vector<const Access *> sparse = walkers(nest.vector);
      if (!sparse.empty() && access.format.levels[last] == Level::Dense)
        isStrided = true;
    } else if (depth >= 0) {
      // One behind the other: a loop over all, or over the operand's own.
      int index = nest.order[size_t(depth)];
      int level = access.levelOfIndex(index);
      std::vector<const Access *> sparse = walkers(index);
      isNext =
          (sparse.empty() || (sparse.size() == 1 && level >= 0 &&
                              access.format.levels[level] != Level::Dense)) &&
          level == (isTile ? last - 1 : last);
    }
    return this->access(wholeBytes, isTile, isStrided, isNext, isStore);
  }

  double bytesOf(const Access &access) const {
    return countAt(statistics, access, access.format.rank() - 1) * bytes;
  }

  /// Loads of factors, and stores of the result.
  double accesses() const {
    double cycles = 0;
    int body = int(nest.order.size()) - 1;
    bool isHoisted = nest.into == Into::Registers;
    for (const Access &access : factors()) {
      int depth = depthOf(access);
      cycles += visitsAt(isHoisted ? depth : body) *
                accessAt(access, bytesOf(access), depth);
    }
    // Coordinates along lanes.
    if (isLanes && !walkers(nest.vector).empty())
      cycles += visitsAt(body) * vectors;
    if (nest.into == Into::Bitmap)
      return cycles;
    // An element and its coordinate, wherever its row is.
    if (nest.assemble == Assemble::CountScatter)
      return cycles + visitsAt(body) * 2 *
                          processor.randomWithin(visitsAt(body) * bytes);
    double whole = bytes;
    for (int index : statement.result.indices)
      whole *= extent(index);
    int depth = depthOf(statement.result);
    if (nest.assemble == Assemble::Same) {
      if (int pattern = findPattern(statement, nest); pattern >= 0)
        whole = bytesOf(factors()[size_t(pattern)]);
      return cycles +
             visitsAt(depth) * bytes / processor.levelFor(whole).bytesPerCycle;
    }
    double store = accessAt(statement.result, whole, depth, /*isStore=*/true);
    if (nest.into == Into::Registers)
      return cycles + visitsAt(depth) * store;
    double each = accessAt(statement.result, whole, depth) + store;
    // A loop of a sum comes back to the same elements: to the next tile first.
    int inner = isRow ? body - 1 : body;
    if (inner >= 0 && !statement.isOutput(nest.order[size_t(inner)]))
      each = std::max(
          each, processor.storeForward /
                    (isRow ? std::ceil(extent(nest.vector) / nest.width) : 1));
    return cycles + visitsAt(body) * each;
  }

  /// Products and sums.
  double sums() const {
    double body = candidate.visits.empty() ? 1 : candidate.visits.back();
    size_t operations = std::max<size_t>(factors().size(), 1);
    bool isFused = statement.semiring == Semiring::PlusTimes;
    double count = isFused ? double(std::max<size_t>(operations - 1, 1))
                           : double(operations);
    double issue = count * processor.vectorFma * vectors;
    double chain = 0;
    // A long sum in registers waits for the one before.
    size_t last = nest.order.size() - 1;
    if (isRow && last > 0)
      --last;
    if (nest.into == Into::Registers && !statement.isOutput(nest.order[last])) {
      double length = candidate.visits[last] /
                      std::max(1.0, last ? candidate.visits[last - 1] : 1);
      if (length >= processor.window)
        chain = isFused && factors().size() > 1 ? processor.fmaLatency
                                                : processor.addLatency;
    }
    return body * std::max(issue, chain - processor.loop);
  }

  /// The loops of the count, and the next place of a row, once in each.
  double counting() const {
    const Format &format = statement.result.format;
    double rows = 1;
    for (int level = 0; level + 1 < format.rank(); ++level)
      rows *= extent(statement.result.indexOfLevel(level));
    double elements = candidate.visits.back();
    return starts + control + rows * processor.loop +
           2 * elements * processor.randomWithin(rows * 8);
  }

  /// Setting bits twice, for the count and for the values, and walking them.
  double rowsOfBitmap() const {
    double cells = 1;
    for (int index : statement.result.indices)
      cells *= extent(index);
    double products = candidate.visits.back();
    double elements = cells > 0 ? cells * -std::expm1(-products / cells) : 0;
    const Format &format = statement.result.format;
    double rows = 1;
    for (int level = 0; level + 1 < format.rank(); ++level)
      rows *= extent(statement.result.indexOfLevel(level));
    double columns = extent(statement.result.indexOfLevel(format.rank() - 1));
    double room = processor.randomWithin(columns * bytes);
    return starts + control + products * (2 * processor.bitmapSet + room) +
           elements * (processor.bitmapWalk + processor.loop) +
           rows * (std::ceil(columns / 262144) + 1) * processor.branchMiss;
  }

  const Statement &statement;
  const Statistics &statistics;
  Candidate &candidate;
  const Nest &nest;
  const Processor &processor;
  double bytes;
  bool isRow, isLanes;
  double vectors;     ///< of a tile of sums
  double control = 0; ///< of loops, iterations
  double starts = 0;  ///< of loops whose end is not foreseen
};

} // namespace

void heddle::sparse::estimate(const Statement &statement,
                              const Statistics &statistics,
                              Candidate &candidate) {
  Model(statement, statistics, candidate).run();
}
