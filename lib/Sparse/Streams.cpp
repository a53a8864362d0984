//===- Streams.cpp - In which orders streams walk a statement -------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Streams.h"

#include <algorithm>
#include <optional>

using namespace heddle::sparse;

static std::string spellLevels(const Statement &statement,
                               const Access &access) {
  std::string text;
  for (int level = 0; level < access.format.rank(); ++level)
    text += (level ? ", " : "") +
            statement.indices[size_t(access.indexOfLevel(level))];
  return access.tensor + " is stored " + text;
}

std::vector<OrderEdge>
heddle::sparse::findOrderEdges(const Statement &statement,
                               const Copies &copies) {
  std::vector<OrderEdge> edges;
  auto add = [&](const Access &access) {
    if (copies.count(access.tensor))
      return;
    for (int level = 1; level < access.format.rank(); ++level)
      edges.push_back({access.indexOfLevel(level - 1),
                       access.indexOfLevel(level),
                       spellLevels(statement, access)});
  };
  for (const auto &term : statement.terms)
    for (const Access &access : term)
      add(access);
  // A dense result is written wherever its coordinates say.
  if (!statement.result.format.isDense())
    add(statement.result);
  return edges;
}

std::optional<uint64_t>
heddle::sparse::countOrders(int count, const std::vector<OrderEdge> &edges) {
  if (count > 24)
    return std::nullopt;
  std::vector<uint32_t> needs(size_t(count), 0);
  for (const OrderEdge &edge : edges)
    needs[size_t(edge.after)] |= uint32_t(1) << edge.before;
  std::vector<uint64_t> orders(size_t(1) << count, 0);
  orders[0] = 1;
  for (uint32_t set = 0; set < orders.size(); ++set)
    for (int index = 0; orders[set] && index < count; ++index) {
      uint32_t bit = uint32_t(1) << index;
      if ((set & bit) || (needs[size_t(index)] & ~set))
        continue;
      uint64_t &next = orders[set | bit];
      if (next > UINT64_MAX - orders[set])
        return std::nullopt;
      next += orders[set];
    }
  return orders.back();
}

bool heddle::sparse::needsMaskTerm(const Statement &statement) {
  if (!statement.mask)
    return false;
  // A term that sums over nothing, whose factors have all that the mask has.
  auto isEverywhere = [&](const std::vector<Access> &term) {
    return std::all_of(term.begin(), term.end(), [&](const Access &access) {
      bool hasSum =
          std::any_of(access.indices.begin(), access.indices.end(),
                      [&](int index) { return !statement.isOutput(index); });
      return !hasSum &&
             (access.format.isDense() || access.isAlike(*statement.mask));
    });
  };
  return std::none_of(statement.terms.begin(), statement.terms.end(),
                      isEverywhere);
}

bool heddle::sparse::isDenseTerm(const Statement &statement, int term) {
  const auto &accesses = statement.terms[size_t(term)];
  return !statement.mask && statement.result.format.isDense() &&
         std::all_of(
             accesses.begin(), accesses.end(),
             [](const Access &access) { return access.format.isDense(); });
}

/// Indices of the result that stand inside a sum of the term, in an order or in
/// the beginning of one.
static int countBehindSums(const Statement &statement, int term,
                           const std::vector<int> &order) {
  const auto &accesses = statement.terms[size_t(term)];
  bool hasSum = false;
  int behind = 0;
  for (int index : order) {
    if (statement.isOutput(index))
      behind += hasSum;
    else
      hasSum |=
          std::any_of(accesses.begin(), accesses.end(),
                      [&](const Access &access) { return access.has(index); });
  }
  return behind;
}

bool heddle::sparse::computesAll(const Statement &statement,
                                 const std::vector<int> &order) {
  // Below a mask there is what the mask has.
  if (const auto &mask = statement.mask)
    return mask->indices == statement.result.indices &&
           mask->format.levels == statement.result.format.levels &&
           mask->format.axes == statement.result.format.axes;
  for (int term = 0; term < int(statement.terms.size()); ++term)
    if (isDenseTerm(statement, term) &&
        countBehindSums(statement, term, order) == 0)
      return true;
  return false;
}

/// A list of coordinates has no fibers that a scan could walk.
static std::string whyNotScanned(const Statement &statement) {
  auto isList = [](const Access &access) {
    return std::any_of(access.format.levels.begin(), access.format.levels.end(),
                       [](Level level) {
                         return level == Level::List ||
                                level == Level::Singleton;
                       });
  };
  const Access *list = isList(statement.result) ? &statement.result : nullptr;
  for (const auto &term : statement.terms)
    for (const Access &access : term)
      if (!list && isList(access))
        list = &access;
  return list ? list->tensor + " is a list of coordinates; streams walk dense "
                               "and compressed levels"
              : std::string();
}

/// Terms meet space by space; what a workspace holds can only meet in the last
/// one. `order` may be the beginning of one.
static std::string whyNotMet(const Statement &statement,
                             const std::vector<int> &order) {
  if (statement.terms.size() == 1 && !needsMaskTerm(statement))
    return {};
  for (int term = 0; term < int(statement.terms.size()); ++term) {
    int behind = countBehindSums(statement, term, order);
    if (behind > 1)
      return "term " + std::to_string(term) + " of " + statement.result.tensor +
             " sums over an index outside of " + std::to_string(behind) +
             " indices of the result; in a sum of several terms, or below a "
             "mask, one is the most";
  }
  return {};
}

std::string heddle::sparse::whyNotStreamed(const Statement &statement,
                                           const std::vector<int> &order,
                                           const Copies &copies) {
  std::vector<int> place(statement.indices.size(), -1);
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] < 0 || order[i] >= int(place.size()) ||
        place[size_t(order[i])] >= 0)
      return "the order names an index twice, or one that is not there";
    place[size_t(order[i])] = int(i);
  }
  if (order.size() != statement.indices.size())
    return "the order has " + std::to_string(order.size()) + " indices and " +
           statement.result.tensor + " needs " +
           std::to_string(statement.indices.size());
  if (std::string why = whyNotScanned(statement); !why.empty())
    return why;
  for (const OrderEdge &edge : findOrderEdges(statement, copies))
    if (place[size_t(edge.before)] > place[size_t(edge.after)])
      return statement.indices[size_t(edge.after)] + " comes before " +
             statement.indices[size_t(edge.before)] + ", and " + edge.reason;
  return whyNotMet(statement, order);
}

std::vector<int> heddle::sparse::sortLevels(const Access &access,
                                            const std::vector<int> &order) {
  auto placeOf = [&](int level) {
    return std::find(order.begin(), order.end(), access.indexOfLevel(level));
  };
  std::vector<int> levels;
  for (int level = 0; level < access.format.rank(); ++level)
    levels.push_back(level);
  std::stable_sort(levels.begin(), levels.end(),
                   [&](int a, int b) { return placeOf(a) < placeOf(b); });
  return levels;
}

/// Coordinates of all loops of the term, by the shares of elements.
static double estimate(const Statement &statement, int term,
                       const std::vector<int> &order,
                       const Statistics &statistics) {
  const auto &accesses = statement.terms[size_t(term)];
  std::vector<int> scanned(accesses.size(), 0);
  double coordinates = 1, sum = 0;
  for (int index : order) {
    bool isThere = false;
    double share = 1;
    for (size_t i = 0; i < accesses.size(); ++i) {
      const Access &access = accesses[i];
      if (!access.has(index))
        continue;
      isThere = true;
      int level = scanned[i]++;
      auto found = statistics.counts.find(access.tensor);
      if (access.format.levels[size_t(level)] == Level::Dense ||
          found == statistics.counts.end() ||
          level >= int(found->second.size()))
        continue;
      double above = level ? double(found->second[size_t(level) - 1]) : 1;
      double all = above * double(statistics.extents[size_t(index)]);
      share *= all > 0 ? double(found->second[size_t(level)]) / all : 0;
    }
    if (!isThere && !statement.isOutput(index))
      continue;
    coordinates *= double(statistics.extents[size_t(index)]) * share;
    sum += coordinates;
  }
  return sum;
}

namespace {
/// Visits linear extensions, the indices in their own order first.
class Orders {
public:
  /// `more`: what the order has to keep besides; `wanted`: how many of them.
  Orders(const Statement &statement, const Statistics &statistics,
         const Copies &copies, const std::vector<OrderEdge> &more = {},
         size_t wanted = SIZE_MAX)
      : statement(statement), statistics(statistics), copies(copies),
        edges(findOrderEdges(statement, copies)), wanted(wanted),
        isTaken(statement.indices.size()) {
    edges.insert(edges.end(), more.begin(), more.end());
  }

  void visit(std::string &error) {
    // What cannot meet behind the beginning of an order never will.
    if (std::string why = whyNotMet(statement, order); !why.empty()) {
      error = why;
      return;
    }
    if (order.size() == isTaken.size()) {
      std::string why = whyNotStreamed(statement, order, copies);
      ++tried;
      if (!why.empty()) {
        error = why;
        return;
      }
      RankedOrder made{order, copies, costOfCopies()};
      for (int term = 0; term < int(statement.terms.size()); ++term)
        made.coordinates += estimate(statement, term, order, statistics);
      found.push_back(std::move(made));
      return;
    }
    for (int index = 0; index < int(isTaken.size()); ++index) {
      bool isFree =
          !isTaken[size_t(index)] &&
          std::none_of(edges.begin(), edges.end(), [&](auto &edge) {
            return edge.after == index && !isTaken[size_t(edge.before)];
          });
      if (!isFree || tried >= kMost || found.size() >= wanted)
        continue;
      isTaken[size_t(index)] = true;
      order.push_back(index);
      visit(error);
      order.pop_back();
      isTaken[size_t(index)] = false;
    }
  }

  std::vector<RankedOrder> found;
  int tried = 0;

private:
  /// Each element is read and written. Of a result that nobody has yet, all
  /// are expected.
  double costOfCopies() const {
    double sum = 0;
    auto add = [&](const Access &access) {
      if (!copies.count(access.tensor))
        return;
      auto found = statistics.counts.find(access.tensor);
      double elements = 1;
      if (found != statistics.counts.end() && !found->second.empty())
        elements = double(found->second.back());
      else
        for (int index : access.indices)
          elements *= double(statistics.extents[size_t(index)]);
      sum += 2 * elements;
    };
    for (const auto &term : statement.terms)
      for (const Access &access : term)
        add(access);
    add(statement.result);
    return sum;
  }

  static constexpr int kMost = 100000;
  const Statement &statement;
  const Statistics &statistics;
  const Copies &copies;
  std::vector<OrderEdge> edges;
  size_t wanted;
  std::vector<bool> isTaken;
  std::vector<int> order;
};
} // namespace

/// Some order that keeps the edges; empty if none does. If there is one, each
/// beginning of an order that keeps them has an end, and the search above never
/// runs dry.
static std::vector<int> findOrder(size_t count,
                                  const std::vector<OrderEdge> &edges) {
  std::vector<bool> isPlaced(count);
  std::vector<int> order;
  while (order.size() < count) {
    size_t next = 0;
    while (next < count &&
           (isPlaced[next] || std::any_of(
                                  edges.begin(), edges.end(),
                                  [&](const auto &edge) {
                                    return edge.after == int(next) &&
                                           !isPlaced[size_t(edge.before)];
                                  })))
      ++next;
    if (next == count)
      return {};
    isPlaced[next] = true;
    order.push_back(int(next));
  }
  return order;
}

/// The tensors that have wishes.
static std::vector<std::string> namesToCopy(const Statement &statement,
                                            bool hasResult) {
  std::vector<std::string> names;
  auto add = [&](const Access &access) {
    if (access.format.rank() > 1 &&
        std::find(names.begin(), names.end(), access.tensor) == names.end())
      names.push_back(access.tensor);
  };
  for (const auto &term : statement.terms)
    for (const Access &access : term)
      add(access);
  if (hasResult)
    add(statement.result);
  return names;
}

/// Legal orders that keep `more`, too, with the fewest copies with which there
/// is one: of each set of so many. Where operands want opposite orders there is
/// none without a copy, and where terms could not meet there may be none
/// either; with copies of all there is one that sums last.
static std::vector<RankedOrder> findOrders(const Statement &statement,
                                           const Statistics &statistics,
                                           const std::vector<OrderEdge> &more,
                                           size_t wanted, bool hasResult,
                                           std::string &error) {
  std::vector<RankedOrder> found;
  error = whyNotScanned(statement);
  if (!error.empty())
    return found;
  std::vector<std::string> names = namesToCopy(statement, hasResult);
  auto search = [&](const Copies &copies) {
    std::vector<OrderEdge> edges = findOrderEdges(statement, copies);
    edges.insert(edges.end(), more.begin(), more.end());
    if (!statement.indices.empty() &&
        findOrder(statement.indices.size(), edges).empty())
      return;
    Orders orders(statement, statistics, copies, more, wanted);
    orders.visit(error);
    found.insert(found.end(), orders.found.begin(), orders.found.end());
  };
  // Beyond so many, all of them.
  constexpr size_t kMostNames = 12;
  if (names.size() > kMostNames)
    search(Copies(names.begin(), names.end()));
  for (size_t size = 0;
       found.empty() && size <= names.size() && names.size() <= kMostNames;
       ++size)
    for (uint32_t set = 0; set < uint32_t(1) << names.size(); ++set) {
      Copies copies;
      for (size_t i = 0; i < names.size(); ++i)
        if (set >> i & 1)
          copies.insert(names[i]);
      if (copies.size() == size)
        search(copies);
    }
  return found;
}

std::string heddle::sparse::whyCopied(const Statement &statement) {
  return findOrder(statement.indices.size(), findOrderEdges(statement)).empty()
             ? "operands want opposite orders"
             : "terms could not meet in an order that storage allows";
}

/// What an order has to keep so that streams of the result come by rows.
static std::vector<OrderEdge> findRowEdges(const Statement &statement) {
  std::vector<OrderEdge> edges;
  const Access &result = statement.result;
  // Nobody sorts streams, so they come in the order of the levels.
  for (int level = 1; level < result.format.rank(); ++level)
    edges.push_back(
        {result.indexOfLevel(level - 1), result.indexOfLevel(level), ""});
  // A row is known before all else, and of a dense result whatever has levels
  // below it.
  int outside = result.format.isDense() ? result.format.rank() - 1 : 1;
  for (int level = 0; level < std::max(outside, 1); ++level)
    for (int index = 0; index < int(statement.indices.size()); ++index)
      if (level == 0 ? index != result.indexOfLevel(0)
                     : !statement.isOutput(index))
        edges.push_back({result.indexOfLevel(level), index, ""});
  return edges;
}

bool heddle::sparse::comesByRows(const Statement &statement,
                                 const std::vector<int> &order) {
  auto placeOf = [&](int index) {
    return std::find(order.begin(), order.end(), index);
  };
  std::vector<OrderEdge> edges = findRowEdges(statement);
  return std::all_of(edges.begin(), edges.end(), [&](const OrderEdge &edge) {
    return placeOf(edge.before) < placeOf(edge.after);
  });
}

std::optional<RankedOrder>
heddle::sparse::findRowOrder(const Statement &statement) {
  std::vector<OrderEdge> more = findRowEdges(statement);
  std::string error;
  std::vector<RankedOrder> found =
      findOrders(statement, Statistics::guess(statement), more, 1,
                 /*hasResult=*/false, error);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

std::vector<RankedOrder>
heddle::sparse::rankOrders(const Statement &statement,
                           const Statistics &statistics, std::string &error) {
  std::vector<RankedOrder> found = findOrders(
      statement, statistics, {}, SIZE_MAX, /*hasResult=*/true, error);
  std::stable_sort(found.begin(), found.end(),
                   [](const RankedOrder &a, const RankedOrder &b) {
                     return a.coordinates < b.coordinates;
                   });
  return found;
}
