//===- Expressions.h - Programs of random integer expressions ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What docs/rationale/numbers.md says of integers, as programs: 48 results
// each, of scalars, indices and tiles.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_FUZZ_EXPRESSIONS_H
#define HEDDLE_TOOLS_HEDDLE_FUZZ_EXPRESSIONS_H

#include "Program.h"

namespace heddle::fuzz {

Program generateExpressions(uint64_t seed);

} // namespace heddle::fuzz

#endif // HEDDLE_TOOLS_HEDDLE_FUZZ_EXPRESSIONS_H
