//===- Integers.h - Integers of a width, exactly ----------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operation of `arith` gives for numbers of 1 to 64 bits, in two's
// complement that wraps. A number is kept with its sign: i1 true is -1. `index`
// has 64 bits. Written again from the definition of each operation, because the
// checker that is compared with this has arithmetic of its own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_INTEGERS_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_INTEGERS_H

#include <cstdint>
#include <optional>

namespace heddle::adversary {

enum class Arith {
  Add,
  Sub,
  Mul,
  DivS,
  DivU,
  CeilDivS,
  CeilDivU,
  FloorDivS,
  RemS,
  RemU,
  MinS,
  MinU,
  MaxS,
  MaxU,
  Xor,
  And,
  Or,
  Shl,
  ShrS,
  ShrU,
  Eq,
  Ne,
  Slt,
  Sle,
  Sgt,
  Sge,
  Ult,
  Ule,
  Ugt,
  Uge,
  ExtS,  ///< from `width` bits; the number does not change
  ExtU,  ///< from `width` bits
  Trunc, ///< to `width` bits
};

/// The low `width` bits, as a number with a sign.
int64_t wrap(int width, int64_t number);

/// The low `width` bits, as a number without one.
uint64_t bitsOf(int width, int64_t number);

/// Of numbers of `width` bits (ExtS, ExtU, Trunc: see there). Nothing where the
/// operation has no meaning: a division by zero, or of the least number by -1,
/// a shift by the width or more.
std::optional<int64_t> compute(Arith op, int width, int64_t a, int64_t b);

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_INTEGERS_H
