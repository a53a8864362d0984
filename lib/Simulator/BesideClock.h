//===- BesideClock.h - The second clock of a process ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in the first block of an `scf.if` with aref::kBeside takes place
// beside what the process does next: it begins when the process reaches it and
// what stood there before has ended. The clock of the process is then where it
// was when that began.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_SIMULATOR_BESIDECLOCK_H
#define HEDDLE_LIB_SIMULATOR_BESIDECLOCK_H

#include "Process.h"

#include "heddle/Dialect/Aref/Aref.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace heddle::simulator {

class BesideClock {
public:
  /// Before a step of the process.
  void look(const Process &process, mlir::Operation *op) {
    const Frame &frame = process.frames.back();
    leaves = op && mlir::isa<mlir::scf::YieldOp>(op) && isFirst(frame);
  }

  /// Behind it, with the process's clock and its busy cycles.
  void follow(const Process &process, mlir::Operation *op, int64_t &clock,
              int64_t &busy) {
    if (leaves) {
      ends = clock;
      clock = begun;
      std::swap(busy, busyBeside);
    } else if (op && op->hasAttr(aref::kBeside) && !process.hasEnded() &&
               process.frames.back().owner == op &&
               isFirst(process.frames.back())) {
      begun = clock = std::max(clock, ends);
      std::swap(busy, busyBeside);
    }
  }

  /// When both have ended.
  int64_t last(int64_t clock) const { return std::max(clock, ends); }
  /// The two work side by side.
  int64_t busier(int64_t busy) const { return std::max(busy, busyBeside); }

private:
  static bool isFirst(const Frame &frame) {
    auto branch = mlir::dyn_cast_if_present<mlir::scf::IfOp>(frame.owner);
    return branch && branch->hasAttr(aref::kBeside) &&
           frame.block == branch.thenBlock();
  }

  int64_t begun = 0, ends = 0, busyBeside = 0;
  bool leaves = false;
};

} // namespace heddle::simulator

#endif // HEDDLE_LIB_SIMULATOR_BESIDECLOCK_H
