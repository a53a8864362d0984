//===- Symbols.cpp - Functions that machine code calls --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symbols.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstdint>
#include <cstring>

/// A bf16 in the register that results are in, where its bits are the lowest
/// of a float's. Compilers of today do not all know the type.
static float asResult(uint32_t bits) { return llvm::bit_cast<float>(bits); }

/// To the nearest, of two as near to the even one.
static float toBf16(float value) {
  auto bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return asResult(bits >> 16 | 0x40);
  return asResult((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

/// By way of the float next to it whose last bit is odd, which is never half
/// way between two of bf16.
static float toBf16(double value) {
  auto near = float(value);
  auto bits = llvm::bit_cast<uint32_t>(near);
  if (!std::isnan(value) && double(near) != value && !(bits & 1)) {
    bits -= std::fabs(double(near)) > std::fabs(value);
    near = llvm::bit_cast<float>(bits | 1);
  }
  return toBf16(near);
}

/// An f16 in the register that results are in, rounded once.
static float toF16(double value) {
  llvm::APFloat rounded(value);
  bool isInexact = false;
  rounded.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven,
                  &isInexact);
  return asResult(uint32_t(rounded.bitcastToAPInt().getZExtValue()));
}

std::vector<std::pair<const char *, void *>> heddle::cpu::callableFunctions() {
  using F = float (*)(float);
  using D = double (*)(double);
  using F2 = float (*)(float, float);
  using D2 = double (*)(double, double);
  std::vector<std::pair<const char *, void *>> all;
  auto add = [&](const char *name, auto function) {
    all.push_back({name, reinterpret_cast<void *>(function)});
  };
#define HEDDLE_UNARY(NAME)                                                     \
  add(#NAME "f", static_cast<F>(&::NAME##f));                                  \
  add(#NAME, static_cast<D>(&::NAME));
  HEDDLE_UNARY(exp)
  HEDDLE_UNARY(exp2)
  HEDDLE_UNARY(expm1)
  HEDDLE_UNARY(log)
  HEDDLE_UNARY(log2)
  HEDDLE_UNARY(log10)
  HEDDLE_UNARY(log1p)
  HEDDLE_UNARY(sin)
  HEDDLE_UNARY(cos)
  HEDDLE_UNARY(tan)
  HEDDLE_UNARY(asin)
  HEDDLE_UNARY(acos)
  HEDDLE_UNARY(atan)
  HEDDLE_UNARY(sinh)
  HEDDLE_UNARY(cosh)
  HEDDLE_UNARY(tanh)
  HEDDLE_UNARY(asinh)
  HEDDLE_UNARY(acosh)
  HEDDLE_UNARY(atanh)
  HEDDLE_UNARY(erf)
  HEDDLE_UNARY(erfc)
  HEDDLE_UNARY(cbrt)
  HEDDLE_UNARY(sqrt)
  HEDDLE_UNARY(floor)
  HEDDLE_UNARY(ceil)
  HEDDLE_UNARY(trunc)
  HEDDLE_UNARY(round)
  HEDDLE_UNARY(rint)
#undef HEDDLE_UNARY
#define HEDDLE_BINARY(NAME)                                                    \
  add(#NAME "f", static_cast<F2>(&::NAME##f));                                 \
  add(#NAME, static_cast<D2>(&::NAME));
  HEDDLE_BINARY(pow)
  HEDDLE_BINARY(atan2)
  HEDDLE_BINARY(fmod)
  HEDDLE_BINARY(fmin)
  HEDDLE_BINARY(fmax)
#undef HEDDLE_BINARY
  add("fmaf", static_cast<float (*)(float, float, float)>(&::fmaf));
  add("fma", static_cast<double (*)(double, double, double)>(&::fma));
  add("__truncsfbf2", static_cast<F>(&toBf16));
  add("__truncdfhf2", &toF16);
  add("__truncdfbf2", static_cast<float (*)(double)>(&toBf16));
  add("memcpy", &std::memcpy);
  add("memmove", &std::memmove);
  add("memset", &std::memset);
  return all;
}
