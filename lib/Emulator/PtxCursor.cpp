//===- PtxCursor.cpp - A position in a token list -------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxCursor.h"

#include "heddle/Support/CheckedMath.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::emulator;

bool PtxCursor::fail(int line, const std::string &message) {
  if (error.empty())
    error = "ptx:" + std::to_string(line) + ": " + message;
  return false;
}

bool PtxCursor::accept(char punctuation) {
  if (!peek().is(punctuation))
    return false;
  next();
  return true;
}

bool PtxCursor::expect(char punctuation) {
  if (accept(punctuation))
    return true;
  return fail(peek().line, std::string("expected '") + punctuation +
                               "' before '" + std::string(peek().text) + "'");
}

bool PtxCursor::expectIdentifier(std::string_view &text) {
  if (peek().kind != Token::Kind::Identifier)
    return fail(peek().line,
                "expected a name before '" + std::string(peek().text) + "'");
  text = next().text;
  return true;
}

bool PtxCursor::expectInteger(int64_t &value) {
  bool negative = accept('-');
  Literal literal;
  if (peek().kind != Token::Kind::Number ||
      !parseLiteral(peek().text, literal) || literal.floatBits)
    return fail(peek().line, "expected an integer before '" +
                                 std::string(peek().text) + "'");
  next();
  value = int64_t(negative ? -literal.bits : literal.bits);
  return true;
}

void PtxCursor::skipLine(int line) {
  while (!atEnd() && peek().line == line)
    next();
}

void PtxCursor::skipPast(char punctuation) {
  while (!atEnd() && !next().is(punctuation))
    ;
}

void PtxCursor::skipBraces() {
  while (!atEnd() && !peek().is('{'))
    next();
  int depth = 0;
  do {
    Token token = next();
    depth += token.is('{');
    depth -= token.is('}');
  } while (depth > 0 && !atEnd());
}

bool heddle::emulator::spaceNamed(std::string_view directive, Space &space) {
  static constexpr std::pair<std::string_view, Space> names[] = {
      {".shared", Space::Shared}, {".local", Space::Local},
      {".param", Space::Param},   {".global", Space::Global},
      {".const", Space::Const},
  };
  for (auto [name, value] : names)
    if (name == directive) {
      space = value;
      return true;
    }
  return false;
}

bool PtxCursor::initializer(Type type, Symbol &symbol) {
  bool braced = accept('{');
  int bytes = bitsOf(type) / 8;
  do {
    bool negative = accept('-');
    Literal literal;
    if (peek().kind != Token::Kind::Number ||
        !parseLiteral(peek().text, literal))
      return fail(peek().line, "only numbers can initialise '" + symbol.name +
                                   "' in the emulator");
    next();
    uint64_t bits = negative ? -literal.bits : literal.bits;
    for (int byte = 0; byte < bytes; ++byte)
      symbol.initial.push_back(uint8_t(bits >> (8 * byte)));
  } while (braced && accept(','));
  return !braced || expect('}');
}

bool PtxCursor::variable(Space space, Symbol &symbol) {
  symbol.space = space;
  Type type = Type::None;
  bool isPointer = false;
  while (peek().kind == Token::Kind::Identifier && peek().text[0] == '.') {
    Token directive = next();
    Space ignored;
    if (directive.text == ".align") {
      int64_t alignment;
      if (!expectInteger(alignment))
        return false;
      if (alignment < 1 || alignment > 1 << 16 || alignment & (alignment - 1))
        return fail(directive.line,
                    "an alignment of " + std::to_string(alignment) +
                        "; powers of two to 65536 are possible");
      if (!isPointer) // `.ptr .align 1` is about the pointee
        symbol.alignment = alignment;
    } else if (directive.text == ".ptr") {
      isPointer = true;
    } else if (Type named = typeNamed(directive.text.substr(1));
               named != Type::None) {
      type = named;
    } else if (!isPointer || !spaceNamed(directive.text, ignored)) {
      return fail(directive.line,
                  "unknown attribute '" + std::string(directive.text) + "'");
    }
  }
  int line = peek().line;
  std::string_view name;
  if (!expectIdentifier(name))
    return false;
  if (type == Type::None)
    return fail(line, "variable '" + std::string(name) + "' has no type");
  symbol.name = name;
  symbol.sizeBytes = bitsOf(type) / 8;
  symbol.alignment = std::max(symbol.alignment, symbol.sizeBytes);
  while (accept('[')) {
    int64_t extent = 0;
    if (peek().is(']'))
      symbol.isDynamic = true;
    else if (!expectInteger(extent))
      return false;
    constexpr int64_t limit = int64_t(1) << 32;
    if (extent < 1 && !symbol.isDynamic)
      return fail(line, "variable '" + symbol.name + "' has " +
                            std::to_string(extent) +
                            " elements; there must be 1 at least");
    if (extent < 0 || satMul(symbol.sizeBytes, extent) > limit)
      return fail(line, "variable '" + symbol.name + "' is too large");
    symbol.sizeBytes *= extent;
    if (!expect(']'))
      return false;
  }
  if (accept('='))
    return initializer(type, symbol);
  return true;
}

static int64_t place(int64_t &end, const Symbol &symbol) {
  int64_t offset = satAlign(end, symbol.alignment);
  end = satAdd(offset, symbol.sizeBytes);
  return offset;
}

void heddle::emulator::placeSymbol(ParsedEntry &entry, Symbol symbol) {
  if (symbol.space == Space::Param) {
    symbol.offset = place(entry.paramBytes, symbol);
    entry.params.push_back(int(entry.symbols.size()));
  } else if (symbol.space == Space::Local) {
    symbol.offset = place(entry.localBytes, symbol);
  } else if (symbol.space == Space::Shared && !symbol.isDynamic) {
    symbol.offset = place(entry.sharedBytes, symbol);
  }
  entry.symbols.push_back(std::move(symbol));
}
