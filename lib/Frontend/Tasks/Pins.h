//===- Pins.h - Lines of a mapping that a plan keeps ------------*- C++ -*-===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In: task.pin lines, and what the walk over the tree notices of splits and
// memories. Out: the pins of the kernel. A line that nothing below can keep is
// refused here by its name; one that contradicts another names both.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_TASKS_PINS_H
#define HEDDLE_LIB_FRONTEND_TASKS_PINS_H

#include "Instances.h"

#include "heddle/Dialect/Sched/Pins.h"

namespace heddle::task {

class PinList {
public:
  /// The lines of a mapping and of its instances.
  mlir::LogicalResult read(Mapping &mapping);
  /// Those of a mapping whose entry is a kernel of tile text.
  mlir::LogicalResult readKernel(MappingOp mapping);
  /// One more; the same twice is one, two values are an error.
  mlir::LogicalResult add(const sched::Pin &pin);

  /// Do lines about sums suit a program in which blocks add to one piece, or
  /// none does? Sums that are rounded show their order.
  mlir::LogicalResult checkSums(bool isReduced, bool isRounded) const;
  /// Do blocks that add to one piece do so one after the other?
  bool sumsInTurns() const;
  /// The blocks that add up before they add to memory; 1 if each adds alone.
  int64_t clusterBlocks() const;
  /// The first line of a name; null if there is none.
  const sched::Pin *find(llvm::StringRef name) const;

  /// The order of the view for argument `index` of the entry, where a line
  /// gives one.
  mlir::Attribute orderOf(unsigned index) const { return orders.lookup(index); }
  mlir::ArrayAttr attribute(mlir::MLIRContext *context) const {
    return sched::writePins(context, pins);
  }
  bool empty() const { return pins.empty(); }

private:
  mlir::LogicalResult readLine(PinOp line, Instance *instance,
                               bool isOfKernel = false);
  mlir::LogicalResult readPlanLine(PinOp line, Instance *instance);
  mlir::LogicalResult readOrder(PinOp line, Instance &entry);

  mlir::LogicalResult checkWay(PinOp line);

  llvm::SmallVector<sched::Pin> pins;
  llvm::DenseMap<unsigned, mlir::Attribute> orders;
};

} // namespace heddle::task

#endif // HEDDLE_LIB_FRONTEND_TASKS_PINS_H
