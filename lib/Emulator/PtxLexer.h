//===- PtxLexer.h - PTX text to tokens ---------------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An opcode with its modifiers (`ld.shared::cta.v2.b32`) is one identifier, as
// is a directive (`.reg`). Tokens know their line because `.loc` and `.file`
// end at the end of a line instead of at a semicolon.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_PTXLEXER_H
#define HEDDLE_LIB_EMULATOR_PTXLEXER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::emulator {

struct Token {
  enum class Kind { Identifier, Number, Punctuation, String, End };
  Kind kind = Kind::End;
  std::string_view text; ///< strings: without the quotes
  int line = 0;

  bool is(char punctuation) const {
    return kind == Kind::Punctuation && text[0] == punctuation;
  }
};

/// A number as PTX writes it. Floats keep their bits: `0f` gives 32, `0d` and
/// decimal floats 64.
struct Literal {
  uint64_t bits = 0;
  int floatBits = 0; ///< 0: an integer
};

/// Splits `text`; the tokens refer to it. False and a message on a stray
/// character.
bool lex(std::string_view text, std::vector<Token> &tokens, std::string &error);

/// Reads a Number token. False when it is malformed.
bool parseLiteral(std::string_view text, Literal &literal);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_PTXLEXER_H
