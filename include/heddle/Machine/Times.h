//===- Times.h - How long a machine takes, by its costs -----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one model of docs/rationale/machine.md: the parameters of a machine
// (Costs.h) in, cycles out. It knows instructions, products, copies and
// hand-overs, and no program. What knows programs says of what an operation is
// made (Transforms/OperationCosts.h), of what an instance consists
// (TileChoice/Estimate.h) and what a simulated process does
// (Evaluate/TimingModel.h), and asks here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MACHINE_TIMES_H
#define HEDDLE_MACHINE_TIMES_H

#include "heddle/Machine/Costs.h"

#include <array>
#include <utility>
#include <vector>

namespace heddle::machine {

/// How long an operation takes.
struct Span {
  int64_t reservation = 1; ///< of its unit
  int64_t issue = 1;       ///< of its process
  int64_t latency = 1;     ///< until its result may be used
};

/// What instructions of a process do for 128 elements. Those on the unit of
/// special functions hide the others.
struct Work {
  double alu = 0, special = 0;

  double issue() const { return alu > special ? alu : special; }
  Work operator+(const Work &other) const {
    return {alu + other.alu, special + other.special};
  }
};

/// How lanes and warps bring together what they have combined.
struct Exchange {
  double shuffles = 0; ///< of a warp group
  double steps = 0;    ///< one after the other
};

/// What a loop does in one iteration, as it is.
struct Iteration {
  double copies = 0, products = 0; ///< cycles of these units
  double others = 0;               ///< cycles of the busiest of the other units
  double threads = 0; ///< cycles that instructions issue, in all processes
  double bytes = 0;   ///< that copies move
  double processes = 1;
  std::vector<std::pair<int64_t, int64_t>> depths; ///< of products, and bits
};

/// Of the machine with these costs, of which it keeps a reference.
class Times {
public:
  explicit Times(const Costs &costs)
      : costs(costs), one(costs.instructions),
        groupThreads(double(costs.limits.threadsPerGroup)) {}

  //===--------------------------------------------------------------------===//
  // Instructions of a process for 128 elements, each of `bits`
  //===--------------------------------------------------------------------===//

  Work arithmetic(double count, int64_t bits) const;
  Work compare(double count, int64_t bits) const;
  Work integer(double count, int64_t bits) const;
  Work special(double count) const { return {0, count * one.special}; }
  Work narrow() const { return {one.narrow, 0}; }
  Work widen(int64_t bits) const;
  Work move() const { return {one.arithmetic, 0}; }
  /// A load or store of 128 elements, each of `bits`.
  Work access(double bits) const { return {one.memory * bits / 32, 0}; }

  /// Lanes that repeat the work on an element of a row or column.
  double rowWork() const { return one.rowWork; }
  /// Are exchanges between lanes modelled?
  bool hasExchanges() const { return one.shuffle != 0; }

  /// Of a process: that many shuffles, and that many accesses of a word to
  /// shared memory, with a barrier between stores and loads and one in front of
  /// the next store.
  double shuffles(double count) const { return count * one.shuffle; }
  double roundTrip(double accesses) const {
    return accesses * one.memory + 2 * one.barrier;
  }

  /// `work` for `elements`.
  Span ofElements(const Work &work, double elements) const;
  /// `combiner` for `pairs` of 128, and an exchange.
  Span ofReduction(const Work &combiner, double pairs,
                   const Exchange &exchange) const;
  /// Of instructions that are not pipelined with others: a conditional.
  Span ofBranch(int64_t reservation, int64_t issue) const;

  /// A product by the threads of a process: by warps, `multiplied` at the rate
  /// of mma.sync, or one by one; `read` words of operands come first.
  Span ofWarpProduct(double multiplied, int64_t bits, double read) const;
  Span ofThreadProduct(double multiplied, int64_t bits, double read) const;

  //===--------------------------------------------------------------------===//
  // Units of their own
  //===--------------------------------------------------------------------===//

  Span ofProduct(int64_t rows, int64_t columns, int64_t depth, int64_t bits,
                 bool sharedA) const;
  /// Cycles that the tensor core is busy with [rows x depth] by [depth x
  /// columns] of numbers of `bits`, of which B and, if `sharedA`, A come from
  /// shared memory.
  int64_t productCycles(int64_t rows, int64_t columns, int64_t depth,
                        int64_t bits, bool sharedA) const;
  /// Cycles that a process needs to issue it.
  int64_t productIssue(int64_t depth, int64_t bits, bool sharedA) const;
  /// Steps that wait for the tensor core before a process waits; 0: any number.
  int64_t queueSteps() const { return int64_t(costs.tensor.queueSteps); }

  /// A copy by its unit, and by addresses that `issued` it one by one.
  Span ofCopy(double bytes) const;
  Span ofGather(const Span &issued) const;
  /// A copy by the threads of a process, pieces of 16 bytes whose places they
  /// compute.
  Span ofThreadCopy(double bytes) const;
  int64_t copySpread() const { return int64_t(costs.copy.latencySpread); }
  double moving(double bytes) const { return bytes / costs.copy.bytesPerCycle; }
  /// Bytes that copies move a cycle, of one multiprocessor and of all.
  double movedPerCycle() const { return costs.copy.bytesPerCycle; }
  double movedByAll() const;
  /// Until the first bytes of a launch are there.
  double begin() const { return costs.copy.latency; }
  /// Until what was stored is in memory.
  double untilAway(double bytes) const;
  /// How many times as long bytes take whose rows are so far apart.
  double pitchFactor(int64_t pitchBytes) const;
  /// The same as a sum: of rows that are no multiple of these bytes apart, the
  /// share by which they take longer.
  std::array<std::pair<int64_t, double>, 2> pitchPenalties() const;
  /// Of bytes that go in and out of shared memory; 0 if that is no bound.
  int64_t inSharedMemory(double bytes) const;

  /// Of a warp group that loads or stores columns of tensor memory, or a row
  /// between processes.
  double loadColumns(double columns) const;
  double storeColumns(double columns) const;
  double passRow(double elements) const;

  //===--------------------------------------------------------------------===//
  // Processes
  //===--------------------------------------------------------------------===//

  /// From an arrival to the wake-up.
  int64_t handOver() const { return wholeCycles(costs.handOver.mbarrier); }
  /// Of a process that acquires or gets a slot, besides waiting.
  int64_t ringStep() const { return int64_t(costs.handOver.step); }
  /// Between two processes that an arrival wakes.
  int64_t apart() const { return int64_t(costs.handOver.apart); }
  int64_t branch() const { return int64_t(one.branch); }
  /// From a product that an iteration waits for to the next one's.
  int64_t afterProduct() const {
    return wholeCycles(costs.handOver.step + one.branch);
  }

  /// Of `count` iterations that are one: infinite where two slots of what it
  /// copies do not fit.
  double interval(const Iteration &iteration, int64_t count) const;

private:
  const Costs &costs;
  const Costs::Instructions &one;
  double groupThreads;
};

} // namespace heddle::machine

#endif // HEDDLE_MACHINE_TIMES_H
