//===- LocalNotes.h - What processes on units did when ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a run in which each process has a clock of its own (Local.cpp): when each
// one was busy, for what it waited, and how many slots of each ring were in use
// at once. What follows from clocks is known when both sides have executed, so
// rings are looked at when the run has ended.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_LOCALNOTES_H
#define HEDDLE_LIB_SIMULATOR_LOCALNOTES_H

#include "Machine.h"

namespace heddle::simulator {

class LocalNotes {
public:
  LocalNotes(Machine &machine, TimedRun &run);

  /// The process did not go on before `to`, for the sake of a ring.
  void waited(const Process &process, Ring &ring, bool forRoom, int64_t from,
              int64_t to);
  void worked(const Process &process, int64_t from, int64_t to);
  /// A turn of a ring has a slot from one cycle to another, the later one of
  /// those that its consumers say.
  void acquired(Ring &ring, int64_t turn, int64_t cycle);
  void released(Ring &ring, int64_t turn, int64_t cycle);
  void finish();

private:
  struct Slots {
    std::vector<int64_t> taken, given;
  };

  Machine &machine;
  TimedRun &run;
  llvm::DenseMap<Ring *, Slots> slots;
  /// The latest execution of each process.
  std::vector<size_t> latest;
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_LOCALNOTES_H
