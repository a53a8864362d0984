//===- Writer.cpp - Streams become a tensor -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: streams of coordinates and values, and a tensor with a format and
// extents. Out: the same tensor with what was not absent.
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

using namespace heddle;
using namespace heddle::flow;

/// Every element of a dense tensor that is not among `entries`, with `zero`.
static void addAbsent(const sparse::Tensor &tensor, double zero,
                      std::vector<sparse::Entry> &entries) {
  std::vector<bool> known;
  int64_t count = 1;
  for (int64_t extent : tensor.extents)
    count *= extent;
  known.resize(size_t(count));
  for (const sparse::Entry &entry : entries) {
    int64_t number = 0;
    for (size_t axis = 0; axis < tensor.extents.size(); ++axis)
      number = number * tensor.extents[axis] + entry.coordinates[axis];
    known[size_t(number)] = true;
  }
  for (int64_t number = 0; number < count; ++number) {
    if (known[size_t(number)])
      continue;
    sparse::Entry entry{std::vector<int64_t>(tensor.extents.size()), zero};
    int64_t left = number;
    for (size_t axis = tensor.extents.size(); axis-- > 0;) {
      entry.coordinates[axis] = left % tensor.extents[axis];
      left /= tensor.extents[axis];
    }
    entries.push_back(std::move(entry));
  }
}

std::string heddle::flow::writeTensor(const std::vector<const Stream *> &crds,
                                      const std::vector<int64_t> &levels,
                                      const Stream &values,
                                      sparse::Tensor &tensor, double zero) {
  Chain chain(crds);
  std::vector<sparse::Entry> entries;
  while (int step = chain.next()) {
    if (step < 0 || chain.getIndex() >= values.size())
      return "the streams of coordinates do not fit one another";
    const Token &value = values[chain.getIndex()];
    if (value.isStop() != (step == 2) ||
        (step == 2 && value.number != chain.getLevel()))
      return "the values do not fit the coordinates";
    if (step == 2 || value.kind == Token::Absent)
      continue;
    sparse::Entry entry{std::vector<int64_t>(tensor.extents.size()),
                        value.value};
    for (size_t number = 0; number < crds.size(); ++number) {
      int axis = tensor.format.axes[size_t(levels[number])];
      int64_t coordinate = chain.getCoordinates()[number];
      if (coordinate < 0 || coordinate >= tensor.extents[size_t(axis)])
        return "coordinate " + std::to_string(coordinate) +
               " lies outside axis " + std::to_string(axis) + ", which has " +
               std::to_string(tensor.extents[size_t(axis)]);
      entry.coordinates[size_t(axis)] = coordinate;
    }
    entries.push_back(std::move(entry));
  }
  if (zero != 0 && tensor.format.isDense())
    addAbsent(tensor, zero, entries);
  std::string error;
  sparse::Tensor made;
  if (!sparse::Tensor::build(tensor.format, tensor.element, tensor.extents,
                             std::move(entries), made, error))
    return error;
  tensor = std::move(made);
  return {};
}
