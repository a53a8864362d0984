//===- Process.h - The state of one process -------------------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process stops and goes on at any operation, so its place is an explicit
// stack of blocks and not one of C++.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_PROCESS_H
#define HEDDLE_LIB_SIMULATOR_PROCESS_H

#include "Ring.h"

#include "llvm/ADT/DenseMap.h"

namespace heddle::simulator {

/// A block being executed.
struct Frame {
  mlir::Operation *owner; ///< the process, or an scf operation
  mlir::Block *block;
  mlir::Block::iterator next;
  /// scf.for: this iteration's number, and where they end.
  int64_t number = 0, end = 0, step = 1;

  Frame(mlir::Operation *owner, mlir::Block *block)
      : owner(owner), block(block), next(block->begin()) {}
};

/// What a process waits for.
struct Wait {
  enum Kind {
    Tasks, ///< for work to land
    Empty, ///< for the slot of `turn` to become empty
    Full,  ///< for the slot of `turn` to become full
    More,  ///< for the slot of `turn` to become full, or the ring closed
  } kind = Tasks;
  mlir::Operation *op = nullptr;
  Ring *ring = nullptr;
  int64_t turn = 0;
  /// What would have to land.
  simulator::Tasks tasks;
  /// Of a wait for a ring: what had happened when it was found not to hold.
  /// While nothing more has, it need not be looked at again.
  int64_t changes = 0, landings = 0;
};

struct Process {
  aref::ProcessOp op;
  unsigned index = 0;
  std::vector<Frame> frames; ///< the innermost last; empty once it has ended
  llvm::DenseMap<mlir::Value, Cell> cells;
  Wait wait;              ///< of the last step that had to wait
  bool isWaiting = false; ///< it was the last one

  llvm::StringRef name() { return op.getSym(); }
  bool hasEnded() const { return frames.empty(); }
  /// The operation that it executes next; null at the end of a block.
  mlir::Operation *nextOp() const {
    const Frame &frame = frames.back();
    return frame.next == frame.block->end() ? nullptr : &*frame.next;
  }
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_PROCESS_H
