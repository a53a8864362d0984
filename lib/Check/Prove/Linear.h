//===- Linear.h - Numbers as sums of named terms ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The canonical form in which two processes' expressions are compared: a
// constant plus terms, where a term is a symbol or an operation that is not
// linear, named by its operands' canonical forms.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_LINEAR_H
#define HEDDLE_LIB_CHECK_LINEAR_H

#include "heddle/Check/Protocol.h"

#include <map>
#include <optional>

namespace heddle::check {

struct Linear {
  std::map<std::string, int64_t> terms; ///< no zeros
  int64_t constant = 0;

  bool isConstant() const { return terms.empty(); }
  /// The only term, if the number is that term times 1.
  std::optional<std::string> singleTerm() const;
  std::string text() const;
  bool operator==(const Linear &) const = default;
};

Linear operator+(const Linear &a, const Linear &b);
Linear operator*(const Linear &a, int64_t factor);
inline Linear operator-(const Linear &a, const Linear &b) { return a + b * -1; }

/// What a term stands for.
struct Term {
  Arith arith = Arith::Other; ///< Other with no operands: a symbol
  std::vector<Linear> operands;
  std::string name; ///< of a symbol or function
  bool usesData = false;
  /// Of a loop's point, how many loops are around it; operands: base and step.
  int depth = -1;
};

/// All terms of a protocol, shared by its processes.
class Terms {
public:
  Linear symbol(const std::string &name, bool usesData = false);
  /// The current point of a loop: base + step * its position. A loop over the
  /// same points inside of it has other points.
  Linear point(const std::string &family, int depth, const Linear &base,
               const Linear &step, bool usesData);
  Linear apply(Arith arith, const std::string &name, std::vector<Linear> of);
  /// `inside` ? each : 0, where every load is a number of its own.
  Linear element(const std::string &load, const Linear &inside,
                 const Linear &each);

  const Term &operator[](const std::string &key) const { return terms.at(key); }
  bool usesData(const Linear &number) const;
  /// Known without knowing any symbol, where symbols may be negative.
  bool isNonNegative(const Linear &number) const;

private:
  Linear intern(std::string key, Term term);
  std::map<std::string, Term> terms;
};

/// Executes an operation on numbers; nothing for Other and division by zero.
std::optional<int64_t> evaluate(Arith arith, const std::vector<int64_t> &of);

const char *nameOf(Arith arith);

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_LINEAR_H
