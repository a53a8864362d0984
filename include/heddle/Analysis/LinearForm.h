//===- LinearForm.h - Sums of multiples of program values -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// c + c1 * v1 + c2 * v2 + ... over exact integers, where each v is a scalar of
// the program. It is how bounds of numbers are written: what two bounds have in
// common cancels. A form whose coefficients leave the range in which they are
// exact is *lost*, and says nothing from then on.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_LINEARFORM_H
#define HEDDLE_ANALYSIS_LINEARFORM_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/SmallVector.h"

#include <limits>

namespace heddle {

__extension__ using Wide = __int128;

class LinearForm {
public:
  /// Values in the order in which an analysis met them, so that nothing depends
  /// on addresses.
  using Atom = int;

  /// Two numbers that are have a product that is exact.
  static constexpr bool isExact(Wide number) {
    constexpr Wide most = Wide(1) << 63;
    return number <= most && number >= -most;
  }

  LinearForm(Wide constant = 0) : constant(constant) { check(constant); }
  static LinearForm atom(Atom atom) {
    LinearForm form;
    form.terms.push_back({atom, 1});
    return form;
  }

  LinearForm &operator+=(const LinearForm &other);
  LinearForm &operator*=(Wide factor);
  friend LinearForm operator+(LinearForm a, const LinearForm &b) {
    return a += b;
  }
  friend LinearForm operator*(LinearForm a, Wide factor) { return a *= factor; }
  friend LinearForm operator-(LinearForm a, const LinearForm &b) {
    return a += b * -1;
  }
  bool operator==(const LinearForm &other) const = default;
  bool operator<(const LinearForm &other) const {
    return std::tie(lost, constant, terms) <
           std::tie(other.lost, other.constant, other.terms);
  }

  bool isLost() const { return lost; }
  bool isConstant() const { return !lost && terms.empty(); }
  Wide getConstant() const { return constant; }
  using Terms = llvm::SmallVector<std::pair<Atom, Wide>, 6>;
  const Terms &getTerms() const { return terms; } ///< in the atoms' order
  /// Of an atom, 0 if it does not occur.
  Wide factorOf(Atom atom) const;
  /// A bit for each atom; two may share one.
  uint64_t atomBits() const {
    constexpr int kBits = std::numeric_limits<uint64_t>::digits;
    uint64_t bits = 0;
    for (auto [atom, factor] : terms)
      bits |= uint64_t(1) << (atom % kBits);
    return bits;
  }
  /// The largest number that divides all factors and the constant.
  Wide commonDivisor() const;
  /// The form that is negative exactly when this one is, with factors that
  /// have no common divisor.
  LinearForm inLowestTerms() const;

  /// Calls visit(atom, factor in a, factor in b) for each atom of either, in
  /// the atoms' order.
  template <typename Visit>
  static void visitTerms(const LinearForm &a, const LinearForm &b,
                         Visit visit) {
    const auto *mine = a.terms.begin(), *its = b.terms.begin();
    while (mine != a.terms.end() || its != b.terms.end()) {
      bool takesMine = its == b.terms.end() ||
                       (mine != a.terms.end() && mine->first <= its->first);
      bool takesIts = mine == a.terms.end() ||
                      (its != b.terms.end() && its->first <= mine->first);
      visit(takesMine ? mine->first : its->first,
            takesMine ? mine->second : Wide(0),
            takesIts ? its->second : Wide(0));
      mine += takesMine;
      its += takesIts;
    }
  }

private:
  void check(Wide number);
  void checkAll();

  Terms terms; ///< no zeros
  Wide constant = 0;
  bool lost = false;
};

} // namespace heddle

#endif // HEDDLE_ANALYSIS_LINEARFORM_H
