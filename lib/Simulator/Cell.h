//===- Cell.h - What an SSA value of the aref rung is at run time ---------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carrying a value through loops and branches copies its cell and reads
// nothing; what may be read when is decided where an operation reads it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_CELL_H
#define HEDDLE_LIB_SIMULATOR_CELL_H

#include "heddle/Interp/Evaluator.h"

#include <deque>

namespace heddle::simulator {

struct Process;
struct Ring;
struct Task;

/// A consumer's hold on one slot, from get to release. The values that it got
/// share it.
struct Borrow {
  Ring *ring;
  int64_t turn;
  mlir::Operation *releasedBy = nullptr;
};

/// The right to one slot, from acquire to publish or from get to release.
struct Token {
  enum Side { Produce, Consume } side;
  Ring *ring;
  int64_t turn;
  Process *process;
  std::shared_ptr<Borrow> borrow; ///< Consume
  mlir::Operation *spentBy = nullptr;
};

struct Cell {
  enum Kind { Nothing, Data, Turn, Token, Flight } kind = Nothing;

  /// Data: null while `task` is still to make it.
  interp::DatumRef datum;
  /// Data: the copy that loads it or the flight that an await named.
  /// Flight: itself.
  std::shared_ptr<simulator::Task> task;
  /// Data: the await, if a flight made it.
  mlir::Operation *awaitedBy = nullptr;
  /// Data: the slot it lies in.
  std::shared_ptr<Borrow> borrow;

  /// Turn.
  Ring *ring = nullptr;
  int64_t turn = 0;

  std::shared_ptr<simulator::Token> token;

  /// In the timed order of units: when the value may be read.
  int64_t readyAt = 0;

  static Cell ofData(interp::DatumRef datum) {
    Cell cell;
    cell.kind = Data;
    cell.datum = std::move(datum);
    return cell;
  }
  static Cell ofTurn(Ring &ring, int64_t turn) {
    Cell cell;
    cell.kind = Turn;
    cell.ring = &ring;
    cell.turn = turn;
    return cell;
  }
};

/// The flights that one process started on one unit; they land in order.
struct Queue {
  Process *process;
  llvm::StringRef unit;
  /// Those that a step may still ask about, oldest first.
  std::deque<std::shared_ptr<simulator::Task>> flights;
  int64_t started = 0;
  /// How many have landed, and of how many the process's waits prove it.
  int64_t landed = 0, known = 0;
};

/// Asynchronous work: a copy from memory, or a flight.
struct Task {
  mlir::Operation *op;
  Process *process;
  /// What it reads, captured when it began.
  llvm::SmallVector<std::pair<mlir::Value, Cell>> captured;
  /// The slots among it.
  llvm::SmallVector<std::shared_ptr<Borrow>, 2> reads;
  /// Flights: where it queues, and its place there.
  Queue *queue = nullptr;
  int64_t number = 0;
  /// Copies: what the memory held when it began.
  interp::DatumRef atStart;

  interp::DatumRef result; ///< null until it has landed

  bool hasLanded() const { return result != nullptr; }
  /// Whether the waits of its process prove that it has landed.
  bool isKnownToHaveLanded() const {
    return queue ? number < queue->known : hasLanded();
  }
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_CELL_H
