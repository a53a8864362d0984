//===- PtxCursor.h - A position in a token list ------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A position in the tokens, errors, and declarations of variables: the part
// that the parsers of module scope and of bodies share. Variables may stand in
// both places, and one reader gives them the same limits.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_PTXCURSOR_H
#define HEDDLE_LIB_EMULATOR_PTXCURSOR_H

#include "PtxSyntax.h"

namespace heddle::emulator {

class PtxCursor {
public:
  PtxCursor(const std::vector<Token> &tokens, std::string &error)
      : tokens(tokens), error(error) {}

  const Token &peek(size_t ahead = 0) const {
    size_t index = at + ahead;
    return index < tokens.size() ? tokens[index] : tokens.back();
  }
  Token next() {
    Token token = peek();
    if (at + 1 < tokens.size())
      ++at;
    return token;
  }
  bool atEnd() const { return peek().kind == Token::Kind::End; }
  bool accept(char punctuation);
  bool expect(char punctuation);
  bool expectIdentifier(std::string_view &text);
  bool expectInteger(int64_t &value);

  /// Skips the rest of the line of the last token taken (`.loc`, `.target`).
  void skipLine(int line);
  void skipPast(char punctuation);
  void skipBraces();

  /// Parses a declaration after its space directive, up to its terminator:
  /// `.align 16 .b8 name[64] = {...}`.
  bool variable(Space space, Symbol &symbol);

  bool fail(int line, const std::string &message);

private:
  bool initializer(Type type, Symbol &symbol);

  const std::vector<Token> &tokens;
  std::string &error;
  size_t at = 0;
};

/// The space that a directive names (`.shared`), if it does.
bool spaceNamed(std::string_view directive, Space &space);

/// Appends `symbol` to the entry and gives it its offset.
void placeSymbol(ParsedEntry &entry, Symbol symbol);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_PTXCURSOR_H
