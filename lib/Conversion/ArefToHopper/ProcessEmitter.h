//===- ProcessEmitter.h - Rewrite: one process, op by op -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies the body of an aref.process into a hopper.process in program order. A
// value of the aref rung becomes
//
//   turn    -> slot, phase     token -> slot          flight -> hopper flight
//   tile in a slot -> smem     tile -> tile with its layout
//   splat, iota, constant -> made anew in the layout of each user
//   scalar  -> scalar
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CONVERSION_AREFTOHOPPER_PROCESSEMITTER_H
#define HEDDLE_CONVERSION_AREFTOHOPPER_PROCESSEMITTER_H

#include "Turns.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace heddle::areftohopper {

class ProcessEmitter {
public:
  ProcessEmitter(mlir::OpBuilder &builder, const KernelFacts &facts,
                 const KernelPlan &plan, const CountersMap &counters,
                 unsigned process, ValueMap scalars)
      : builder(builder), facts(facts), plan(plan), counters(counters),
        process(facts.processes[process]), processPlan(plan.processes[process]),
        values(std::move(scalars)) {}

  /// Emits the whole body at the builder's insertion point.
  void run();

private:
  // EmitControl.cpp
  void emitBlock(mlir::Block &block);
  void emit(mlir::Operation &op);
  void emitFor(mlir::scf::ForOp loop);
  void emitIf(mlir::scf::IfOp branch);
  void emitWhile(mlir::scf::WhileOp loop);
  void emitBranch(mlir::scf::IfOp branch, mlir::Region &from, mlir::Region &to);
  void emitGeneric(mlir::Operation &op);

  // EmitValues.cpp
  mlir::Value scalar(mlir::Value old) const;
  llvm::SmallVector<mlir::Value> scalars(mlir::ValueRange old) const;
  /// The tile in registers in the wanted layout.
  mlir::Value tile(mlir::Value old, hopper::LayoutAttr wanted,
                   mlir::Location loc);
  /// The tile in the layout it was made in, or a default one.
  mlir::Value tileAsMade(mlir::Value old, mlir::Location loc);
  /// The tile of a splat, iota or constant in the wanted layout.
  mlir::Value repeat(mlir::Operation *source, hopper::LayoutAttr wanted);
  mlir::Value convert(mlir::Value value, hopper::LayoutAttr wanted,
                      mlir::Location loc);
  void emitSync(mlir::Location loc);
  /// Until nobody can still be reading the scratch memory.
  void waitForScratchReaders(mlir::Location loc);
  /// What the schedule calls `from` goes on with `to`.
  static void carryName(mlir::Operation *from, mlir::Operation *to);
  /// Tiles in scratch memory that all threads may read; `plain` is without a
  /// swizzle.
  llvm::SmallVector<mlir::Value>
  toScratch(mlir::ValueRange tiles, mlir::Location loc, bool plain = false);
  /// A tile of `type` from a buffer.
  mlir::Value fromScratch(mlir::RankedTensorType type, mlir::Value buffer,
                          hopper::LayoutAttr wanted, mlir::Location loc);
  /// In shared memory predicates are bytes and indices i32.
  mlir::Value toStored(mlir::Value tile, mlir::Type element,
                       mlir::Location loc);
  mlir::Value fromStored(mlir::Value tile, mlir::Type element,
                         mlir::Location loc);
  llvm::SmallVector<mlir::Value> exchange(mlir::ValueRange tiles,
                                          hopper::LayoutAttr wanted,
                                          mlir::Location loc);
  hopper::SmemType sharedType(Home home) const;
  /// The types and values that `old` becomes where it is carried into `slot`
  /// (a loop's argument or a branch's result).
  llvm::SmallVector<mlir::Type> carriedTypes(mlir::Value slot) const;
  void appendCarried(mlir::Value old, mlir::Value slot,
                     llvm::SmallVectorImpl<mlir::Value> &to,
                     mlir::Location loc);
  void bindCarried(mlir::ValueRange slots, mlir::ValueRange made);

  // EmitRings.cpp
  void emitFirstTurn(aref::FirstTurnOp op);
  void emitAcquire(aref::AcquireOp op);
  void emitPublish(aref::PublishOp op);
  void emitStage(tile::StageOp op);
  mlir::Value emitPayload(aref::PublishOp op, unsigned element,
                          mlir::Value slot);
  // EmitMapped.cpp
  void emitMappedLoad(tile::LoadOp load, mlir::Value target,
                      llvm::StringRef ring, mlir::Value slot);
  // EmitRings.cpp
  void emitGet(aref::GetOp op);
  void emitRelease(aref::ReleaseOp op);
  void loadBeforeRelease(aref::ReleaseOp op);
  llvm::SmallVector<mlir::Value, 2>
  nextTurn(aref::RingOp ring, mlir::ValueRange turn, mlir::Location loc);
  mlir::Value makeI32(int64_t value, mlir::Location loc);
  const RingPlan &planOf(aref::RingOp ring) const {
    return plan.rings.find(ring)->second;
  }

  // EmitTensorCore.cpp
  void emitStart(aref::StartOp start);
  void emitAwait(aref::AwaitOp await);
  void emitDot(tile::DotOp dot);
  mlir::Value takeAccumulator(tile::DotOp dot);
  mlir::Value emitWgmma(tile::DotOp dot, mlir::Value a, mlir::Value b,
                        mlir::Value acc);
  mlir::Value takeOperandA(tile::DotOp dot);

  // EmitCombine.cpp
  void emitReduce(tile::ReduceOp op);
  /// One hopper.reduce by the op's combiner.
  llvm::SmallVector<mlir::Value>
  combine(tile::ReduceOp op, mlir::ValueRange operands, bool byThread = false);
  /// The op's results, from what each warp has of them.
  llvm::SmallVector<mlir::Value> joinParts(tile::ReduceOp op,
                                           llvm::SmallVector<mlir::Value> parts,
                                           mlir::Location loc);
  void cloneCombiner(mlir::Region &from, mlir::Region &to);

  // EmitSums.cpp
  mlir::Value atEachPosition(mlir::Value old, const SumInParts &sum,
                             mlir::Location loc);
  /// A sum, or what is added to one.
  mlir::Value inParts(mlir::Value old, const SumInParts &sum,
                      mlir::Location loc);
  /// Makes the total of what others read.
  void bindParts(mlir::Value old, mlir::Value made, mlir::Location loc);
  void emitOnParts(mlir::Operation &op, const SumInParts &sum);

  // EmitMove.cpp
  void emitMovement(mlir::Operation *op);
  mlir::Value reshapeThroughShared(tile::ReshapeOp op, mlir::Value value,
                                   hopper::LayoutAttr made);
  void emitUnfold(tile::UnfoldOp op);
  mlir::Value takeThroughShared(tile::TakeOp op, mlir::Value value,
                                mlir::Value indices);
  mlir::Value countThroughShared(tile::HistogramOp op, mlir::Value value,
                                 mlir::Value mask, hopper::LayoutAttr made);
  llvm::SmallVector<mlir::Value> emitScan(tile::ScanOp op,
                                          mlir::ValueRange operands);

  // EmitMemory.cpp
  void emitLoad(tile::LoadOp load);
  void emitStore(tile::StoreOp store);
  void emitViewReduce(tile::ViewReduceOp reduction);
  /// When a tile is added.
  struct Turn {
    mlir::Location loc;
    mlir::Value counters, place, number;
  };
  struct StagedStore {
    Stored store;
    unsigned chunks;
    mlir::Value value;
    llvm::SmallVector<mlir::Value> offsets;
    std::optional<Turn> turn = std::nullopt;
  };
  void emitStagedStore(tile::StoreOp store);
  StagedStore stage(Stored store);
  void emitChunks(const StagedStore &staged, unsigned first, unsigned count,
                  int64_t pending);
  /// Elements that one access of a load or store by threads moves.
  int64_t vectorOf(mlir::Operation *op) const;
  int64_t pendingReads(unsigned chunk) const;
  bool mayOverwrite(tile::StoreOp store) const;

  // EmitTurns.cpp
  std::optional<Turn> turnOf(tile::ViewReduceOp sum);
  void awaitTurn(const Turn &turn);
  void passTurn(const Turn &turn);
  void emitSum(tile::ViewReduceOp sum);

  // EmitLateStores.cpp
  /// What the iterations of a loop still have to store, a round each.
  struct LateStores {
    struct Round {
      StagedStore staged;
      unsigned first, count; ///< chunks
    };
    mlir::Operation *loop = nullptr; ///< of the aref rung
    mlir::Value isLeft;              ///< whether there is anything
    llvm::SmallVector<Round> rounds;
    mlir::Value lower, upper, step; ///< of the loop
  };
  bool spreadLateStores(mlir::scf::IfOp branch);
  void emitRoundOfIteration(const LateStores &left, mlir::Value iteration);
  void emitRoundsLeft(const LateStores &left);
  void emitRound(const LateStores::Round &round, mlir::Value isDue);
  mlir::Value iterationOf(const LateStores &left, size_t round);

  mlir::OpBuilder &builder;
  const KernelFacts &facts;
  const KernelPlan &plan;
  const CountersMap &counters;
  const ProcessFacts &process;
  const ProcessPlan &processPlan;
  ValueMap values;
  /// What sums in parts became; their totals are values.
  llvm::DenseMap<mlir::Value, mlir::Value> parts;
  LateStores late;
  bool isAnySpread = false;
  bool usesScratch = false; ///< what was emitted so far
  /// Tiles already read from shared memory or repeated in this block or around
  /// it.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, mlir::Value> made;
};

/// What runs of pixels ask of launches, in the kernel's own block.
void emitRunLimits(mlir::OpBuilder &builder, const KernelPlan &plan,
                   const ValueMap &values);

} // namespace heddle::areftohopper

#endif // HEDDLE_CONVERSION_AREFTOHOPPER_PROCESSEMITTER_H
