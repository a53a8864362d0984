//===- FlatExpr.h - An estimate, evaluated for many launches -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: an expression over a launch's arguments. Out: its value for one launch
// after the other, thousands of which say what a tile is worth. Operands stand
// in front of their operation, arguments are numbers of a list, and numbers are
// floating, so nothing is looked up and nothing overflows.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TILECHOICE_FLATEXPR_H
#define HEDDLE_LIB_TILECHOICE_FLATEXPR_H

#include "heddle/Manifest/Manifest.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>

namespace heddle::tilechoice {

class FlatExpr {
public:
  /// `leaves` are the arguments' dims and scalars of which `expr` may have any.
  FlatExpr(const manifest::Expr &expr, llvm::ArrayRef<manifest::Expr> leaves,
           int multiprocessors);

  /// Of each launch, of which `values` has as many for each leaf. What is
  /// divided by zero is no number.
  std::vector<double> evaluate(llvm::ArrayRef<std::vector<double>> values,
                               size_t launches) const;

private:
  /// A constant, one of the leaves, or an operation on two steps before.
  struct Step {
    manifest::Expr::Op op;
    double constant = 0;
    size_t leaf = 0;
    size_t left = 0, right = 0;

    auto operator<=>(const Step &) const = default;
  };

  /// The number of the step that has the value of `expr`. Equal parts of an
  /// expression, which most of an estimate's are, have one step.
  size_t add(const manifest::Expr &expr, llvm::ArrayRef<manifest::Expr> leaves,
             int multiprocessors);
  size_t add(const Step &step);

  std::vector<Step> steps;
  std::map<Step, size_t> numbers;
  size_t result = 0; ///< the step whose value is asked for
};

} // namespace heddle::tilechoice

#endif // HEDDLE_LIB_TILECHOICE_FLATEXPR_H
