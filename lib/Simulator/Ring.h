//===- Ring.h - The state of one ring -------------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot's state is that of the turn that uses it: a turn begins at acquire and
// retires when every consumer has released it. Nothing changes on its own but
// by tasks that land, so conditions are computed when they are asked for.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_RING_H
#define HEDDLE_LIB_SIMULATOR_RING_H

#include "Cell.h"

#include "heddle/Dialect/Aref/Aref.h"

#include <optional>

namespace heddle::simulator {

using Tasks = llvm::SmallVector<std::shared_ptr<Task>, 2>;

/// One consumer's part in one turn.
struct Share {
  mlir::Operation *got = nullptr;
  mlir::Operation *released = nullptr;
  /// What must land before the release takes effect.
  Tasks releasedAfter;

  bool isOver() const;
};

struct TurnState {
  mlir::Operation *acquired = nullptr;
  mlir::Operation *published = nullptr;
  llvm::SmallVector<Cell, 4> payload;
  llvm::SmallVector<Share, 2> shares; ///< in the order of the ring's consumers

  /// Published, and every value has arrived.
  bool isFull() const;
  /// The tasks that a full slot still waits for.
  Tasks arriving() const;
  bool isRetired() const;
};

struct Ring {
  aref::RingOp op;
  Process *producer = nullptr;
  llvm::SmallVector<Process *, 2> consumers;
  /// Turns taken by each consumer, and by the producer.
  llvm::SmallVector<int64_t, 2> got;
  int64_t acquired = 0, published = 0;
  mlir::Operation *closed = nullptr; ///< after `acquired` turns
  int64_t changes = 0;               ///< steps that somebody may wait for

  llvm::StringRef name() { return op.getSym(); }
  int64_t depth() { return op.getDepth(); }
  size_t indexOf(const Process &consumer) const {
    return llvm::find(consumers, &consumer) - consumers.begin();
  }

  /// Null if the turn has not begun or has retired.
  TurnState *find(int64_t turn);
  TurnState &begin(mlir::Operation *acquire);
  /// Forgets retired turns, so that find gives null for them.
  void retire();

private:
  std::deque<TurnState> turns; ///< the last is turn `acquired` - 1

public:
  /// Visits the turns that have not retired: visit(number, state).
  template <typename Visit> void forEachTurn(Visit visit) {
    int64_t first = acquired - int64_t(turns.size());
    for (auto [index, state] : llvm::enumerate(turns))
      visit(first + int64_t(index), state);
  }
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_RING_H
