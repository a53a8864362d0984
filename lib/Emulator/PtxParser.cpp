//===- PtxParser.cpp - Tokens to a parsed module --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Module scope: versions, files, variables and entries. Device functions are
// refused: the lowering inlines everything, since a call inside a pipeline
// stage serialises wgmma.
//
//===----------------------------------------------------------------------===//

#include "PtxParser.h"

#include "PtxBody.h"
#include "PtxCursor.h"

#include "heddle/Support/CheckedMath.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::emulator;

namespace {
class ModuleParser {
public:
  ModuleParser(const std::vector<Token> &tokens, ParsedModule &module,
               std::string &error)
      : cursor(tokens, error), module(module) {}
  bool run();

private:
  bool file(int line);
  bool entry(int line);
  bool params(ParsedEntry &entry);
  bool directives(ParsedEntry &entry);
  bool threads(std::string_view directive, int &product);
  bool limit(std::string_view directive, int most, int &value);
  bool extents(std::array<int, 3> &result);

  PtxCursor cursor;
  ParsedModule &module;
  std::vector<Symbol> variables;
};
} // namespace

bool ModuleParser::file(int line) {
  int64_t number;
  if (!cursor.expectInteger(number))
    return false;
  if (cursor.peek().kind == Token::Kind::String)
    module.files[int(number)] = cursor.next().text;
  cursor.skipLine(line);
  return true;
}

bool ModuleParser::params(ParsedEntry &entry) {
  if (!cursor.accept('('))
    return true;
  if (cursor.accept(')'))
    return true;
  do {
    std::string_view directive;
    Symbol symbol;
    if (!cursor.expectIdentifier(directive) ||
        !cursor.variable(Space::Param, symbol))
      return false;
    placeSymbol(entry, std::move(symbol));
    // What drivers take; the bytes are laid out before values are looked at.
    constexpr int64_t mostBytes = 32764;
    if (entry.paramBytes > mostBytes)
      return cursor.fail(entry.line, "parameters of " +
                                         spellSize(entry.paramBytes) +
                                         " bytes; a kernel takes " +
                                         std::to_string(mostBytes));
  } while (cursor.accept(','));
  return cursor.expect(')');
}

/// `384, 1, 1`: what a CTA may have along each axis, and in all.
bool ModuleParser::threads(std::string_view directive, int &product) {
  static constexpr int64_t most[] = {1024, 1024, 64};
  int line = cursor.peek().line;
  std::string text;
  int64_t all = 1;
  size_t axis = 0;
  bool fits = true;
  do {
    int64_t extent;
    if (!cursor.expectInteger(extent))
      return false;
    text += (axis ? ", " : "") + std::to_string(extent);
    fits &= axis < 3 && extent >= 1 && extent <= most[axis < 3 ? axis : 0];
    all = fits ? all * extent : 0;
    ++axis;
  } while (cursor.accept(','));
  product = int(all);
  return (fits && all <= 1024) ||
         cursor.fail(line, std::string(directive) + " " + text +
                               "; a CTA has 1 to 1024 threads, 64 of them "
                               "along z at most");
}

/// A number from 1 on.
bool ModuleParser::limit(std::string_view directive, int most, int &value) {
  int line = cursor.peek().line;
  int64_t number;
  if (!cursor.expectInteger(number))
    return false;
  value = int(number);
  return (number >= 1 && number <= most) ||
         cursor.fail(line, std::string(directive) + " " +
                               std::to_string(number) + "; 1 to " +
                               std::to_string(most) + " are possible");
}

/// The extents of a cluster.
bool ModuleParser::extents(std::array<int, 3> &result) {
  result = {1, 1, 1};
  for (int &extent : result) {
    int64_t value;
    int line = cursor.peek().line;
    if (!cursor.expectInteger(value))
      return false;
    if (value < 1 || value > 16)
      return cursor.fail(line, "a cluster has 1 to 16 CTAs along an axis");
    extent = int(value);
    if (!cursor.accept(','))
      break;
  }
  return true;
}

bool ModuleParser::directives(ParsedEntry &entry) {
  while (cursor.peek().kind == Token::Kind::Identifier) {
    Token directive = cursor.next();
    int ignored = 0;
    bool ok = true;
    if (directive.text == ".reqntid")
      ok = threads(directive.text, entry.requiredThreads);
    else if (directive.text == ".maxntid")
      ok = threads(directive.text, entry.maxThreads);
    else if (directive.text == ".maxnreg")
      ok = limit(directive.text, 256, entry.maxRegisters);
    else if (directive.text == ".minnctapersm")
      ok = limit(directive.text, 32, entry.minCtasPerSm);
    else if (directive.text == ".reqnctapercluster")
      ok = extents(entry.cluster);
    else if (directive.text == ".maxclusterrank")
      ok = limit(directive.text, 16, ignored);
    else if (directive.text == ".explicitcluster") {
      // The launch says how large clusters are.
    } else if (directive.text == ".pragma") {
      cursor.skipPast(';');
    } else {
      return cursor.fail(directive.line, "unknown directive '" +
                                             std::string(directive.text) + "'");
    }
    if (!ok)
      return false;
  }
  return true;
}

bool ModuleParser::entry(int line) {
  ParsedEntry entry;
  std::string_view name;
  if (!cursor.expectIdentifier(name))
    return false;
  entry.name = name;
  entry.line = line;
  for (const Symbol &variable : variables)
    placeSymbol(entry, variable);
  if (!params(entry) || !directives(entry))
    return false;
  if (cursor.accept(';'))
    return true; // a forward declaration
  if (!parseBody(cursor, entry))
    return false;
  // Dynamic shared memory starts after the static variables.
  for (Symbol &symbol : entry.symbols)
    if (symbol.isDynamic)
      symbol.offset = satAlign(entry.sharedBytes, symbol.alignment);
  module.entries.push_back(std::move(entry));
  return true;
}

bool ModuleParser::run() {
  while (!cursor.atEnd()) {
    Token token = cursor.next();
    Space space;
    bool ok = true;
    if (token.text == ".version" || token.text == ".target" ||
        token.text == ".address_size")
      cursor.skipLine(token.line);
    else if (token.text == ".file")
      ok = file(token.line);
    else if (token.text == ".section")
      cursor.skipBraces();
    else if (token.text == ".pragma")
      cursor.skipPast(';');
    else if (token.text == ".visible" || token.text == ".extern" ||
             token.text == ".weak" || token.text == ".common")
      ; // linkage changes nothing here
    else if (token.text == ".entry")
      ok = entry(token.line);
    else if (token.text == ".func")
      ok = cursor.fail(token.line, "device functions are not supported; the "
                                   "kernel must be inlined whole");
    else if (spaceNamed(token.text, space)) {
      Symbol symbol;
      ok = cursor.variable(space, symbol) && cursor.expect(';');
      variables.push_back(std::move(symbol));
    } else {
      ok = cursor.fail(token.line,
                       "unexpected '" + std::string(token.text) + "'");
    }
    if (!ok)
      return false;
  }
  return true;
}

bool heddle::emulator::parsePtx(std::string_view text, ParsedModule &module,
                                std::string &error) {
  std::vector<Token> tokens;
  if (!lex(text, tokens, error))
    return false;
  return ModuleParser(tokens, module, error).run();
}
