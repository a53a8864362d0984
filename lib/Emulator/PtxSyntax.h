//===- PtxSyntax.h - A parsed PTX module -------------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser makes and the decoder reads. Names of registers, symbols and
// labels are already resolved (inline asm brings its own scopes); opcodes are
// still text.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_PTXSYNTAX_H
#define HEDDLE_LIB_EMULATOR_PTXSYNTAX_H

#include "PtxLexer.h"
#include "Type.h"

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heddle::emulator {

enum class Space : uint8_t { Generic, Global, Shared, Local, Param, Const };

/// A `.shared`, `.local`, `.param`, `.global` or `.const` variable.
struct Symbol {
  std::string name;
  Space space = Space::Global;
  int64_t sizeBytes = 0; ///< 0 with isDynamic: as large as the launch says
  int64_t alignment = 1;
  int64_t offset = 0; ///< inside its space
  bool isDynamic = false;
  std::vector<uint8_t> initial; ///< `.global`, `.const`
};

struct Operand {
  enum class Kind {
    Register,
    Special, ///< `%tid.x`; `name`
    Symbol,  ///< address of a symbol, plus `offset`
    Immediate,
    Memory, ///< `[base + offset]`; elements[0] is the base
    Tensor, ///< `[map, {c0, c1}]`; elements[0] the map, the rest coordinates
    Vector, ///< `{a, b}`
    Sink,   ///< `_`
    Label,
  };
  Kind kind = Kind::Sink;
  int index = -1;  ///< Register: its number; Symbol: its number; Label: target
  int second = -1; ///< the register after `|`, as in `%r1|%p2`; -2 for a sink
  bool isNegated = false; ///< `!%p`
  Literal literal;
  int64_t offset = 0;
  std::string_view name;
  std::vector<Operand> elements;
};

struct ParsedInstruction {
  std::string_view opcode;
  int guard = -1; ///< predicate register
  bool guardNegated = false;
  std::vector<Operand> operands;
  int line = 0; ///< of the PTX text
  int sourceFile = 0;
  int sourceLine = 0;
};

struct ParsedEntry {
  std::string name;
  int line = 0;
  std::vector<ParsedInstruction> instructions;
  std::vector<Type> registers;
  std::vector<std::string> registerNames;
  std::vector<Symbol> symbols; ///< the module's first, then the entry's own
  std::vector<int> params;     ///< symbols, in order
  int64_t paramBytes = 0;
  int64_t localBytes = 0;
  int64_t sharedBytes = 0; ///< static shared memory
  int requiredThreads = 0; ///< .reqntid, 0 if absent
  int maxThreads = 0;      ///< .maxntid
  int maxRegisters = 0;    ///< .maxnreg
  int minCtasPerSm = 1;
  std::array<int, 3> cluster{}; ///< .reqnctapercluster, 0 if absent
};

struct ParsedModule {
  std::vector<ParsedEntry> entries;
  std::map<int, std::string> files; ///< `.file`
};

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_PTXSYNTAX_H
