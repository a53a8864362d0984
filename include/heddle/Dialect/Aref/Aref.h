//===- Aref.h - Sequential processes joined by rings -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generated classes of the aref dialect, the attributes that the expander
// leaves on control flow, and the traits through which operations reach the
// rules of Structure.cpp. The traits are C++ because a .td file can only name
// them, and they stand before the generated code that does so.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_AREF_AREF_H
#define HEDDLE_DIALECT_AREF_AREF_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "heddle/Dialect/Aref/ArefDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "heddle/Dialect/Aref/ArefTypes.h.inc"

namespace heddle::aref {

/// On a scf.if: it carries out stores that the instance before left behind.
inline constexpr llvm::StringLiteral kLate = "aref.late";
/// On the number of the instance that left such stores, in the scf.if.
inline constexpr llvm::StringLiteral kBefore = "aref.before";
/// On a scf.for: iterations near its end that take another branch get a loop of
/// their own.
inline constexpr llvm::StringLiteral kTail = "aref.tail";

/// On a kernel: thread blocks that share a multiprocessor, where there are
/// several.
inline constexpr llvm::StringLiteral kBlocks = "aref.blocks";
inline constexpr llvm::StringLiteral kDealt = "aref.dealt";

/// On a tile.dot: the threads of its process compute it, without the unit of
/// products.
inline constexpr llvm::StringLiteral kByThreads = "aref.by_threads";

/// On an operation of a process on a unit: the cycles for which it occupies the
/// process, and those until its result may be read. On the process: of each
/// step of a ring and operation on tiles or memory that has none of its own.
inline constexpr llvm::StringLiteral kIssue = "aref.issue";
inline constexpr llvm::StringLiteral kLatency = "aref.latency";

/// On a branch of a process on a unit: the first block takes place beside what
/// the process does next, and behind what took place there before.
inline constexpr llvm::StringLiteral kBeside = "aref.beside";

/// On a kernel whose processes are on units: the machine that has them.
inline constexpr llvm::StringLiteral kMachine = "aref.machine";

/// On a load of a process on a unit: no cache keeps what it reads.
inline constexpr llvm::StringLiteral kStream = "aref.stream";

/// What holds for every op of the protocol; see Aref_StepTrait.
mlir::LogicalResult verifyStep(mlir::Operation *op);

/// Whether `op` stands in a kernel itself; see Aref_TopTrait.
mlir::LogicalResult verifyTop(mlir::Operation *op);

template <typename Op>
class TopTrait : public mlir::OpTrait::TraitBase<Op, TopTrait> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyTop(op);
  }
};

/// What holds for a ring and all who use it.
mlir::LogicalResult verifyRing(mlir::Operation *op);

template <typename Op>
class RingTrait : public mlir::OpTrait::TraitBase<Op, RingTrait> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyRing(op);
  }
};

template <typename Op>
class StepTrait : public mlir::OpTrait::TraitBase<Op, StepTrait> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyStep(op);
  }
};

} // namespace heddle::aref

#define GET_OP_CLASSES
#include "heddle/Dialect/Aref/ArefOps.h.inc"

#endif // HEDDLE_DIALECT_AREF_AREF_H
