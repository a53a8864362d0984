//===- Program.h - A protocol as straight instructions ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the exploration executes: for each process instructions with jumps, in
// which only what events and their control flow need is left. Loops and
// branches name the question they ask.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_PROGRAM_H
#define HEDDLE_LIB_CHECK_PROGRAM_H

#include "Broadcasts.h"
#include "Questions.h"

#include <vector>

namespace heddle::check {

/// Loops and branches of all processes on the same points in the same pass:
/// within one iteration of `scope` they ask about the same T.
struct Construct {
  int scope = -1; ///< the construct of the loop around it, -1: none
  int family = -1;
  int pass = 0;
  unsigned participants = 0; ///< a bit for each process
  std::string place;         ///< of a loop over it
};

/// A loop of one process.
struct LoopInfo {
  int construct = -1;
  int64_t start = 0;
  bool continues = false; ///< at the point where the loop before it stopped
  /// It also stops where this one does: the first part of a split loop.
  int limit = -1;
  int64_t limitStart = 0;
  /// The number that says whether it goes on, if it is one that is executed.
  Value test = kNoValue;
  bool isSilent = false; ///< it has no events
};

struct Instruction {
  enum Kind {
    Compute, ///< value
    Happen,  ///< event
    Enter,   ///< loop
    Test,    ///< loop; leaves to `target`
    Next,    ///< loop; back to `target`, its Test
    Branch,  ///< condition; to `target` if it does not hold
    Jump,    ///< target
    Copy,    ///< from -> to, all at once
    Finish,  ///< no more questions about `construct` in this iteration
    End,
  };
  Kind kind = End;
  std::string place;
  Value value = kNoValue; ///< Branch: the condition, if it is executed
  const Event *event = nullptr;
  int loop = -1, target = -1, construct = -1;
  Condition condition; ///< Branch: families are constructs here
  std::vector<Value> from, to;
  std::vector<Value> live; ///< values that are still used from here on
};

struct ProcessCode {
  const Process *process = nullptr;
  std::vector<Instruction> code;
  std::vector<LoopInfo> loops;
  std::vector<bool> needed; ///< values that are computed
  /// Numbers that control flow takes for what a writer wrote; its index.
  std::map<Value, int> taken;
  /// Rings whose full and empty barriers it waits for, and whose empty
  /// barriers it arrives at.
  std::vector<bool> waits[2], releases;
  /// Flights that need not stay in their registers where they are handed on.
  std::vector<bool> moves;
};

struct Program {
  /// If it `executes`, conditions that are made of constants and of what loops
  /// carry are no data: they are computed, which may take more states.
  explicit Program(const Protocol &protocol, bool executes = false);

  const Protocol &protocol;
  bool executes;
  Terms terms;
  Families families{terms};
  std::vector<Construct> constructs;
  Broadcasts broadcasts;
  std::vector<ProcessCode> processes;
  /// Why some loop may never end, if one is not known to; and which loops are
  /// taken to end, because data decides.
  std::string endless;
  std::vector<std::string> assumptions;

  /// Does this compute conditions that the other takes for data?
  bool executesMoreThan(const Program &other) const;

private:
  void flatten();
};

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_PROGRAM_H
