//===- Scheduler.h - Who goes next -------------------------------*- C++
//-*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Picks among the warps that can run and the engines that have work, until all
// warps have exited or nobody can move. All interleavings that the machine
// allows are fair game; the policy and the seed choose one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_EMULATOR_SCHEDULER_H
#define HEDDLE_LIB_EMULATOR_SCHEDULER_H

#include "Cta.h"

namespace heddle::emulator {

class Scheduler {
public:
  explicit Scheduler(Cta &cta);

  /// Runs the CTA to its end. False with the error in the CTA.
  bool run();

  /// What one action of a CTA in a cluster came to.
  enum class Progress {
    Moved,
    Idle, ///< nobody can move before another CTA does something
    Done,
    Failed, ///< the error is in the CTA
  };
  Progress step();
  /// The same of a CTA without others: where nobody can move, time may help.
  Progress stepAlone();

private:
  enum class Engine { Load, LateLoad, StoreRead, StoreWrite, Copy, Wgmma };

  bool canRun(int actor) const;
  bool act(int actor);
  int pick();
  int pickInTurn();
  int pickRandom();
  int pickByPriority();
  void shufflePriorities();

  bool runWarp(Warp &warp, int quantum);
  bool runGroup(Warp &warp, int group, int quantum);
  bool runEngine(Engine engine, int warpGroup);
  bool letTimePass();
  bool finish();

  Cta &cta;
  int warpCount;
  int actorCount;
  int lastActor = 0;
  bool isFinished = false;
  std::vector<int> priorities; ///< Adversarial: the highest goes first
};

/// Why nothing can move: for each process what it waits for.
std::string describeDeadlock(const Cta &cta);

/// The shortest cycle of processes that wait for each other, or who waits for
/// somebody who has exited; each on a line of its own.
std::string describeWaitGraph(const Cta &cta);

} // namespace heddle::emulator

#endif // HEDDLE_LIB_EMULATOR_SCHEDULER_H
