//===- Minimise.h - The least value of a smooth function ---------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a function with its gradient, a start, and bounds of each variable. Out:
// a local minimum, by the quasi-Newton method of Broyden, Fletcher, Goldfarb
// and Shanno, projected into the bounds. Dimensions are few, so the
// inverse Hessian is kept whole.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TUNER_MINIMISE_H
#define HEDDLE_LIB_TUNER_MINIMISE_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace heddle::tuner {

using Vector = std::vector<double>;

struct Bounds {
  Vector low, high;
};

struct Minimum {
  Vector at;
  double value = 0;
  int evaluations = 0;
};

struct MinimiseOptions {
  int mostEvaluations = 60;
  double gradientTolerance = 1e-5; ///< of the projected gradient's parts
  double valueTolerance = 1e-9;    ///< relative, of two values in a row
};

/// `function` writes the gradient and returns the value; a value that is not
/// finite is worse than all others.
Minimum minimise(
    llvm::function_ref<double(const Vector &at, Vector &gradient)> function,
    Vector start, const Bounds &bounds, const MinimiseOptions &options);

} // namespace heddle::tuner

#endif // HEDDLE_LIB_TUNER_MINIMISE_H
