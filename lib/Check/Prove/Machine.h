//===- Machine.h - Executes processes, checking on the way ------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps one process at a time. Control.cpp has loops and branches, Barriers.cpp
// mbarriers and named barriers, Memory.cpp accesses and fences.
//
// A check never asks what happened before in this order of steps, but what is
// ordered before in every order: who knows of it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CHECK_MACHINE_H
#define HEDDLE_LIB_CHECK_MACHINE_H

#include "State.h"

#include "heddle/Check/Prove.h"

namespace heddle::check {

enum class Step { Ran, Blocked, Undecided, Ended, Failed };

/// A question whose answer is not known: both are possible.
struct Decision {
  int process = -1;
  Path path;
  std::optional<Linear> condition; ///< none: "T > index" of that at `path`
  int64_t index = 0;
  bool isPrivate = false;

  bool operator<(const Decision &other) const;
};

class Machine {
public:
  Machine(const Program &program, State &state,
          std::vector<TraceStep> *trace = nullptr);

  static State initialState(const Program &program);

  /// Executes the process's next instruction, if it can.
  Step step(int process);
  /// After Undecided.
  const Decision &decision() const { return pendingDecision; }
  void decide(const Decision &decision, bool answer);
  /// After Failed.
  const Fault &fault() const { return found; }
  /// Nothing was decided by data: the fault is about what is written there,
  /// not about the barrier protocol.
  bool isUnknown() const { return unknown; }
  /// What no order of steps shows: where accumulators in flight may have to be
  /// moved; empty if nowhere.
  const std::string &moves() const { return moving; }

  bool hasEnded(int process) const;
  /// No process can go on, but not all ended.
  Step failDeadlocked();
  /// All ended: what must be so in the end.
  Step checkEnd();

private:
  // Ending.cpp
  Property describeBlock(int process, std::string &what, int &ring);

  // Control.cpp
  Step control(int process, const Instruction &instruction);
  Path pathOf(int process, size_t frames) const;
  Instance &instanceAt(const Path &path);
  std::optional<bool> ask(int process, size_t frames, int construct,
                          int64_t index, bool relative);
  std::optional<bool> holds(int process, const Instruction &instruction);
  Step test(int process, const Instruction &instruction);
  Step leave(int process, const Instruction &instruction);
  bool repeatsItself(int process, const Instruction &instruction);
  std::optional<bool> computed(int process, Value condition) const;
  void enter(int process, int loop);
  Datum evaluate(int process, Value value) const;
  bool isMovedInFlight(int process, Value from, const Datum &datum) const;

  // Barriers.cpp
  Step wait(int process, const Event &event);
  Step passWait(int process, int barrier, const Event &event, bool isNew);
  Step arrive(int process, const Event &event, int64_t arrivals,
              int64_t expected);
  Step deliver(int process, int barrier, int64_t bytes, const Event &event);
  Step completePhase(int process, int barrier);
  Step sync(int process, const Event &event);
  bool hasSeenPhase(int process, int barrier, int age) const;
  std::optional<int> barrierOf(int process, int ring, Side side, Value slot,
                               Step &failure);
  std::string describeBarrier(int barrier) const;
  void publishCopies(int process, int barrier);
  void publish(int process, int bit, bool byFirst);
  void learn(int process, int bit);

  // Memory.cpp
  Step access(int process, const Event &event);
  Step touch(int process, const Region &region, Record::Kind kind,
             const Event &event, int barrier);
  Step take(int process, const Event &event);
  Step conflict(int process, const Record &before, Record::Kind kind,
                const Event &event);
  Step wgmma(int process, const Event &event);
  Step accumulate(int process, const Event &event);
  Step readOperand(int process, const Event &event);
  int newFlight(int process) const;
  Step wgmmaWait(int process, const Event &event);
  Step tmaLoad(int process, const Event &event);
  Step copy(int process, const Event &event);
  Step tmaStore(int process, const Event &event);
  Step tmaStoreWait(int process, const Event &event);
  void fence(int process);
  bool rangeOf(int process, const Region &region, int64_t &begin, int64_t &end,
               Step &failure);

  Step happen(int process, const Event &event);
  Step fail(Property property, int process, const std::string &message,
            int ring = -1);
  /// The checker cannot follow the program here.
  Step giveUp(int process, const std::string &message);
  /// Of a trace: `what` makes the text, which nobody reads otherwise.
  template <typename What> void note(int process, const What &what) {
    if (trace)
      trace->push_back({processAt(process).name, what(), at(process).place});
  }
  const Instruction &at(int process) const {
    return program.processes[process].code[state.processes[process].pc];
  }
  const Process &processAt(int process) const {
    return *program.processes[process].process;
  }
  /// Threads that issue: all are the first in an elected process.
  int firstBit(int process) const {
    return processAt(process).elected ? bits.all(process) : bits.first(process);
  }
  int64_t warpArrivals(int process) const {
    return processAt(process).elected ? 1 : processAt(process).warps;
  }
  const Ring &ringOf(int barrier) const;

  const Program &program;
  State &state;
  Bits bits;
  std::vector<TraceStep> *trace;
  Decision pendingDecision;
  Fault found;
  bool unknown = false;
  std::string moving;
  /// Of loops without events, by process and loop: what decides how they go
  /// on, as it was some iterations ago, and in how many it is kept.
  struct Seen {
    std::vector<Datum> values;
    int64_t tests = 0, kept = 1;
  };
  std::map<std::pair<int, int>, Seen> seen;
};

/// Barriers are numbered ring by ring, full before empty.
int barrierIndex(const Protocol &protocol, int ring, Side side, int64_t slot);
int barrierCount(const Protocol &protocol);

} // namespace heddle::check

#endif // HEDDLE_LIB_CHECK_MACHINE_H
