//===- PlanLines.h - Lines about what a plan names --------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: the pins of a kernel. Out: what they say of each loop's schedule and of
// what stands around the loops, in the terms of whoever finds the plan; and,
// once there is a plan, whether it holds each line, with the numbers that it
// holds instead.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_TRANSFORMS_PLANLINES_H
#define HEDDLE_LIB_TRANSFORMS_PLANLINES_H

#include "ExportProblem.h"

#include "heddle/Dialect/Sched/Pins.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Plan/Choose.h"

namespace heddle {

class PlanLines {
public:
  PlanLines() = default;
  explicit PlanLines(llvm::ArrayRef<sched::Pin> pins) : pins(pins) {}

  /// What `described` says of the loop becomes what is pinned of it. Names that
  /// the loop does not have are another loop's.
  mlir::LogicalResult pinLoop(const LoopProblem &exported,
                              plan::Loop &described) const;
  /// The plan of a loop whose schedule the lines state as a whole; nothing
  /// where something is open.
  std::optional<plan::LoopPlan> stated(const plan::Loop &described) const;

  bool steer() const { return !pins.empty(); }
  std::optional<int64_t> blocks() const;
  std::optional<bool> isPersistent() const;
  std::optional<int64_t> warpsOf(llvm::StringRef process) const;
  std::optional<int64_t> depthOf(llvm::StringRef ring) const;
  std::optional<llvm::StringRef> processOf(llvm::StringRef operation) const;
  std::optional<bool> isLate(llvm::StringRef operation) const;

  /// Does the plan hold the line? Only for lines that name something of it, or
  /// speak of its operations.
  static mlir::LogicalResult check(const sched::Pin &pin, sched::PlanOp plan,
                                   const machine::Costs &costs);

private:
  const sched::Pin *find(llvm::StringRef name, llvm::StringRef of) const;

  llvm::ArrayRef<sched::Pin> pins;
};

} // namespace heddle

#endif // HEDDLE_LIB_TRANSFORMS_PLANLINES_H
