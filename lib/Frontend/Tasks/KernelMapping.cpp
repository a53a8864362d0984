//===- KernelMapping.cpp - Mappings of kernels in tile text ---------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that somebody wrote, or that another front end made, has no tree of
// tasks. What is left of a mapping are numbers for its parameters and lines
// about its plan: the same lines, kept in the same way.
//
//===----------------------------------------------------------------------===//

#include "Pins.h"

#include "heddle/Dialect/Report.h"
#include "heddle/Dialect/Sched/Sched.h"
#include "heddle/Dialect/Tile/Tile.h"
#include "heddle/Dialect/Tile/Turns.h"
#include "heddle/Frontend/Tasks/Import.h"
#include "heddle/Support/Diagnostics/Task.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace heddle;
using namespace heddle::task;

static LogicalResult setParameter(ModuleOp module, TuneOp line) {
  auto parameter = module.lookupSymbol<tile::ParamOp>(line.getTunable());
  if (!parameter)
    return report(line, diag::task_mapping)
           << "the program has no parameter \"" << line.getTunable() << "\"";
  auto value = int64_t(line.getValue());
  if (line.getChoices() || !llvm::is_contained(parameter.getValues(), value)) {
    Report error = report(line, diag::task_mapping);
    if (line.getChoices())
      error << "the program says which values parameter \"" << line.getTunable()
            << "\" may have; the mapping says one of ";
    else
      error << "parameter \"" << line.getTunable() << "\" is not " << value
            << ", but one of ";
    llvm::interleaveComma(parameter.getValues(), error);
    return error;
  }
  parameter.setInit(value);
  return success();
}

/// Do lines about sums suit what the kernel adds to memory?
static LogicalResult checkSums(tile::KernelOp kernel, const PinList &pins) {
  bool isReduced = false, isRounded = false;
  kernel.walk([&](Operation *op) {
    auto sum = dyn_cast<tile::ViewReduceOp>(op);
    auto update = dyn_cast<tile::AtomicRmwOp>(op);
    if (!sum && !update)
      return;
    isReduced |= bool(sum);
    bool isFloat =
        (sum ? sum.getKind() : update.getKind()) == tile::RmwKind::FAdd;
    isRounded |= isFloat && !(sum && tile::findTurn(sum));
  });
  if (failed(pins.checkSums(isReduced, isRounded)))
    return failure();
  const sched::Pin *way = pins.find(sched::kPinSplitK);
  if (way && (pins.sumsInTurns() != tile::takesTurns(kernel) ||
              pins.clusterBlocks() != tile::clusterBlocks(kernel)))
    return report(way->place, diag::task_mapping)
           << "the text of kernel @" << kernel.getSymName()
           << " says how blocks add up, by tile.in_turn, by tile.in_cluster or "
              "without them; only a mapping of tasks chooses";
  return success();
}

static LogicalResult importMapping(ModuleOp module, MappingOp mapping) {
  auto kernel = module.lookupSymbol<tile::KernelOp>(mapping.getEntry());
  if (!kernel)
    return report(mapping, diag::task_mapping)
           << "mapping @" << mapping.getSymName() << " enters at @"
           << mapping.getEntry()
           << ", and the program has no tasks and no such kernel";
  if (sched::findPlan(kernel))
    return report(mapping, diag::task_mapping)
           << "kernel @" << kernel.getSymName()
           << " has its plan already; a mapping steers whoever finds it";
  if (kernel->hasAttr(sched::kPins))
    return report(mapping, diag::task_mapping)
           << "kernel @" << kernel.getSymName()
           << " has pinned lines already, of another mapping";
  for (auto instance : mapping.getOps<InstanceOp>())
    return report(instance, diag::task_mapping)
           << "@" << mapping.getEntry()
           << " is a kernel, which has no tree of tasks for instance @"
           << instance.getSym();
  llvm::StringMap<int64_t> bound;
  for (auto line : mapping.getOps<TuneOp>()) {
    auto value = int64_t(line.getValue());
    int64_t before = bound.try_emplace(line.getTunable(), value).first->second;
    if (before != value)
      return report(line, diag::task_mapping)
             << "parameter \"" << line.getTunable() << "\" is " << value
             << " here, and the mapping binds it to " << before << ", too";
    if (failed(setParameter(module, line)))
      return failure();
  }
  PinList pins;
  if (failed(pins.readKernel(mapping)) || failed(checkSums(kernel, pins)))
    return failure();
  if (!pins.empty())
    kernel->setAttr(sched::kPins, pins.attribute(module.getContext()));
  return success();
}

LogicalResult heddle::task::importKernelMappings(ModuleOp module) {
  for (auto mapping : llvm::make_early_inc_range(module.getOps<MappingOp>())) {
    if (failed(importMapping(module, mapping)))
      return failure();
    mapping.erase();
  }
  return success();
}

FailureOr<llvm::SmallVector<sched::Pin>>
heddle::task::readPlanLines(ModuleOp module) {
  llvm::SmallVector<sched::Pin> lines;
  WalkResult result = module.walk([&](PinOp line) {
    // The order of a view is no line of a plan.
    if (line.getPin() == "order")
      return WalkResult::advance();
    bool isNamed = line.getArgument().has_value();
    const sched::PinKind *kind =
        sched::findPinKind(line.getPin(), isNamed ? sched::PinSubject::Named
                                                  : sched::PinSubject::Kernel);
    if (!kind || !sched::isValueOf(*kind, line.getValue())) {
      report(line, diag::task_mapping)
          << "\"" << line.getPin() << "\" = " << line.getValue()
          << " is no line about a plan";
      return WalkResult::interrupt();
    }
    lines.push_back({kind->name, line.getValue(), line.getLoc(), -1,
                     line.getArgument().value_or("")});
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return lines;
}
