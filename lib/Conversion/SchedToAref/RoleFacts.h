//===- RoleFacts.h - What each process of a plan by roles needs -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel and a plan whose processes are on units. Out: for each process
// the values that it needs, the loops that it takes part in, and the messages
// that it sends or gets. Nothing is rewritten here.
//
// A message is sent where its value is made and got at the same place, so what
// all processes do together is the program, in its order. That is one possible
// run of them, whatever the rings' depths are, so none can wait for ever.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_ROLEFACTS_H
#define HEDDLE_LIB_SCHEDTOAREF_ROLEFACTS_H

#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/MemoryAccess.h"
#include "heddle/Dialect/Tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <list>

namespace heddle::expander {

/// What one turn of a ring carries at one place of the program.
struct Message {
  enum Kind {
    Values, ///< `values`, behind `last`
    Count,  ///< how many iterations `loop` has, in front of it; one over
            ///< groups with those of the rest behind it
    Flag,   ///< with each iteration of `loop` its number, and that it is over
  } kind = Values;
  std::string ring;
  unsigned producer = 0; ///< a process, by its place in the plan
  llvm::SetVector<unsigned> consumers;
  llvm::SmallVector<mlir::Value> values;
  mlir::Operation *first = nullptr, *last = nullptr; ///< that make the values
  mlir::scf::ForOp loop;

  bool concerns(unsigned process) const {
    return producer == process || consumers.contains(process);
  }
};

class RoleFacts {
public:
  /// Reports what cannot be expanded and fails.
  llvm::LogicalResult collect(tile::KernelOp kernel, sched::PlanOp plan);

  llvm::SmallVector<sched::ProcessOp> processes;
  llvm::StringRef nameOf(unsigned process) const {
    return sched::ProcessOp(processes[process]).getSym();
  }
  std::list<Message> messages; ///< in the order of the program
  /// What a ring of the plan, or one made for a message, has of slots.
  int64_t depthOf(llvm::StringRef ring) const;

  /// Whether the process executes the operation: it is the plan's, or a copy of
  /// another's for its own bounds, or repeats a number that it needs.
  bool executes(unsigned process, mlir::Operation *op) const;
  bool takesPart(unsigned process, mlir::Operation *around) const {
    return parts[process].contains(around);
  }
  bool needs(unsigned process, mlir::Value value) const {
    return needed[process].contains(value);
  }
  /// Stands in front of the processes, for all of them.
  bool isShared(mlir::Operation *op) const { return shared.contains(op); }
  /// The message that brings the loop's iterations to the process, or null: it
  /// knows the bounds.
  const Message *controlOf(unsigned process, mlir::scf::ForOp loop) const;
  /// Whether no cache need keep what the operation reads.
  bool isStreamed(mlir::Operation *op) const {
    sched::EntryOp entry = entries.lookup(op);
    return entry && entry.getStream();
  }
  /// Its operands, and what its regions read from outside.
  static llvm::SetVector<mlir::Value> readsOf(mlir::Operation *op);

private:
  llvm::LogicalResult readPlan(tile::KernelOp kernel, sched::PlanOp plan);
  llvm::LogicalResult checkMemory(tile::KernelOp kernel);
  llvm::LogicalResult ownWhole(tile::KernelOp kernel);
  std::optional<unsigned> ownerOf(mlir::Operation *op) const;
  bool isPart(unsigned process, mlir::Operation *op) const {
    return ownParts[process].contains(op);
  }
  llvm::StringRef controlKind(mlir::scf::ForOp loop) const;
  unsigned driverOf(mlir::scf::ForOp loop) const;
  bool comesFromOthers(mlir::Value value) const;
  llvm::LogicalResult copyBounds(unsigned process, mlir::scf::ForOp loop);
  void requireOp(unsigned process, mlir::Operation *op);
  void enter(unsigned process, mlir::Operation *op);
  void require(unsigned process, mlir::Value value);
  void requireControl(unsigned process, mlir::scf::ForOp loop);
  std::optional<unsigned> senderOf(unsigned process, mlir::Operation *op) const;
  void send(unsigned from, unsigned to, mlir::Value value);
  llvm::LogicalResult makeMessages(tile::KernelOp kernel);
  bool hasPieces(llvm::StringRef ring) const;
  llvm::LogicalResult addValue(mlir::Operation *op, mlir::OpResult value);
  llvm::LogicalResult checkMessages();

  std::vector<tile::MemoryAccess> accesses; ///< in the order of the program
  llvm::DenseMap<mlir::Operation *, sched::EntryOp> entries;
  llvm::DenseMap<mlir::Operation *, unsigned> owners;
  llvm::StringMap<int64_t> depths;
  llvm::StringMap<std::string> controls;
  llvm::DenseSet<mlir::Operation *> shared;
  /// By process.
  std::vector<llvm::DenseSet<mlir::Operation *>> ownParts, parts, copied;
  std::vector<llvm::DenseSet<mlir::Value>> needed;
  /// Who gets a value from whom.
  llvm::DenseMap<mlir::Value, std::pair<unsigned, llvm::SetVector<unsigned>>>
      sent;
  /// Loops, and who is told of their iterations.
  llvm::DenseMap<mlir::Operation *, llvm::SetVector<unsigned>> told;
};

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_ROLEFACTS_H
