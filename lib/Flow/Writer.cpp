//===- Writer.cpp - Streams become a tensor -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: streams of coordinates and values, and a tensor with a format and
// extents. Out: the elements that are not absent, and the tensor of such.
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

using namespace heddle;
using namespace heddle::flow;

std::string heddle::flow::buildTensor(sparse::Tensor &tensor,
                                      std::vector<sparse::Entry> entries,
                                      double zero) {
  std::vector<sparse::Entry> ones;
  if (zero != 0) {
    ones = entries;
    for (sparse::Entry &entry : ones)
      entry.value = 1;
  }
  std::string error;
  sparse::Tensor made, isThere;
  auto build = [&](std::vector<sparse::Entry> list, sparse::Tensor &result) {
    return sparse::Tensor::build(tensor.format, tensor.element, tensor.extents,
                                 std::move(list), result, error);
  };
  if (!build(std::move(entries), made))
    return error;
  // A dense level stores elements that nobody computed.
  if (zero != 0 && build(std::move(ones), isThere))
    for (int64_t i = 0; i < made.valueCount(); ++i)
      if (isThere.value(i) == 0)
        made.setValue(i, zero);
  tensor = std::move(made);
  return error;
}

std::string heddle::flow::takeElements(const std::vector<const Stream *> &crds,
                                       llvm::ArrayRef<int64_t> levels,
                                       const Stream &values,
                                       const sparse::Tensor &tensor,
                                       std::vector<sparse::Entry> &entries) {
  if (crds.empty()) {
    if (values.size() != 1 || values[0].isStop())
      return "a tensor without axes is one value, and no stop";
    if (values[0].kind != Token::Absent)
      entries.push_back({{}, values[0].value()});
    return {};
  }
  Chain chain(crds);
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
                        value.value()};
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
  return {};
}
