//===- RoleEmitter.h - Writes one process of a plan by roles ----*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrite: goes through the program in its order and emits what the process
// executes, the loops that it takes part in, and its side of each message.
// RoleFacts has decided all of that.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_ROLEEMITTER_H
#define HEDDLE_LIB_SCHEDTOAREF_ROLEEMITTER_H

#include "RoleFacts.h"

#include "heddle/Dialect/Aref/Aref.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace heddle::expander {

/// The types that a message's turns carry.
llvm::SmallVector<mlir::Type> payloadOf(const RoleFacts &facts,
                                        const Message &message);

class RoleEmitter {
public:
  RoleEmitter(const RoleFacts &facts, unsigned process,
              mlir::OpBuilder &builder,
              const llvm::StringMap<mlir::Value> &rings);

  /// Emits the kernel's entry block for this process.
  llvm::LogicalResult run(mlir::Block &entry);

private:
  /// A slot that is got and not yet given back.
  struct Held {
    const Message *message;
    mlir::Value token;
    llvm::SmallVector<mlir::Value> values;
    mlir::Operation *get;
    mlir::Operation *release = nullptr;
  };
  using Turns = llvm::MapVector<llvm::StringRef, mlir::Value>;

  bool produces(const Message &message) const {
    return message.producer == process;
  }
  bool gets(const Message &message) const {
    return message.consumers.contains(process);
  }
  mlir::Value ringOf(const Message &message) const {
    return rings.find(message.ring)->second;
  }
  mlir::Value see(mlir::Value value) const {
    return map.lookupOrDefault(value);
  }

  // Steps of rings.
  mlir::Value acquire(const Message &message, mlir::Location loc);
  void publish(const Message &message, mlir::Value token,
               mlir::ValueRange values, mlir::Location loc);
  Held get(const Message &message, mlir::Location loc);
  void sendCount(const Message &message);
  mlir::Value countOf(mlir::scf::ForOp loop, mlir::Value told);
  void sendFlag(const Message &message, bool goesOn, mlir::Value number);

  // The program.
  llvm::SmallVector<Held> emitBlock(mlir::Block &block);
  void emitOp(mlir::Operation *op, llvm::SmallVectorImpl<Held> &held);
  void emitLoop(mlir::scf::ForOp loop);
  void emitFlagLoop(mlir::scf::ForOp loop, const Message &flag);
  void emitIf(mlir::scf::IfOp conditional);
  void emitBranch(mlir::Block &from, mlir::Block &into,
                  llvm::ArrayRef<unsigned> kept);
  /// Gives each slot back behind the last reader of what it holds.
  void giveBack(llvm::SmallVector<Held> held);
  void checkDepth(llvm::ArrayRef<Held> held);

  /// The rings with steps of this process inside of `op`.
  llvm::SmallVector<llvm::StringRef> ringsIn(mlir::Operation *op) const;
  llvm::SmallVector<unsigned> carriedBy(mlir::scf::ForOp loop) const;
  llvm::SmallVector<mlir::Value>
  withTurns(llvm::SmallVector<mlir::Value> values,
            llvm::ArrayRef<llvm::StringRef> used) const;
  void takeTurns(mlir::ValueRange values, llvm::ArrayRef<llvm::StringRef> used);

  const RoleFacts &facts;
  unsigned process;
  mlir::OpBuilder &builder;
  const llvm::StringMap<mlir::Value> &rings;
  mlir::IRMapping map;
  Turns turns;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<const Message *>> firsts,
      lasts, ofLoop;
  llvm::DenseMap<const Message *, mlir::Value> tokens; ///< acquired
  llvm::DenseMap<const Message *, mlir::Value> counts;
  bool failed = false;
};

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_ROLEEMITTER_H
