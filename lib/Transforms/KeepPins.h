//===- KeepPins.h - Schedules that keep pinned lines ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: a kernel with sched.pins. Out: costs and a method by which proposers
// cannot go beyond the lines, and, once there is a plan, an error at the first
// line that it breaks. The scheduler stays the one that there is.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_KEEPPINS_H
#define HEDDLE_LIB_TRANSFORMS_KEEPPINS_H

#include "PlanLines.h"

#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Machine/Costs.h"

#include <string>

namespace heddle {

class PinKeeper {
public:
  explicit PinKeeper(tile::KernelOp kernel) : kernel(kernel) {}

  /// Reads the kernel's pins; those that bound what a proposer may do change
  /// `costs`, and `method`, which the command line gave.
  mlir::LogicalResult constrain(machine::Costs &costs, std::string &method);
  bool hasPins() const { return !pins.empty(); }
  /// Those that steer what a proposer finds; valid while the keeper is.
  PlanLines lines() const { return PlanLines(pins); }

  /// Does the kernel's plan, made with these costs, keep every line?
  mlir::LogicalResult check(const machine::Costs &costs);

private:
  mlir::LogicalResult checkPin(const sched::Pin &pin, sched::PlanOp plan,
                               const machine::Costs &costs);
  mlir::LogicalResult checkPipeline(const sched::Pin &pin, sched::PlanOp plan);
  mlir::LogicalResult checkGroups(const sched::Pin &pin, sched::PlanOp plan);
  mlir::LogicalResult checkRing(const sched::Pin &pin, sched::PlanOp plan);
  mlir::LogicalResult checkRegisters(const sched::Pin &pin, sched::PlanOp plan);

  tile::KernelOp kernel;
  llvm::SmallVector<sched::Pin> pins;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_KEEPPINS_H
