//===- LoopCode.h - A loop while it is emitted -*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of a loop between the calls that emit its prologue, steady state
// and epilogue. EmitLoops.cpp and EmitLate.cpp share it and no other file needs
// it: late stores of one loop are emitted in the middle of another.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SCHEDTOAREF_LOOPCODE_H
#define HEDDLE_LIB_SCHEDTOAREF_LOOPCODE_H

#include "ProcessEmitter.h"

namespace heddle::expander {

/// The late stores of one instance, while the next one is emitted.
struct ProcessEmitter::Late {
  LoopCode &instances;
  Iteration &before;        ///< the instance that left them
  mlir::Value inductionVar; ///< of the next one
  mlir::scf::ForOp host;    ///< under whose first product they come
};

struct ProcessEmitter::LoopCode {
  LoopCode(const Facts &facts, llvm::StringRef process, Scope &outer,
           mlir::scf::ForOp loop)
      : outer(outer), loop(loop), table(facts, process, *loop.getBody()),
        pending(facts, table) {
    scope.outer = &outer;
    scope.block = loop.getBody();
    scope.loop = loop;
  }

  /// The loop's scope in an iteration that is not one of the emitted loop.
  Scope scopeOf(Iteration &iteration) {
    Scope other = scope;
    other.step = step;
    other.current = &iteration;
    other.filling = nullptr;
    return other;
  }

  Scope &outer;
  mlir::scf::ForOp loop;
  Timetable table;
  PendingCounts pending;
  Scope scope;
  mlir::Value lower, upper, step;
  mlir::Value trips; ///< only where stages > 1
  /// Offsets of the last instance's late stores, by the values of the table
  /// that they stand for; see emitLastOffsets.
  llvm::DenseMap<mlir::Value, mlir::Value> lastOffsets;
  /// What is due behind the first product, if this loop is the host of late
  /// stores.
  Late *late = nullptr;
};

/// Carries out what is due in a stretch of straight-line code, once.
class ProcessEmitter::DueOnce {
public:
  /// Products that first start in a later step find their accumulators set
  /// between them and the first product's start, which ptxas serialises if
  /// there are branches in between (C7520).
  DueOnce(ProcessEmitter &emitter, const LoopCode &code)
      : emitter(emitter), late(code.late) {
    if (llvm::any_of(code.table.items, [&](const Item &item) {
          return item.stage > 0 && isProduct(item);
        }))
      now();
  }

  /// Behind the first product.
  void behind(const Item &item) {
    if (isProduct(item))
      now();
  }
  void now() {
    if (Late *due = std::exchange(late, nullptr))
      emitter.emitLate(*due);
  }

private:
  bool isProduct(const Item &item) const {
    return item.kind == Item::Run && emitter.facts.isAsynchronous(item.op);
  }

  ProcessEmitter &emitter;
  Late *late;
};

/// Marks `op` as the one whose regions are being filled, unless an op around it
/// is.
struct Filling {
  Filling(Scope &scope, mlir::Operation *op)
      : scope(scope), isOutermost(!scope.filling) {
    if (isOutermost)
      scope.filling = op;
  }
  ~Filling() {
    if (isOutermost)
      scope.filling = nullptr;
  }
  Scope &scope;
  bool isOutermost;
};

} // namespace heddle::expander

#endif // HEDDLE_LIB_SCHEDTOAREF_LOOPCODE_H
