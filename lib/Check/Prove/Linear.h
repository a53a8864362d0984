//===- Linear.h - Numbers as sums of terms ----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The canonical form in which two processes' expressions are compared: a
// constant plus multiples of terms, where a term is a symbol or an operation
// that is not linear, known by its operands' canonical forms. Never by a name:
// what names say is for messages.
//
// A form is an integer, without bounds. It stands for a value only where no
// operation on the way to it can have wrapped, which the ranges of its terms
// say; what may wrap is a term of its own, a function of its operands.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_LINEAR_H
#define HEDDLE_LIB_CHECK_LINEAR_H

#include "heddle/Check/Integers.h"

#include <map>
#include <optional>
#include <set>

namespace heddle::check {

struct Linear {
  std::map<int, int64_t> terms; ///< by number of the term; no zeros
  int64_t constant = 0;

  Linear() = default;
  explicit Linear(int64_t constant) : constant(constant) {}

  bool isConstant() const { return terms.empty(); }
  /// The only term, if the number is that term times 1.
  std::optional<int> singleTerm() const;
  bool operator==(const Linear &) const = default;
  auto operator<=>(const Linear &) const = default;
};

/// a + b * factor; nothing if a multiple or the constant needs more than 64
/// bits.
std::optional<Linear> add(const Linear &a, const Linear &b, int64_t factor = 1);
inline std::optional<Linear> subtract(const Linear &a, const Linear &b) {
  return add(a, b, -1);
}
inline std::optional<Linear> multiply(const Linear &a, int64_t factor) {
  return add(Linear(), a, factor);
}

/// How many units a number is, if it is a whole number of them.
std::optional<int64_t> quotient(const Linear &number, const Linear &unit);

/// What a term stands for. Two with the same of everything are one.
struct Term {
  enum Kind {
    Symbol,   ///< `number` and `name` of a Definition
    Data,     ///< `number` of what a process computes: it alone knows it
    Function, ///< `arith` of the operands
    Element,  ///< `number` of a load; operands: is it inside, and each element
    Point,    ///< how far a loop is from its first point: step times position;
              ///< operands: base, step, and its family's points
    Distance, ///< operands: upper and lower, of which no form can be made
  };
  Kind kind = Symbol;
  Arith arith = Arith::Other;
  int from = 64, bits = 64;
  int owner = -1; ///< the process of Data and Element
  int depth = -1; ///< Point: how many loops are around its loop
  int64_t number = 0;
  std::vector<Linear> operands;
  std::string name;
  Range range;
  bool usesData = false;
  std::set<int> points; ///< terms of points that it is made of
};

/// All terms of a protocol, shared by its processes.
class Terms {
public:
  /// The same operation with a sign, where no operand is negative.
  Arith withSign(Arith arith, const std::vector<Linear> &of) const;
  Linear symbol(const Definition &definition);
  Linear data(int process, int64_t number, Range range);
  /// The current point of a loop: base + step * its position, which is below
  /// base + points. A loop over the same points inside of it has other points.
  std::optional<Linear> point(int depth, const Linear &base, const Linear &step,
                              const Linear &points, int64_t least,
                              bool usesData);
  Linear apply(Arith arith, int from, int bits, const std::string &name,
               std::vector<Linear> of);
  /// `inside` ? each : 0, where every load is a number of its own.
  Linear element(int process, int64_t load, const Linear &inside,
                 const Linear &each, Range range);
  /// upper - lower.
  Linear distance(const Linear &upper, const Linear &lower);

  const Term &operator[](int term) const { return terms[term]; }
  size_t size() const { return terms.size(); }
  bool usesData(const Linear &number) const;
  /// Nothing if it may need more than 64 bits.
  std::optional<Range> rangeOf(const Linear &number) const;
  /// By ranges, by facts, and for each of what a minimum or choice can be.
  bool isNonNegative(const Linear &number) const;
  bool isPositive(const Linear &number) const;
  /// Less to GreaterEqual, of numbers with a sign, as "this > 0", which for
  /// whole numbers is "not 1 - this > 0".
  std::optional<Linear> positiveIf(Arith arith, const Linear &left,
                                   const Linear &right) const;

private:
  /// What is shown to be not negative, and how far the search goes.
  struct Search {
    std::set<int> points; ///< that the number is made of
    int tries = 500;
  };
  bool isNonNegative(const Linear &number, int depth, Search &search) const;
  bool isNonNegativeByCases(const Linear &number, int depth,
                            Search &search) const;
  std::set<int> pointsOf(const Linear &number) const;
  /// What can be known of an operand, the divisor of a division or not.
  Range operandRange(const Linear &number, bool divides) const;
  void learn(std::optional<Linear> number, int point);
  Linear compare(Arith arith, int from, int bits, const Linear &left,
                 const Linear &right);
  Linear function(Arith arith, int from, int bits, const std::string &name,
                  std::vector<Linear> of);
  std::optional<Linear> simplify(Arith arith, int from, int bits,
                                 const std::vector<Linear> &of);
  Linear intern(Term term);

  struct Order {
    bool operator()(const Term &a, const Term &b) const;
  };
  std::map<Term, int, Order> numbers;
  std::vector<Term> terms;
  /// What is not negative: always, or inside of the loop whose point it is
  /// about. What is made of that point is a number only there.
  struct Fact {
    Linear number;
    int point = -1;
    bool operator==(const Fact &) const = default;
  };
  std::vector<Fact> facts;
  std::optional<Linear> workerId, workerCount;
};

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_LINEAR_H
