//===- Sched.h - The schedule of a tile program -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, and lookups between a plan and the program it schedules.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_SCHED_SCHED_H
#define HEDDLE_DIALECT_SCHED_SCHED_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "heddle/Dialect/Sched/SchedDialect.h.inc"

#define GET_OP_CLASSES
#include "heddle/Dialect/Sched/SchedOps.h.inc"

namespace mlir::scf {
class ForOp;
} // namespace mlir::scf

namespace heddle::sched {

/// Discardable attributes that tie the program to its plan.
inline constexpr llvm::StringLiteral kOpName = "sched.op";
inline constexpr llvm::StringLiteral kLoopName = "sched.loop";
/// Which sub-tile of its original an op is (set by split; 0 where there is
/// one).
inline constexpr llvm::StringLiteral kSubIndex = "sched.sub";
/// What sub-tiles of one original have in common: its name.
inline constexpr llvm::StringLiteral kOriginal = "sched.of";

/// On a plan: the machine whose costs it was made with.
inline constexpr llvm::StringLiteral kMachine = "sched.machine";

/// On a kernel: no loop of it is pipelined, and it stays one process.
inline constexpr llvm::StringLiteral kOneProcess = "sched.one_process";

/// On a module: its kernels are compiled as one process rather than declined.
inline constexpr llvm::StringLiteral kOrOneProcess = "sched.or_one_process";

/// On an operation that makes a tile, or a number of one: it has no entry. Each
/// process that reads the result computes it for itself, as it does with
/// scalars.
inline constexpr llvm::StringLiteral kRepeated = "sched.repeated";

/// On an entry: why the operation is where it is. Nothing reads it but people.
inline constexpr llvm::StringLiteral kBecause = "because";

/// Slots of the rings that a plan by roles does not declare: they carry numbers
/// of loops, of 8 bytes.
inline constexpr int64_t kDepthOfNumbers = 64;

/// The schedule name of an op, or "" if it has none.
llvm::StringRef opName(mlir::Operation *op);
/// The name of the op whose sub-tile this is, or "" if it is none.
llvm::StringRef originalName(mlir::Operation *op);
/// Makes `op` sub-tile `sub` of the op `original`: names it, too.
void nameSubTile(mlir::Operation *op, llvm::StringRef original, int64_t sub);
/// Makes `op` the sub-tile of none.
void forgetSubTile(mlir::Operation *op);
/// The schedule name of a loop, or "" if it has none.
llvm::StringRef loopName(mlir::Operation *op);
/// The scf.for of that name in `kernel`, or null.
mlir::scf::ForOp findLoop(mlir::Operation *kernel, llvm::StringRef name);

/// True for an op that a plan must have an entry for: it reads, writes or makes
/// a tile. Splats, constants and what is marked as repeated are not scheduled;
/// like scalars they are repeated wherever they are needed, and neither is
/// control flow.
bool isScheduled(mlir::Operation *op);

/// True for a read of memory that its kernel never writes: it may happen long
/// before, or several times.
bool isOnlyRead(mlir::Operation *op);

/// A scalar, or a tile marked as repeated, read from memory that the kernel
/// never writes: an address like any other, which each process that needs it
/// reads for itself.
bool isRepeatedInput(mlir::Operation *op);

/// True for a conditional that only computes tiles: no memory, no loop, nothing
/// that an asynchronous unit does. It is scheduled as one op.
bool isUndivided(mlir::Operation *op);

/// True for a unit that runs what it is given while the process goes on: its
/// results are waited for. (Loads are asynchronous through their ring instead.)
bool isAsynchronousUnit(llvm::StringRef unit);

/// The plan of `kernel` in the module around it, or null.
PlanOp findPlan(mlir::Operation *kernel);

/// Whether the plan's processes are on units that run by themselves, in place
/// of a timetable.
bool isByRoles(PlanOp plan);

} // namespace heddle::sched

#endif // HEDDLE_DIALECT_SCHED_SCHED_H
