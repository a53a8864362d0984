//===- Expression.h - Constraints as terms -----------------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the text of a constraint. Out: its terms, and what they say of a point
// of which only some values are chosen yet: a number, a condition, or the range
// in which it will lie. That a range already decides a comparison is the reason
// why diagrams of orders stay small: `i before j` is settled as soon as one of
// the two is placed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_EXPRESSION_H
#define HEDDLE_LIB_TUNER_EXPRESSION_H

#include "Fraction.h"

#include "heddle/Tuner/Parameter.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <map>

namespace heddle::tuner {

enum class Operation : uint8_t {
  Number,   ///< a literal, of a text its number in Texts
  Value,    ///< of a parameter that is no permutation
  Position, ///< where item `place` of a permutation is
  Item,     ///< the item at position `place` of a permutation
  IsActive, ///< whether a conditional parameter is
  Sum,      // of any number of operands
  Product,
  Least,
  Greatest,
  Negative, // of one
  Absolute,
  Floor,
  Ceiling,
  SquareRoot,
  Logarithm,
  BinaryLogarithm,
  Quotient, // of two
  Remainder,
  Power,
  Less,
  LessOrEqual,
  Equal,
  Unequal,
  Choice, // of three: a condition, and what it chooses between
  And,    // of any number
  Or,
  Not,
};

enum class Type : uint8_t { Number, Condition, Text };

struct Term {
  Operation operation = Operation::Number;
  Type type = Type::Number;
  Fraction number = {}; ///< of a literal
  int parameter = -1;   ///< of a value, position, item or activity
  int place = 0;
  llvm::SmallVector<int, 2> operands = {}; ///< earlier terms
};

/// The texts of categorical parameters, numbered, so that they are compared as
/// numbers.
class Texts {
public:
  int number(const std::string &text) {
    return numbers.try_emplace(text, int(numbers.size())).first->second;
  }

private:
  std::map<std::string, int> numbers;
};

/// What evaluating needs of a parameter.
struct Domain {
  const Parameter *parameter = nullptr;
  std::vector<Fraction> values; ///< by word; none for an integer or real
  double low = 0, high = 0;     ///< of a value that is not chosen yet

  Fraction valueOf(Word word) const;
};
std::vector<Domain> makeDomains(const std::vector<Parameter> &parameters,
                                Texts &texts);

/// A point of which some values are chosen.
struct Partial {
  Point words;
  /// 0 or 1; of a permutation, how many positions are filled.
  std::vector<uint8_t> known;
};

/// What is known of a term.
struct Known {
  bool isDecided = false;
  Fraction value;           ///< if so; a condition has 0 or 1
  double low = 0, high = 0; ///< else; infinite where it may be undefined
};

class Expression {
public:
  std::vector<Term> terms; ///< operands first; the last is the condition

  /// Parameters that occur, ascending.
  std::vector<int> parameters() const;
  /// What each term is, given what is chosen.
  void evaluate(const std::vector<Domain> &domains, const Partial &partial,
                std::vector<Known> &known) const;
  /// The terms that depend on a parameter, in order.
  std::vector<int> dependents(int parameter) const;
  /// Evaluates these again, where the rest of `known` is right.
  void evaluate(const std::vector<Domain> &domains, const Partial &partial,
                llvm::ArrayRef<int> changed, std::vector<Known> &known) const;
  /// Whether it holds for a complete point.
  bool holds(const std::vector<Domain> &domains, const Partial &complete,
             std::vector<Known> &scratch) const;
};

/// Reads a condition. Returns "" or a sentence with the column at fault.
std::string parseCondition(llvm::StringRef text,
                           const std::vector<Parameter> &parameters,
                           Texts &texts, Expression &expression);

/// Adds what the condition is where one of its conditional parameters is
/// inactive: true for a constraint, false for what makes others active.
void guardActivity(const std::vector<Parameter> &parameters, bool otherwise,
                   Expression &expression);
/// Turns the condition into: `parameter` is active if and only if it holds.
void bindActivity(int parameter, Expression &expression);

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_EXPRESSION_H
