//===- Facts.h - What a plan says about a kernel -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collect: entries by op, the process that owns each value, and the rings with
// their producers and consumers. Nothing is decided or rewritten here.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_FACTS_H
#define HEDDLE_LIB_SCHEDTOAREF_FACTS_H

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace heddle::expander {

/// A process's turn at a unit that keeps an order: from before it issues the
/// first op of the turn until after the last, in cycles of iteration 0.
struct Section {
  llvm::StringRef process;
  int64_t begin = 0, end = 0;
};

/// A ring and the ops whose results share its slots, in program order; or an
/// ordering credit, a ring of no values: its producer's turn, then those of its
/// consumers.
struct RingFacts {
  std::string name;
  int64_t depth = 1;
  llvm::StringRef producer; ///< process
  llvm::SmallVector<mlir::Operation *> sources;
  mlir::Block *block = nullptr; ///< where the sources stand
  llvm::SmallVector<Section> sections;

  /// Of the first source and the last; of a credit, its loop.
  mlir::Location firstLoc() const {
    return (sources.empty() ? block->getParentOp() : sources.front())->getLoc();
  }
  mlir::Location lastLoc() const {
    return (sources.empty() ? block->getParentOp() : sources.back())->getLoc();
  }
};

class Facts {
public:
  /// Reports what the expander cannot carry out and fails.
  llvm::LogicalResult collect(tile::KernelOp kernel, sched::PlanOp plan);

  sched::EntryOp entry(mlir::Operation *op) const { return entries.lookup(op); }
  /// The process of a scheduled op, or of what is inside one.
  llvm::StringRef processOf(mlir::Operation *op) const;
  bool isAsynchronous(mlir::Operation *op) const;
  /// A store that the next iteration of its loop carries out.
  bool isLate(mlir::Operation *op) const;
  /// The loop of `block` under whose first product `process` carries out the
  /// late stores, or null.
  mlir::scf::ForOp hostOfLate(mlir::Block &block,
                              llvm::StringRef process) const;
  /// True if a process has a scheduled op at or below `op`.
  bool hasWork(mlir::Operation *op, llvm::StringRef process) const;
  /// True if all that is scheduled at or below `op` is one process's, in
  /// program order and without a ring: the process takes the op as it is.
  bool isTakenWhole(mlir::Operation *op, llvm::StringRef process) const;
  /// The process that computes a tile; "" for what every process computes
  /// itself.
  llvm::StringRef ownerOf(mlir::Value value) const;
  /// Initiation interval of a loop; 0 = program order.
  int64_t interval(mlir::Operation *loop) const;
  /// Whether a loop prepares operands in registers ahead of the step that reads
  /// them.
  bool isAhead(mlir::Operation *loop) const;
  /// Whether a loop's tail gets a loop of its own.
  bool splitsTail(mlir::Operation *loop) const;
  /// Whether what a process does depends on a number.
  bool needs(llvm::StringRef process, mlir::Value number) const;
  /// Whether a process reads from a ring, or waits for its credit.
  bool consumes(const RingFacts &ring, llvm::StringRef process) const;
  /// The ring that carries an op's result, or null.
  const RingFacts *ringOf(mlir::Operation *source) const;
  /// An op that every process repeats when it needs the result.
  static bool isRepeatable(mlir::Operation *op);
  /// The same of the kernel as it was: whether a number is an input is asked of
  /// all memory accesses, and those of loops that are being written have no
  /// origin yet.
  bool isRepeated(mlir::Operation *op) const { return repeated.contains(op); }
  /// An op in front of the processes that all of them read: it is repeatable
  /// and nothing it reads is scheduled.
  bool isShared(mlir::Operation *op) const { return shared.contains(op); }
  /// Its operands, and what its regions read from outside.
  static llvm::SetVector<mlir::Value> readsOf(mlir::Operation *op);
  /// The operand a unit accumulates into in place, or null.
  static mlir::OpOperand *accumulator(mlir::Operation *op);

  llvm::SmallVector<sched::ProcessOp> processes;
  llvm::MapVector<llvm::StringRef, RingFacts> rings;

private:
  void collectShared(mlir::Block &entry);
  void collectCredits(tile::KernelOp kernel, sched::PlanOp plan);
  llvm::LogicalResult checkInOrder(tile::KernelOp kernel);
  llvm::LogicalResult checkOverwritten(tile::KernelOp kernel);
  llvm::LogicalResult checkCrossings(tile::KernelOp kernel);
  llvm::LogicalResult checkCarried(tile::KernelOp kernel);
  llvm::LogicalResult checkLate(tile::KernelOp kernel);

  llvm::DenseMap<mlir::Operation *, sched::EntryOp> entries;
  llvm::StringMap<int64_t> intervals;
  llvm::StringSet<> ahead, tails; ///< loops
  llvm::DenseSet<mlir::Operation *> shared, scheduled, repeated;
};

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_FACTS_H
