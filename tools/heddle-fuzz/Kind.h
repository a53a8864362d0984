//===- Kind.h - Element types as the generator sees them --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types of generated programs with the numbers that Bound.h needs:
// significand bits, smallest subnormal, largest value, range. The manifest's
// enumeration is no substitute, because programs also compute in tf32, i1 and
// index, which never lie in a caller's memory.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_KIND_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_KIND_H

#include "heddle/Manifest/Manifest.h"

#include <optional>
#include <string_view>

namespace heddle::fuzz {

enum class Kind {
  E4M3,
  E5M2,
  F16,
  BF16,
  TF32,
  F32,
  I1,
  I8,
  I16,
  I32,
  I64,
  Index
};

struct KindFacts {
  std::string_view spelling; ///< in the program's text
  int bits;
  int precision;  ///< of floats: significand bits, the hidden one included
  int minQuantum; ///< of floats: log2 of the smallest subnormal
  double largest; ///< of floats: the largest finite value
  std::optional<manifest::ElementType> stored; ///< none: never in memory
};
const KindFacts &factsOf(Kind kind);

inline bool isFloat(Kind kind) { return kind <= Kind::F32; }
inline bool isInteger(Kind kind) { return !isFloat(kind); }
/// The range of an integer, signed (i1: 0 and 1).
double lowestOf(Kind kind);
double highestOf(Kind kind);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_KIND_H
