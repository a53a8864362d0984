//===- TextMutator.h - Mutations that keep text looking like text ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes turned at random rarely get past a lexer. These mutations work on lines
// and words: a line goes, comes twice or trades places; a word becomes another
// word of the same text; a number becomes one that hurts.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_FUZZ_TEXTMUTATOR_H
#define HEDDLE_FUZZ_TEXTMUTATOR_H

#include <cstdint>
#include <string>

namespace heddle::fuzz {

/// One mutation of `text`, chosen by `seed`.
std::string mutateText(const std::string &text, uint32_t seed);

} // namespace heddle::fuzz

#endif // HEDDLE_FUZZ_TEXTMUTATOR_H
