//===- KernelPlan.h - Decide: everything a variant fixes -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewriting reads this plan and decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_KERNELPLAN_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_KERNELPLAN_H

#include "AssignLayouts.h"
#include "KernelFacts.h"
#include "LoadWays.h"
#include "SharedPlan.h"
#include "StorePlan.h"
#include "SumPlan.h"

#include "heddle/Dialect/Hopper/GlobalAccess.h"

namespace heddle::areftohopper {

/// Tma: every view that TMA can move goes by TMA. TmaLoads: loads do, threads
/// store, for results whose rows TMA cannot write. Rows: threads do all, and
/// access 16 bytes at once. General: threads do all, for any view.
enum class Variant { Tma, TmaLoads, Rows, General };

/// How threads go through the elements that addresses name: one by one, or by
/// runs of places, which a launch is asked about.
enum class Places { Single, InRuns };

struct PayloadPlan {
  hopper::SmemType tile;
  bool tma = false;    // its loads go by TMA
  bool goesOn = false; // its copies end while their threads do other things
};

struct RingPlan {
  llvm::SmallVector<PayloadPlan> payload;
  RingPlacement place;
  bool anyTma = false;       // a producer's thread announces bytes
  bool anyGeneric = false;   // a producer's warps arrive
  bool fence = false;        // written by threads, read by the async proxy
  bool anyGoesOn = false;    // a producer's copies arrive, one for each thread
  bool fenceReaders = false; // what they bring is read by the async proxy
  int64_t fullArrivals = 0, emptyArrivals = 0;
};

struct ProcessPlan {
  int64_t firstWarp = 0, registers = 0;
  bool elected = false;
  int64_t barrier = 0;                   // named barrier, 0 if it needs none
  llvm::SmallVector<int64_t> staging;    // offsets of the staging buffers
  int64_t scratch = 0, scratchBytes = 0; // for tiles that change their layout
  LayoutMap layouts;
  SumPlan sums;
};

struct KernelPlan {
  Variant variant = Variant::Tma;
  Places places = Places::Single;
  std::string name;
  llvm::MapVector<mlir::Operation *, RingPlan> rings;
  llvm::SmallVector<ProcessPlan, 0> processes; // as in the facts
  llvm::DenseMap<mlir::Operation *, StorePlan> stores;
  /// Elements of one access of a load or store by threads; 1 of others.
  llvm::DenseMap<mlir::Operation *, int64_t> vectors;
  /// The same of gathers and scatters.
  llvm::DenseMap<mlir::Operation *, hopper::Neighbours> neighbours;
  /// Of loads of views of views that go by TMA.
  llvm::MapVector<mlir::Operation *, LoadWay> ways;
  llvm::SmallVector<int64_t> tmaArgs, rowArgs, multipleArgs;
  int64_t threads = 0, sharedBytes = 0;
  int64_t blocks = 1; // that share a multiprocessor
  /// The loop over a worker's instances, where each is a block's only one.
  mlir::Operation *inlined = nullptr;
  /// Instances of a block, each with a copy of the process.
  int64_t teams = 1;

  bool usesTma() const { return !tmaArgs.empty(); }
  bool storesByTma() const;
};

mlir::FailureOr<KernelPlan> planKernel(const KernelFacts &facts,
                                       Variant variant,
                                       Places places = Places::Single);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_KERNELPLAN_H
