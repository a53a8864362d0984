//===- Natural.h - Numbers of any size --------------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Naturals as long as they need to be, with schoolbook arithmetic: what the
// models of PTX compute in, so that nothing is ever rounded by accident.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_NATURAL_H
#define HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_NATURAL_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::emulator::model {

class Natural {
public:
  Natural() = default;
  explicit Natural(uint64_t value) {
    for (; value; value >>= 32)
      words.push_back(uint32_t(value));
  }

  bool isZero() const { return words.empty(); }
  int bitLength() const {
    int bits = int(words.size()) * 32;
    while (bits && !bit(bits - 1))
      --bits;
    return bits;
  }
  bool bit(int index) const {
    size_t word = size_t(index) / 32;
    return word < words.size() && (words[word] >> (index % 32) & 1);
  }
  /// The low 64 bits.
  uint64_t low() const {
    uint64_t value = 0;
    for (size_t i = 0; i < std::min<size_t>(2, words.size()); ++i)
      value |= uint64_t(words[i]) << (32 * i);
    return value;
  }
  /// Whether any of the low `count` bits is set.
  bool anyBelow(int count) const {
    for (int i = 0; i < count && i < int(words.size()) * 32; ++i)
      if (bit(i))
        return true;
    return false;
  }

  Natural operator<<(int count) const {
    Natural result;
    if (isZero())
      return result;
    result.words.assign(size_t(count) / 32, 0);
    uint64_t carry = 0;
    for (uint32_t word : words) {
      carry |= uint64_t(word) << (count % 32);
      result.words.push_back(uint32_t(carry));
      carry >>= 32;
    }
    result.words.push_back(uint32_t(carry));
    return result.trimmed();
  }
  Natural operator>>(int count) const {
    Natural result;
    for (size_t i = size_t(count) / 32; i < words.size(); ++i) {
      uint64_t pair = words[i];
      if (i + 1 < words.size())
        pair |= uint64_t(words[i + 1]) << 32;
      result.words.push_back(uint32_t(pair >> (count % 32)));
    }
    return result.trimmed();
  }
  Natural operator+(const Natural &other) const {
    Natural result;
    uint64_t carry = 0;
    for (size_t i = 0; i < std::max(words.size(), other.words.size()); ++i) {
      carry += uint64_t(word(i)) + other.word(i);
      result.words.push_back(uint32_t(carry));
      carry >>= 32;
    }
    result.words.push_back(uint32_t(carry));
    return result.trimmed();
  }
  /// `other` must not be larger.
  Natural operator-(const Natural &other) const {
    Natural result;
    int64_t borrow = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      borrow += int64_t(words[i]) - int64_t(other.word(i));
      result.words.push_back(uint32_t(borrow));
      borrow >>= 32;
    }
    return result.trimmed();
  }
  Natural operator*(const Natural &other) const {
    Natural result;
    result.words.assign(words.size() + other.words.size(), 0);
    for (size_t i = 0; i < words.size(); ++i) {
      uint64_t carry = 0;
      for (size_t j = 0; j < other.words.size(); ++j) {
        carry += uint64_t(words[i]) * other.words[j] + result.words[i + j];
        result.words[i + j] = uint32_t(carry);
        carry >>= 32;
      }
      result.words[i + other.words.size()] = uint32_t(carry);
    }
    return result.trimmed();
  }
  /// -1, 0 or 1.
  int compare(const Natural &other) const {
    if (words.size() != other.words.size())
      return words.size() < other.words.size() ? -1 : 1;
    for (size_t i = words.size(); i-- > 0;)
      if (words[i] != other.words[i])
        return words[i] < other.words[i] ? -1 : 1;
    return 0;
  }
  bool operator==(const Natural &) const = default;

  /// The quotient, bit by bit; `isExact` says whether nothing is left.
  Natural dividedBy(const Natural &divisor, bool &isExact) const {
    Natural quotient, rest;
    for (int i = bitLength(); i-- > 0;) {
      rest = (rest << 1) + Natural(bit(i));
      quotient = quotient << 1;
      if (rest.compare(divisor) >= 0) {
        rest = rest - divisor;
        quotient = quotient + Natural(1);
      }
    }
    isExact = rest.isZero();
    return quotient;
  }
  /// The largest number whose square is not larger.
  Natural squareRoot(bool &isExact) const {
    Natural root;
    for (int i = bitLength() / 2 + 1; i-- > 0;) {
      Natural larger = root + (Natural(1) << i);
      if ((larger * larger).compare(*this) <= 0)
        root = larger;
    }
    isExact = root * root == *this;
    return root;
  }

private:
  uint32_t word(size_t index) const {
    return index < words.size() ? words[index] : 0;
  }
  Natural trimmed() {
    while (!words.empty() && !words.back())
      words.pop_back();
    return std::move(*this);
  }

  std::vector<uint32_t> words; ///< lowest first, the last not 0
};

} // namespace heddle::emulator::model

#endif // HEDDLE_UNITTESTS_EMULATOR_SEMANTICS_NATURAL_H
