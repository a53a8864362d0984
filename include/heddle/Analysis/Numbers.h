//===- Numbers.h - What is known of a kernel's scalars ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel of the hopper rung. Out: for each integer scalar a range, and a
// prover of inequalities between sums of them. It knows the semantics of
// docs/rationale/numbers.md, what a launch checks (an extent is from 0 to 2^31
// - 1, `hopper.require`), and how each number is made.
//
// An inequality that cannot be proved may come down to one between numbers that
// the host knows before the launch; then the launch can check it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_NUMBERS_H
#define HEDDLE_ANALYSIS_NUMBERS_H

#include "heddle/Analysis/LinearForm.h"
#include "heddle/Dialect/Hopper/Hopper.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <deque>
#include <map>

namespace heddle {

/// From lowest to highest, as signed numbers; an i1 is 0 or 1.
struct NumberRange {
  Wide lowest = 0, highest = 0;

  static NumberRange ofWidth(int64_t bits);
  bool contains(const NumberRange &other) const {
    return lowest <= other.lowest && other.highest <= highest;
  }
  bool operator==(const NumberRange &) const = default;
};

/// Bits of an integer type; an index has 64.
int64_t numberWidth(mlir::Type type);

class Numbers {
public:
  explicit Numbers(hopper::KernelOp kernel);

  NumberRange range(mlir::Value value) const;
  /// The value as a sum; itself, where no more is known.
  LinearForm form(mlir::Value value);

  /// Is form >= 0 in every launch that is accepted?
  bool isNeverNegative(const LinearForm &form);
  /// The same whenever `op` is executed: by what the conditionals around it
  /// ask.
  bool isNeverNegativeAt(const LinearForm &form, mlir::Operation *op);
  /// The same, if the launch refuses what makes any of `needed` negative: each
  /// is a sum of numbers that the host knows. Empty if form >= 0 is not known
  /// to come down to such.
  std::vector<LinearForm> whatMakesNonNegative(const LinearForm &form);
  /// From now on, launches refuse what makes it negative.
  void assume(const LinearForm &form);

  mlir::Value valueOf(LinearForm::Atom atom) const { return atoms[atom].value; }
  /// The least and the greatest that the form can be, from ranges alone.
  NumberRange rangeOf(const LinearForm &form) const;

private:
  /// How an atom's number is made, where that is no sum.
  enum class Made {
    Somehow,
    Minimum,  ///< of a and b
    Maximum,  //
    Either,   ///< a or b
    Quotient, ///< of a >= 0 and b > 0, rounded down
    Ceiling,  ///< the same, rounded up
    Rest,     ///< a - b * quotient, where b may have any sign
    Product,  //
    Point,    ///< of a loop from a to b, b excluded
    Worker,   ///< from 0 to b, b excluded
    AtMost,   ///< b
    Wrapped,  ///< a, if that fits the type
  };
  struct AtomInfo {
    mlir::Value value;
    NumberRange range;
    Made made = Made::Somehow;
    LinearForm a, b;
    bool isHost = false;
    /// A quotient whose divisor may be negative; then it is made somehow.
    bool hasSign = false;
    /// It depends on a number that the caller passes in 64 bits.
    bool isWideByChoice = false;
  };
  /// Ways to replace an atom; in each way, all forms must do.
  using Ways = llvm::SmallVector<llvm::SmallVector<LinearForm, 2>, 3>;

  void visitBlock(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitFor(mlir::scf::ForOp op);
  void visitIf(mlir::scf::IfOp op);
  void assumeCondition(mlir::Value condition, bool holds);
  void visitArithmetic(mlir::Operation *op);
  const void *hostNumber(mlir::Value value);
  void forgetRefusals();
  void addFact(const LinearForm &isNonNegative);
  void learn(const LinearForm &isNonNegative);

  bool isHostScalar(mlir::Value value);
  LinearForm::Atom atomOf(mlir::Value value);
  bool isMadeOnHost(mlir::Value value);
  void defineWrapped(mlir::Value value, const LinearForm &sum);
  AtomInfo &define(mlir::Value value, NumberRange range,
                   Made made = Made::Somehow, LinearForm a = {},
                   LinearForm b = {});
  void defineSum(mlir::Value value, const LinearForm &sum, NumberRange range);

  // ProveBounds.cpp
  struct Search;
  bool prove(const LinearForm &form, int depth, Search &search);
  Ways lowerBounds(const AtomInfo &atom, Wide factor);
  Ways upperBounds(const AtomInfo &atom, Wide factor);
  std::vector<LinearForm> partsOfProducts(const AtomInfo &atom, Wide factor);
  /// The least that factor * atom can be.
  Wide leastOf(LinearForm::Atom atom, Wide factor) const;
  Wide leastOfDifference(const LinearForm &a, const LinearForm &b) const;
  bool isFact(const LinearForm &form) const;
  bool canAsk(const LinearForm &form) const;

  mlir::Value instances;
  NumberRange workers;
  std::deque<AtomInfo> atoms; ///< places that stay where they are
  llvm::DenseMap<mlir::Value, LinearForm::Atom> atomNumbers;
  std::map<std::pair<LinearForm::Atom, int64_t>, LinearForm::Atom> extents;
  std::map<std::string, LinearForm::Atom> wellKnown;
  llvm::DenseMap<mlir::Value, LinearForm> forms;
  llvm::DenseMap<mlir::Value, bool> hostScalars;
  /// What the host computes, by the operation and what it is made of.
  std::map<std::vector<const void *>, mlir::Value> hostValues;
  std::map<LinearForm, const void *> hostForms;
  int branches = 0; ///< around what is visited
  /// A form that is never negative, with a bit for each of its atoms, by which
  /// most facts that say nothing of a form are passed over.
  struct Fact {
    LinearForm form;
    uint64_t atoms = 0;
  };
  std::vector<Fact> facts;
  /// Forms that were asked for, and whether they are never negative.
  std::map<LinearForm, bool> answers;
};

} // namespace heddle

#endif // HEDDLE_ANALYSIS_NUMBERS_H
