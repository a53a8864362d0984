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

#include <string>

namespace heddle::sched {

/// On a kernel: an array of lines.
inline constexpr llvm::StringLiteral kPins = "sched.pins";

/// On a module, a unit: its plans will be written out whole. On a kernel of it:
/// the instances in a band of neighbours, which no plan holds.
inline constexpr llvm::StringLiteral kNotesDecisions = "sched.notes_decisions";
inline constexpr llvm::StringLiteral kNotedBand = "sched.band";

/// What can be pinned, as the text of an attribute spells it:
///   "pipeline"  slots of each ring that loads fill for a pipelined loop
///   "groups"    processes that multiply
///   "shared_bytes"  of a block, at the most
///   "schedule"  the method that finds the table
///   "specialised"  loads have a process of their own (true)
///   "ring"      of `argument`: its loads in pipelined loops go through rings
///   "registers" true: what is computed crosses to no other process by a ring
///   "split_k"   how instances add to one piece of memory: a word
///   "cluster"   instances that add up before they add to memory
///   "deterministic"  whether the order of additions of rounded numbers is
///               free in no place (true)
inline constexpr llvm::StringLiteral kPinPipeline = "pipeline";
inline constexpr llvm::StringLiteral kPinGroups = "groups";
inline constexpr llvm::StringLiteral kPinSharedBytes = "shared_bytes";
inline constexpr llvm::StringLiteral kPinSchedule = "schedule";
inline constexpr llvm::StringLiteral kPinSpecialised = "specialised";
inline constexpr llvm::StringLiteral kPinRing = "ring";
inline constexpr llvm::StringLiteral kPinRegisters = "registers";
inline constexpr llvm::StringLiteral kPinSplitK = "split_k";
inline constexpr llvm::StringLiteral kPinCluster = "cluster";
inline constexpr llvm::StringLiteral kPinDeterministic = "deterministic";

/// Values of "split_k": in whichever order instances come, in that of an index,
/// or by clusters, in whichever order these come.
inline constexpr llvm::StringLiteral kByAtomics = "atomics";
inline constexpr llvm::StringLiteral kInTurns = "turnstile";
inline constexpr llvm::StringLiteral kInClusters = "cluster";

/// Lines about the plan as a whole:
///   "machine"      for whose costs it is made
///   "blocks"       that share a multiprocessor
///   "block_order"  instances of the first axis in a band of neighbours
///   "persistent"   a block goes through several instances
///   "together"     names of operations of one process
///   "apart"        names of operations, no two of one process
inline constexpr llvm::StringLiteral kPinMachine = "machine";
inline constexpr llvm::StringLiteral kPinBlocks = "blocks";
inline constexpr llvm::StringLiteral kPinBlockOrder = "block_order";
inline constexpr llvm::StringLiteral kPinPersistent = "persistent";
inline constexpr llvm::StringLiteral kPinTogether = "together";
inline constexpr llvm::StringLiteral kPinApart = "apart";

/// Lines about what a plan names, `of` that name:
///   a process    "warps", "registers" (a number)
///   a ring       "depth"
///   a loop       "interval"; "turns", the unit that keeps its processes'
///                order, or "free"; "ahead", "tail"; "order_of", relations of
///                times (Schedule/Relation.h)
///   an operation "process", "start", "latency", "via" (its ring), "late"
inline constexpr llvm::StringLiteral kPinWarps = "warps";
inline constexpr llvm::StringLiteral kPinDepth = "depth";
inline constexpr llvm::StringLiteral kPinInterval = "interval";
inline constexpr llvm::StringLiteral kPinTurns = "turns";
inline constexpr llvm::StringLiteral kPinAhead = "ahead";
inline constexpr llvm::StringLiteral kPinTail = "tail";
inline constexpr llvm::StringLiteral kPinOrderOf = "order_of";
inline constexpr llvm::StringLiteral kPinProcess = "process";
inline constexpr llvm::StringLiteral kPinStart = "start";
inline constexpr llvm::StringLiteral kPinLatency = "latency";
inline constexpr llvm::StringLiteral kPinVia = "via";
inline constexpr llvm::StringLiteral kPinLate = "late";

/// A value of "turns": no order is kept, the process that comes first is served
/// first.
inline constexpr llvm::StringLiteral kFreeTurns = "free";

/// What a line's value has to be.
enum class PinValue { Number, Flag, Word, Names };

/// What a line is about.
enum class PinSubject { Kernel, Argument, Named };

/// A kind of line, by its name and what it is about; null for none.
struct PinKind {
  llvm::StringLiteral name;
  PinSubject subject;
  PinValue value;
  int64_t least; ///< of a number
};
const PinKind *findPinKind(llvm::StringRef name, PinSubject subject);
bool isValueOf(const PinKind &kind, mlir::Attribute value);
/// "a number of at least 1", "true or false", ...
std::string spell(const PinKind &kind);

struct Pin {
  llvm::StringRef name;
  mlir::Attribute value;
  mlir::Location place;
  /// Of the kernel's arguments; -1 where the line is about none.
  int64_t argument = -1;
  /// What of the plan it is about; empty where it is about the whole.
  llvm::StringRef of = {};

  int64_t number() const {
    return mlir::cast<mlir::IntegerAttr>(value).getInt();
  }
  bool flag() const { return mlir::cast<mlir::BoolAttr>(value).getValue(); }
  llvm::StringRef word() const {
    return mlir::cast<mlir::StringAttr>(value).getValue();
  }
  /// As a person wrote it: `"depth" of "loads" = 4`.
  std::string spelling() const;
};

/// Is `operation` what `name` means: itself, or one of its sub-tiles?
bool isMeant(llvm::StringRef name, llvm::StringRef operation);

/// Do two names speak of these two operations: of any two by their own names,
/// else of those of one sub-tile?
bool arePaired(llvm::StringRef a, llvm::StringRef first, llvm::StringRef b,
               llvm::StringRef second);

/// Of `kernel`, in the order in which they were written; an error where the
/// attribute is none of this form.
mlir::FailureOr<llvm::SmallVector<Pin>> readPins(mlir::Operation *kernel);

/// The attribute of some pins.
mlir::ArrayAttr writePins(mlir::MLIRContext *context, llvm::ArrayRef<Pin> pins);

} // namespace heddle::sched

#endif // HEDDLE_DIALECT_SCHED_PINS_H
