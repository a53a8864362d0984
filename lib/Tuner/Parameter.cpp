//===- Parameter.cpp - What a tuner may choose ----------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/Tuner/Parameter.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace heddle::tuner;

uint64_t Parameter::words() const {
  switch (kind) {
  case Kind::Integer:
    return uint64_t(last) - uint64_t(first) + 1;
  case Kind::Ordinal:
    return numbers.size();
  case Kind::Categorical:
    return texts.size();
  case Kind::Real:
  case Kind::Permutation:
    return 0;
  }
  llvm_unreachable("a parameter without a kind");
}

Word heddle::tuner::packItems(const std::vector<int> &items) {
  Word word = 0;
  for (size_t k = 0; k < items.size(); ++k)
    word = withItem(word, int(k), items[k]);
  return word;
}

int heddle::tuner::positionOf(Word permutation, int item, int placed) {
  for (int k = 0; k < placed; ++k)
    if (itemAt(permutation, k) == item)
      return k;
  return -1;
}

Word heddle::tuner::packReal(double value) {
  return llvm::bit_cast<Word>(value);
}

double heddle::tuner::realOf(Word word) { return llvm::bit_cast<double>(word); }

std::string heddle::tuner::spell(const Parameter &parameter, Word word) {
  if (word == kInactive)
    return "null";
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto number = [&](double value) {
    if (value == double(int64_t(value)))
      stream << int64_t(value);
    else
      stream << llvm::json::Value(value);
  };
  switch (parameter.kind) {
  case Kind::Real:
    stream << llvm::json::Value(realOf(word));
    break;
  case Kind::Integer:
    stream << parameter.first + word;
    break;
  case Kind::Ordinal:
    number(parameter.numbers[size_t(word)]);
    break;
  case Kind::Categorical:
    stream << llvm::json::Value(parameter.texts[size_t(word)]);
    break;
  case Kind::Permutation:
    for (int k = 0; k < parameter.items; ++k)
      stream << (k ? ", " : "[") << itemAt(word, k);
    stream << "]";
    break;
  }
  return text;
}
