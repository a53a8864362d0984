//===- EmitKernel.cpp - The function, its entry and its processes -----------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function around the processes: parameters, initialisation of barriers,
// the dispatch on the warp's number, registers by setmaxnreg. The dispatch is a
// chain of branches on a number that is the same in a whole warp, and every
// process is emitted once, with its own threads, lanes and elected thread.
//
//===----------------------------------------------------------------------===//

#include "ClusterCode.h"
#include "Emitter.h"
#include "KernelFunction.h"
#include "heddle/Conversion/LeastBounds.h"
#include "heddle/Dialect/Hopper/Cluster.h"
#include "heddle/Dialect/Hopper/GlobalAccess.h"
#include "heddle/Dialect/Hopper/LaunchRegisters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using heddle::manifest::Param;

namespace heddle::tonvvm {

/// The scalar type of a parameter; null for a pointer.
static Type parameterType(OpBuilder &builder, hopper::KernelOp kernel,
                          const Param &param) {
  switch (param.kind) {
  case Param::Kind::TensorMap:
  case Param::Kind::Pointer:
  case Param::Kind::TrapRecord:
    return Type();
  case Param::Kind::Dim:
    return builder.getI32Type();
  case Param::Kind::Stride:
    return builder.getI64Type();
  case Param::Kind::Scalar:
    break;
  }
  for (BlockArgument argument : kernel.getEntry().getArguments())
    if (kernel.getArgName(argument.getArgNumber()) == param.argument)
      return argument.getType().isIndex() ? builder.getI32Type()
                                          : argument.getType();
  return Type();
}

LogicalResult Emitter::emitKernel() {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(kernel);
  int64_t tensorMaps = 0;
  SmallVector<Type> scalars;
  for (const Param &param : signature.params) {
    if (param.kind == Param::Kind::TensorMap)
      ++tensorMaps;
    else
      scalars.push_back(parameterType(builder, kernel, param));
  }
  auto module = kernel->getParentOfType<ModuleOp>();
  int64_t blocks = 1;
  for (auto grid : kernel.getOps<hopper::GridOp>())
    blocks = grid.getEach() ? 0 : grid.getBlocks();
  Operation *function = createKernelFunction(
      builder, kernel.getLoc(), module, kernel.getSymName(), scalars,
      tensorMaps, kernel.getThreads(), blocks);
  if (int64_t cluster = hopper::clusterBlocks(kernel); cluster > 1)
    setCluster(function, cluster);
  markComparisons(function);
  entry = &function->getRegion(0).front();
  builder.setInsertionPointToStart(entry);
  return emitEntry();
}

/// Whether `process` takes or gives registers; if not, ptxas decides. Nobody
/// gives where nobody takes.
static bool changesRegisters(hopper::KernelOp kernel,
                             hopper::ProcessOp process) {
  int64_t launched = hopper::launchedRegisters(kernel);
  auto wantsMore = [&](hopper::ProcessOp other) {
    return int64_t(other.getRegisters()) > launched;
  };
  return process.getRegisters() &&
         int64_t(process.getRegisters()) != launched &&
         llvm::any_of(kernel.getOps<hopper::ProcessOp>(), wantsMore);
}

void Emitter::markComparisons(Operation *function) {
  int64_t registers = 0; // 0: as many as ptxas wants
  for (auto process : kernel.getOps<hopper::ProcessOp>())
    if (changesRegisters(kernel, process))
      registers = std::max(registers, int64_t(process.getRegisters()));
  if (registers && registers < int64_t(costs.registers.rearranged))
    return;
  // Columns that are compared with one bound only, the end of a view, are left
  // where they are unless addresses want their registers: kernels lost by it as
  // often as they gained.
  bool stores = kernel
                    .walk([](Operation *op) {
                      return isa<hopper::GlobalStoreOp, tile::ScatterOp>(op)
                                 ? WalkResult::interrupt()
                                 : WalkResult::advance();
                    })
                    .wasInterrupted();
  cast<LLVM::LLVMFuncOp>(function).setPassthroughAttr(builder.getArrayAttr(
      {builder.getStrArrayAttr({kLeastBounds, stores ? "1" : "2"}),
       builder.getStrArrayAttr(
           {kLeastComparisons,
            std::to_string(int64_t(costs.registers.comparisons))})}));
}

/// Thread 0 initialises every barrier before anyone waits on one.
void Emitter::emitBarrierInit(Code &code) {
  for (auto ring : kernel.getOps<hopper::RingOp>())
    for (uint64_t slot = 0; slot < ring.getDepth(); ++slot) {
      code.initBarrier(code.advance(shared, ring.getFull() + 8 * slot),
                       ring.getFullArrivals());
      code.initBarrier(code.advance(shared, ring.getEmpty() + 8 * slot),
                       ring.getEmptyArrivals());
    }
  code.fenceBarrierInit();
  for (auto [i, param] : llvm::enumerate(signature.params))
    if (param.kind == Param::Kind::TensorMap)
      code.prefetchTensorMap(entry->getArgument(i));
}

/// What divides the extent of the rows of a view that is accessed 16 bytes at
/// once: its variant is for such launches only.
static int64_t rowFactor(hopper::KernelOp kernel, unsigned argument) {
  if (!llvm::is_contained(kernel.getRowArgs(), int64_t(argument)))
    return 1;
  auto type =
      cast<tile::ViewType>(kernel.getEntry().getArgument(argument).getType());
  return hopper::kAccessBytes * 8 /
         type.getElementType().getIntOrFloatBitWidth();
}

/// A number says what divides it by having those bits cleared, so that whoever
/// compares it with columns sees that neighbours have one answer.
static Value clearedBelow(Code &code, Value number, int64_t factor) {
  return factor == 1 ? number : code.bitAnd(number, -factor);
}

Value Emitter::scalarParameter(Code &code, BlockArgument scalar, int position) {
  bool isMultiple = scalar.getType().isIntOrIndex() &&
                    llvm::is_contained(kernel.getMultipleArgs(),
                                       int64_t(scalar.getArgNumber()));
  int64_t factor = isMultiple ? tile::kArgumentMultiple : 1;
  for (unsigned i = 0; i < kernel.getEntry().getNumArguments(); ++i) {
    hopper::MadeViewOp made = kernel.getMaker(i);
    if (!made)
      continue;
    auto type = cast<tile::ViewType>(made.getView().getType());
    Value extent = made.getExtents()[type.getOrder().front()];
    if (auto cast = extent.getDefiningOp<arith::IndexCastOp>())
      extent = cast.getIn();
    if (extent == scalar)
      factor = std::max(factor, rowFactor(kernel, i));
  }
  return clearedBelow(code, entry->getArgument(position), factor);
}

LogicalResult Emitter::emitDim(tile::DimOp op) {
  Code code(builder, op.getLoc());
  Value extent = viewDim(code, op.getView(), op.getAxis());
  auto argument = dyn_cast<BlockArgument>(op.getView());
  bool isRow = argument && int64_t(op.getAxis()) ==
                               op.getView().getType().getOrder().front();
  bind(op.getResult(),
       {isRow ? clearedBelow(code, extent,
                             rowFactor(kernel, argument.getArgNumber()))
              : extent});
  return success();
}

LogicalResult Emitter::emitEntry() {
  Code code(builder, kernel.getLoc());
  shared = code.sharedBase();
  for (auto [i, argument] : llvm::enumerate(kernel.getEntry().getArguments())) {
    int position = signature.find(Param::Kind::Scalar, kernel.getArgName(i));
    if (position < 0 && isa<tile::PtrType>(argument.getType()))
      position = signature.find(Param::Kind::Pointer, kernel.getArgName(i));
    if (position >= 0)
      bind(argument, {scalarParameter(code, argument, position)});
  }
  int record = signature.find(Param::Kind::TrapRecord, "");
  if (record >= 0) {
    trapRecord = entry->getArgument(record);
    for (auto ring : kernel.getOps<hopper::RingOp>())
      for (StringRef side : {"full", "empty"})
        waitCounters[{ring.getSym(), side}] = code.counter();
  }
  threads.thread = code.threadIndex();
  threads.warp = code.warpUniform(code.shiftRight(threads.thread, 5));
  threads.lane = code.bitAnd(threads.thread, 31);
  if (int64_t teams = kernel.getTeams(); teams > 1) {
    int64_t warps = int64_t(kernel.getThreads()) / 32 / teams;
    threads.team = warps == 1 ? threads.warp : code.divide(threads.warp, warps);
    threads.warp = warps == 1
                       ? code.i32(0)
                       : code.sub(threads.warp, code.mul(threads.team, warps));
    threads.thread = code.add(threads.lane, code.mul(threads.warp, 32));
  }
  if (kernel.beginsWithBarrier()) {
    code.ifThen(code.isEqual(threads.thread, 0),
                [&] { emitBarrierInit(code); });
    code.barrier(code.i32(0), kernel.getThreads());
  }

  DenseSet<Operation *> device = getDeviceOps(kernel);
  SmallVector<hopper::ProcessOp> processes;
  for (Operation &op : kernel.getEntry()) {
    if (auto process = dyn_cast<hopper::ProcessOp>(op))
      processes.push_back(process);
    else if (device.contains(&op) && failed(emitOp(&op)))
      return failure();
  }
  llvm::stable_sort(processes, [](hopper::ProcessOp a, hopper::ProcessOp b) {
    return a.getFirstWarp() < b.getFirstWarp();
  });
  if (failed(emitProcesses(processes, 0)))
    return failure();
  createReturn(builder, kernel.getLoc());
  return success();
}

/// Warps below `firstWarp` are in processes already emitted.
LogicalResult Emitter::emitProcesses(ArrayRef<hopper::ProcessOp> processes,
                                     int64_t firstWarp) {
  if (processes.empty())
    return success();
  hopper::ProcessOp process = processes.front();
  int64_t first = process.getFirstWarp();
  int64_t warps = merged.countOf(process) * int64_t(process.getWarps());
  int64_t end = first + warps;
  if (first == firstWarp &&
      end * kernel.getTeams() == int64_t(kernel.getThreads()) / 32)
    return emitProcess(process);
  Code code(builder, process.getLoc());
  Value mine = code.isBelow(code.sub(threads.warp, first), warps);
  auto branch = scf::IfOp::create(builder, process.getLoc(), mine,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  if (failed(emitProcess(process)))
    return failure();
  builder.setInsertionPointToStart(branch.elseBlock());
  return emitProcesses(processes.drop_front(), end);
}

/// Does no other process multiply?
static bool multipliesAlone(hopper::KernelOp kernel,
                            hopper::ProcessOp process) {
  auto multiplies = [](hopper::ProcessOp one) {
    return one.getBody()
        .walk([](hopper::WgmmaOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  auto processes = kernel.getOps<hopper::ProcessOp>();
  return multiplies(process) && llvm::count_if(processes, multiplies) == 1;
}

LogicalResult Emitter::emitProcess(hopper::ProcessOp process) {
  Code code(builder, process.getLoc());
  Threads outside = threads;
  threads.process = process;
  needed = findNeeded(process);
  threads.thread = code.sub(outside.thread, process.getFirstWarp() * 32);
  threads.warp = code.sub(outside.warp, process.getFirstWarp());
  Value replica;
  if (merged.countOf(process) > 1) {
    replica = code.divide(threads.warp, process.getWarps());
    bind(process.getBody().getArgument(0), {replica});
  }
  if (changesRegisters(kernel, process))
    code.setRegisters(process.getRegisters(),
                      int64_t(process.getRegisters()) >
                          hopper::launchedRegisters(kernel));

  // From a wait to the product behind it each cycle is the loop's, where one
  // process multiplies. Several hide each other's, and fall into another rhythm
  // when they take less, which is the slower one as often as not.
  if (merged.countOf(process) == 1 && multipliesAlone(kernel, process))
    descriptorBase = code.holdUniform(code.descriptorBase());

  LogicalResult result = success();
  bool isSingle = process.getElected();
  if (!isSingle)
    threads.elected = code.elect();
  if (replica) {
    int64_t warps = process.getWarps();
    threads.thread = code.add(threads.thread, code.mul(replica, -warps * 32));
    threads.warp = code.add(threads.warp, code.mul(replica, -warps));
  }
  if (isSingle) {
    code.ifThen(code.isEqual(threads.warp, 0), [&] {
      code.ifThen(code.elect(), [&] {
        threads.elected = threads.first = code.i1(true);
        stampPlace = findStampPlace(code, process);
        result = emitBlock(process.getBody().front());
      });
    });
  } else {
    threads.first = code.bitAnd(code.isEqual(threads.warp, 0), threads.elected);
    stampPlace = findStampPlace(code, process);
    result = emitBlock(process.getBody().front());
  }
  threads = outside;
  descriptorBase = {};
  return result;
}

} // namespace heddle::tonvvm
