//===- ApproximateParts.h - What approximations are made of -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions in f32 that the approximations of several families of functions
// share, and the families. All take and give f32.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_APPROXIMATEPARTS_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_APPROXIMATEPARTS_H

#include "Instructions.h"

namespace heddle::tonvvm {

inline constexpr double kPi = 3.141592653589793;
inline constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;

Value unary(Code &code, llvm::StringRef name, Value x);
Value exp2(Code &code, Value x);
Value log2(Code &code, Value x);
Value sqrt(Code &code, Value x);
Value reciprocal(Code &code, Value x);
Value divide(Code &code, Value a, Value b);
Value absolute(Code &code, Value x);
Value copySign(Code &code, Value magnitude, Value sign);
Value roundEven(Code &code, Value x);
Value isLess(Code &code, Value a, Value b); ///< of NaN: no
Value isLess(Code &code, Value a, double b);

/// c[0] + x (c[1] + x (c[2] + ...)).
Value polynomial(Code &code, Value x, llvm::ArrayRef<double> coefficients);
/// x + x^3 (c[0] + x^2 (c[1] + ...)), whose first term has no error.
Value oddSeries(Code &code, Value x, llvm::ArrayRef<double> coefficients);

/// log(1 + x), which keeps its precision near zero.
Value log1p(Code &code, Value x);

// Hyperbolic functions and their inverses.
Value sinh(Code &code, Value x);
Value cosh(Code &code, Value x);
Value asinh(Code &code, Value x);
Value acosh(Code &code, Value x);
Value atanh(Code &code, Value x);

// Functions of angles and their inverses.
Value sin(Code &code, Value x);
Value cos(Code &code, Value x);
Value tan(Code &code, Value x);
Value asin(Code &code, Value x);
Value acos(Code &code, Value x);
Value atan(Code &code, Value x);
Value atan2(Code &code, Value y, Value x);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_APPROXIMATEPARTS_H
