//===- Generator.h - Random kernels of the hopper rung ----------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A seed goes in; the text of a hopper kernel comes out, with two mistakes at
// the most. Rings, processes and loops are planned first, and then each process
// writes them in a way of its own (Loops.cpp, Turns.cpp), because the checker
// has to follow the protocol and not the form that the lowering gives it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_HEDDLE_ADVERSARY_GENERATOR_H
#define HEDDLE_TOOLS_HEDDLE_ADVERSARY_GENERATOR_H

#include "Plan.h"

namespace heddle::adversary {

/// The text of the kernel of a seed, the same on every machine.
std::string generate(uint64_t seed);

/// Slot and phase of one end of a ring, as the loops carry them.
struct Counter {
  enum Scheme { Pair, Twice, Flip, Truth, Count };
  const RingPlan *ring = nullptr;
  bool isProducer = false;
  Scheme scheme = Pair;
  std::string type = "i32";
  bool isSigned = false;    ///< how narrow numbers are extended
  bool startsAhead = false; ///< a producer's phase starts from 1
};

class Generator {
public:
  explicit Generator(uint64_t seed) : choice(seed), writer(choice) {}
  std::string run();

private:
  using Nums = std::vector<Num>;
  using Body = std::function<Nums(const Num &index, const Nums &carried)>;

  // Generator.cpp
  void plan();
  void planRing(RingPlan &ring, int depth, Fill fill, std::vector<Use> uses);
  SpacePlan planSpace(bool isInner);
  void writeKernel();
  void writeProcess(int process);

  // Loops.cpp
  struct Bounds {
    Num lower, upper, step;
    int64_t times = -1; ///< if it is constant
  };
  Bounds boundsOf(const SpacePlan &space, const Num *received);
  Nums loop(const SpacePlan &space, const Num *received, const Nums &inits,
            const Body &body);
  Nums plainLoop(const Bounds &bounds, const Nums &inits, const Body &body);
  Nums whileLoop(const Bounds &bounds, const Nums &inits, const Body &body);
  Nums branch(const Num &condition, const Nums &otherwise,
              const std::function<Nums()> &body);
  Counter planCounter(const RingPlan &ring, bool isProducer);
  Nums start(const Counter &counter);
  void place(const Counter &counter, const Nums &state, Num &slot, Num &phase);
  Nums advance(const Counter &counter, const Nums &state);

  // Turns.cpp
  void put(const RingPlan &ring, int process, const Num &slot, const Num &phase,
           const Num &index, const Num *number);
  Num get(const RingPlan &ring, size_t consumer, const Num &slot,
          const Num &phase, const Num &index);
  void getLate(const RingPlan &ring, const SpacePlan &space,
               const Num *received, const Counter &counter, Nums &state);
  void readChosen(const RingPlan &ring, const Num &slot);
  void fenceCopies(const RingPlan &ring, Use use);
  void release(const RingPlan &ring, const Num &slot, const std::string &after);
  std::string tile(const RingPlan &ring, const Num &slot, int64_t offset,
                   const std::string &type);
  void fill(const RingPlan &ring, const Num &slot, int64_t offset,
            const std::string &type, const Num &index);
  void meet(int process);
  void stage(int process);
  void products(int process);
  void spin();
  void event(const std::function<void()> &body);

  /// One of the few mistakes of this kernel, with a chance of so many percent.
  bool errs(int percent) {
    if (mistakes <= 0 || !choice.percent(percent))
      return false;
    --mistakes;
    return true;
  }

  Choice choice;
  Writer writer;
  int mistakes = 0;
  bool isTricky = false;
  std::vector<RingPlan> rings;
  std::vector<ProcessPlan> processes;
  std::vector<SpacePlan> spaces; ///< the outer loop, perhaps one in it
  std::vector<std::vector<size_t>> levels; ///< rings that turn in each
  int growth = -1; ///< the process with a number that grows
  int64_t growthStep = 0;
  int stager = -1, multiplier = -1, spinner = -1, meeting = -1;
  std::string names;  ///< of arguments, if they are odd
  std::string copies; ///< under way, which the next arrival names
  std::vector<std::string> scalarTypes;
};

} // namespace heddle::adversary

#endif // HEDDLE_TOOLS_HEDDLE_ADVERSARY_GENERATOR_H
