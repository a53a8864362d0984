//===- ProcessEmitter.h - Writes one process -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrite: follows the timetables of a process through the kernel's blocks and
// emits prologue, steady loop and epilogue. Decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_PROCESSEMITTER_H
#define HEDDLE_LIB_SCHEDTOAREF_PROCESSEMITTER_H

#include "PendingCounts.h"
#include "Timetable.h"

#include "heddle/Dialect/Aref/Aref.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <deque>

namespace heddle::expander {

/// What one iteration of a block has made so far.
struct Iteration {
  mlir::Value inductionVar;
  /// Set where the induction variable is `base` less this many steps.
  int64_t stepsBehind = 0;
  llvm::DenseMap<Key, mlir::Value> values;
  /// Repeated scalars; valid within the step being emitted.
  llvm::DenseMap<mlir::Value, mlir::Value> scratch;
  /// The iteration before, or null before the first (initial values).
  Iteration *previous = nullptr;
};

/// One side of a ring, whose next turn a process keeps.
enum Side : int { Consumes, Produces };
using Turn = std::pair<const RingFacts *, int>;

/// A block being emitted and the iteration whose values names resolve to.
struct Scope {
  Scope *outer = nullptr;
  mlir::Block *block = nullptr;
  mlir::scf::ForOp loop;
  mlir::Value step; ///< of the loop, emitted
  Iteration *current = nullptr;
  /// The emitted op of this block whose region is being filled, or null: what
  /// is repeated for this block goes in front of it.
  mlir::Operation *filling = nullptr;
};

class ProcessEmitter {
public:
  ProcessEmitter(const Facts &facts, sched::ProcessOp process,
                 mlir::OpBuilder &builder,
                 const llvm::MapVector<llvm::StringRef, mlir::Value> &rings)
      : facts(facts), process(process.getSym()), builder(builder),
        rings(rings) {}

  /// Emits the kernel's entry block for this process.
  llvm::LogicalResult run(mlir::Block &entry);

private:
  using Turns = llvm::MapVector<Turn, mlir::Value>;

  // Values.
  mlir::Value resolve(Scope &scope, mlir::Value value,
                      bool allowFlight = false);
  mlir::Value resolveArgument(Scope &scope, mlir::BlockArgument argument,
                              bool allowFlight);
  mlir::Value repeat(Scope &scope, mlir::Value value);
  mlir::Value inductionVar(Scope &scope);
  /// Moves to where `scope`'s own ops go while one of its regions is filled.
  void enterScope(Scope &scope) {
    if (scope.filling)
      builder.setInsertionPoint(scope.filling);
  }

  // Items.
  void emitItem(Scope &scope, const Timetable &table,
                const PendingCounts &pending, Place place);
  void emitRun(Scope &scope, const Item &item);
  void emitStart(Scope &scope, mlir::Operation *op);
  void emitAwait(Scope &scope, mlir::Operation *op, Key as, int64_t pending);
  mlir::Value payload(Scope &scope, const RingFacts &ring, unsigned index);

  // Blocks.
  void emitOnce(Scope &scope, mlir::Block &block, Iteration &iteration);
  void emitIf(Scope &scope, mlir::scf::IfOp conditional);
  void emitLoop(Scope &outer, mlir::scf::ForOp loop);
  struct LoopCode;
  llvm::SmallVector<mlir::Value> emitPipelined(LoopCode &code);
  llvm::SmallVector<mlir::Value> emitShort(LoopCode &code, int64_t trips);
  llvm::SmallVector<mlir::Value> emitShortFrom(LoopCode &code, int64_t trips);
  llvm::SmallVector<mlir::Value>
  emitChoice(LoopCode &code, mlir::Value condition,
             llvm::function_ref<llvm::SmallVector<mlir::Value>()> then,
             llvm::function_ref<llvm::SmallVector<mlir::Value>()> otherwise);
  void emitSteady(LoopCode &code, llvm::ArrayRef<Iteration *> entering,
                  std::deque<Iteration> &leaving);
  llvm::SmallVector<mlir::Value> landedResults(LoopCode &code, Iteration &last);

  // Late stores.
  struct Late;
  class DueOnce;
  mlir::Value nothingYet(mlir::Value like);
  void emitLate(const Late &due);
  void emitLastOffsets(LoopCode &instances);
  void emitLastLate(LoopCode &instances, Iteration &last);
  mlir::Value hasInstance(LoopCode &instances);
  mlir::Value instanceBefore(LoopCode &instances, mlir::Value next);
  llvm::SmallVector<mlir::Value> offsetsOfLate(LoopCode &instances);

  // Turns of the rings used in a region, carried through it.
  llvm::SmallVector<Turn> turnsUsedIn(mlir::Operation *op);
  void note(mlir::Operation *op, const llvm::Twine &problem);

  const Facts &facts;
  llvm::StringRef process;
  mlir::OpBuilder &builder;
  const llvm::MapVector<llvm::StringRef, mlir::Value> &rings;
  Turns turns;
  Late *late = nullptr; ///< due in the next host that is emitted
  bool failed = false;
};

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_PROCESSEMITTER_H
