//===- Instruction.h - Decoded instructions ----------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX is decoded once. Every source operand is a register: immediates, special
// registers and symbol addresses have pseudo-registers that a warp fills when
// it starts, so executing an instruction never asks what an operand is.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_INSTRUCTION_H
#define HEDDLE_LIB_EMULATOR_INSTRUCTION_H

#include "PtxSyntax.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle::emulator {

using LaneMask = uint32_t;
inline constexpr int kLanes = 32;
inline constexpr LaneMask kAllLanes = ~LaneMask(0);

/// What executing one instruction did to its group of lanes.
enum class Step : uint8_t {
  Next,    ///< done; go on behind it
  Jumped,  ///< the handler has set the program counters
  Blocked, ///< group.wait says until when; then the instruction runs again
  Yield,   ///< done, but let others run first (a poll that failed)
  Failed,  ///< the error is in the CTA
};

class ExecContext;
struct Instruction;
using ExecFn = Step (*)(ExecContext &, const Instruction &, LaneMask);

/// Facts of an instruction family that do not fit the common fields.
struct Detail {
  virtual ~Detail() = default;
};

struct Instruction {
  ExecFn exec = nullptr;
  // The usual operands, repeated from the lists below for speed.
  uint32_t d = 0, a = 0, b = 0, c = 0;
  int32_t guard = -1;
  bool guardNegated = false;
  bool isBranch = false;        ///< the guard is the condition
  bool needsFullWarp = false;   ///< `.aligned` over a whole warp
  bool checksRegisters = false; ///< wgmma: has its own rule for in-flight ones
  bool touchesProduct = false;  ///< names a register of some wgmma, is none
  // Memory order, as written: none of it is a weak access.
  bool isStrong = false; ///< relaxed, volatile, atomic or more
  bool isAtomic = false; ///< reads, changes and writes at once
  bool acquires = false;
  bool releases = false;
  Type type = Type::None;
  Space space = Space::Generic;
  uint8_t vectorLength = 1;
  uint32_t variant = 0;  ///< meaning depends on the family
  int64_t immediate = 0; ///< memory offset, branch target, group count
  int64_t immediate2 = 0;
  std::vector<uint32_t> destinations;
  std::vector<uint32_t> sources;
  std::shared_ptr<const Detail> detail;
  int line = 0;
  int sourceFile = 0;
  int sourceLine = 0;
};

/// A pseudo-register and what a warp puts into it.
struct Constant {
  enum class Kind {
    Bits,
    Special,
    SharedAddress,
    LocalAddress,
    ParamAddress,
    GlobalAddress
  };
  Kind kind = Kind::Bits;
  uint32_t reg = 0;
  uint64_t bits = 0;   ///< Bits: the value; addresses: offset inside the space
  std::string special; ///< Special: `%tid.x`
  int symbol = -1;     ///< GlobalAddress
};

/// One decoded `.entry`.
struct Entry {
  std::string name;
  std::vector<Instruction> instructions;
  std::vector<uint32_t> reconvergence; ///< per branch; kNoReconvergence if none
  uint32_t registerCount = 0;          ///< with pseudo-registers
  std::vector<Type> registerTypes;     ///< of the declared ones
  std::vector<std::string> registerNames;
  std::vector<Constant> constants;
  std::vector<Symbol> symbols;
  std::vector<int> params;
  int64_t paramBytes = 0;
  int64_t localBytes = 0;
  int64_t staticSharedBytes = 0;
  int64_t dynamicSharedOffset = 0;
  int requiredThreads = 0;
  int maxThreads = 0;
  int maxRegisters = 0;
  int minCtasPerSm = 1;
  std::array<int, 3> cluster{}; ///< .reqnctapercluster, 0 if absent
  bool communicates = false;    ///< CTAs may learn of each other, see Grid.h
  bool readsClock = false;      ///< some instruction asks what time it is
};

inline constexpr uint32_t kNoReconvergence = ~uint32_t(0);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_INSTRUCTION_H
