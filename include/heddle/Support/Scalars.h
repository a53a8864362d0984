//===- Scalars.h - Functions and semirings of numbers -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that a sparse statement may apply to a number, and the pairs
// of operations that it may sum and multiply with, by the words of its text.
// Each is known to the rules of the einsum rung, to its oracle and to its ways
// down, so it stands below all of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_SCALARS_H
#define HEDDLE_SUPPORT_SCALARS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

enum class ScalarFunction {
  Neg,
  Abs,
  Square,
  Relu,
  Exp,
  Log,
  Sqrt,
  Rsqrt,
  Reciprocal,
  Tanh,
  Erf,
  Sigmoid,
  Gelu,
  Silu
};

std::optional<ScalarFunction> findFunction(std::string_view name);
std::string_view nameOfFunction(ScalarFunction function);
/// All names, joined by commas.
std::string listFunctions();

double applyFunction(ScalarFunction function, double x);
/// One after the other.
double applyFunctions(const std::vector<ScalarFunction> &functions, double x);
/// Whether numbers without rounding stay so.
bool isExact(ScalarFunction function);
/// By how much the result may be wrong, where one unit is what a rounding of
/// its argument's `scale` makes wrong: what the slope makes of that, and the
/// largest number that the function computes with.
double scaleOf(ScalarFunction function, double x, double scale);

/// What takes the places of + and *; an element not stored is the zero.
enum class Semiring { PlusTimes, MinPlus, MaxPlus, MaxTimes };

std::optional<Semiring> findSemiring(std::string_view name);
std::string_view nameOfSemiring(Semiring semiring);
std::string listSemirings();
double zeroOf(Semiring semiring);
/// Whether its product is that of numbers, rather than their sum.
bool hasTimes(Semiring semiring);

} // namespace heddle

#endif // HEDDLE_SUPPORT_SCALARS_H
