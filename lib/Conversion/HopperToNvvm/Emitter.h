//===- Emitter.h - Expands one kernel from tiles to threads -------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One recursive walk. A tile becomes the scalars of one thread, in the order of
// its layout's registers; a flight the registers that wgmma writes; a shared
// tile the address of its first byte; everything else stays one value.
// Structured loops carry tiles as lists of scalars. `index` becomes i32.
//
// The methods are grouped by file: EmitKernel, EmitControl, EmitConstants,
// EmitElementwise, EmitMove, EmitCombine, EmitScan, EmitBarriers, EmitShared,
// EmitIndexed, EmitTma, EmitGlobal, EmitCopy, EmitPointers, EmitWgmma.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_CONVERSION_HOPPERTONVVM_EMITTER_H
#define HEDDLE_LIB_CONVERSION_HOPPERTONVVM_EMITTER_H

#include "Instructions.h"
#include "MergeReplicas.h"
#include "Needed.h"
#include "heddle/Conversion/KernelSignature.h"
#include "heddle/Dialect/Hopper/RegisterLayout.h"
#include "heddle/Machine/Costs.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle::tonvvm {

class GlobalAccess;
struct GlobalView;
using Registers = llvm::SmallVector<mlir::Value>;

/// The threads that run the process being emitted.
struct Threads {
  hopper::ProcessOp process;
  mlir::Value thread; ///< index within the process
  mlir::Value
      warp; ///< index within the process, the same value in a whole warp
  mlir::Value lane;
  mlir::Value elected; ///< true in one lane of each warp
  mlir::Value first;   ///< true in one thread of the process
  mlir::Value team;    ///< which copy of the process, where a block has several

  /// One thread runs the whole process.
  bool isSingle() const { return hopper::ProcessOp(process).getElected(); }
};

class Emitter {
public:
  Emitter(hopper::KernelOp kernel, mlir::OpBuilder &builder,
          const machine::Costs &costs, const MergedReplicas &merged)
      : kernel(kernel), signature(getKernelSignature(kernel)), builder(builder),
        costs(costs), merged(merged) {}

  /// Emits the function in front of the kernel.
  mlir::LogicalResult emitKernel();

private:
  // EmitKernel
  mlir::LogicalResult emitEntry();
  /// Whether neighbours are to be compared with constants.
  void markComparisons(mlir::Operation *function);
  void emitBarrierInit(Code &code);
  mlir::LogicalResult emitProcesses(llvm::ArrayRef<hopper::ProcessOp> processes,
                                    int64_t firstWarp);
  mlir::LogicalResult emitProcess(hopper::ProcessOp process);

  // EmitControl
  mlir::LogicalResult emitOp(mlir::Operation *op);
  mlir::LogicalResult emitBlock(mlir::Block &block);
  mlir::Value workerId(Code &code);
  mlir::LogicalResult emitFor(mlir::scf::ForOp op);
  mlir::LogicalResult emitIf(mlir::scf::IfOp op);
  mlir::LogicalResult emitWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult emitDim(tile::DimOp op);
  /// The types of the registers of a value; nothing if the type has none.
  mlir::FailureOr<llvm::SmallVector<mlir::Type>>
  registerTypes(mlir::Type type, mlir::Location loc);
  /// Of several; `change` may give those of each another form.
  mlir::FailureOr<llvm::SmallVector<mlir::Type>> registerTypes(
      mlir::TypeRange types, mlir::Location loc,
      llvm::function_ref<void(llvm::SmallVector<mlir::Type> &)> change =
          nullptr);
  Registers flatten(mlir::ValueRange values);
  /// The same for what a loop or branch carries, elements of 8 bits by words,
  /// with the stamps left behind it.
  mlir::FailureOr<llvm::SmallVector<mlir::Type>>
  carriedTypes(mlir::TypeRange types, mlir::Location loc);
  Registers flattenCarried(mlir::ValueRange values);
  void bindCarried(mlir::ValueRange values, mlir::ValueRange registers);

  // EmitConstants
  mlir::LogicalResult emitConstant(mlir::Operation *op);
  mlir::LogicalResult emitSplat(tile::SplatOp op);
  mlir::LogicalResult emitIota(tile::IotaOp op);

  // EmitElementwise
  mlir::LogicalResult emitElementwise(mlir::Operation *op);
  Registers emitWords(Code &code, mlir::Operation *op);

  // EmitDivision
  bool emitsQuickDivision(mlir::Operation *op);
  void emitQuickDivision(mlir::Operation *op);

  mlir::LogicalResult emitCast(mlir::Operation *op);
  /// Gives `result` the registers of `source` that hold its elements, `offset`
  /// on.
  mlir::LogicalResult emitRenaming(mlir::Operation *op,
                                   const machine::Layout &source,
                                   const machine::Coord &offset);
  mlir::LogicalResult emitExpandDims(tile::ExpandDimsOp op);

  // EmitMove
  mlir::LogicalResult emitTrans(tile::TransOp op);
  mlir::LogicalResult emitReshape(tile::ReshapeOp op);
  mlir::LogicalResult emitJoin(tile::JoinOp op);
  mlir::LogicalResult emitSplit(tile::SplitOp op);
  mlir::LogicalResult emitCat(tile::CatOp op);
  mlir::LogicalResult emitConvertLayout(hopper::ConvertLayoutOp op);

  // EmitCombine
  mlir::LogicalResult emitReduce(hopper::ReduceOp op);
  mlir::FailureOr<Registers> combine(mlir::Block &combiner,
                                     llvm::ArrayRef<mlir::Value> first,
                                     llvm::ArrayRef<mlir::Value> second);
  mlir::FailureOr<Registers> combineTree(mlir::Block &combiner,
                                         llvm::ArrayRef<Registers> elements);
  mlir::FailureOr<Registers> combineLanes(mlir::Block &combiner, Registers own,
                                          int bit, mlir::Value isUpper);

  // EmitScan
  class Scanner;
  mlir::LogicalResult emitScan(hopper::ScanOp op);

  // EmitIndexed
  mlir::LogicalResult emitLocalTake(hopper::LocalTakeOp op);
  mlir::LogicalResult emitLocalCount(hopper::LocalCountOp op);

  // EmitUnfold
  mlir::LogicalResult emitLocalUnfold(hopper::LocalUnfoldOp op);

  // EmitBarriers
  mlir::LogicalResult emitWait(hopper::WaitOp op);
  mlir::LogicalResult emitArrive(hopper::ArriveOp op);
  void emitArriveWithCopies(Code &code, mlir::Value barrier,
                            mlir::ValueRange copies);
  mlir::LogicalResult emitExpect(hopper::ExpectOp op);
  mlir::LogicalResult emitSync(hopper::SyncOp op);
  mlir::LogicalResult emitStamp(hopper::StampOp op);
  /// Where this thread writes its first stamp of `process`.
  mlir::Value findStampPlace(Code &code, hopper::ProcessOp process);
  /// The barrier of `slot` that `op`, of the ring, waits for or arrives at.
  mlir::Value barrierAddress(Code &code, mlir::Operation *op,
                             llvm::StringRef ring, llvm::StringRef side,
                             mlir::Value slot);
  /// The base of shared memory, as far on as the place is that `op` names in
  /// this replica.
  mlir::Value sharedFor(Code &code, mlir::Operation *op);

  // EmitShared
  mlir::LogicalResult emitSlot(hopper::SlotOp op);
  mlir::LogicalResult emitBuffer(hopper::BufferOp op);
  mlir::LogicalResult emitLocalStore(hopper::LocalStoreOp op);
  mlir::LogicalResult emitLocalLoad(hopper::LocalLoadOp op);

  // EmitTma
  mlir::LogicalResult emitTmaLoad(hopper::TmaLoadOp op);
  mlir::LogicalResult emitTmaStore(hopper::TmaStoreOp op);
  mlir::LogicalResult emitTmaStoreWait(hopper::TmaStoreWaitOp op);

  // EmitGlobal, EmitCopy
  mlir::LogicalResult emitGlobalLoad(hopper::GlobalLoadOp op);
  mlir::LogicalResult emitGlobalStore(hopper::GlobalStoreOp op);
  mlir::LogicalResult emitCopy(hopper::CopyOp op);
  mlir::LogicalResult emitRowCopy(hopper::CopyOp op, Code &code,
                                  const GlobalView &view,
                                  llvm::ArrayRef<mlir::Value> offsets);
  mlir::Value placeOfThread(Code &code);
  mlir::LogicalResult copyElements(hopper::CopyOp op, Code &code,
                                   const GlobalView &view,
                                   llvm::ArrayRef<mlir::Value> offsets,
                                   mlir::Value base);

  // EmitPointers
  mlir::LogicalResult emitPtrAdd(tile::PtrAddOp op);
  mlir::LogicalResult emitPtrConversion(mlir::Operation *op);
  mlir::LogicalResult emitGather(tile::GatherOp op);
  mlir::LogicalResult emitScatter(tile::ScatterOp op);
  mlir::LogicalResult emitAtomicRmw(tile::AtomicRmwOp op);
  mlir::LogicalResult emitAtomicCas(tile::AtomicCasOp op);
  mlir::LogicalResult emitViewReduce(tile::ViewReduceOp op);
  mlir::LogicalResult emitAwaitTurn(hopper::AwaitTurnOp op);
  mlir::LogicalResult emitPassTurn(hopper::PassTurnOp op);
  mlir::LogicalResult emitAssert(tile::AssertOp op);
  void forEachOwned(Code &code, mlir::Value tile, mlir::Value mask,
                    llvm::function_ref<void(size_t, mlir::Value)> body);
  mlir::LogicalResult bindOld(mlir::Operation *op, Registers old);

  // EmitProduct
  mlir::LogicalResult emitProduct(tile::DotOp op);

  // EmitWgmma
  void keepComputed(mlir::scf::ForOp loop);
  mlir::LogicalResult emitWgmma(hopper::WgmmaOp op);
  mlir::LogicalResult emitWgmmaWait(hopper::WgmmaWaitOp op);

  mlir::Value scalar(mlir::Value value) {
    return values.find(value)->second.front();
  }
  const Registers &registers(mlir::Value value) {
    return values.find(value)->second;
  }
  void bind(mlir::Value value, Registers regs) {
    values[value] = std::move(regs);
  }
  hopper::RingOp findRing(llvm::StringRef name);
  /// The function's argument for a parameter of `view`; a constant for a fixed
  /// extent.
  mlir::Value viewPointer(mlir::Value view);
  /// The parameter at `position`.
  mlir::Value scalarParameter(Code &code, mlir::BlockArgument scalar,
                              int position);
  mlir::Value viewDim(Code &code, mlir::Value view, int axis);
  mlir::Value viewStride(Code &code, mlir::Value view, int axis);
  std::string viewName(mlir::Value view);
  GlobalView globalView(Code &code, mlir::Value view);
  /// This thread's part of a tile of `view` at `offsets`.
  GlobalAccess globalAccess(Code &code, mlir::Value view,
                            const machine::Layout &layout,
                            mlir::ValueRange offsets);

  // Instrumented kernels: where this thread writes its next stamp, i32. Carried
  // through every loop and branch.
  mlir::Value stampPlace;
  // Debug builds: where a wait that traps writes, and how often each side of
  // a ring was waited for.
  mlir::Value trapRecord;
  llvm::DenseMap<std::pair<llvm::StringRef, llvm::StringRef>, mlir::Value>
      waitCounters;
  hopper::KernelOp kernel;
  KernelSignature signature;
  mlir::OpBuilder &builder;
  const machine::Costs &costs;
  const MergedReplicas &merged;
  mlir::Block *entry = nullptr;
  mlir::Value shared; ///< base of dynamic shared memory
  Threads threads;
  Needed needed; ///< by the process being emitted
  /// What its descriptors begin with; none: each computes it anew.
  mlir::Value descriptorBase;
  llvm::DenseMap<mlir::Value, Registers> values;
  /// Of emitQuickDivision.
  llvm::DenseMap<mlir::Operation *, mlir::Value> quotients;
};

/// The word of wgmma and mma.sync for an element type, "f16"; "" if they have
/// none. Of f32 they ignore the low bits.
llvm::StringRef productWord(mlir::Type type);

} // namespace heddle::tonvvm

#endif // HEDDLE_LIB_CONVERSION_HOPPERTONVVM_EMITTER_H
