//===- Decoder.cpp - Parsed to decoded instructions -----------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "ControlFlow.h"
#include "Cta.h"
#include "Float16.h"
#include "Grid.h"

#include <algorithm>
#include <cstring>

using namespace heddle::emulator;

//===----------------------------------------------------------------------===//
// Pseudo-registers
//===----------------------------------------------------------------------===//

uint32_t ConstantPool::fresh(Constant constant) {
  constant.reg = entry.registerCount++;
  entry.constants.push_back(constant);
  return constant.reg;
}

uint32_t ConstantPool::bits(uint64_t value) {
  auto [it, isNew] = byValue.try_emplace(value, 0);
  if (isNew) {
    Constant constant;
    constant.bits = value;
    it->second = fresh(constant);
  }
  return it->second;
}

uint32_t ConstantPool::special(std::string_view name) {
  auto [it, isNew] = bySpecial.try_emplace(std::string(name), 0);
  if (isNew) {
    Constant constant;
    constant.kind = Constant::Kind::Special;
    constant.special = name;
    it->second = fresh(constant);
  }
  return it->second;
}

uint32_t ConstantPool::symbol(int index, int64_t offset) {
  const Symbol &symbol = entry.symbols[index];
  Constant constant;
  constant.symbol = index;
  constant.bits = uint64_t(symbol.offset + offset);
  switch (symbol.space) {
  case Space::Shared:
    constant.kind = Constant::Kind::SharedAddress;
    break;
  case Space::Local:
    constant.kind = Constant::Kind::LocalAddress;
    break;
  case Space::Param:
    constant.kind = Constant::Kind::ParamAddress;
    break;
  default:
    constant.kind = Constant::Kind::GlobalAddress;
    constant.bits = uint64_t(offset);
    break;
  }
  return fresh(constant);
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

Decoder::Decoder(const ParsedInstruction &parsed, Entry &entry,
                 ConstantPool &pool, Instruction &out, std::string &error)
    : parsed(parsed), entry(entry), pool(pool), out(out), error(error) {
  std::string_view rest = parsed.opcode;
  while (!rest.empty()) {
    size_t dot = rest.find('.');
    modifiers.push_back(rest.substr(0, dot));
    rest = dot == std::string_view::npos ? std::string_view()
                                         : rest.substr(dot + 1);
  }
}

void Decoder::skipModifiers(size_t count) {
  modifiers.erase(modifiers.begin(), modifiers.begin() + count);
}

std::string_view Decoder::peekModifier() const {
  return modifiers.empty() ? std::string_view() : modifiers.front();
}

std::string_view Decoder::takeModifier() {
  std::string_view modifier = peekModifier();
  if (!modifiers.empty())
    modifiers.erase(modifiers.begin());
  return modifier;
}

bool Decoder::take(std::string_view name) {
  if (peekModifier() != name)
    return false;
  takeModifier();
  return true;
}

bool Decoder::takeAny(std::string_view name) {
  auto it = std::find(modifiers.begin(), modifiers.end(), name);
  if (it == modifiers.end())
    return false;
  modifiers.erase(it);
  return true;
}

void Decoder::drop(std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    takeAny(name);
}

Type Decoder::takeType() {
  for (size_t i = 0; i < modifiers.size(); ++i)
    if (Type type = typeNamed(modifiers[i]); type != Type::None) {
      modifiers.erase(modifiers.begin() + i);
      return type;
    }
  return Type::None;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

bool Decoder::fail(const std::string &message) {
  if (error.empty())
    error = "ptx:" + std::to_string(parsed.line) + ": " +
            std::string(parsed.opcode) + ": " + message;
  return false;
}

bool Decoder::failUnknown() {
  return fail("the emulator does not know this instruction");
}

Type Decoder::registerType(uint32_t reg) const {
  return reg - 1 < entry.registerTypes.size() ? entry.registerTypes[reg - 1]
                                              : Type::None;
}

const Operand *Decoder::peekOperand() const {
  return operandsLeft() ? &parsed.operands[nextOperand] : nullptr;
}

const Operand *Decoder::nextOperandOrFail() {
  if (operandsLeft())
    return &parsed.operands[nextOperand++];
  fail("too few operands");
  return nullptr;
}

/// An immediate as the bits of `type`.
static uint64_t immediateBits(const Literal &literal, Type type) {
  if (!literal.floatBits)
    return literal.bits & lowBits(type == Type::None ? 64 : bitsOf(type));
  double value;
  if (literal.floatBits == 32) {
    float single;
    uint32_t bits = uint32_t(literal.bits);
    std::memcpy(&single, &bits, 4);
    if (bitsOf(type) == 32)
      return bits; // keeps the payload of NaNs
    value = single;
  } else {
    std::memcpy(&value, &literal.bits, 8);
  }
  if (type == Type::F16)
    return halfFromDouble(value);
  if (type == Type::BF16)
    return bfloatFromDouble(value);
  if (bitsOf(type) == 32) {
    float single = float(value);
    uint32_t bits;
    std::memcpy(&bits, &single, 4);
    return bits;
  }
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}

bool Decoder::registerFor(const Operand &operand, Type type, uint32_t &reg) {
  switch (operand.kind) {
  case Operand::Kind::Register:
    reg = uint32_t(operand.index) + 1;
    return true;
  case Operand::Kind::Special:
    if (!isKnownSpecial(operand.name))
      return fail("unknown register '" + std::string(operand.name) + "'");
    reg = pool.special(operand.name);
    return true;
  case Operand::Kind::Symbol:
    reg = pool.symbol(operand.index, operand.offset);
    return true;
  case Operand::Kind::Immediate:
    reg = pool.bits(immediateBits(operand.literal, type));
    return true;
  case Operand::Kind::Sink:
    reg = pool.sink();
    return true;
  default:
    return fail("unexpected kind of operand");
  }
}

bool Decoder::destinationRegister(const Operand &operand, uint32_t &reg) {
  if (operand.kind == Operand::Kind::Sink) {
    reg = pool.sink();
    return true;
  }
  if (operand.kind != Operand::Kind::Register)
    return fail("the destination must be a register");
  reg = uint32_t(operand.index) + 1;
  return true;
}

bool Decoder::destination(Type) {
  const Operand *operand = nextOperandOrFail();
  uint32_t reg;
  if (!operand || !destinationRegister(*operand, reg))
    return false;
  out.destinations.push_back(reg);
  if (operand->second != -1)
    out.destinations.push_back(
        operand->second == -2 ? pool.sink() : uint32_t(operand->second) + 1);
  return true;
}

bool Decoder::source(Type type) {
  const Operand *operand = nextOperandOrFail();
  uint32_t reg;
  if (!operand || !registerFor(*operand, type, reg))
    return false;
  if (operand->isNegated)
    return fail("negated predicates are only known where PTX needs them");
  out.sources.push_back(reg);
  return true;
}

bool Decoder::memory(int64_t &offset) {
  const Operand *operand = nextOperandOrFail();
  if (!operand)
    return false;
  if (operand->kind != Operand::Kind::Memory)
    return fail("expected an address in brackets");
  uint32_t reg;
  if (!registerFor(operand->elements[0], Type::U64, reg))
    return false;
  out.sources.push_back(reg);
  offset = operand->offset;
  return true;
}

bool Decoder::vectorDestination(Type type, int length) {
  const Operand *operand = peekOperand();
  if (!operand || operand->kind != Operand::Kind::Vector)
    return length == 1 ? destination(type) : fail("expected {registers}");
  ++nextOperand;
  if (int(operand->elements.size()) != length)
    return fail("expected " + std::to_string(length) + " registers");
  for (const Operand &element : operand->elements) {
    uint32_t reg;
    if (!destinationRegister(element, reg))
      return false;
    out.destinations.push_back(reg);
  }
  return true;
}

bool Decoder::vectorSource(Type type, int length) {
  const Operand *operand = peekOperand();
  if (!operand || operand->kind != Operand::Kind::Vector)
    return length == 1 ? source(type) : fail("expected {registers}");
  ++nextOperand;
  if (int(operand->elements.size()) != length)
    return fail("expected " + std::to_string(length) + " registers");
  for (const Operand &element : operand->elements) {
    uint32_t reg;
    if (!registerFor(element, type, reg))
      return false;
    out.sources.push_back(reg);
  }
  return true;
}

bool Decoder::immediate(int64_t &value) {
  const Operand *operand = nextOperandOrFail();
  if (!operand)
    return false;
  if (operand->kind != Operand::Kind::Immediate || operand->literal.floatBits)
    return fail("expected an integer constant");
  value = int64_t(operand->literal.bits);
  return true;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

static bool isPrefix(std::string_view prefix, std::string_view opcode) {
  return opcode.starts_with(prefix) &&
         (opcode.size() == prefix.size() || opcode[prefix.size()] == '.');
}

static bool hasFloatType(std::string_view opcode) {
  while (!opcode.empty()) {
    size_t dot = opcode.rfind('.');
    if (dot == std::string_view::npos)
      return false;
    if (isFloat(typeNamed(opcode.substr(dot + 1))))
      return true;
    opcode = opcode.substr(0, dot);
  }
  return false;
}

static const Family *findFamily(std::string_view opcode) {
  static const std::span<const Family> tables[] = {
      integerFamilies(),  dotFamilies(),       carryFamilies(),
      bitFamilies(),      floatFamilies(),     compareFamilies(),
      convertFamilies(),  moveFamilies(),      memoryFamilies(),
      atomicFamilies(),   controlFamilies(),   barrierFamilies(),
      mbarrierFamilies(), warpFamilies(),      matrixFamilies(),
      mmaFamilies(),      wgmmaFamilies(),     copyFamilies(),
      bulkFamilies(),     tensorMapFamilies(), clusterFamilies()};
  const Family *best = nullptr;
  Operands kind = hasFloatType(opcode) ? Operands::Float : Operands::Integer;
  for (std::span<const Family> table : tables)
    for (const Family &family : table)
      if (isPrefix(family.prefix, opcode) &&
          (family.operands == Operands::Any || family.operands == kind) &&
          (!best || family.prefix.size() > best->prefix.size()))
        best = &family;
  return best;
}

static void setShortcuts(Instruction &out) {
  auto at = [](const std::vector<uint32_t> &list, size_t index) {
    return index < list.size() ? list[index] : 0;
  };
  out.d = at(out.destinations, 0);
  out.a = at(out.sources, 0);
  out.b = at(out.sources, 1);
  out.c = at(out.sources, 2);
}

static bool decodeInstruction(const ParsedInstruction &parsed, Entry &entry,
                              ConstantPool &pool, std::string &error) {
  Instruction out;
  out.line = parsed.line;
  out.sourceFile = parsed.sourceFile;
  out.sourceLine = parsed.sourceLine;
  out.guard = parsed.guard < 0 ? -1 : parsed.guard + 1;
  out.guardNegated = parsed.guardNegated;
  Decoder decoder(parsed, entry, pool, out, error);
  const Family *family = findFamily(parsed.opcode);
  if (!family)
    return decoder.failUnknown();
  decoder.skipModifiers(
      1 + std::count(family->prefix.begin(), family->prefix.end(), '.'));
  if (!family->decode(decoder))
    return false;
  if (decoder.hasModifiers())
    return decoder.fail("the emulator does not know modifier '." +
                        std::string(decoder.peekModifier()) + "'");
  if (decoder.operandsLeft())
    return decoder.fail("too many operands");
  setShortcuts(out);
  entry.instructions.push_back(std::move(out));
  return true;
}

bool heddle::emulator::decodeEntry(const ParsedEntry &parsed, Entry &entry,
                                   std::string &error) {
  entry.name = parsed.name;
  entry.registerTypes = parsed.registers;
  entry.registerNames = parsed.registerNames;
  // Register 0 takes what goes to `_`.
  entry.registerCount = uint32_t(parsed.registers.size()) + 1;
  entry.symbols = parsed.symbols;
  entry.params = parsed.params;
  entry.paramBytes = parsed.paramBytes;
  entry.localBytes = parsed.localBytes;
  entry.staticSharedBytes = parsed.sharedBytes;
  entry.dynamicSharedOffset = parsed.sharedBytes;
  for (const Symbol &symbol : parsed.symbols)
    if (symbol.isDynamic)
      entry.dynamicSharedOffset = symbol.offset;
  entry.requiredThreads = parsed.requiredThreads;
  entry.maxThreads = parsed.maxThreads;
  entry.maxRegisters = parsed.maxRegisters;
  entry.minCtasPerSm = parsed.minCtasPerSm;
  entry.cluster = parsed.cluster;

  ConstantPool pool(entry);
  entry.instructions.reserve(parsed.instructions.size() + 1);
  for (const ParsedInstruction &instruction : parsed.instructions) {
    if (!decodeInstruction(instruction, entry, pool, error))
      return false;
    entry.communicates |= isCommunication(instruction.opcode);
  }
  // Falling off the end is an exit.
  ParsedInstruction end;
  end.opcode = "exit";
  if (!decodeInstruction(end, entry, pool, error))
    return false;
  findReconvergence(entry);
  return true;
}
