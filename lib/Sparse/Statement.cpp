//===- Statement.cpp - Formats, statements and nests as data --------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Sparse/Statement.h"

#include "heddle/Support/NumberFormat.h"

#include <algorithm>

using namespace heddle::sparse;

int heddle::sparse::sizeOf(Element element) {
  return element == Element::F64 ? 8 : element == Element::F32 ? 4 : 2;
}

std::string heddle::sparse::spell(Element element) {
  switch (element) {
  case Element::F16:
    return "f16";
  case Element::BF16:
    return "bf16";
  case Element::F32:
    return "f32";
  case Element::F64:
    return "f64";
  }
  return "";
}

double heddle::sparse::roundTo(Element element, double value) {
  switch (element) {
  case Element::F16:
    return heddle::roundTo<kFloat16>(value);
  case Element::BF16:
    return heddle::roundTo<kBFloat16>(value);
  case Element::F32:
    return double(float(value));
  case Element::F64:
    return value;
  }
  return value;
}

Format Format::dense(int rank) {
  Format format;
  format.levels.assign(size_t(rank), Level::Dense);
  for (int axis = 0; axis < rank; ++axis)
    format.axes.push_back(axis);
  return format;
}

bool Format::isDense() const {
  return std::all_of(levels.begin(), levels.end(),
                     [](Level level) { return level == Level::Dense; });
}

int Access::levelOfIndex(int index) const {
  for (int level = 0; level < format.rank(); ++level)
    if (indexOfLevel(level) == index)
      return level;
  return -1;
}

double Statement::emptyValue() const {
  return mask ? zeroOf(semiring) : applyFunctions(then, zeroOf(semiring));
}

bool Statement::keepsZero() const {
  return applyFunctions(then, zeroOf(semiring)) == zeroOf(semiring);
}

std::vector<int> Statement::indicesOf(int term) const {
  std::vector<int> found;
  for (int index = 0; index < int(indices.size()); ++index)
    if (isOutput(index) ||
        std::any_of(terms[term].begin(), terms[term].end(),
                    [&](const Access &access) { return access.has(index); }))
      found.push_back(index);
  return found;
}
