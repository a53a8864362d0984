//===- Multiples.h - Decide: which numbers a constant divides -----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a number, by its form or as a value. Out: whether a constant divides it.
// Places that are counted in groups are looked at so, where a tile must begin
// at one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_MULTIPLES_H
#define HEDDLE_LIB_TRANSFORMS_MULTIPLES_H

#include "AddressForms.h"

namespace heddle {

/// Whether `number` is known to be a multiple of `by`: by its form, or by the
/// loops that count it, whose first number and step are.
bool isMultiple(AddressForms &forms, const Polynomial &number, int64_t by,
                unsigned depth = 0);
bool isMultiple(AddressForms &forms, mlir::Value value, int64_t by,
                unsigned depth = 0);

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_MULTIPLES_H
