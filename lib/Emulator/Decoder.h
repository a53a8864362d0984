//===- Decoder.h - Parsed to decoded instructions ----------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each family of instructions is one file with one table of opcode prefixes;
// the longest prefix decides. A family's decode function takes the modifiers it
// knows; one that is left over is an error, so nothing is silently ignored.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_DECODER_H
#define HEDDLE_LIB_EMULATOR_DECODER_H

#include "Instruction.h"

#include <initializer_list>
#include <span>

namespace heddle::emulator {

/// Pseudo-registers of one entry.
class ConstantPool {
public:
  explicit ConstantPool(Entry &entry) : entry(entry) {}
  uint32_t bits(uint64_t value);
  uint32_t special(std::string_view name);
  uint32_t symbol(int index, int64_t offset);
  uint32_t sink() { return 0; }
  uint32_t fresh(Constant constant);

private:
  Entry &entry;
  std::map<uint64_t, uint32_t> byValue;
  std::map<std::string, uint32_t> bySpecial;
};

/// What a family's decode function sees of one instruction.
class Decoder {
public:
  Decoder(const ParsedInstruction &parsed, Entry &entry, ConstantPool &pool,
          Instruction &out, std::string &error);

  // Modifiers, in order of appearance behind the family's prefix.
  /// Takes the next modifier if it is `name`.
  bool take(std::string_view name);
  /// Takes `name` wherever it stands.
  bool takeAny(std::string_view name);
  /// Takes and ignores all of `names`, wherever they stand.
  void drop(std::initializer_list<std::string_view> names);
  /// Takes the next modifier that is a type, wherever it stands.
  Type takeType();
  std::string_view peekModifier() const;
  std::string_view takeModifier();
  bool hasModifiers() const { return !modifiers.empty(); }
  void skipModifiers(size_t count);

  // Operands, in order.
  size_t operandsLeft() const { return parsed.operands.size() - nextOperand; }
  const Operand *peekOperand() const;
  const Operand *nextOperandOrFail();
  bool destination(Type type);
  bool source(Type type);
  /// `[base + offset]`: the base is appended to the sources.
  bool memory(int64_t &offset);
  bool vectorDestination(Type type, int length);
  bool vectorSource(Type type, int length);
  bool immediate(int64_t &value);
  /// Any source operand as a register number.
  bool registerFor(const Operand &operand, Type type, uint32_t &reg);
  bool destinationRegister(const Operand &operand, uint32_t &reg);

  bool fail(const std::string &message);
  bool failUnknown();

  Type registerType(uint32_t reg) const;

  const ParsedInstruction &parsed;
  Entry &entry;
  ConstantPool &pool;
  Instruction &out;

private:
  std::string &error;
  std::vector<std::string_view> modifiers;
  size_t nextOperand = 0;
};

/// Some prefixes stand for two families: `add.s32` and `add.f32`.
enum class Operands : uint8_t { Any, Integer, Float };

struct Family {
  std::string_view prefix; ///< "mad", "cp.async.bulk.tensor"
  bool (*decode)(Decoder &);
  Operands operands = Operands::Any;
};

// One table a family file.
std::span<const Family> integerFamilies();
std::span<const Family> carryFamilies();
std::span<const Family> dotFamilies();
std::span<const Family> bitFamilies();
std::span<const Family> floatFamilies();
std::span<const Family> compareFamilies();
std::span<const Family> convertFamilies();
std::span<const Family> moveFamilies();
std::span<const Family> memoryFamilies();
std::span<const Family> atomicFamilies();
std::span<const Family> controlFamilies();
std::span<const Family> barrierFamilies();
std::span<const Family> mbarrierFamilies();
std::span<const Family> warpFamilies();
std::span<const Family> matrixFamilies();
std::span<const Family> mmaFamilies();
std::span<const Family> wgmmaFamilies();
std::span<const Family> copyFamilies();
std::span<const Family> bulkFamilies();
std::span<const Family> tensorMapFamilies();
std::span<const Family> clusterFamilies();

/// Decodes a parsed entry. False and "ptx:LINE: ..." in `error`.
bool decodeEntry(const ParsedEntry &parsed, Entry &entry, std::string &error);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_DECODER_H
