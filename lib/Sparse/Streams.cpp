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
heddle::sparse::findOrderEdges(const Statement &statement) {
  std::vector<OrderEdge> edges;
  auto add = [&](const Access &access) {
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

/// Indices of the result that stand inside a sum of the term.
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
  for (int term = 0; term < int(statement.terms.size()); ++term)
    if (isDenseTerm(statement, term) &&
        countBehindSums(statement, term, order) == 0)
      return true;
  return false;
}

/// A list of coordinates has no fibers that a scan could walk.
static std::string whyNotScanned(const Access &access) {
  for (Level level : access.format.levels)
    if (level == Level::List || level == Level::Singleton)
      return access.tensor + " is a list of coordinates; streams walk dense "
                             "and compressed levels";
  return {};
}

std::string heddle::sparse::whyNotStreamed(const Statement &statement,
                                           const std::vector<int> &order) {
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
  if (std::string why = whyNotScanned(statement.result); !why.empty())
    return why;
  for (const auto &term : statement.terms)
    for (const Access &access : term)
      if (std::string why = whyNotScanned(access); !why.empty())
        return why;
  for (const OrderEdge &edge : findOrderEdges(statement))
    if (place[size_t(edge.before)] > place[size_t(edge.after)])
      return statement.indices[size_t(edge.after)] + " comes before " +
             statement.indices[size_t(edge.before)] + ", and " + edge.reason;
  for (int term = 0; term < int(statement.terms.size()); ++term) {
    // Terms meet space by space; what a workspace holds can only meet in the
    // last one.
    int behind = countBehindSums(statement, term, order);
    if ((statement.terms.size() > 1 || needsMaskTerm(statement)) && behind > 1)
      return "term " + std::to_string(term) + " of " + statement.result.tensor +
             " sums over an index outside of " + std::to_string(behind) +
             " indices of the result; in a sum of several terms, or below a "
             "mask, one is the most";
  }
  return {};
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
  Orders(const Statement &statement, const Statistics &statistics)
      : statement(statement), statistics(statistics),
        edges(findOrderEdges(statement)), isTaken(statement.indices.size()) {}

  void visit(std::string &error) {
    if (order.size() == isTaken.size()) {
      std::string why = whyNotStreamed(statement, order);
      ++tried;
      if (!why.empty()) {
        error = why;
        return;
      }
      RankedOrder made{order, 0};
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
      if (!isFree || tried >= kMost)
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
  static constexpr int kMost = 100000;
  const Statement &statement;
  const Statistics &statistics;
  std::vector<OrderEdge> edges;
  std::vector<bool> isTaken;
  std::vector<int> order;
};
} // namespace

/// Whether some order keeps the edges. Then each beginning of an order that
/// keeps them has an end, and the search above never runs dry.
static bool haveOrder(size_t count, const std::vector<OrderEdge> &edges) {
  std::vector<bool> isPlaced(count);
  for (size_t placed = 0; placed < count; ++placed) {
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
      return false;
    isPlaced[next] = true;
  }
  return true;
}

std::vector<RankedOrder>
heddle::sparse::rankOrders(const Statement &statement,
                           const Statistics &statistics, std::string &error) {
  Orders orders(statement, statistics);
  if (haveOrder(statement.indices.size(), findOrderEdges(statement))) {
    orders.visit(error);
  } else {
    error = "the operands want opposite orders:";
    for (const OrderEdge &edge : findOrderEdges(statement))
      if (error.find(edge.reason) == std::string::npos)
        error += (error.back() == ':' ? " " : "; ") + edge.reason;
  }
  std::stable_sort(orders.found.begin(), orders.found.end(),
                   [](const RankedOrder &a, const RankedOrder &b) {
                     return a.coordinates < b.coordinates;
                   });
  return std::move(orders.found);
}
