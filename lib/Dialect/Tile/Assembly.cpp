//===- Assembly.cpp - What of PTX a tile program may say ------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instructions are taken by name, so one that is new is refused and not
// believed to be harmless. Constraints are read here, too, because LLVM stops
// the process where they do not fit.
//
//===----------------------------------------------------------------------===//

#include "heddle/Dialect/Tile/Assembly.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Support/Diagnostics/Program.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::tile;

#define GET_OP_CLASSES
#include "heddle/Dialect/Tile/TileAssemblyOps.cpp.inc"

/// Of registers, by the letter of a constraint; 0 where there is no such one.
static int64_t bitsOf(char letter) {
  switch (letter) {
  case 'h':
    return 16;
  case 'r':
  case 'f':
    return 32;
  case 'l':
  case 'd':
    return 64;
  }
  return 0;
}

int64_t heddle::tile::elementsOfRegister(Type element, int64_t pack) {
  int64_t width = element.getIntOrFloatBitWidth();
  return std::min(std::max<int64_t>(32 / width, 1), pack);
}

SmallVector<char> heddle::tile::constraintLetters(StringRef constraints) {
  SmallVector<char> letters;
  SmallVector<StringRef> words;
  constraints.split(words, ',');
  for (StringRef word : words)
    letters.push_back(word.trim().back());
  return letters;
}

/// Computes registers from registers, whatever its suffixes say.
static bool isArithmetic(StringRef instruction) {
  static constexpr StringLiteral names[] = {
      "abs",  "add",   "addc", "and",      "bfe",   "bfi",  "bfind", "bmsk",
      "brev", "clz",   "cnot", "copysign", "cos",   "cvt",  "div",   "dp2a",
      "dp4a", "ex2",   "fma",  "lg2",      "lop3",  "mad",  "mad24", "madc",
      "max",  "min",   "mov",  "mul",      "mul24", "neg",  "not",   "or",
      "popc", "prmt",  "rcp",  "rem",      "rsqrt", "sad",  "selp",  "set",
      "setp", "shf",   "shl",  "shr",      "sin",   "slct", "sqrt",  "sub",
      "subc", "szext", "tanh", "testp",    "xor"};
  return llvm::is_contained(names, instruction.split('.').first);
}

namespace {
/// Reads statements of PTX one after another.
class Statements {
public:
  Statements(StringRef text, size_t registers)
      : rest(text), registers(registers) {}

  std::string whyNot() {
    std::string statement;
    while (!rest.empty()) {
      if (rest.consume_front("//")) {
        rest = rest.drop_until([](char c) { return c == '\n'; });
        continue;
      }
      if (rest.consume_front("/*")) {
        rest = rest.drop_front(std::min(rest.size(), rest.find("*/")));
        rest.consume_front("*/");
        continue;
      }
      char c = rest.front();
      rest = rest.drop_front();
      // A brace begins or ends a block where nothing is before it, else a list.
      bool isBlank = StringRef(statement).trim().empty();
      if (isBlank && (c == '{' || c == '}'))
        continue;
      if (c != ';') {
        statement += c;
        continue;
      }
      if (std::string reason = whyNot(StringRef(statement).trim());
          !reason.empty())
        return reason;
      statement.clear();
    }
    return StringRef(statement).trim().empty()
               ? ""
               : "it ends within an instruction";
  }

private:
  std::string whyNot(StringRef statement) {
    if (statement.empty())
      return {};
    if (statement.starts_with(".reg"))
      return declare(statement);
    StringRef whole = statement;
    if (statement.consume_front("@"))
      statement = statement.drop_until(llvm::isSpace).ltrim();
    StringRef instruction = statement.take_until(llvm::isSpace);
    if (!isArithmetic(instruction))
      return "'" + instruction.str() +
             "' does more than to compute registers from registers";
    return whyNotOperands(whole);
  }

  /// `.reg .b32 %low<4>, high`. A name of the compiler's would hide an operand.
  std::string declare(StringRef statement) {
    SmallVector<StringRef> names;
    statement.drop_until(llvm::isSpace)
        .ltrim()
        .drop_until(llvm::isSpace)
        .split(names, ',');
    for (StringRef name : names) {
      StringRef base = name.trim().rtrim("<>0123456789");
      if (llvm::is_contained({"%p", "%rs", "%r", "%rd", "%rq", "%f", "%fd"},
                             base))
        return "it declares '" + base.str() +
               "', which is what the compiler calls registers";
      declared.push_back(name.trim().str());
    }
    return {};
  }

  bool isDeclared(StringRef name) const {
    return llvm::any_of(declared, [&](StringRef one) {
      auto [base, count] = one.split('<');
      StringRef number = name;
      return one == name ||
             (!count.empty() && number.consume_front(base) && !number.empty() &&
              llvm::all_of(number, llvm::isDigit));
    });
  }

  std::string whyNotOperands(StringRef statement) const {
    for (size_t at = statement.find_first_of("%$"); at != StringRef::npos;
         at = statement.find_first_of("%$", at + 1)) {
      StringRef word = statement.drop_front(at).take_while([](char c) {
        return llvm::isAlnum(c) || c == '%' || c == '_' || c == '$';
      });
      if (word.front() == '%') {
        if (!isDeclared(word))
          return "'" + word.str() + "' is no register that it declares";
        continue;
      }
      size_t number;
      if (word.drop_front().getAsInteger(10, number) || number >= registers)
        return "'" + word.str() + "' is none of its operands";
    }
    return {};
  }

  StringRef rest;
  size_t registers;
  SmallVector<std::string> declared;
};
} // namespace

/// How many registers hold elements of these types; -1 with a reason.
static int64_t countRegisters(TypeRange types, int64_t pack,
                              ArrayRef<char> letters, std::string &reason) {
  int64_t count = 0;
  for (Type type : types) {
    Type element = getElementTypeOrSelf(type);
    bool isNumber = element.isIntOrFloat() &&
                    element.getIntOrFloatBitWidth() >= 8 &&
                    element.getIntOrFloatBitWidth() <= 64;
    if (!isNumber) {
      llvm::raw_string_ostream(reason)
          << "its operands and results are numbers of 8 to 64 bits, not "
          << element;
      return -1;
    }
    int64_t each = elementsOfRegister(element, pack);
    for (int64_t i = 0; i < pack; i += each, ++count)
      if (size_t(count) < letters.size() &&
          bitsOf(letters[count]) <
              each * int64_t(element.getIntOrFloatBitWidth())) {
        llvm::raw_string_ostream(reason)
            << "constraint '" << letters[count] << "' has no room for " << each
            << " times " << element;
        return -1;
      }
  }
  return count;
}

std::string heddle::tile::whyNotInlined(StringRef text, StringRef constraints,
                                        int64_t pack, TypeRange operands,
                                        TypeRange results) {
  if (pack < 1 || pack > 32 || (pack & (pack - 1)))
    return "it computes " + std::to_string(pack) +
           " elements at a time, which is no power of two up to 32";
  SmallVector<StringRef> words;
  constraints.split(words, ',');
  int64_t outputs = 0;
  for (StringRef word : words) {
    word = word.trim();
    StringRef whole = word;
    bool isOutput = word.consume_front("=");
    if (isOutput)
      word.consume_front("&");
    if (word.size() != 1 || !bitsOf(word.front()))
      return "the constraint '" + whole.str() + "' is not known";
    outputs += isOutput;
  }
  SmallVector<char> letters = constraintLetters(constraints);
  std::string reason;
  int64_t made = countRegisters(results, pack,
                                ArrayRef(letters).take_front(outputs), reason);
  int64_t taken =
      made < 0 ? made
               : countRegisters(operands, pack,
                                ArrayRef(letters).drop_front(outputs), reason);
  if (!reason.empty())
    return reason;
  if (made != outputs || size_t(made + taken) != letters.size() || made == 0)
    return "its constraints name " + std::to_string(outputs) + " results and " +
           std::to_string(letters.size() - outputs) +
           " operands, and it has registers for " + std::to_string(made) +
           " and " + std::to_string(taken);
  return Statements(text, letters.size()).whyNot();
}

LogicalResult InlineAsmOp::verify() {
  Type shape = getResultTypes().empty() ? Type() : getResultTypes().front();
  auto shapeOf = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile ? SmallVector<int64_t>(tile.getShape())
                : SmallVector<int64_t>();
  };
  for (Type type :
       llvm::concat<const Type>(getOperandTypes(), getResultTypes()))
    if (shapeOf(type) != shapeOf(shape))
      return reportOp(*this, diag::not_well_formed)
             << "has operands and results of different shapes";
  std::string reason = whyNotInlined(getText(), getConstraints(), getPack(),
                                     getOperandTypes(), getResultTypes());
  if (!reason.empty())
    return reportOp(*this, diag::not_well_formed) << "is not taken: " << reason;
  return success();
}
