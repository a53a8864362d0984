//===- Script.h - A kernel as plain data, and what it does ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read.cpp turns a kernel of the hopper rung into statements over numbers;
// Unroll.cpp executes the statements of one process for given arguments and
// gives what it does as a list of actions, with every number known. No code of
// the checker or of the lowering is used, and none of their data.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_SCRIPT_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_SCRIPT_H

#include "Integers.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::hopper {
class KernelOp;
} // namespace heddle::hopper

namespace heddle::adversary {

/// What a launch decides: extents by argument and axis, scalars by argument,
/// what integers the views hold.
struct Launch {
  std::map<std::pair<int, int>, int64_t> extents;
  std::map<int, int64_t> scalars;
  /// Each element of an argument's view; without an entry elements differ.
  std::map<int, int64_t> elements;
  int64_t worker = 0, workers = 1;

  std::string describe() const;
  bool operator<(const Launch &other) const;
};

struct RingInfo {
  std::string name;
  int64_t depth = 1, offset = 0, slotBytes = 0, full = 0, empty = 0;
  int64_t fullArrivals = 1, emptyArrivals = 1;
  int firstBarrier = 0; ///< full ones, then empty ones
};

struct Range {
  int64_t begin = 0, end = 0;
  bool overlaps(const Range &other) const {
    return begin < other.end && other.begin < end;
  }
  bool covers(const Range &other) const {
    return begin <= other.begin && other.end <= end;
  }
  bool operator==(const Range &) const = default;
};

/// What a process does, with all numbers known.
struct Action {
  enum Kind : uint8_t {
    Wait,
    Arrive,
    ArriveCopies,
    Expect,
    Load,
    Copy, ///< by threads, under way until the arrival that names it
    Generic,
    Multiply,
    MultiplyWait,
    Fence,
    Sync,
    Store,
    StoreWait,
    Fault,   ///< the process itself is wrong here: `fault`
    Error,   ///< the program has no meaning: a division by zero
    Endless, ///< it repeats itself for ever
    Unknown, ///< too long, or not followed: `fault` says which
    End,
  };
  Kind kind = End;
  bool isEmptySide = false;
  bool storesNumber = false, loadsNumber = false;
  int ring = -1, barrier = -1, phase = 0;
  std::vector<Range> reads, writes;
  int64_t bytes = 0, pending = 0, id = 0, threads = 0, number = 0;
  const char *fault = nullptr;
  int line = 0;
};

struct Script {
  std::vector<Action> actions;
  /// It ends by reading a number that decides how it goes on.
  bool isOpen = false;
  bool hasError = false;
};

/// A statement of a process; operands and results are indices of values.
struct Statement {
  enum Kind {
    Constant, ///< number
    Extent,   ///< argument, axis
    Scalar,   ///< argument
    Worker,
    Workers,
    Element, ///< of argument, at operands; extents are checked
    Compute, ///< arith, width
    Select,
    Copy,    ///< the same number in another form
    Place,   ///< a tile's first byte: of ring and slot (operand 0), or absolute
    Opaque,  ///< something that no number depends on
    For,     ///< operands: lower, upper, step, inits
    If,      ///< operand: condition
    While,   ///< operands: inits
    Act,     ///< event
    Unknown, ///< nothing that is understood here
  };
  Kind kind = Opaque;
  Arith arith = Arith::Add;
  int width = 64;
  int64_t number = 0;
  int argument = -1, axis = 0;
  std::vector<int> operands, results;
  std::vector<int> arguments;      ///< of the body: a For's index first
  std::vector<int> otherArguments; ///< While: of `other`, the part behind
  std::vector<Statement> body, other;
  std::vector<int> yields,
      otherYields; ///< While: `yields` begins with the condition

  // Act
  Action::Kind action = Action::End;
  int ring = -1;
  bool isEmptySide = false;
  bool isUnsigned = false;        ///< For
  bool isRead = false;            ///< MultiplyWait: its value is used
  int flight = -1, from = -1;     ///< values; Multiply: accumulated into
  std::vector<int> reads, writes; ///< values: places
  std::vector<int64_t> readBytes, writeBytes;
  int stored = -1, loaded = -1; ///< values
  int64_t bytes = 0, pending = 0, id = 0, threads = 0;
  int line = 0;
};

struct ProcessInfo {
  std::string name;
  int64_t firstWarp = 0, warps = 1;
  bool elected = false;
  std::vector<Statement> body;
  /// For each ring: waits for the full side somewhere, releases somewhere.
  std::vector<bool> gets, releases;
};

struct Kernel {
  std::string name;
  std::string unsupported; ///< why this model cannot say anything, if so
  std::string fault;       ///< what is wrong before anything runs
  int64_t sharedBytes = 0, threads = 0;
  int values = 0;
  std::vector<std::string> argumentNames;
  std::vector<int> argumentWidths; ///< 0: a view
  std::vector<std::vector<int64_t>>
      shapes;                     ///< of views; -1: the launch decides
  std::vector<int> elementWidths; ///< of views; 0: no integers
  std::vector<RingInfo> rings;
  std::vector<Statement> prologue;
  std::vector<ProcessInfo> processes;
  /// What launches decide here, and numbers that the text compares with.
  std::vector<std::pair<int, int>> usedExtents;
  std::vector<int> usedScalars, usedElements;
  bool usesWorkers = false;
  std::vector<int64_t> constants;

  int barriers() const {
    int count = 0;
    for (const RingInfo &ring : rings)
      count += 2 * int(ring.depth);
    return count;
  }
};

Kernel read(hopper::KernelOp kernel);

/// What process `process` does when it reads `numbers`, in this order, from
/// shared memory.
Script unroll(const Kernel &kernel, int process, const Launch &launch,
              const std::vector<int64_t> &numbers);

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_SCRIPT_H
