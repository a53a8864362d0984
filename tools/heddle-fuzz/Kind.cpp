//===- Kind.cpp - Element types as the generator sees them ----------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kind.h"

#include <cmath>

using namespace heddle;
using namespace heddle::fuzz;
using manifest::ElementType;

const KindFacts &heddle::fuzz::factsOf(Kind kind) {
  static const KindFacts facts[] = {
      {"f8E4M3FN", 8, 4, -9, 448, ElementType::E4M3},
      {"f8E5M2", 8, 3, -16, 57344, ElementType::E5M2},
      {"f16", 16, 11, -24, 65504, ElementType::F16},
      {"bf16", 16, 8, -133, 0x1.fep127, ElementType::BF16},
      {"tf32", 19, 11, -136, 0x1.ffcp127, std::nullopt},
      {"f32", 32, 24, -149, 0x1.fffffep127, ElementType::F32},
      {"i1", 1, 0, 0, 0, std::nullopt},
      {"i8", 8, 0, 0, 0, ElementType::I8},
      {"i16", 16, 0, 0, 0, ElementType::I16},
      {"i32", 32, 0, 0, 0, ElementType::I32},
      {"i64", 64, 0, 0, 0, ElementType::I64},
      {"index", 64, 0, 0, 0, std::nullopt},
  };
  return facts[size_t(kind)];
}

double heddle::fuzz::lowestOf(Kind kind) {
  return kind == Kind::I1 ? 0 : -std::ldexp(1.0, factsOf(kind).bits - 1);
}

double heddle::fuzz::highestOf(Kind kind) {
  return kind == Kind::I1 ? 1 : std::ldexp(1.0, factsOf(kind).bits - 1) - 1;
}
