//===- Pins.h - Lines that a schedule has to keep ---------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A partial plan: what somebody fixed of a kernel's plan before it is made,
// each line with the place where it was written. A kernel carries them as an
// attribute from the tile rung down to its sched.plan, so that a saved rung
// still holds them. Whoever finds the plan obeys, or says which line does not
// hold.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_DIALECT_SCHED_PINS_H
#define HEDDLE_DIALECT_SCHED_PINS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

namespace heddle::sched {

/// On a kernel: an array of lines.
inline constexpr llvm::StringLiteral kPins = "sched.pins";

/// What can be pinned, as the text of an attribute spells it:
///   "pipeline"  slots of each ring that loads fill for a pipelined loop
///   "groups"    processes that multiply
///   "shared_bytes"  of a block, at the most
///   "schedule"  the method that finds the table
///   "specialised"  loads have a process of their own (true)
///   "ring"      of `argument`: its loads in pipelined loops go through rings
///   "registers" true: what is computed crosses to no other process by a ring
inline constexpr llvm::StringLiteral kPinPipeline = "pipeline";
inline constexpr llvm::StringLiteral kPinGroups = "groups";
inline constexpr llvm::StringLiteral kPinSharedBytes = "shared_bytes";
inline constexpr llvm::StringLiteral kPinSchedule = "schedule";
inline constexpr llvm::StringLiteral kPinSpecialised = "specialised";
inline constexpr llvm::StringLiteral kPinRing = "ring";
inline constexpr llvm::StringLiteral kPinRegisters = "registers";

struct Pin {
  llvm::StringRef name;
  mlir::Attribute value;
  mlir::Location place;
  /// Of the kernel's arguments; -1 where the line is about none.
  int64_t argument = -1;

  int64_t number() const {
    return mlir::cast<mlir::IntegerAttr>(value).getInt();
  }
};

/// Of `kernel`, in the order in which they were written; an error where the
/// attribute is none of this form.
mlir::FailureOr<llvm::SmallVector<Pin>> readPins(mlir::Operation *kernel);

/// The attribute of some pins.
mlir::ArrayAttr writePins(mlir::MLIRContext *context, llvm::ArrayRef<Pin> pins);

} // namespace heddle::sched

#endif // HEDDLE_DIALECT_SCHED_PINS_H
