//===- RowWork.cpp - What lies below each outermost coordinate ------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the innermost index of a statement out: a coordinate takes one
// iteration, and all that lies below it in the tensors whose rows it names.
// Those that another statement of the region makes bring its work along, which
// the oracle's elements tell: how many there are in a row is the size of a
// union that no product of densities knows.
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/RowWork.h"

#include <algorithm>

using namespace heddle::sparse;

namespace {

using Weights = std::vector<double>;

void add(Weights &to, const Weights &more) {
  to.resize(std::max(to.size(), more.size()));
  for (size_t i = 0; i < more.size(); ++i)
    to[i] += more[i];
}

class Weigher {
public:
  Weigher(const std::vector<Statement> &statements,
          const std::vector<RankedOrder> &orders,
          const std::map<std::string, const Tensor *> &tensors)
      : statements(statements), orders(orders), tensors(tensors) {
    for (size_t s = 0; s < statements.size(); ++s)
      number[statements[s].result.tensor] = s;
  }

  Weights weighAll() {
    for (size_t s = 0; s < statements.size(); ++s) {
      own.push_back(weigh(s));
      whole.push_back(own[s]);
      // What walks the same rows goes along with them.
      for (size_t made : alignedOf(s))
        add(whole[s], whole[made]);
    }
    // What others carry out below their rows is theirs.
    std::vector<bool> isOutside(statements.size());
    Weights all;
    for (size_t s = statements.size(); s-- > 0;) {
      if (!isRead(s))
        isOutside[s] = true;
      if (!isOutside[s])
        continue;
      add(all, own[s]);
      for (size_t made : alignedOf(s))
        isOutside[made] = true;
    }
    for (double &weight : all)
      weight = std::max(weight, 1.0);
    return all;
  }

private:
  /// -1 of a statement without indices.
  int firstIndexOf(size_t s) const {
    return orders[s].order.empty() ? -1 : orders[s].order.front();
  }

  /// The statement of the region that makes a factor; nothing of operands.
  const size_t *makerOf(const Access &access) const {
    auto found = number.find(access.tensor);
    return found == number.end() ? nullptr : &found->second;
  }

  /// Whether statement `s` reads the rows of a factor as it walks its own.
  bool isAligned(size_t s, const Access &access) const {
    return !access.indices.empty() && access.indexOfLevel(0) == firstIndexOf(s);
  }

  std::vector<size_t> alignedOf(size_t s) const {
    std::vector<size_t> found;
    for (const auto &term : statements[s].terms)
      for (const Access &access : term)
        if (const size_t *made = makerOf(access);
            made && isAligned(s, access) &&
            std::find(found.begin(), found.end(), *made) == found.end())
          found.push_back(*made);
    return found;
  }

  bool isRead(size_t s) const {
    for (const Statement &other : statements)
      for (const auto &term : other.terms)
        for (const Access &access : term)
          if (access.tensor == statements[s].result.tensor)
            return true;
    return false;
  }

  Weights weigh(size_t s) {
    const Statement &statement = statements[s];
    std::map<int, Weights> below; // by index
    const std::vector<int> &order = orders[s].order;
    for (size_t at = order.size(); at-- > 0;) {
      int index = order[at];
      Weights &weights = below[index];
      weights.assign(size_t(extentOf(statement, index)), 1);
      for (const auto &term : statement.terms)
        for (const Access &access : term)
          addFactor(s, access, index, below);
    }
    return order.empty() ? Weights{1} : below[order.front()];
  }

  int64_t extentOf(const Statement &statement, int index) const {
    auto find = [&](const Access &access) {
      for (size_t axis = 0; axis < access.indices.size(); ++axis)
        if (access.indices[axis] == index)
          return tensors.at(access.tensor)->extents[axis];
      return int64_t(-1);
    };
    for (const auto &term : statement.terms)
      for (const Access &access : term)
        if (int64_t extent = find(access); extent >= 0)
          return extent;
    return std::max<int64_t>(find(statement.result), 0);
  }

  /// The rows of one factor below the coordinates of `index`.
  void addFactor(size_t s, const Access &access, int index,
                 std::map<int, Weights> &below) {
    if (access.indices.empty() || access.indexOfLevel(0) != index)
      return;
    Weights &weights = below[index];
    const size_t *made = makerOf(access);
    if (made && !isAligned(s, access))
      for (size_t i = 0; i < weights.size() && i < whole[*made].size(); ++i)
        weights[i] += whole[*made][i];
    const Tensor &tensor = *tensors.at(access.tensor);
    if (orders[s].copies.count(access.tensor)) {
      double mean = double(tensor.valueCount()) /
                    double(std::max<size_t>(weights.size(), 1));
      for (double &weight : weights)
        weight += mean;
      return;
    }
    for (auto [coordinate, position] : childrenOf(tensor, 0, 0))
      weights[size_t(coordinate)] +=
          weighBelow(tensor, access, 1, position, below);
  }

  double weighBelow(const Tensor &tensor, const Access &access, int level,
                    int64_t position, const std::map<int, Weights> &below) {
    if (level == tensor.format.rank())
      return 0;
    double sum = 0;
    auto known = below.find(access.indexOfLevel(level));
    for (auto [coordinate, child] : childrenOf(tensor, level, position)) {
      sum += known == below.end() ? 1 : known->second[size_t(coordinate)];
      sum += weighBelow(tensor, access, level + 1, child, below);
    }
    return sum;
  }

  /// Coordinates and positions below one position of the level outside.
  static std::vector<std::pair<int64_t, int64_t>>
  childrenOf(const Tensor &tensor, int level, int64_t position) {
    std::vector<std::pair<int64_t, int64_t>> found;
    if (tensor.format.levels[size_t(level)] == Level::Singleton) {
      found.push_back(
          {tensor.coordinates[size_t(level)].get(position), position});
      return found;
    }
    if (!tensor.format.hasPositions(level)) {
      int64_t extent = tensor.extentOfLevel(level);
      for (int64_t c = 0; c < extent; ++c)
        found.push_back({c, position * extent + c});
      return found;
    }
    const IndexArray &positions = tensor.positions[size_t(level)];
    for (int64_t p = positions.get(position); p < positions.get(position + 1);
         ++p)
      found.push_back({tensor.coordinates[size_t(level)].get(p), p});
    return found;
  }

  const std::vector<Statement> &statements;
  const std::vector<RankedOrder> &orders;
  const std::map<std::string, const Tensor *> &tensors;
  std::map<std::string, size_t> number; ///< of statements, by their results
  /// By statement: without and with those that walk the same rows.
  std::vector<Weights> own, whole;
};

} // namespace

std::vector<double> heddle::sparse::weighRows(
    const std::vector<Statement> &statements,
    const std::vector<RankedOrder> &orders,
    const std::map<std::string, const Tensor *> &tensors) {
  return Weigher(statements, orders, tensors).weighAll();
}
