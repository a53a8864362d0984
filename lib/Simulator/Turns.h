//===- Turns.h - A unit that serves its processes in turn -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each tensor core of a multiprocessor has a queue of a few instructions, which
// the warps of all groups share, and a warp that issues goes on issuing as long
// as the queue has work of it. So a process that finds another one's products
// there stands at its first instruction until that one has none left. But who
// comes while the other still fills the queue gets every second place: both are
// served at half the speed, and the first is ahead by the instructions that
// were in the queue before. Measured:
// docs/lab/2026-11-23-two-groups-at-one-tensor-core.md.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_TURNS_H
#define HEDDLE_LIB_SIMULATOR_TURNS_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace heddle::simulator {

class Turns {
public:
  /// `capacity`: instructions that the queue holds. `apart`: cycles between two
  /// processes that come at the same time, since they never quite do.
  Turns(int64_t capacity, int64_t apart) : capacity(capacity), apart(apart) {}

  /// `process` wants to hand over work of so many cycles in so many
  /// instructions, behind what it has there, which takes it `issue` cycles once
  /// it is its turn. The number names the work.
  void begin(unsigned process, int64_t cycles, int64_t instructions,
             int64_t issue, size_t number);

  struct End {
    int64_t begin, time;
    unsigned process;
    size_t number;
  };
  /// What ends first, if nobody hands over more before.
  std::optional<End> nextEnd() const;

  /// When the speed changes next, beside ends.
  std::optional<int64_t> nextChange() const;
  /// Lets time pass; to the next end or change at most.
  void advance(int64_t time);
  /// The process's oldest work is done.
  void finish(unsigned process);

  /// When the process's last instruction is in the queue, if nobody hands over
  /// more before; none while it is not its turn.
  std::optional<int64_t> whenIssued(unsigned process) const;

  bool isBusy() const;

private:
  struct Work {
    double left;
    double instruction; ///< cycles of one
    int64_t issue;
    size_t number;
    int64_t asked;
    int64_t begun = -1;  ///< when it is executed first
    int64_t issued = -1; ///< when its last instruction is, if it is its turn
  };
  struct Queue {
    std::deque<Work> works;
    bool isServed = false;
    /// Cycles of others' work that were in the queue when it joined.
    double behind = 0;
  };
  void serve(Queue &queue);
  /// The next in turn, where nobody is served.
  void turn();
  int served() const; ///< how many have work to be done
  int64_t after(double cycles) const;

  /// Instructions that who is served has handed over since the unit was idle.
  double handedOver() const;

  int64_t capacity, apart;
  std::vector<Queue> queues; ///< by process
  int64_t now = 0;
  int64_t servedSince = 0;
  double issueOfOne = 1;   ///< cycles that the process needs for an instruction
  double instruction = 1;  ///< cycles of one
  double handedAtMost = 0; ///< instructions of what it began
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_TURNS_H
