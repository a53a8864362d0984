//===- Protocol.h - What a kernel does with its barriers --------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of the hopper rung as the prover sees it: processes as structured
// control flow over events, and the integers that control flow and events
// depend on. Plain data, without MLIR: tests build protocols by hand, and the
// prover cannot take anything from the compiler but the text of the rung.
//
// Everything a ring declares is a claim; the prover uses it as what the
// hardware is told (offsets, arrival counts), and derives the rest.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CHECK_PROTOCOL_H
#define HEDDLE_CHECK_PROTOCOL_H

#include "heddle/Machine/Limits.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::check {

/// A number, a flight or anything else that a process computes: an index into
/// Process::values.
using Value = int32_t;
inline constexpr Value kNoValue = -1;

/// Two's-complement arithmetic; Integers.h says what each means. Those that end
/// in U read their operands without a sign.
enum class Arith {
  Add,
  Sub,
  Mul,
  Div,
  DivU,
  Rem,
  RemU,
  CeilDiv,
  CeilDivU,
  FloorDiv,
  Min,
  MinU,
  Max,
  MaxU,
  Shl,
  ShrS,
  ShrU,
  Xor,
  And,
  Or,
  Select,
  Truncate, ///< to fewer bits
  Widen,    ///< to more bits, without a sign; with a sign it is the same number
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  LessU,
  LessEqualU,
  GreaterU,
  GreaterEqualU,
  Other, ///< a function without effects, named by Definition::name
};

/// Where a value comes from. A value of N bits is the number from -2^(N-1) to
/// 2^(N-1) - 1 that its bits are with a sign; that of one bit is 0 or -1.
struct Definition {
  enum Kind {
    Constant,
    Symbol,  ///< the same number in all processes: known by `number` and `name`
    Compute, ///< an Arith of other values
    Data,    ///< nothing is known: loaded, or carried through a loop
    Element, ///< a number in a view, or 0 outside of it; `number` and `name`
             ///< stand for each element of the view, operands are offset and
             ///< extent along each axis
    Index,   ///< a loop's current point
    Carried, ///< a loop's carried value, a loop's or branch's result
    Flight,  ///< a wgmma in flight
  };
  Kind kind = Data;
  Arith arith = Arith::Other;
  int64_t number = 0;
  std::vector<Value> operands;
  std::string name;
  int bits = 64; ///< of the value
  int from = 64; ///< Compute: of the operands
  /// Symbol: what every launch checks.
  int64_t low = INT64_MIN, high = INT64_MAX;
};

/// Symbol::number of what is no argument's.
inline constexpr int64_t kWorkerId = -1, kWorkerCount = -2;

enum class Side { Full, Empty };

/// Bytes of shared memory: of a slot of a ring, or, without a ring, absolute.
struct Region {
  int ring = -1;
  Value slot = kNoValue;
  int64_t offset = 0, bytes = 0;
  std::string name; ///< of the buffer
};

struct Event {
  enum Kind {
    Wait,         ///< ring, side, slot, phase
    Arrive,       ///< ring, side, slot
    ArriveCopies, ///< ring, slot: of each thread, when its copies have ended
    Expect,       ///< ring, slot, bytes
    TmaLoad,      ///< ring, slot; writes
    Wgmma,     ///< reads; flight (result), accumulator, operand (both optional)
    WgmmaWait, ///< flight, pending; isRead if its value is used
    Hold,      ///< flight: the value that it gave is in its registers still
    Generic,   ///< reads and writes by all threads of the process
    Copy,      ///< writes that end later, through the generic proxy
    FenceAsync,   //
    Sync,         ///< id, threads
    TmaStore,     ///< reads
    TmaStoreWait, ///< pending
  };
  Kind kind = Generic;
  std::string text; ///< "wgmma", "local_store", ...: the operation's name
  int ring = -1;
  Side side = Side::Full;
  Value slot = kNoValue, phase = kNoValue;
  Value flight = kNoValue, accumulator = kNoValue;
  /// Wgmma: the registers that it reads, if it does, and in how many loops
  /// around the event they are made anew.
  Value operand = kNoValue;
  int operandLoops = 0;
  /// Generic: of a tile of one number, what is written, what was read.
  Value stored = kNoValue, loaded = kNoValue;
  int64_t bytes = 0, pending = 0, id = 0, threads = 0;
  bool isRead = false;
  bool updates = false; ///< Generic: adds to what stands where it writes
  std::vector<Region> reads, writes;
};

struct Statement {
  enum Kind { Compute, Happen, Loop, Branch };
  Kind kind = Compute;
  std::string place;      ///< FILE:LINE:COLUMN
  Value value = kNoValue; ///< Compute: what; Branch, Loop: the condition
  Event event;            ///< Happen

  // Loop: `index` runs from lower by step while it is below upper, as integers
  // without bounds. Without lower, upper and step (kNoValue) data decides how
  // often it runs; `value`, if there is one, is what must hold to go on, and
  // `test`, which is carried, whether it holds now.
  Value lower = kNoValue, upper = kNoValue, step = kNoValue, index = kNoValue;
  Value test = kNoValue;
  bool isUnsigned = false; ///< lower, upper and step have no sign
  std::vector<Value> carried, inits;

  std::vector<Statement> body; ///< of a Loop; of a Branch taken
  std::vector<Value> yields;
  std::vector<Statement> otherwise; ///< Branch
  std::vector<Value> otherwiseYields;
  std::vector<Value> results;
};

struct Process {
  std::string name, place;
  int64_t firstWarp = 0, warps = 1, registers = 0;
  bool elected = false; ///< one thread runs it
  std::vector<Definition> values;
  std::vector<Statement> body;

  int64_t threads() const { return warps * 32; }
};

struct Ring {
  std::string name, place;
  int64_t depth = 1, offset = 0, slotBytes = 0;
  int64_t full = 0, empty = 0; ///< where the barriers are
  int64_t fullArrivals = 1, emptyArrivals = 1;
};

struct Protocol {
  machine::Limits limits; ///< of the target
  std::string kernel, place;
  int64_t threads = 0, sharedBytes = 0;
  int64_t blocks = 1; ///< on one multiprocessor
  std::vector<Ring> rings;
  std::vector<Process> processes;
  /// What one block does not show, and a proof takes for granted.
  std::vector<std::string> assumptions;
};

} // namespace heddle::check

#endif // HEDDLE_CHECK_PROTOCOL_H
