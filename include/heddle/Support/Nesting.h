//===- Nesting.h - Bounds on the shape of a program's text -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser, and everything that walks what it made, recurses: over nested
// regions, types and attributes, and over the operators of an affine
// expression. So text is looked at before it is parsed. In: MLIR text of any
// dialect; out: the place and the reason where it nests deeper than programs
// do, or where aliases of aliases stand for more text than memory holds.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SUPPORT_NESTING_H
#define HEDDLE_SUPPORT_NESTING_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

/// Brackets around brackets, aliases in brackets included.
inline constexpr int64_t kDeepestNesting = 256;
/// Characters in the brackets of an affine map or set.
inline constexpr int64_t kLongestAffineText = 4096;
/// Digits of a number.
inline constexpr int64_t kMostDigits = 1024;
/// Characters that the aliases in an alias stand for.
inline constexpr int64_t kLongestAlias = int64_t(1) << 17;

struct TextFault {
  unsigned line = 1, column = 1;
  std::string message; ///< one sentence
};

std::optional<TextFault> findDeepNesting(llvm::StringRef text);

/// The part of JSON's grammar that recurses: lists and objects.
bool nestsDeeperThan(llvm::StringRef json, int levels);

} // namespace heddle

#endif // HEDDLE_SUPPORT_NESTING_H
