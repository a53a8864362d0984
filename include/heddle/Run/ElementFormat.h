//===- ElementFormat.h - Elements of memory as numbers ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes of an argument become numbers and numbers become bytes, for each
// element type of the manifest. Floating point goes through doubles. A whole
// number of 64 bits does not fit one, so elements of integer types are given
// and compared as whole numbers, and none is rounded in silence.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUN_ELEMENTFORMAT_H
#define HEDDLE_RUN_ELEMENTFORMAT_H

#include "heddle/Manifest/Manifest.h"

#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <optional>

namespace heddle::tool {

double readElement(manifest::ElementType type, const std::byte *memory,
                   int64_t index);
/// Rounds to nearest even; integers are cut to the
/// nearest that the type has.
void writeElement(manifest::ElementType type, std::byte *memory, int64_t index,
                  double value);

/// A number that a user gives.
struct Number {
  double value = 0;
  /// Exactly; absent where it is no whole number, or has more than 64 bits.
  std::optional<int64_t> whole;
};

Number wholeNumber(int64_t whole);
/// Nothing if the text is no number.
std::optional<Number> numberOf(llvm::StringRef text);

bool isIntegral(manifest::ElementType type);
/// An element of an integer type.
int64_t readWhole(manifest::ElementType type, const std::byte *memory,
                  int64_t index);

/// Whether the type has room for the number: an integer type for whole ones in
/// its range, floating point for all, as infinity if need be.
bool holds(manifest::ElementType type, const Number &number);
/// Writes a number for which there is room.
void writeNumber(manifest::ElementType type, std::byte *memory, int64_t index,
                 const Number &number);

/// The distance from 1 to the next value; 0 for integers, which must be exact.
double epsilon(manifest::ElementType type);
/// The smallest normal number; 0 for integers.
double smallestNormal(manifest::ElementType type);

/// The value, and for infinity the number behind the largest, from which a
/// rounding leads there (the largest itself, of f64). No distance from it is
/// infinite, and no tolerance that is a part of it.
double finite(manifest::ElementType type, double value);

} // namespace heddle::tool

#endif // HEDDLE_RUN_ELEMENTFORMAT_H
