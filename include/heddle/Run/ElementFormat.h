//===- ElementFormat.h - Elements of memory as doubles ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes of an argument become doubles and doubles become bytes, for each
// element type of the manifest. Filling and comparison are written once, for
// doubles. An i64 beyond 2^53 is rounded on the way, which is why comparisons
// look at the bytes first.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RUN_ELEMENTFORMAT_H
#define HEDDLE_RUN_ELEMENTFORMAT_H

#include "heddle/Manifest/Manifest.h"

#include <cstddef>

namespace heddle::tool {

double readElement(manifest::ElementType type, const std::byte *memory,
                   int64_t index);
/// Rounds to nearest even; integers are cut to the
/// nearest that the type has.
void writeElement(manifest::ElementType type, std::byte *memory, int64_t index,
                  double value);

/// Whether an integer type has room for `value`; floating point has room for
/// all, as infinity or the largest number.
bool isInRange(manifest::ElementType type, double value);

/// The distance from 1 to the next value; 0 for integers, which must be exact.
double epsilon(manifest::ElementType type);
/// The smallest normal number; 0 for integers.
double smallestNormal(manifest::ElementType type);

} // namespace heddle::tool

#endif // HEDDLE_RUN_ELEMENTFORMAT_H
