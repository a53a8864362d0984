//===- CompareProcesses.h - In which numbers processes differ ---*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: processes of a kernel, each an operation with one block, and what is a
// number on their rung. Out: whether they do the same in the same order, and
// the numbers in which they differ: rows and columns of tiles, slots, parities,
// places. Everything else must be equal. One code with the replica's number in
// it then serves all of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_COMPAREPROCESSES_H
#define HEDDLE_ANALYSIS_COMPAREPROCESSES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

#include <optional>
#include <vector>

namespace heddle {

/// What makes the number of one process from that of another: an addition, or
/// bits to flip. The process that fills a slot of an ordering credit waits for
/// the other phase than the one that gets it.
struct NumberChange {
  int64_t more = 0, flip = 0;
  bool operator==(const NumberChange &) const = default;
  explicit operator bool() const { return more || flip; }
};

/// By the replica's number; the first process is number 0.
struct ReplicaNumbers {
  /// Operands in the first process that are other numbers in another one. None
  /// is added to in one process and flipped in another.
  llvm::MapVector<mlir::OpOperand *, std::vector<NumberChange>> operands;
  /// Operations in the first process that name a place: how many bytes further
  /// on that is, or how many barriers.
  llvm::MapVector<mlir::Operation *, std::vector<int64_t>> places;
};

/// What is a number on a rung, apart from operands.
class ProcessRules {
public:
  virtual ~ProcessRules() = default;
  /// Another two processes are compared from here on.
  virtual void begin() {}
  /// Do two operations do the same, apart from operands, regions and places?
  virtual bool areAlike(mlir::Operation *a, mlir::Operation *b) = 0;
  /// The operands that count.
  virtual llvm::SmallVector<mlir::OpOperand *> readBy(mlir::Operation &op) = 0;
  /// The place that an operation names; nothing if it names none.
  virtual std::optional<int64_t> placeOf(mlir::Operation *) { return {}; }
  /// Is a step's result one of several things that it gives, of which another
  /// process may read another one?
  virtual bool isElement(mlir::OpResult) { return false; }
  /// Of values from outside of the processes: does the second process do with
  /// `b` what the first does with `a`?
  virtual bool areSameOutside(mlir::Value a, mlir::Value b) { return a == b; }
};

/// The numbers in which `processes` differ. Nothing if they differ in more;
/// then `difference` is a step of the first that another one does not take, if
/// it is known.
std::optional<ReplicaNumbers>
compareProcesses(llvm::ArrayRef<mlir::Operation *> processes,
                 ProcessRules &rules, mlir::Operation *&difference);

/// Of processes in order that say they are replicas of the one with this name,
/// itself among them: refuses them if the first has another name, or one of
/// them other warps or registers.
mlir::LogicalResult verifyReplicas(llvm::StringRef leader,
                                   llvm::ArrayRef<mlir::Operation *> group);
/// Says at `process` that it is no replica of `leader`, with the step of that,
/// if it is known.
mlir::LogicalResult reportNoReplica(mlir::Operation *process,
                                    mlir::Operation *leader,
                                    mlir::Operation *difference);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_COMPAREPROCESSES_H
