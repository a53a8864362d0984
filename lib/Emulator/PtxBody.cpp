//===- PtxBody.cpp - Parses the body of an entry --------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline asm arrives as braces with their own registers and labels, so both are
// looked up through a chain of scopes; labels may be used before they stand.
//
//===----------------------------------------------------------------------===//

#include "PtxBody.h"

using namespace heddle::emulator;

namespace {
struct Scope {
  int parent = -1;
  std::map<std::string_view, int> registers;
  std::map<std::string_view, int> labels;
  std::map<std::string_view, std::vector<std::string_view>> tables;
};

/// A label operand to be resolved when its scope is complete.
struct Fixup {
  int instruction = 0;
  int operand = 0;
  int scope = 0;
};

class BodyParser {
public:
  BodyParser(PtxCursor &cursor, ParsedEntry &entry)
      : cursor(cursor), entry(entry) {}
  bool run();

private:
  bool statement();
  bool directive();
  bool registers();
  bool label();
  bool branchTargets(std::string_view name);
  bool instruction();
  bool operand(Operand &result);
  bool named(Operand &result);
  bool memory(Operand &result);
  bool vector(Operand &result);
  bool offset(Operand &result);
  bool resolveLabels();
  int addRegister(std::string name, Type type);
  int findRegister(std::string_view name) const;
  int findSymbol(std::string_view name) const;
  int findLabel(std::string_view name, int scope) const;

  PtxCursor &cursor;
  ParsedEntry &entry;
  std::vector<Scope> scopes;
  int scope = -1;
  int depth = 0; ///< of brackets around an operand
  std::vector<Fixup> fixups;
  std::vector<std::unique_ptr<std::string>> ownedNames;
  int sourceFile = 0;
  int sourceLine = 0;
};
} // namespace

int BodyParser::addRegister(std::string name, Type type) {
  ownedNames.push_back(std::make_unique<std::string>(std::move(name)));
  int index = int(entry.registers.size());
  scopes[scope].registers[*ownedNames.back()] = index;
  entry.registers.push_back(type);
  entry.registerNames.push_back(*ownedNames.back());
  return index;
}

int BodyParser::findRegister(std::string_view name) const {
  for (int s = scope; s >= 0; s = scopes[s].parent)
    if (auto it = scopes[s].registers.find(name);
        it != scopes[s].registers.end())
      return it->second;
  return -1;
}

int BodyParser::findSymbol(std::string_view name) const {
  for (int i = int(entry.symbols.size()) - 1; i >= 0; --i)
    if (entry.symbols[i].name == name)
      return i;
  return -1;
}

int BodyParser::findLabel(std::string_view name, int from) const {
  for (int s = from; s >= 0; s = scopes[s].parent)
    if (auto it = scopes[s].labels.find(name); it != scopes[s].labels.end())
      return it->second;
  return -1;
}

/// A file says how many in a few bytes, and each takes memory in every lane.
static constexpr int64_t kMostRegisters = 1 << 17;

/// `.reg .b32 %r<17>, p;`
bool BodyParser::registers() {
  std::string_view typeName;
  int line = cursor.peek().line;
  if (!cursor.expectIdentifier(typeName))
    return false;
  Type type = typeNamed(typeName.substr(1));
  if (type == Type::None)
    return cursor.fail(line,
                       "unknown register type '" + std::string(typeName) + "'");
  do {
    std::string_view name;
    if (!cursor.expectIdentifier(name))
      return false;
    if (!cursor.accept('<')) {
      addRegister(std::string(name), type);
      continue;
    }
    int64_t count;
    if (!cursor.expectInteger(count) || !cursor.expect('>'))
      return false;
    if (count < 1)
      return cursor.fail(line, std::to_string(count) +
                                   " registers; there must be 1 at least");
    if (count > kMostRegisters - int64_t(entry.registers.size()))
      return cursor.fail(line, "more than " + std::to_string(kMostRegisters) +
                                   " registers");
    for (int64_t i = 0; i < count; ++i)
      addRegister(std::string(name) + std::to_string(i), type);
  } while (cursor.accept(','));
  return cursor.expect(';');
}

bool BodyParser::directive() {
  Token token = cursor.next();
  Space space;
  if (token.text == ".reg")
    return registers();
  if (token.text == ".loc") {
    int64_t file, line;
    if (!cursor.expectInteger(file) || !cursor.expectInteger(line))
      return false;
    sourceFile = int(file);
    sourceLine = int(line);
    cursor.skipLine(token.line);
    return true;
  }
  if (token.text == ".pragma") {
    cursor.skipPast(';');
    return true;
  }
  if (spaceNamed(token.text, space) && space != Space::Param) {
    Symbol symbol;
    if (!cursor.variable(space, symbol))
      return false;
    placeSymbol(entry, std::move(symbol));
    return cursor.expect(';');
  }
  return cursor.fail(token.line,
                     "unknown directive '" + std::string(token.text) + "'");
}

/// `.branchtargets L1, L2;` after its label.
bool BodyParser::branchTargets(std::string_view name) {
  cursor.next();
  std::vector<std::string_view> &targets = scopes[scope].tables[name];
  do {
    std::string_view target;
    if (!cursor.expectIdentifier(target))
      return false;
    targets.push_back(target);
  } while (cursor.accept(','));
  return cursor.expect(';');
}

bool BodyParser::label() {
  Token name = cursor.next();
  cursor.next();
  if (cursor.peek().text == ".branchtargets")
    return branchTargets(name.text);
  int target = int(entry.instructions.size());
  if (!scopes[scope].labels.emplace(name.text, target).second)
    return cursor.fail(name.line, "label '" + std::string(name.text) +
                                      "' stands twice in one scope");
  return true;
}

/// The `+ 16`, `+-16` or `- 16` after a base.
bool BodyParser::offset(Operand &result) {
  bool plus = cursor.peek().is('+');
  if (!plus && !cursor.peek().is('-'))
    return true;
  if (plus)
    cursor.next();
  int64_t value;
  if (!cursor.expectInteger(value))
    return false;
  result.offset = value;
  return true;
}

/// `[%rd1+8]`, `[smem+16]`, `[%rd1, {%r1, %r2}]`
bool BodyParser::memory(Operand &result) {
  result.kind = Operand::Kind::Memory;
  Operand base;
  if (!operand(base))
    return false;
  if (base.kind == Operand::Kind::Symbol)
    std::swap(result.offset, base.offset);
  result.elements.push_back(base);
  if (base.kind != Operand::Kind::Symbol && !offset(result))
    return false;
  if (cursor.accept(',')) {
    result.kind = Operand::Kind::Tensor;
    Operand coordinates;
    if (!operand(coordinates))
      return false;
    if (coordinates.kind != Operand::Kind::Vector)
      return cursor.fail(cursor.peek().line, "expected coordinates in braces");
    for (Operand &coordinate : coordinates.elements)
      result.elements.push_back(coordinate);
  }
  return cursor.expect(']');
}

bool BodyParser::vector(Operand &result) {
  result.kind = Operand::Kind::Vector;
  do {
    Operand element;
    if (!operand(element))
      return false;
    result.elements.push_back(std::move(element));
  } while (cursor.accept(','));
  return cursor.expect('}');
}

bool BodyParser::named(Operand &result) {
  Token token = cursor.next();
  result.name = token.text;
  if (token.text == "_") {
    result.kind = Operand::Kind::Sink;
  } else if (int index = findRegister(token.text); index >= 0) {
    result.kind = Operand::Kind::Register;
    result.index = index;
  } else if (token.text[0] == '%') {
    result.kind = Operand::Kind::Special;
  } else if (int symbol = findSymbol(token.text); symbol >= 0) {
    result.kind = Operand::Kind::Symbol;
    result.index = symbol;
    return offset(result);
  } else {
    result.kind = Operand::Kind::Label;
    return true;
  }
  if (!cursor.accept('|'))
    return true;
  std::string_view second;
  if (!cursor.expectIdentifier(second))
    return false;
  result.second = second == "_" ? -2 : findRegister(second);
  if (result.second == -1)
    return cursor.fail(token.line,
                       "unknown register '" + std::string(second) + "'");
  return true;
}

bool BodyParser::operand(Operand &result) {
  Token first = cursor.peek();
  if (first.is('[') || first.is('{')) {
    // `[map, {c0, c1}]` is as deep as it gets.
    if (depth == 2)
      return cursor.fail(first.line, "brackets inside of brackets");
    cursor.next();
    ++depth;
    bool ok = first.is('[') ? memory(result) : vector(result);
    --depth;
    return ok;
  }
  if (cursor.accept('!')) {
    result.isNegated = true;
    return named(result);
  }
  if (cursor.peek().kind == Token::Kind::Identifier)
    return named(result);
  int line = cursor.peek().line;
  bool negative = cursor.accept('-');
  if (cursor.peek().kind != Token::Kind::Number ||
      !parseLiteral(cursor.peek().text, result.literal))
    return cursor.fail(line, "expected an operand before '" +
                                 std::string(cursor.peek().text) + "'");
  cursor.next();
  result.kind = Operand::Kind::Immediate;
  if (negative && result.literal.floatBits)
    result.literal.bits ^= uint64_t(1) << (result.literal.floatBits - 1);
  else if (negative)
    result.literal.bits = -result.literal.bits;
  return true;
}

bool BodyParser::instruction() {
  ParsedInstruction result;
  result.sourceFile = sourceFile;
  result.sourceLine = sourceLine;
  result.line = cursor.peek().line;
  if (cursor.accept('@')) {
    result.guardNegated = cursor.accept('!');
    std::string_view name;
    if (!cursor.expectIdentifier(name))
      return false;
    result.guard = findRegister(name);
    if (result.guard < 0)
      return cursor.fail(result.line,
                         "unknown predicate '" + std::string(name) + "'");
  }
  if (!cursor.expectIdentifier(result.opcode))
    return false;
  int number = int(entry.instructions.size());
  while (!cursor.peek().is(';')) {
    Operand next;
    if (!operand(next))
      return false;
    if (next.kind == Operand::Kind::Label)
      fixups.push_back({number, int(result.operands.size()), scope});
    result.operands.push_back(std::move(next));
    // wgmma and setp predicates are written `|`-free; only commas separate.
    if (!cursor.peek().is(';') && !cursor.expect(','))
      return false;
  }
  cursor.next();
  entry.instructions.push_back(std::move(result));
  return true;
}

bool BodyParser::statement() {
  const Token &token = cursor.peek();
  if (token.is(';')) {
    cursor.next();
    return true;
  }
  if (token.kind == Token::Kind::Identifier && token.text[0] == '.')
    return directive();
  if (token.kind == Token::Kind::Identifier && cursor.peek(1).is(':'))
    return label();
  return instruction();
}

bool BodyParser::resolveLabels() {
  for (const Fixup &fixup : fixups) {
    ParsedInstruction &instruction = entry.instructions[fixup.instruction];
    Operand &operand = instruction.operands[fixup.operand];
    operand.index = findLabel(operand.name, fixup.scope);
    if (operand.index >= 0)
      continue;
    for (int s = fixup.scope; s >= 0; s = scopes[s].parent) {
      auto table = scopes[s].tables.find(operand.name);
      if (table == scopes[s].tables.end())
        continue;
      operand.kind = Operand::Kind::Vector;
      for (std::string_view name : table->second) {
        Operand target;
        target.kind = Operand::Kind::Label;
        target.name = name;
        target.index = findLabel(name, s);
        if (target.index < 0)
          return cursor.fail(instruction.line,
                             "unknown name '" + std::string(name) + "'");
        operand.elements.push_back(target);
      }
    }
    if (operand.kind != Operand::Kind::Vector)
      return cursor.fail(instruction.line,
                         "unknown name '" + std::string(operand.name) + "'");
  }
  return true;
}

bool BodyParser::run() {
  do {
    if (cursor.atEnd())
      return cursor.fail(cursor.peek().line,
                         "entry '" + entry.name + "' has no closing brace");
    if (cursor.accept('{')) {
      scopes.push_back({});
      scopes.back().parent = scope;
      scope = int(scopes.size()) - 1;
    } else if (scope < 0) {
      return cursor.expect('{');
    } else if (cursor.accept('}')) {
      scope = scopes[scope].parent;
    } else if (!statement()) {
      return false;
    }
  } while (scope >= 0);
  return resolveLabels();
}

bool heddle::emulator::parseBody(PtxCursor &cursor, ParsedEntry &entry) {
  return BodyParser(cursor, entry).run();
}
